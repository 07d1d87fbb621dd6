//! Exact numbers. Thresholds are compared as fractions, never as floating-point numbers.

use num_rational::{BigRational, Ratio};
use num_traits::ToPrimitive;

/// An exact fraction.
pub type Rational = Ratio<i128>;

/// The error for a string that is not a plain decimal number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotADecimal;

/// Returns the exact value of a decimal literal such as `12`, `-0.05`, or `1.5e3`.
///
/// # Errors
/// [`NotADecimal`] for any other text, for NaN and infinities, and for more than 30 digits.
pub fn parse_decimal(text: &str) -> Result<Rational, NotADecimal> {
    let text = text.trim();
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i32>().map_err(|_| NotADecimal)?),
        None => (text, 0),
    };
    let (negative, digits) = match mantissa.as_bytes().first() {
        Some(b'-') => (true, &mantissa[1..]),
        Some(b'+') => (false, &mantissa[1..]),
        _ => (false, mantissa),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit());
    if !all_digits || whole.len() + fraction.len() == 0 {
        return Err(NotADecimal);
    }
    let mut value: i128 = 0;
    for digit in whole.bytes().chain(fraction.bytes()) {
        value = value
            .checked_mul(10)
            .and_then(|v| v.checked_add(i128::from(digit - b'0')))
            .filter(|v| *v < 10i128.pow(30))
            .ok_or(NotADecimal)?;
    }
    let scale = exponent.saturating_sub(i32::try_from(fraction.len()).map_err(|_| NotADecimal)?);
    if scale.unsigned_abs() > 30 {
        return if value == 0 { Ok(Rational::from_integer(0)) } else { Err(NotADecimal) };
    }
    let power = 10i128.pow(scale.unsigned_abs());
    let signed = if negative { -value } else { value };
    if scale >= 0 {
        signed.checked_mul(power).map(Rational::from_integer).ok_or(NotADecimal)
    } else {
        Ok(Rational::new(signed, power))
    }
}

/// Returns the ratio of two counts.
///
/// # Panics
/// Panics if the denominator is zero.
pub fn from_ratio(numerator: u64, denominator: u64) -> Rational {
    Rational::new(i128::from(numerator), i128::from(denominator))
}

/// Returns the nearest double.
pub fn to_f64(value: &Rational) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

/// Converts a number to a fraction of big integers.
pub fn to_big(value: &Rational) -> BigRational {
    BigRational::new((*value.numer()).into(), (*value.denom()).into())
}

/// An upper bound on the number of digits of numbers that [`parse_decimal`] accepts.
const MOST_DIGITS: usize = 64;

/// Formats a fraction as a plain decimal number. Returns `None` if its decimal expansion is
/// infinite.
pub fn decimal(value: &Rational) -> Option<String> {
    let denominator = value.denom().unsigned_abs();
    let magnitude = value.numer().unsigned_abs();
    let sign = if *value.numer() < 0 { "-" } else { "" };
    let mut text = format!("{sign}{}", magnitude / denominator);
    let mut rest = magnitude % denominator;
    for at in 0..MOST_DIGITS {
        if rest == 0 {
            return Some(text);
        }
        if at == 0 {
            text.push('.');
        }
        rest = rest.checked_mul(10)?;
        text.push_str(&(rest / denominator).to_string());
        rest %= denominator;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_parsed_exactly() {
        assert_eq!(parse_decimal("0.1"), Ok(Rational::new(1, 10)));
        assert_eq!(parse_decimal("-2.50"), Ok(Rational::new(-5, 2)));
        assert_eq!(parse_decimal("1.5e3"), Ok(Rational::from_integer(1500)));
        assert_eq!(parse_decimal("25e-3"), Ok(Rational::new(1, 40)));
        assert_eq!(parse_decimal(".5"), Ok(Rational::new(1, 2)));
    }

    #[test]
    fn invalid_decimals_are_rejected() {
        for text in ["", "-", ".", "nan", "inf", "1,5", "0x10", "1e", "1e99", "12a", "--1"] {
            assert_eq!(parse_decimal(text), Err(NotADecimal), "{text}");
        }
        assert_eq!(parse_decimal(&"9".repeat(31)), Err(NotADecimal));
    }

    #[test]
    fn decimals_are_written_without_exponent() {
        for (text, plain) in [("-0.50", "-0.5"), ("1e3", "1000"), ("25e-3", "0.025"), ("-0", "0")] {
            assert_eq!(decimal(&parse_decimal(text).expect("a number")).as_deref(), Some(plain));
        }
        assert_eq!(decimal(&Rational::new(1, 3)), None);
    }
}
