//! Finland.

use super::{CHECKED, National, number};
use crate::check_digits::{is_day_and_month, pair};
use crate::text::Cell;

/// Henkilötunnus: date of birth, sign of the century, serial number, check character modulo 31.
pub static HETU: National =
    number("fi-hetu", "Finnish personal codes", &["hetu", "henkilotunnus", "sotu"], CHECKED, hetu);

fn hetu(cell: &Cell<'_>) -> bool {
    let bytes = cell.text.as_bytes();
    if !cell.text.is_ascii() || bytes.len() != 11 {
        return false;
    }
    let body = [&bytes[..6], &bytes[7..10]].concat();
    if !body.iter().all(u8::is_ascii_digit)
        || !b"+-ABCDEFUVWXY".contains(&bytes[6].to_ascii_uppercase())
    {
        return false;
    }
    let digits: Vec<u8> = body.iter().map(|byte| byte - b'0').collect();
    let number = digits.iter().fold(0usize, |sum, digit| sum * 10 + usize::from(*digit));
    is_day_and_month(pair(&digits, 0), pair(&digits, 2))
        && b"0123456789ABCDEFHJKLMNPRSTUVWXY"[number % 31] == bytes[10].to_ascii_uppercase()
}
