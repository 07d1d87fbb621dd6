//! International bank account numbers with check digits (ISO 13616).

use super::*;
use crate::check_digits::mod97;

/// Recognizes a country code, check digits, and an account number with a remainder of 1 modulo 97.
pub static IBAN: Kind = Kind {
    name: "iban",
    plural: "IBAN account numbers",
    hipaa: Some(Item::Account),
    evidence: Evidence { alone: 0.02, named: 0.01, least: 1 },
    fits,
    fits_within: |_, piece| fits(&piece.cell).then_some(Clue::Clear),
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[' ', '-']).filter(|code| (15..=34).contains(&code.len())) else {
        return false;
    };
    let (head, rest) = code.split_at(4);
    let country = &head.as_bytes()[..2];
    country.iter().all(u8::is_ascii_uppercase)
        && head.as_bytes()[2..].iter().all(u8::is_ascii_digit)
        && mod97(&format!("{rest}{head}")) == Some(1)
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    /// The examples are from the SWIFT registry of IBANs.
    #[test]
    fn iban_requires_valid_check_digits() {
        for value in
            ["DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819", "FR1420041010050500013M02606"]
        {
            assert!(fits(&IBAN, value), "{value}");
        }
        for value in ["DE88 3704 0044 0532 0130 00", "GB29NWBK6016133192681", "DE89"] {
            assert!(!fits(&IBAN, value), "{value}");
        }
    }
}
