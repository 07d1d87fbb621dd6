//! Austria.

use super::{CHECKED, National, number};
use crate::check_digits::{pair, weighted};
use crate::text::Cell;

/// Sozialversicherungsnummer: serial number, check digit modulo 11, date of birth; months up to 15 where a day ran out.
pub static SVNR: National = number(
    "at-svnr",
    "Austrian social security numbers",
    &["svnr", "sozialversicherungsnummer", "vsnr"],
    CHECKED,
    svnr,
);

fn svnr(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(10, &[' ', '-']) else { return false };
    let sum = weighted(&digits, &[3, 7, 9, 0, 5, 8, 4, 2, 1, 6]);
    let (day, month) = (pair(&digits, 4), pair(&digits, 6));
    digits[0] != 0
        && (1..=31).contains(&day)
        && (1..=15).contains(&month)
        && sum % 11 == u32::from(digits[3])
}
