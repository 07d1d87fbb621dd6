//! The Netherlands.

use super::{CHECKED, National, number};
use crate::check_digits::weighted;
use crate::text::Cell;

/// Burgerservicenummer: nine digits that pass the test of eleven.
pub static BSN: National = number(
    "nl-bsn",
    "Dutch citizen numbers",
    &["bsn", "burgerservicenummer", "sofi", "sofinummer"],
    CHECKED,
    bsn,
);

fn bsn(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(9, &['.', ' ']) else { return false };
    let sum = weighted(&digits, &[9, 8, 7, 6, 5, 4, 3, 2]);
    sum > 0 && sum % 11 == u32::from(digits[8])
}
