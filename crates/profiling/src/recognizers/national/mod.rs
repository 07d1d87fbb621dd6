//! National identification numbers, mostly with check digits.
//!
//! The formulas are those of the issuing authorities, as documented by python-stdnum. No code was
//! copied.

mod europe;
mod world;

use super::*;
use europe::*;
use world::*;

/// The minimum fraction of matching values for numbers with a check digit. One in ten or eleven
/// random numbers has a valid check digit.
const CHECKED: f64 = 0.6;
/// The minimum fraction of matching values for numbers without a check digit.
const FORM: f64 = 0.9;

/// The identification numbers of countries.
pub static NUMBERS: [Kind; 31] = [
    number("us-ssn", "US social security numbers", FORM, ssn),
    number("uk-nhs", "NHS numbers", CHECKED, nhs),
    number("uk-nino", "UK national insurance numbers", FORM, national_insurance),
    number("de-steuer-id", "German tax numbers", CHECKED, tax),
    number("de-rentenversicherung", "German pension insurance numbers", CHECKED, pension),
    number("fr-nir", "French social security numbers", CHECKED, nir),
    number("it-codice-fiscale", "Italian fiscal codes", CHECKED, fiscal_code),
    number("es-dni", "Spanish identity numbers", CHECKED, dni),
    number("nl-bsn", "Dutch citizen numbers", CHECKED, bsn),
    number("be-register", "Belgian register numbers", CHECKED, register),
    number("pl-pesel", "Polish PESEL numbers", CHECKED, pesel),
    number("se-personnummer", "Swedish personal numbers", CHECKED, personnummer),
    number("fi-hetu", "Finnish personal codes", CHECKED, hetu),
    number("no-fodselsnummer", "Norwegian birth numbers", CHECKED, fodselsnummer),
    number("dk-cpr", "Danish personal numbers", FORM, cpr),
    number("ch-ahv", "Swiss social security numbers", CHECKED, ahv),
    number("at-svnr", "Austrian social security numbers", CHECKED, svnr),
    number("cz-rodne-cislo", "Czech and Slovak birth numbers", CHECKED, rodne_cislo),
    number("pt-nif", "Portuguese tax numbers", CHECKED, nif),
    number("ro-cnp", "Romanian personal numbers", CHECKED, cnp),
    number("tr-kimlik", "Turkish identity numbers", CHECKED, kimlik),
    number("br-cpf", "Brazilian CPF numbers", CHECKED, cpf),
    number("mx-curp", "Mexican CURP codes", CHECKED, curp),
    number("cl-rut", "Chilean RUT numbers", CHECKED, rut),
    number("ca-sin", "Canadian social insurance numbers", CHECKED, sin),
    number("za-id", "South African identity numbers", CHECKED, south_african_id),
    number("in-aadhaar", "Indian Aadhaar numbers", CHECKED, aadhaar),
    number("in-pan", "Indian PAN codes", FORM, pan),
    number("cn-id", "Chinese identity numbers", CHECKED, chinese_id),
    number("kr-rrn", "Korean registration numbers", FORM, rrn),
    number("au-medicare", "Australian Medicare numbers", CHECKED, medicare),
];

const fn number(
    name: &'static str,
    plural: &'static str,
    alone: f64,
    fits: fn(&Cell<'_>) -> bool,
) -> Kind {
    Kind {
        name,
        plural,
        hipaa: Some(Item::SocialSecurity),
        evidence: Evidence { alone, named: 0.3, least: 5 },
        fits,
        fits_within: |kind, piece| {
            let clue = if piece.is_after(kind.words()) { Clue::Clear } else { Clue::CheckDigit };
            (kind.fits)(&piece.cell).then_some(clue)
        },
        ..Kind::IDENTIFIER
    }
}

/// Returns whether all digits are equal, as in placeholders that are not assigned.
fn is_one_digit(digits: &[u8]) -> bool {
    digits.windows(2).all(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    /// Tests examples from authorities and synthetic numbers with valid check digits. Each number
    /// must be rejected if one digit is changed.
    #[test]
    fn national_numbers_are_validated() {
        let cases: &[(&str, &str, &str)] = &[
            ("us-ssn", "219-09-9998", "000-09-9998"),
            ("uk-nhs", "943 476 5919", "943 476 5918"),
            ("uk-nino", "AB 12 34 56 C", "QQ 12 34 56 C"),
            ("de-steuer-id", "86 095 742 719", "86 095 742 718"),
            ("de-rentenversicherung", "15 070649 C 103", "15 070649 C 104"),
            ("fr-nir", "2 55 08 14 168 025 38", "2 55 08 14 168 025 39"),
            ("it-codice-fiscale", "RSSMRA85T10A562S", "RSSMRA85T10A562T"),
            ("es-dni", "12345678Z", "12345678A"),
            ("es-dni", "X1234567L", "X1234567M"),
            ("nl-bsn", "111222333", "111222334"),
            ("be-register", "85.07.30-033 28", "85.07.30-033 29"),
            ("pl-pesel", "44051401359", "44051401358"),
            ("se-personnummer", "811228-9874", "811228-9873"),
            ("se-personnummer", "19811228-9874", "19811228-9875"),
            ("fi-hetu", "131052-308T", "131052-308U"),
            ("no-fodselsnummer", "15108695088", "15108695089"),
            ("dk-cpr", "211062-5629", "321062-5629"),
            ("ch-ahv", "756.9217.0769.85", "756.9217.0769.84"),
            ("at-svnr", "1237 010180", "1238 010180"),
            ("cz-rodne-cislo", "710319/2745", "710319/2746"),
            ("pt-nif", "501 964 843", "501 964 842"),
            ("ro-cnp", "1630615123457", "1630615123458"),
            ("tr-kimlik", "17291716060", "17291716050"),
            ("br-cpf", "390.533.447-05", "390.533.447-06"),
            ("mx-curp", "BOXW310820HNERXN09", "BOXW310820HNERXN08"),
            ("cl-rut", "12.531.909-2", "12.531.909-3"),
            ("ca-sin", "123-456-782", "123-456-783"),
            ("za-id", "7503305044089", "7503305044088"),
            ("in-aadhaar", "2341 2341 2346", "2341 2341 2347"),
            ("in-pan", "ACUPA7085R", "ACUP7085RA"),
            ("cn-id", "360426199101010071", "360426199101010072"),
            ("kr-rrn", "971013-9019902", "971313-9019902"),
            ("au-medicare", "2123 45670 1", "2123 45671 1"),
        ];
        for (name, right, wrong) in cases {
            let kind = NUMBERS.iter().find(|kind| kind.name == *name).expect("a kind");
            assert!(fits(kind, right), "{name}: {right}");
            assert!(!fits(kind, wrong), "{name}: {wrong}");
        }
    }

    #[test]
    fn plain_counts_are_not_national_numbers() {
        for n in 0..2000u32 {
            for kind in &NUMBERS {
                assert!(!fits(kind, &n.to_string()), "{}", kind.name);
            }
        }
    }
}
