//! Spain.

use super::{CHECKED, National, number};
use crate::text::Cell;

/// DNI, and NIE of foreigners: eight digits, or a letter and seven, with a letter modulo 23.
pub static DNI: National = number(
    "es-dni",
    "Spanish identity numbers",
    &["dni", "nie", "nif", "cedula", "documento", "rut"],
    CHECKED,
    dni,
);

fn dni(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&['-', ' ', '.']).filter(|code| code.len() == 9) else {
        return false;
    };
    let (head, letter) = code.split_at(8);
    let digits = match head.as_bytes()[0] {
        b'X' => format!("0{}", &head[1..]),
        b'Y' => format!("1{}", &head[1..]),
        b'Z' => format!("2{}", &head[1..]),
        _ => head.to_owned(),
    };
    let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    let Some(number) = digits.parse::<usize>().ok().filter(|_| is_digits) else { return false };
    b"TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] == letter.as_bytes()[0]
}
