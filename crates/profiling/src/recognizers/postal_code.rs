//! Postal codes.

use crate::hipaa::Item;
use crate::postal;
use crate::recognizer::{Kind, Meaning, Recognizer};
use crate::text::Cell;

/// Recognizes codes in the format of a country, in a column with a suitable name.
pub struct PostalCode;

static KIND: Kind = Kind {
    name: "postal-code",
    plural: "postal codes",
    meaning: Meaning::KnownToOthers,
    hipaa: Some(Item::Geography),
    alone: 2.0,
    named: 0.5,
    least: 1,
};

impl Recognizer for PostalCode {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn fits(&self, cell: &Cell<'_>) -> bool {
        postal::format_of(cell.text).is_some()
    }

    fn are_masked(&self) -> bool {
        true
    }
}
