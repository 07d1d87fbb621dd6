//! Identification numbers of European countries.

use crate::check_digits::{is_day_and_month, luhn, mod11_10, pair, weighted};
use crate::text::Cell;

/// Matches a Sozialversicherungsnummer: a serial number, a check digit modulo 11, and a date of
/// birth. The month can be up to 15 if the serial numbers of a day are exhausted.
pub(super) fn svnr(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(10, &[' ', '-']) else { return false };
    let sum = weighted(&digits, &[3, 7, 9, 0, 5, 8, 4, 2, 1, 6]);
    let (day, month) = (pair(&digits, 4), pair(&digits, 6));
    digits[0] != 0
        && (1..=31).contains(&day)
        && (1..=15).contains(&month)
        && sum % 11 == u32::from(digits[3])
}

/// Matches a national register number: a date of birth, a serial number, and two check digits
/// modulo 97.
pub(super) fn register(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &['.', '-', ' ']) else { return false };
    let number =
        |digits: &[u8]| digits.iter().fold(0u64, |sum, digit| sum * 10 + u64::from(*digit));
    let (body, check) = (number(&digits[..9]), number(&digits[9..]));
    let month = number(&digits[2..4]);
    // For people born since 2000, a 2 is prepended before the check digits are computed.
    month <= 12 && [body, body + 2_000_000_000].iter().any(|body| 97 - body % 97 == check)
}

/// Matches an AHV number: 756 and nine digits with an EAN-13 check digit.
pub(super) fn ahv(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(13, &['.', ' ']) else { return false };
    let sum = weighted(&digits, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]);
    digits[..3] == [7, 5, 6] && (10 - sum % 10) % 10 == u32::from(digits[12])
}

/// Matches a rodné číslo: a date of birth (50 is added to the month for women) and a serial number.
/// The complete number is divisible by 11.
pub(super) fn rodne_cislo(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(10, &['/', ' ']) else { return false };
    let number = digits.iter().fold(0u64, |sum, digit| sum * 10 + u64::from(*digit));
    let (month, day) = (pair(&digits, 2), pair(&digits, 4));
    let is_month = matches!(month, 1..=12 | 21..=32 | 51..=62 | 71..=82);
    is_month && (1..=31).contains(&day) && number.is_multiple_of(11)
}

/// Matches a Steuer-Identifikationsnummer: eleven digits with an ISO 7064 check digit. One of the
/// first ten digits occurs two or three times.
pub(super) fn tax(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &[' ', '/']) else { return false };
    let mut occurs = [0u8; 10];
    digits[..10].iter().for_each(|digit| occurs[usize::from(*digit)] += 1);
    let several = occurs.iter().filter(|n| **n > 1).count();
    let most = occurs.iter().max().copied().unwrap_or(0);
    digits[0] != 0 && several == 1 && most <= 3 && mod11_10(&digits)
}

