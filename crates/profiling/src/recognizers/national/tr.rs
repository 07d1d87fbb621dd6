//! Turkey.

use super::{CHECKED, National, number};
use crate::text::Cell;

/// T.C. kimlik numarası: eleven digits, the last two check digits.
pub static KIMLIK: National = number(
    "tr-kimlik",
    "Turkish identity numbers",
    &["kimlik", "tckn", "tckimlik"],
    CHECKED,
    kimlik,
);

fn kimlik(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &[]) else { return false };
    let every_second =
        |from: usize, to: usize| (from..to).step_by(2).map(|at| i32::from(digits[at])).sum::<i32>();
    let tenth = (every_second(0, 9) * 7 - every_second(1, 8)).rem_euclid(10);
    let sum: i32 = digits[..10].iter().map(|digit| i32::from(*digit)).sum();
    digits[0] != 0 && tenth == i32::from(digits[9]) && sum % 10 == i32::from(digits[10])
}
