//! United Kingdom.

use super::{CHECKED, FORM, National, number};
use crate::check_digits::weighted;
use crate::text::Cell;

/// NHS number: ten digits, the last a check digit modulo 11.
pub static NHS: National =
    number("uk-nhs", "NHS numbers", &["nhs", "nhsnumber", "chi"], CHECKED, nhs);

/// National insurance number: two letters, six digits, a letter from A to D.
pub static NATIONAL_INSURANCE: National = number(
    "uk-nino",
    "UK national insurance numbers",
    &["nino", "national insurance", "ni"],
    FORM,
    national_insurance,
);

fn nhs(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(10, &[' ', '-']) else { return false };
    let check = 11 - weighted(&digits, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    !super::is_one_digit(&digits) && check % 11 == u32::from(digits[9]) && check != 10
}

fn national_insurance(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[' ', '-']).filter(|code| code.len() == 9) else { return false };
    let bytes = code.as_bytes();
    let is_prefix = bytes[..2].iter().all(u8::is_ascii_uppercase)
        && !b"DFIQUV".contains(&bytes[0])
        && !b"DFIOQUV".contains(&bytes[1]);
    is_prefix && bytes[2..8].iter().all(u8::is_ascii_digit) && (b'A'..=b'D').contains(&bytes[8])
}
