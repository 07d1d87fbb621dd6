//! China.

use super::{CHECKED, National, number};
use crate::check_digits::{is_day_and_month, pair, weighted};
use crate::text::Cell;

/// Resident identity number: place, date of birth, serial number, check character modulo 11 (GB 11643).
pub static ID: National = number(
    "cn-id",
    "Chinese identity numbers",
    &["身份证", "身份证号", "shenfenzheng"],
    CHECKED,
    id,
);

fn id(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[' ']).filter(|code| code.len() == 18) else { return false };
    let (body, check) = code.split_at(17);
    if !body.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let digits: Vec<u8> = body.bytes().map(|byte| byte - b'0').collect();
    let sum = weighted(&digits, &[7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
    is_day_and_month(pair(&digits, 12), pair(&digits, 10))
        && matches!(pair(&digits, 6), 18..=21)
        && b"10X98765432"[(sum % 11) as usize] == check.as_bytes()[0]
}
