//! The Czech Republic and Slovakia.

use super::{CHECKED, National, number};
use crate::check_digits::pair;
use crate::text::Cell;

/// Rodné číslo: date of birth (50 added to the month of women), serial number; divisible by 11.
pub static RODNE_CISLO: National = number(
    "cz-rodne-cislo",
    "Czech and Slovak birth numbers",
    &["rodne cislo", "rodnecislo", "rc"],
    CHECKED,
    rodne_cislo,
);

fn rodne_cislo(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(10, &['/', ' ']) else { return false };
    let number = digits.iter().fold(0u64, |sum, digit| sum * 10 + u64::from(*digit));
    let (month, day) = (pair(&digits, 2), pair(&digits, 4));
    let is_month = matches!(month, 1..=12 | 21..=32 | 51..=62 | 71..=82);
    is_month && (1..=31).contains(&day) && number.is_multiple_of(11)
}
