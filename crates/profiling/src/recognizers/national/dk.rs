//! Denmark.

use super::{FORM, National, number};
use crate::check_digits::{is_day_and_month, pair};
use crate::text::Cell;

/// CPR number: date of birth and four digits. Since 2007 without a check digit.
pub static CPR: National = number(
    "dk-cpr",
    "Danish personal numbers",
    &["cpr", "cprnr", "personnummer", "cprnummer"],
    FORM,
    cpr,
);

fn cpr(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(10, &['-']) else { return false };
    // Without the hyphen it is ten digits of anything.
    cell.n_others == 1 && is_day_and_month(pair(&digits, 0), pair(&digits, 2))
}
