//! Poland.

use super::{CHECKED, National, number};
use crate::check_digits::{is_day_and_month, pair, weighted};
use crate::text::Cell;

/// PESEL: date of birth with the century in the month, serial number with the sex, check digit.
pub static PESEL: National = number("pl-pesel", "Polish PESEL numbers", &["pesel"], CHECKED, pesel);

fn pesel(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &[]) else { return false };
    let sum = weighted(&digits, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
    is_day_and_month(pair(&digits, 4), pair(&digits, 2) % 20)
        && (10 - sum % 10) % 10 == u32::from(digits[10])
}
