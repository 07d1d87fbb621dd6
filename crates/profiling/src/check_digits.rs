//! Check digit algorithms that are used by several kinds of numbers.

/// Checks the Luhn digit (ISO/IEC 7812-1), for which every second digit from the right is doubled.
pub fn luhn(digits: &[u8]) -> bool {
    let doubled = |digit: u8| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| u32::from(if at % 2 == 1 { doubled(*digit) } else { *digit }))
        .sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != 0)
}

/// Returns the weighted sum of digits.
pub fn weighted(digits: &[u8], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| u32::from(*digit) * weight).sum()
}

/// Interprets letters (A = 10) and digits as one number and returns it modulo 97 (ISO 7064).
pub fn mod97(code: &str) -> Option<u32> {
    code.chars().try_fold(0u32, |rest, c| {
        let value = c.to_digit(36)?;
        Some((if value > 9 { rest * 100 } else { rest * 10 } + value) % 97)
    })
}

/// Checks the last digit according to ISO 7064, MOD 11,10.
pub fn mod11_10(digits: &[u8]) -> bool {
    let Some((check, digits)) = digits.split_last() else { return false };
    let product = digits.iter().fold(10u32, |product, digit| {
        let sum = (u32::from(*digit) + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    (11 - product) % 10 == u32::from(*check)
}

/// Checks the Verhoeff digit, which uses the dihedral group of order 10.
pub fn verhoeff(digits: &[u8]) -> bool {
    const PERMUTATION: [usize; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    let permuted =
        |digit: u8, times: usize| (0..times % 8).fold(usize::from(digit), |at, _| PERMUTATION[at]);
    let product = |a: usize, b: usize| match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => (a + b - 5) % 5 + 5,
        (false, true) => (a - 5 + 5 - b) % 5 + 5,
        (false, false) => (a + 5 - b) % 5,
    };
    digits
        .iter()
        .rev()
        .enumerate()
        .fold(0, |check, (at, digit)| product(check, permuted(*digit, at)))
        == 0
}

/// Returns whether a day and a month are within the limits of a calendar date.
pub fn is_day_and_month(day: u32, month: u32) -> bool {
    (1..=31).contains(&day) && (1..=12).contains(&month)
}

/// Returns two adjacent digits as a number.
pub fn pair(digits: &[u8], at: usize) -> u32 {
    u32::from(digits[at]) * 10 + u32::from(digits[at + 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> Vec<u8> {
        text.bytes().map(|byte| byte - b'0').collect()
    }

    type Check = fn(&[u8]) -> bool;

    #[test]
    fn check_digits_detect_any_changed_digit() {
        let of: [(&str, Check); 3] =
            [("79927398713", luhn), ("86095742719", mod11_10), ("2363", verhoeff)];
        for (number, check) in of {
            assert!(check(&digits(number)), "{number}");
            for at in 0..number.len() {
                for other in 0..10 {
                    let mut changed = digits(number);
                    if changed[at] == other {
                        continue;
                    }
                    changed[at] = other;
                    assert!(!check(&changed), "{number} with {other} at {at}");
                }
            }
        }
    }

    #[test]
    fn mod97_maps_letters_from_ten() {
        assert_eq!(mod97("370400440532013000DE89"), Some(1));
        assert_eq!(mod97("-"), None);
    }
}
