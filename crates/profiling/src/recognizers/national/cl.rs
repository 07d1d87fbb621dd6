//! Chile.

use super::{CHECKED, National, number};
use crate::text::Cell;

/// RUT: up to eight digits and a check character modulo 11.
pub static RUT: National = number("cl-rut", "Chilean RUT numbers", &["rut", "run"], CHECKED, rut);

fn rut(cell: &Cell<'_>) -> bool {
    let Some((body, check)) = cell.text.rsplit_once('-') else { return false };
    let digits: Vec<u8> = body.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
    let is_plain = body.chars().all(|c| c.is_ascii_digit() || c == '.');
    let sum: usize =
        digits.iter().rev().enumerate().map(|(at, digit)| usize::from(*digit) * (at % 6 + 2)).sum();
    let wanted = match 11 - sum % 11 {
        11 => "0".to_owned(),
        10 => "K".to_owned(),
        other => other.to_string(),
    };
    is_plain && (7..=8).contains(&digits.len()) && check.eq_ignore_ascii_case(&wanted)
}
