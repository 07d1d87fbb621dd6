//! National identification numbers, mostly with check digits.
//!
//! The formulas are those of the issuing authorities, as documented by python-stdnum. No code was
//! copied.

mod europe;
mod world;

pub use europe::*;
pub use world::*;

use crate::hipaa::Item;
use crate::piece::Piece;
use crate::recognizer::{Clue, Kind, Meaning, Recognizer};
use crate::text::Cell;

/// An identification number of one country.
#[derive(Debug)]
pub struct National {
    kind: Kind,
    fits: fn(&Cell<'_>) -> bool,
}

/// The recognizer of a national identification number.
pub struct Number(pub &'static National);

/// The minimum fraction of matching values for numbers with a check digit. One in ten or eleven
/// random numbers has a valid check digit.
const CHECKED: f64 = 0.6;
/// The minimum fraction of matching values for numbers without a check digit.
const FORM: f64 = 0.9;

const fn number(
    name: &'static str,
    plural: &'static str,
    alone: f64,
    fits: fn(&Cell<'_>) -> bool,
) -> National {
    let kind = Kind {
        name,
        plural,
        meaning: Meaning::Identifies,
        hipaa: Some(Item::SocialSecurity),
        alone,
        named: 0.3,
        least: 5,
    };
    National { kind, fits }
}

impl Recognizer for Number {
    fn kind(&self) -> &'static Kind {
        &self.0.kind
    }

    fn fits(&self, cell: &Cell<'_>) -> bool {
        (self.0.fits)(cell)
    }

    fn fits_within(&self, piece: &Piece<'_>) -> Option<Clue> {
        let is_marked = piece.is_after(self.0.kind.words());
        (self.0.fits)(&piece.cell).then_some(if is_marked { Clue::Clear } else { Clue::CheckDigit })
    }
}

/// Whether all digits are equal, as in placeholders that are not assigned.
fn is_one_digit(digits: &[u8]) -> bool {
    digits.windows(2).all(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    /// Tests examples published by the authorities, and synthetic numbers with valid check digits.
    /// Each number must be rejected if one digit is changed.
    #[test]
    fn national_numbers_are_validated() {
        let cases: &[(&National, &str, &str)] = &[
            (&SSN, "219-09-9998", "000-09-9998"),
            (&NHS, "943 476 5919", "943 476 5918"),
            (&NATIONAL_INSURANCE, "AB 12 34 56 C", "QQ 12 34 56 C"),
            (&TAX, "86 095 742 719", "86 095 742 718"),
            (&PENSION, "15 070649 C 103", "15 070649 C 104"),
            (&NIR, "2 55 08 14 168 025 38", "2 55 08 14 168 025 39"),
            (&FISCAL_CODE, "RSSMRA85T10A562S", "RSSMRA85T10A562T"),
            (&DNI, "12345678Z", "12345678A"),
            (&DNI, "X1234567L", "X1234567M"),
            (&BSN, "111222333", "111222334"),
            (&REGISTER, "85.07.30-033 28", "85.07.30-033 29"),
            (&PESEL, "44051401359", "44051401358"),
            (&PERSONNUMMER, "811228-9874", "811228-9873"),
            (&PERSONNUMMER, "19811228-9874", "19811228-9875"),
            (&HETU, "131052-308T", "131052-308U"),
            (&FODSELSNUMMER, "15108695088", "15108695089"),
            (&CPR, "211062-5629", "321062-5629"),
            (&AHV, "756.9217.0769.85", "756.9217.0769.84"),
            (&SVNR, "1237 010180", "1238 010180"),
            (&RODNE_CISLO, "710319/2745", "710319/2746"),
            (&NIF, "501 964 843", "501 964 842"),
            (&CNP, "1630615123457", "1630615123458"),
            (&KIMLIK, "17291716060", "17291716050"),
            (&CPF, "390.533.447-05", "390.533.447-06"),
            (&CURP, "BOXW310820HNERXN09", "BOXW310820HNERXN08"),
            (&RUT, "12.531.909-2", "12.531.909-3"),
            (&SIN, "123-456-782", "123-456-783"),
            (&SOUTH_AFRICAN_ID, "7503305044089", "7503305044088"),
            (&AADHAAR, "2341 2341 2346", "2341 2341 2347"),
            (&PAN, "ACUPA7085R", "ACUP7085RA"),
            (&CHINESE_ID, "360426199101010071", "360426199101010072"),
            (&RRN, "971013-9019902", "971313-9019902"),
            (&MEDICARE, "2123 45670 1", "2123 45671 1"),
        ];
        for (national, right, wrong) in cases {
            let name = national.kind.name;
            assert!(fits(&Number(national), right), "{name}: {right}");
            assert!(!fits(&Number(national), wrong), "{name}: {wrong}");
        }
    }

    #[test]
    fn plain_counts_are_not_national_numbers() {
        for n in 0..2000u32 {
            for recognizer in super::super::REGISTRY {
                let is_national = recognizer.kind().hipaa == Some(Item::SocialSecurity);
                assert!(
                    !is_national || !fits(*recognizer, &n.to_string()),
                    "{}",
                    recognizer.kind().name
                );
            }
        }
    }
}
