//! United States.

use super::{FORM, National, number};
use crate::text::Cell;

/// Social security number: three, two and four digits; no area 000, 666 or 9xx, no group 00, no serial 0000. No check digit.
pub static SSN: National = number(
    "us-ssn",
    "US social security numbers",
    &["ssn", "social security", "socialsecurity", "soc sec", "taxpayer"],
    FORM,
    ssn,
);

fn ssn(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(9, &['-', ' ']) else { return false };
    let area = u32::from(digits[0]) * 100 + u32::from(digits[1]) * 10 + u32::from(digits[2]);
    let lengths = cell.text.split(['-', ' ']).map(str::len);
    // Nine digits without the grouping are anything; see the zip codes of nine digits.
    lengths.eq([3, 2, 4])
        && area != 0
        && area != 666
        && area < 900
        && (digits[3], digits[4]) != (0, 0)
        && digits[5..] != [0; 4]
}
