//! Norway.

use super::{CHECKED, National, number};
use crate::check_digits::{is_day_and_month, pair, weighted};
use crate::text::Cell;

/// Fødselsnummer: date of birth, serial number, two check digits modulo 11; 40 is added to the day of a D number.
pub static FODSELSNUMMER: National = number(
    "no-fodselsnummer",
    "Norwegian birth numbers",
    &["fodselsnummer", "fødselsnummer", "fnr", "personnummer"],
    CHECKED,
    fodselsnummer,
);

fn fodselsnummer(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &[' ']) else { return false };
    let check = |weights: &[u32]| (11 - weighted(&digits, weights) % 11) % 11;
    is_day_and_month(pair(&digits, 0) % 40, pair(&digits, 2) % 40)
        && check(&[3, 7, 6, 1, 8, 9, 4, 5, 2]) == u32::from(digits[9])
        && check(&[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) == u32::from(digits[10])
}
