//! The recognizers, with one file for each kind of value, and their registry.

mod address;
mod card;
mod category;
mod date;
mod device;
mod email;
mod file_name;
mod free_text;
mod geography;
mod household;
mod iban;
mod ip;
mod mac;
mod national;
mod one_row;
mod person_name;
mod record_number;
mod telephone;
mod url;
mod uuid;
mod vehicle;
mod weight;

use crate::hipaa::Item;
use crate::recognizer::{Clue, Evidence, Kind, Meaning, Piece, Sureness, by_share};
use crate::sample::Sample;
use crate::text::Cell;

/// Kinds that are reported before [`national::NUMBERS`].
static FIRST: [&Kind; 8] = [
    &email::EMAIL,
    &iban::IBAN,
    &card::CARD,
    &uuid::UUID,
    &mac::MAC,
    &ip::IP,
    &url::URL,
    &telephone::TELEPHONE,
];

/// Kinds that are reported after [`national::NUMBERS`].
static LAST: [&Kind; 22] = [
    &vehicle::VEHICLE,
    &device::DEVICE,
    &person_name::PERSON_NAME,
    &address::ADDRESS,
    &geography::COORDINATES,
    &geography::COORDINATE,
    &file_name::FILE_NAME,
    &record_number::RECORD_NUMBER,
    &record_number::LICENSE,
    &record_number::ACCOUNT,
    &free_text::FREE_TEXT,
    &date::BIRTH_DATE,
    &date::DATE,
    &geography::POSTAL_CODE,
    &household::HOUSEHOLD,
    &weight::WEIGHT,
    &category::SEX,
    &category::RELIGION,
    &category::ETHNICITY,
    &category::OCCUPATION,
    &category::ICD_10,
    &one_row::ONE_ROW,
];

/// Returns all kinds of values. If several of them match a column equally well, they are reported
/// in this order.
pub fn registry() -> impl Iterator<Item = &'static Kind> + Clone {
    FIRST.into_iter().chain(&national::NUMBERS).chain(LAST)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns whether a recognizer accepts a value.
    pub(crate) fn fits(kind: &Kind, value: &str) -> bool {
        Cell::new(value).is_some_and(|cell| (kind.fits)(&cell))
    }

    /// Returns the certainty of a recognizer for a column with these values.
    pub(crate) fn judged(kind: &Kind, name: &str, values: &[&str]) -> Option<Sureness> {
        let values: Vec<(&str, u64)> = values.iter().map(|value| (*value, 1)).collect();
        let sample = Sample::of_values(name, values.len() as u64, &values);
        let n = sample.cells().filter(|cell| (kind.fits)(cell)).count();
        (kind.judge)(kind, &sample, n)
    }

    #[test]
    fn recognizer_names_are_unique_and_words_folded() {
        let names: BTreeSet<&str> = registry().map(|kind| kind.name).collect();
        assert_eq!(names.len(), registry().count());
        for kind in registry() {
            for word in kind.words() {
                assert_eq!(crate::text::fold(word), *word, "{}", kind.name);
            }
            let Evidence { alone, named, least } = kind.evidence;
            assert!(least > 0 && named > 0.0 && alone > 0.0, "{}", kind.name);
        }
    }
}
