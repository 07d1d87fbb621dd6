//! One file for each kind of value, and the registry.

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

/// All recognizers. Where several fit a column equally well, the first is told first.
pub static REGISTRY: &[&dyn Recognizer] = &[
    &email::Email,
    &iban::Iban,
    &card::Card,
    &uuid::Uuid,
    &mac::Mac,
    &ip::Ip,
    &url::Url,
    &telephone::Telephone,
    &national::Number(&national::us::SSN),
    &national::Number(&national::uk::NHS),
    &national::Number(&national::uk::NATIONAL_INSURANCE),
    &national::Number(&national::de::TAX),
    &national::Number(&national::de::PENSION),
    &national::Number(&national::fr::NIR),
    &national::Number(&national::it::FISCAL_CODE),
    &national::Number(&national::es::DNI),
    &national::Number(&national::nl::BSN),
    &national::Number(&national::be::REGISTER),
    &national::Number(&national::pl::PESEL),
    &national::Number(&national::se::PERSONNUMMER),
    &national::Number(&national::fi::HETU),
    &national::Number(&national::no::FODSELSNUMMER),
    &national::Number(&national::dk::CPR),
    &national::Number(&national::ch::AHV),
    &national::Number(&national::at::SVNR),
    &national::Number(&national::cz::RODNE_CISLO),
    &national::Number(&national::pt::NIF),
    &national::Number(&national::ro::CNP),
    &national::Number(&national::tr::KIMLIK),
    &national::Number(&national::br::CPF),
    &national::Number(&national::mx::CURP),
    &national::Number(&national::cl::RUT),
    &national::Number(&national::ca::SIN),
    &national::Number(&national::za::ID),
    &national::Number(&national::india::AADHAAR),
    &national::Number(&national::india::PAN),
    &national::Number(&national::china::ID),
    &national::Number(&national::korea::RRN),
    &national::Number(&national::australia::MEDICARE),
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

    /// Whether a recognizer takes a value.
    pub(crate) fn fits(recognizer: &dyn Recognizer, value: &str) -> bool {
        Cell::new(value).is_some_and(|cell| recognizer.fits(&cell))
    }

    /// What a recognizer says of a column of these values.
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
    fn names_are_unique_and_words_are_folded() {
        let names: BTreeSet<&str> = REGISTRY.iter().map(|it| it.kind().name).collect();
        assert_eq!(names.len(), REGISTRY.len());
        for kind in REGISTRY.iter().map(|it| it.kind()) {
            for word in kind.words {
                assert_eq!(crate::text::fold(word), *word, "{}", kind.name);
            }
            assert!(kind.least > 0 && kind.named > 0.0 && kind.alone > 0.0, "{}", kind.name);
        }
    }
}
