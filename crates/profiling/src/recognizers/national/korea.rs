//! South Korea.

use super::{FORM, National, number};
use crate::check_digits::{is_day_and_month, pair};
use crate::text::Cell;

/// Resident registration number: date of birth, hyphen, century with the sex, six digits. Since 2020 without a check digit.
pub static RRN: National = number(
    "kr-rrn",
    "Korean registration numbers",
    &["rrn", "주민등록번호", "주민번호"],
    FORM,
    rrn,
);

fn rrn(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(13, &['-']) else { return false };
    cell.text.as_bytes().get(6) == Some(&b'-')
        && cell.n_others == 1
        && is_day_and_month(pair(&digits, 4), pair(&digits, 2))
}
