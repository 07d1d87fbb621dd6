//! Belgium.

use super::{CHECKED, National, number};
use crate::text::Cell;

/// Number of the national register: date of birth, serial number, two check digits modulo 97.
pub static REGISTER: National = number(
    "be-register",
    "Belgian register numbers",
    &["rijksregister", "rijksregisternummer", "registre national", "niss", "insz"],
    CHECKED,
    register,
);

fn register(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &['.', '-', ' ']) else { return false };
    let number =
        |digits: &[u8]| digits.iter().fold(0u64, |sum, digit| sum * 10 + u64::from(*digit));
    let (body, check) = (number(&digits[..9]), number(&digits[9..]));
    let month = number(&digits[2..4]);
    // From 2000 on a 2 stands before the number.
    month <= 12 && [body, body + 2_000_000_000].iter().any(|body| 97 - body % 97 == check)
}
