//! South Africa.

use super::{CHECKED, National, number};
use crate::check_digits::{is_day_and_month, luhn, pair};
use crate::text::Cell;

/// Identity number: date of birth, serial number with the sex, citizenship, check digit of Luhn.
pub static ID: National = number(
    "za-id",
    "South African identity numbers",
    &["idnumber", "id number", "said"],
    CHECKED,
    id,
);

fn id(cell: &Cell<'_>) -> bool {
    cell.exactly(13, &[' ']).is_some_and(|digits| {
        is_day_and_month(pair(&digits, 4), pair(&digits, 2))
            && matches!(digits[10], 0..=2)
            && luhn(&digits)
    })
}
