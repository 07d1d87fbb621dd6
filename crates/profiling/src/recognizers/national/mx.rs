//! Mexico.

use super::{CHECKED, National, number};
use crate::text::Cell;

/// CURP: letters of the names, date of birth, sex, state, consonants, check digit.
pub static CURP: National = number("mx-curp", "Mexican CURP codes", &["curp"], CHECKED, curp);

fn curp(cell: &Cell<'_>) -> bool {
    const ALPHABET: &str = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ";
    let Some(code) = cell.code(&[]).filter(|code| code.len() == 18) else { return false };
    let bytes = code.as_bytes();
    let has_form = bytes.iter().enumerate().all(|(at, byte)| match at {
        0..=3 | 10..=15 => byte.is_ascii_uppercase(),
        4..=9 | 17 => byte.is_ascii_digit(),
        _ => true,
    });
    // The alphabet is that of the authority, in which N is followed by Ñ.
    let value = |c: char| ALPHABET.chars().position(|other| other == c).unwrap_or(0);
    let sum: usize = code[..17].chars().enumerate().map(|(at, c)| value(c) * (18 - at)).sum();
    has_form && (10 - sum % 10) % 10 == usize::from(bytes[17] - b'0')
}
