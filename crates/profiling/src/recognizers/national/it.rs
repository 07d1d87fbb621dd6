//! Italy.

use super::{CHECKED, National, number};
use crate::text::Cell;

/// Codice fiscale: letters of the names, year, month, day and sex, place, check letter.
pub static FISCAL_CODE: National = number(
    "it-codice-fiscale",
    "Italian fiscal codes",
    &["codice fiscale", "codicefiscale", "cf", "fiscale"],
    CHECKED,
    fiscal_code,
);

/// What letters and digits at odd places count.
const ODD: [u32; 26] =
    [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

fn fiscal_code(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[' ']).filter(|code| code.len() == 16) else { return false };
    let bytes = code.as_bytes();
    // Where two people would share a code, digits are replaced by letters.
    let is_digit = |byte: u8| byte.is_ascii_digit() || b"LMNPQRSTUV".contains(&byte);
    let has_form = bytes.iter().enumerate().all(|(at, byte)| match at {
        6 | 7 | 9 | 10 | 12 | 13 | 14 => is_digit(*byte),
        _ => byte.is_ascii_uppercase(),
    });
    let value = |byte: u8| u32::from(if byte.is_ascii_digit() { byte - b'0' } else { byte - b'A' });
    let sum: u32 = bytes[..15]
        .iter()
        .enumerate()
        .map(|(at, byte)| if at % 2 == 0 { ODD[value(*byte) as usize] } else { value(*byte) })
        .sum();
    has_form && sum % 26 == value(bytes[15])
}
