//! Identification numbers of countries outside Europe.

use crate::check_digits::{is_day_and_month, luhn, pair, verhoeff, weighted};
use crate::text::Cell;

/// Matches a Medicare number: ten digits with a check digit at the ninth position. An eleventh
/// digit identifies the family member.
pub(super) fn medicare(cell: &Cell<'_>) -> bool {
    let digits = match cell.n_digits {
        10 | 11 => cell.digits(&[' ', '-', '/']),
        _ => None,
    };
    digits.is_some_and(|digits| {
        (2..=6).contains(&digits[0])
            && weighted(&digits, &[1, 3, 7, 9, 1, 3, 7, 9]) % 10 == u32::from(digits[8])
    })
}

/// Matches a Cadastro de Pessoas Físicas number: eleven digits including two final check
/// digits modulo 11.
pub(super) fn cpf(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &['.', '-', ' ']) else { return false };
    let check = |n: usize| {
        let sum: usize = digits[..n]
            .iter()
            .enumerate()
            .map(|(at, digit)| usize::from(*digit) * (n + 1 - at))
            .sum();
        sum * 10 % 11 % 10
    };
    !super::is_one_digit(&digits)
        && check(9) == usize::from(digits[9])
        && check(10) == usize::from(digits[10])
}

/// Matches a Social Insurance Number: nine digits with a Luhn digit.
pub(super) fn sin(cell: &Cell<'_>) -> bool {
    cell.exactly(9, &['-', ' ']).is_some_and(|digits| !matches!(digits[0], 0 | 8) && luhn(&digits))
}

/// Matches a resident identity number: a place, a date of birth, a serial number, and a check
/// character modulo 11 (GB 11643).
pub(super) fn chinese_id(cell: &Cell<'_>) -> bool {
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

/// Matches a RUT: up to eight digits and a check character modulo 11.
pub(super) fn rut(cell: &Cell<'_>) -> bool {
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

/// Matches an Aadhaar number: twelve digits including a final Verhoeff check digit.
pub(super) fn aadhaar(cell: &Cell<'_>) -> bool {
    cell.exactly(12, &[' ', '-']).is_some_and(|digits| digits[0] > 1 && verhoeff(&digits))
}

/// Matches a permanent account number: five letters, four digits, and a letter. The fourth letter
/// encodes the type of the holder.
pub(super) fn pan(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[]).filter(|code| code.len() == 10) else { return false };
    let bytes = code.as_bytes();
    bytes[..5].iter().chain(&bytes[9..]).all(u8::is_ascii_uppercase)
        && bytes[5..9].iter().all(u8::is_ascii_digit)
        && b"ABCFGHLJPTK".contains(&bytes[3])
}

/// Matches a resident registration number: a date of birth, a hyphen, a digit for century and sex,
/// and six digits. Since 2020, numbers have no check digit.
pub(super) fn rrn(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(13, &['-']) else { return false };
    cell.text.as_bytes().get(6) == Some(&b'-')
        && cell.n_others == 1
        && is_day_and_month(pair(&digits, 4), pair(&digits, 2))
}

/// Matches a CURP: letters of the names, a date of birth, sex, state, consonants, and a check
/// digit.
pub(super) fn curp(cell: &Cell<'_>) -> bool {
    const ALPHABET: &str = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ";
    let Some(code) = cell.code(&[]).filter(|code| code.len() == 18) else { return false };
    let bytes = code.as_bytes();
    let has_form = bytes.iter().enumerate().all(|(at, byte)| match at {
        0..=3 | 10..=15 => byte.is_ascii_uppercase(),
        4..=9 | 17 => byte.is_ascii_digit(),
        _ => true,
    });
    // The check digit is based on an alphabet in which Ñ follows N.
    let value = |c: char| ALPHABET.chars().position(|other| other == c).unwrap_or(0);
    let sum: usize = code[..17].chars().enumerate().map(|(at, c)| value(c) * (18 - at)).sum();
    has_form && (10 - sum % 10) % 10 == usize::from(bytes[17] - b'0')
}

/// Matches a Social Security number: three, two, and four digits. The area is not 000, 666, or 9xx,
/// the group is not 00, and the serial number is not 0000. Social security numbers have no check
/// digit.
pub(super) fn ssn(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(9, &['-', ' ']) else { return false };
    let area = u32::from(digits[0]) * 100 + u32::from(digits[1]) * 10 + u32::from(digits[2]);
    let lengths = cell.text.split(['-', ' ']).map(str::len);
    // Nine digits with a different grouping could be any number, such as a ZIP+4 code.
    lengths.eq([3, 2, 4])
        && area != 0
        && area != 666
        && area < 900
        && (digits[3], digits[4]) != (0, 0)
        && digits[5..] != [0; 4]
}

/// Matches an identity number: a date of birth, a serial number with the sex, citizenship, and a
/// Luhn digit.
pub(super) fn south_african_id(cell: &Cell<'_>) -> bool {
    cell.exactly(13, &[' ']).is_some_and(|digits| {
        is_day_and_month(pair(&digits, 4), pair(&digits, 2))
            && matches!(digits[10], 0..=2)
            && luhn(&digits)
    })
}
