//! Dates of events.

use crate::dates;
use crate::hipaa::Item;
use crate::recognizer::{Kind, Meaning, Recognizer};
use crate::text::Cell;

/// Recognizes dates of any kind. Dates of birth have a separate recognizer.
pub struct OtherDate;

static KIND: Kind = Kind {
    name: "date",
    plural: "dates",
    meaning: Meaning::KnownToOthers,
    hipaa: Some(Item::Dates),
    alone: 0.8,
    named: 2.0,
    least: 1,
};

impl Recognizer for OtherDate {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn fits(&self, cell: &Cell<'_>) -> bool {
        dates::read(cell.text).is_some()
    }

    fn follows_from_profile(&self) -> bool {
        true
    }
}
