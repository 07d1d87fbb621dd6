//! Sweden.

use super::{CHECKED, National, number};
use crate::check_digits::{is_day_and_month, luhn, pair};
use crate::text::Cell;

/// Personnummer: date of birth, serial number, check digit of Luhn; 60 is added to the day of a coordination number.
pub static PERSONNUMMER: National = number(
    "se-personnummer",
    "Swedish personal numbers",
    &["personnummer", "personnr", "pnr", "samordningsnummer"],
    CHECKED,
    personnummer,
);

fn personnummer(cell: &Cell<'_>) -> bool {
    let digits = match cell.n_digits {
        10 | 12 => cell.digits(&['-', '+', ' ']),
        _ => None,
    };
    let Some(digits) = digits else { return false };
    let digits = &digits[digits.len() - 10..];
    let day = pair(digits, 4);
    is_day_and_month(if day > 60 { day - 60 } else { day }, pair(digits, 2)) && luhn(digits)
}
