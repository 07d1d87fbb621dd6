//! Germany.

use super::{CHECKED, National, number};
use crate::check_digits::{is_day_and_month, mod11_10, pair};
use crate::text::Cell;

/// Steuer-Identifikationsnummer: eleven digits, the last by ISO 7064; of the first ten, one digit two or three times.
pub static TAX: National = number(
    "de-steuer-id",
    "German tax numbers",
    &["steuer", "steuerid", "steuernummer", "idnr", "tin"],
    CHECKED,
    tax,
);

/// Rentenversicherungsnummer: area, date of birth, letter, serial number, check digit.
pub static PENSION: National = number(
    "de-rentenversicherung",
    "German pension insurance numbers",
    &[
        "rvnr",
        "rentenversicherung",
        "sozialversicherung",
        "sozialversicherungsnummer",
        "svnr",
        "vsnr",
    ],
    CHECKED,
    pension,
);

fn tax(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &[' ', '/']) else { return false };
    let mut occurs = [0u8; 10];
    digits[..10].iter().for_each(|digit| occurs[usize::from(*digit)] += 1);
    let several = occurs.iter().filter(|n| **n > 1).count();
    let most = occurs.iter().max().copied().unwrap_or(0);
    digits[0] != 0 && several == 1 && most <= 3 && mod11_10(&digits)
}

fn pension(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[' ', '-']).filter(|code| code.len() == 12) else { return false };
    let bytes = code.as_bytes();
    if !bytes[8].is_ascii_uppercase()
        || !bytes[..8].iter().chain(&bytes[9..]).all(u8::is_ascii_digit)
    {
        return false;
    }
    let mut digits: Vec<u8> = bytes[..8].iter().map(|byte| byte - b'0').collect();
    let letter = bytes[8] - b'A' + 1;
    digits.extend([letter / 10, letter % 10]);
    digits.extend(bytes[9..].iter().map(|byte| byte - b'0'));
    const WEIGHTS: [u32; 12] = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
    let sum: u32 = digits[..12]
        .iter()
        .zip(WEIGHTS)
        .map(|(digit, weight)| u32::from(*digit) * weight)
        .map(|product| product / 10 + product % 10)
        .sum();
    is_day_and_month(pair(&digits, 2), pair(&digits, 4)) && sum % 10 == u32::from(digits[12])
}
