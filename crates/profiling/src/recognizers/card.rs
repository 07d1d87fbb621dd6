//! Payment card numbers with a check digit (ISO/IEC 7812).

use super::*;
use crate::check_digits::luhn;

/// Recognizes 13 to 19 digits of a known issuer with a valid Luhn digit.
pub static CARD: Kind = Kind {
    name: "card",
    plural: "payment card numbers",
    hipaa: Some(Item::Account),
    evidence: Evidence { alone: 0.5, named: 0.05, least: 3 },
    fits,
    fits_within,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    if !(13..=19).contains(&cell.n_digits) {
        return false;
    }
    let Some(digits) = cell.digits(&[' ', '-']) else { return false };
    let prefix =
        |n: usize| digits[..n].iter().fold(0u32, |sum, digit| sum * 10 + u32::from(*digit));
    let issuer = match digits.len() {
        15 => matches!(prefix(2), 34 | 37),
        _ => {
            digits[0] == 4
                || matches!(prefix(2), 50..=65 | 67 | 36 | 38 | 35 | 30)
                || matches!(prefix(4), 2221..=2720)
        }
    };
    issuer && luhn(&digits)
}

fn fits_within(kind: &Kind, piece: &Piece<'_>) -> Option<Clue> {
    let clue = if piece.is_after(kind.words()) { Clue::Clear } else { Clue::CheckDigit };
    fits(&piece.cell).then_some(clue)
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    #[test]
    fn issuer_test_card_numbers_are_recognized() {
        for value in ["4111 1111 1111 1111", "5500-0000-0000-0004", "340000000000009"] {
            assert!(fits(&CARD, value), "{value}");
        }
        for value in ["4111 1111 1111 1112", "0000000000000000", "12345678901234"] {
            assert!(!fits(&CARD, value), "{value}");
        }
    }
}