/// Matches a Rentenversicherungsnummer: an area, a date of birth, a letter, a serial number, and a
/// check digit.
pub(super) fn pension(cell: &Cell<'_>) -> bool {
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

/// Matches a CPR number: a date of birth and four digits. Since 2007, numbers have no check digit.
pub(super) fn cpr(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(10, &['-']) else { return false };
    // The hyphen is required because any number of ten digits could match otherwise.
    cell.n_others == 1 && is_day_and_month(pair(&digits, 0), pair(&digits, 2))
}

/// Matches a DNI, or a NIE of a foreigner: eight digits, or a letter and seven digits, followed by
/// a check letter modulo 23.
pub(super) fn dni(cell: &Cell<'_>) -> bool {
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

/// Matches a henkilötunnus: a date of birth, a century sign, a serial number, and a check character
/// modulo 31.
pub(super) fn hetu(cell: &Cell<'_>) -> bool {
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

/// Matches a numéro d'inscription au répertoire: sex, year, month, place, a serial number, and a
/// key modulo 97. The places in Corsica start with 2A and 2B.
pub(super) fn nir(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[' ', '-', '.']).filter(|code| code.len() == 15) else {
        return false;
    };
    let island = match &code[5..7] {
        "2A" => 1_000_000,
        "2B" => 2_000_000,
        _ => 0,
    };
    let code = if island > 0 { code.replacen(['A', 'B'], "0", 1) } else { code };
    let (Ok(body), Ok(key)) = (code[..13].parse::<u64>(), code[13..].parse::<u64>()) else {
        return false;
    };
    matches!(code.as_bytes()[0], b'1' | b'2' | b'7' | b'8')
        && body > island
        && 97 - (body - island) % 97 == key
}

/// The check values of letters and digits at odd positions.
const ODD: [u32; 26] =
    [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/// Matches a codice fiscale: letters of the names, year, month, day and sex, place, and a check
/// letter.
pub(super) fn fiscal_code(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[' ']).filter(|code| code.len() == 16) else { return false };
    let bytes = code.as_bytes();
    // If two people would otherwise have the same code, letters replace some of the digits.
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

/// Matches a burgerservicenummer: nine digits that pass the "elfproef" (modulo 11 check).
pub(super) fn bsn(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(9, &['.', ' ']) else { return false };
    let sum = weighted(&digits, &[9, 8, 7, 6, 5, 4, 3, 2]);
    sum > 0 && sum % 11 == u32::from(digits[8])
}

/// Matches a fødselsnummer: a date of birth, a serial number, and two check digits modulo 11. In a
/// D number, 40 is added to the day.
pub(super) fn fodselsnummer(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &[' ']) else { return false };
    let check = |weights: &[u32]| (11 - weighted(&digits, weights) % 11) % 11;
    is_day_and_month(pair(&digits, 0) % 40, pair(&digits, 2) % 40)
        && check(&[3, 7, 6, 1, 8, 9, 4, 5, 2]) == u32::from(digits[9])
        && check(&[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) == u32::from(digits[10])
}

/// Matches a PESEL number: a date of birth with the century in the month, a serial number with the
/// sex, and a check digit.
pub(super) fn pesel(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &[]) else { return false };
    let sum = weighted(&digits, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
    is_day_and_month(pair(&digits, 4), pair(&digits, 2) % 20)
        && (10 - sum % 10) % 10 == u32::from(digits[10])
}

/// Matches a NIF: nine digits including a final check digit modulo 11.
pub(super) fn nif(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(9, &[' ']) else { return false };
    let rest = weighted(&digits, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    let check = if rest < 2 { 0 } else { 11 - rest };
    matches!(digits[0], 1 | 2 | 3 | 5 | 6 | 8 | 9) && check == u32::from(digits[8])
}

/// Matches a cod numeric personal: sex and century, a date of birth, a county, a serial number, and
/// a check digit modulo 11.
pub(super) fn cnp(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(13, &[]) else { return false };
    let rest = weighted(&digits, &[2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
    let check = if rest == 10 { 1 } else { rest };
    digits[0] != 0
        && is_day_and_month(pair(&digits, 5), pair(&digits, 3))
        && check == u32::from(digits[12])
}

/// Matches a personnummer: a date of birth, a serial number, and a Luhn digit. In a coordination
/// number, 60 is added to the day.
pub(super) fn personnummer(cell: &Cell<'_>) -> bool {
    let digits = match cell.n_digits {
        10 | 12 => cell.digits(&['-', '+', ' ']),
        _ => None,
    };
    let Some(digits) = digits else { return false };
    let digits = &digits[digits.len() - 10..];
    let day = pair(digits, 4);
    is_day_and_month(if day > 60 { day - 60 } else { day }, pair(digits, 2)) && luhn(digits)
}

/// Matches a T.C. kimlik numarası: eleven digits including two final check digits.
pub(super) fn kimlik(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &[]) else { return false };
    let every_second =
        |from: usize, to: usize| (from..to).step_by(2).map(|at| i32::from(digits[at])).sum::<i32>();
    let tenth = (every_second(0, 9) * 7 - every_second(1, 8)).rem_euclid(10);
    let sum: i32 = digits[..10].iter().map(|digit| i32::from(*digit)).sum();
    digits[0] != 0 && tenth == i32::from(digits[9]) && sum % 10 == i32::from(digits[10])
}

/// Matches an NHS number: ten digits including a final check digit modulo 11.
pub(super) fn nhs(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(10, &[' ', '-']) else { return false };
    let check = 11 - weighted(&digits, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    !super::is_one_digit(&digits) && check % 11 == u32::from(digits[9]) && check != 10
}

/// Matches a National Insurance number: two letters, six digits, and a letter from A to D.
pub(super) fn national_insurance(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[' ', '-']).filter(|code| code.len() == 9) else { return false };
    let bytes = code.as_bytes();
    let is_prefix = bytes[..2].iter().all(u8::is_ascii_uppercase)
        && !b"DFIQUV".contains(&bytes[0])
        && !b"DFIOQUV".contains(&bytes[1]);
    is_prefix && bytes[2..8].iter().all(u8::is_ascii_digit) && (b'A'..=b'D').contains(&bytes[8])
}
