//! Switzerland.

use super::{CHECKED, National, number};
use crate::check_digits::weighted;
use crate::text::Cell;

/// AHV number: 756, and nine digits with a check digit as in EAN-13.
pub static AHV: National = number(
    "ch-ahv",
    "Swiss social security numbers",
    &["ahv", "avs", "ahvnr", "ahvn13", "navs"],
    CHECKED,
    ahv,
);

fn ahv(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(13, &['.', ' ']) else { return false };
    let sum = weighted(&digits, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]);
    digits[..3] == [7, 5, 6] && (10 - sum % 10) % 10 == u32::from(digits[12])
}
