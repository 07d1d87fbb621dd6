//! Australia.

use super::{CHECKED, National, number};
use crate::check_digits::weighted;
use crate::text::Cell;

/// Medicare number: ten digits, the ninth a check digit; the eleventh says which member of the family.
pub static MEDICARE: National =
    number("au-medicare", "Australian Medicare numbers", &["medicare"], CHECKED, medicare);

fn medicare(cell: &Cell<'_>) -> bool {
    let digits = match cell.n_digits {
        10 | 11 => cell.digits(&[' ', '-', '/']),
        _ => None,
    };
    digits.is_some_and(|digits| {
        (2..=6).contains(&digits[0])
            && weighted(&digits, &[1, 3, 7, 9, 1, 3, 7, 9]) % 10 == u32::from(digits[8])
    })
}
