//! The recognizers, with one file for each kind of value, and their registry.

mod address;
mod birth_date;
mod card;
mod coordinates;
mod device;
mod email;
mod file_name;
mod free_text;
mod household;
mod iban;
mod ip;
mod mac;
pub mod national;
mod one_row;
mod other_date;
mod person_name;
mod postal_code;
mod record_number;
mod telephone;
mod url;
mod uuid;
mod vehicle;
mod weight;

use crate::recognizer::Recognizer;

/// All recognizers. If several of them match a column equally well, they are reported in this
/// order.
pub static REGISTRY: &[&dyn Recognizer] = &[
    &email::Email,
    &iban::Iban,
    &card::Card,
    &uuid::Uuid,
    &mac::Mac,
    &ip::Ip,
    &url::Url,
    &telephone::Telephone,
    &national::Number(&national::SSN),
    &national::Number(&national::NHS),
    &national::Number(&national::NATIONAL_INSURANCE),
    &national::Number(&national::TAX),
    &national::Number(&national::PENSION),
    &national::Number(&national::NIR),
    &national::Number(&national::FISCAL_CODE),
    &national::Number(&national::DNI),
    &national::Number(&national::BSN),
    &national::Number(&national::REGISTER),
    &national::Number(&national::PESEL),
    &national::Number(&national::PERSONNUMMER),
    &national::Number(&national::HETU),
    &national::Number(&national::FODSELSNUMMER),
    &national::Number(&national::CPR),
    &national::Number(&national::AHV),
    &national::Number(&national::SVNR),
    &national::Number(&national::RODNE_CISLO),
    &national::Number(&national::NIF),
    &national::Number(&national::CNP),
    &national::Number(&national::KIMLIK),
    &national::Number(&national::CPF),
    &national::Number(&national::CURP),
    &national::Number(&national::RUT),
    &national::Number(&national::SIN),
    &national::Number(&national::SOUTH_AFRICAN_ID),
    &national::Number(&national::AADHAAR),
    &national::Number(&national::PAN),
    &national::Number(&national::CHINESE_ID),
    &national::Number(&national::RRN),
    &national::Number(&national::MEDICARE),
    &vehicle::Vehicle,
    &device::Device,
    &person_name::PersonName,
    &address::Address,
    &coordinates::Coordinates,
    &coordinates::Coordinate,
    &file_name::FileName,
    &record_number::RecordNumber,
    &record_number::License,
    &record_number::Account,
    &free_text::FreeText,
    &birth_date::BirthDate,
    &other_date::OtherDate,
    &postal_code::PostalCode,
    &household::Household,
    &weight::Weight,
    &one_row::OneRow,
];

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::recognizer::Sureness;
    use crate::sample::Sample;
    use crate::text::Cell;

    /// Whether a recognizer accepts a value.
    pub(crate) fn fits(recognizer: &dyn Recognizer, value: &str) -> bool {
        Cell::new(value).is_some_and(|cell| recognizer.fits(&cell))
    }

    /// Returns the certainty of a recognizer for a column with these values.
    pub(crate) fn judged(
        recognizer: &dyn Recognizer,
        name: &str,
        values: &[&str],
    ) -> Option<Sureness> {
        let values: Vec<(&str, u64)> = values.iter().map(|value| (*value, 1)).collect();
        let sample = Sample::of_values(name, values.len() as u64, &values);
        let n = sample.cells().filter(|cell| recognizer.fits(cell)).count();
        recognizer.judge(&sample, n)
    }

    #[test]
    fn recognizer_names_are_unique_and_words_folded() {
        let names: BTreeSet<&str> = REGISTRY.iter().map(|it| it.kind().name).collect();
        assert_eq!(names.len(), REGISTRY.len());
        for kind in REGISTRY.iter().map(|it| it.kind()) {
            for word in kind.words() {
                assert_eq!(crate::text::fold(word), *word, "{}", kind.name);
            }
            assert!(kind.least > 0 && kind.named > 0.0 && kind.alone > 0.0, "{}", kind.name);
        }
    }
}
