//! Canada.

use super::{CHECKED, National, number};
use crate::check_digits::luhn;
use crate::text::Cell;

/// Social insurance number: nine digits with the check digit of Luhn.
pub static SIN: National = number(
    "ca-sin",
    "Canadian social insurance numbers",
    &["sin", "social insurance", "nas"],
    CHECKED,
    sin,
);

fn sin(cell: &Cell<'_>) -> bool {
    cell.exactly(9, &['-', ' ']).is_some_and(|digits| !matches!(digits[0], 0 | 8) && luhn(&digits))
}
