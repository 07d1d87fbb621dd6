//! Romania.

use super::{CHECKED, National, number};
use crate::check_digits::{is_day_and_month, pair, weighted};
use crate::text::Cell;

/// Cod numeric personal: sex and century, date of birth, county, serial number, check digit modulo 11.
pub static CNP: National = number("ro-cnp", "Romanian personal numbers", &["cnp"], CHECKED, cnp);

fn cnp(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(13, &[]) else { return false };
    let rest = weighted(&digits, &[2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
    let check = if rest == 10 { 1 } else { rest };
    digits[0] != 0
        && is_day_and_month(pair(&digits, 5), pair(&digits, 3))
        && check == u32::from(digits[12])
}
