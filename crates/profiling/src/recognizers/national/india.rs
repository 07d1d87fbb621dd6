//! India.

use super::{CHECKED, FORM, National, number};
use crate::check_digits::verhoeff;
use crate::text::Cell;

/// Aadhaar: twelve digits, the last a check digit of Verhoeff.
pub static AADHAAR: National = number(
    "in-aadhaar",
    "Indian Aadhaar numbers",
    &["aadhaar", "aadhar", "uid", "आधार"],
    CHECKED,
    aadhaar,
);

/// Permanent account number: five letters, four digits, a letter; the fourth letter says who it belongs to.
pub static PAN: National = number("in-pan", "Indian PAN codes", &["pan"], FORM, pan);

fn aadhaar(cell: &Cell<'_>) -> bool {
    cell.exactly(12, &[' ', '-']).is_some_and(|digits| digits[0] > 1 && verhoeff(&digits))
}

fn pan(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[]).filter(|code| code.len() == 10) else { return false };
    let bytes = code.as_bytes();
    bytes[..5].iter().chain(&bytes[9..]).all(u8::is_ascii_uppercase)
        && bytes[5..9].iter().all(u8::is_ascii_digit)
        && b"ABCFGHLJPTK".contains(&bytes[3])
}
