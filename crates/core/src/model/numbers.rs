//! The values of a numeric column as exact numbers, parsed once.

use indistinct_diagnostics::{codes, words};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::{Dictionary, Order, Rational, parse_decimal};
use crate::MISSING;

/// Scaled values stay below this, so that sums and differences of two of them never overflow.
const LIMIT: i128 = 1 << 96;

/// A column with values that are no numbers, or numbers with too many digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotNumbers {
    /// Some values are no decimal numbers. Missing values are not counted.
    #[error("{} no {}", words::counted(codes.len() as u64, "distinct value is", "distinct values are"), words::either(codes.len() as u64, "number", "numbers"))]
    Text {
        /// Their codes.
        codes: Vec<u32>,
    },
    /// All values together need more digits than can be compared exactly.
    #[error("the numbers need more than 28 digits, from the largest to the finest")]
    TooManyDigits,
}

codes! {
    NotNumbers {
        Self::Text { .. } => "E-NUMBERS-001", "values are not numbers where numbers are required",
            "name values that stand for a missing one in null_values, correct the others, or take a principle on categories";
        Self::TooManyDigits => "E-NUMBERS-002", "numbers that need more digits than can be compared exactly",
            "round the numbers, or write them in a larger unit";
    }
}

/// For each code of a dictionary its exact number: a whole number of 10^-digits.
///
/// Codes are in ascending order of the numbers; a missing value is no number and has code 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    scaled: Vec<i128>,
    digits: u32,
    has_missing: bool,
}

impl Numbers {
    /// Parses the values of a dictionary.
    ///
    /// # Errors
    /// [`NotNumbers`] if a value is no decimal number, or they cannot be brought to a common scale.
    pub fn from_dictionary(dictionary: &Dictionary) -> Result<Self, NotNumbers> {
        let values = dictionary.values();
        if dictionary.order() == Order::Text {
            let is_text = |value: &str| value != MISSING && parse_decimal(value).is_err();
            let codes =
                (0..values.len() as u32).filter(|&code| is_text(&values[code as usize])).collect();
            return Err(NotNumbers::Text { codes });
        }
        let has_missing = values.first().is_some_and(|value| value == MISSING);
        let numbers: Vec<Rational> = values[usize::from(has_missing)..]
            .iter()
            .map(|value| parse_decimal(value).expect("a numeric dictionary holds numbers"))
            .collect();
        let digits = numbers.iter().map(decimal_places).max().unwrap_or(0);
        let scale = 10i128.checked_pow(digits).ok_or(NotNumbers::TooManyDigits)?;
        let mut scaled = vec![0; usize::from(has_missing)];
        for number in &numbers {
            let value = number.numer().checked_mul(scale / number.denom());
            let within = value.filter(|value| (-LIMIT..=LIMIT).contains(value));
            scaled.push(within.ok_or(NotNumbers::TooManyDigits)?);
        }
        Ok(Self { scaled, digits, has_missing })
    }

    /// The code of the missing value, if it is among the values.
    pub fn missing(&self) -> Option<u32> {
        self.has_missing.then_some(0)
    }

    /// The first code that stands for a number.
    pub fn first(&self) -> u32 {
        u32::from(self.has_missing)
    }

    /// The number with the given code in units of 10^-digits; 0 for a missing value.
    pub fn scaled(&self, code: u32) -> i128 {
        self.scaled[code as usize]
    }

    /// All numbers in units of 10^-digits, by code.
    pub fn all_scaled(&self) -> &[i128] {
        &self.scaled
    }

    /// How many units make 1.
    pub fn scale(&self) -> i128 {
        10i128.pow(self.digits)
    }

    /// A number of units as a fraction, not in lowest terms.
    pub fn unscaled(&self, units: i128) -> Rational {
        Rational::new_raw(units, self.scale())
    }

    /// The mean of some values, as codes with their rows, in whole units: half of one is rounded up. `None` without rows.
    pub fn mean(&self, values: &[(u32, u64)]) -> Option<i128> {
        let n: u64 = values.iter().map(|value| value.1).sum();
        let sum: BigInt = values.iter().map(|&(code, n)| BigInt::from(self.scaled(code)) * n).sum();
        let rounded = || num_integer_floor(&(sum * 2 + n), &(BigInt::from(n) * 2)).to_i128();
        if n == 0 { None } else { rounded() }
    }

    /// The value in the middle of some, as ascending codes with their rows, in whole units; of two in the middle the mean, rounded as
    /// [`Numbers::mean`] is. `None` without rows.
    pub fn median(&self, values: &[(u32, u64)]) -> Option<i128> {
        let n: u64 = values.iter().map(|value| value.1).sum();
        let at = |place: u64| {
            let mut rows = 0;
            values.iter().find_map(|&(code, n)| {
                rows += n;
                (place < rows).then_some((code, 1))
            })
        };
        self.mean(&[at(n.checked_sub(1)? / 2)?, at(n / 2)?])
    }

    /// How many whole units a threshold holds; thresholds beyond all differences count as the largest one.
    pub fn units_of(&self, threshold: &Rational) -> i128 {
        let units = BigInt::from(*threshold.numer()) * self.scale();
        let floor = num_integer_floor(&units, &BigInt::from(*threshold.denom()));
        floor.to_i128().unwrap_or(4 * LIMIT).clamp(-4 * LIMIT, 4 * LIMIT)
    }

    /// For each code the range of codes (the end excluded) whose numbers lie within `below(x)` units below and `above(x)`
    /// units above its own number x. A missing value resembles only itself. Fast where the ends seldom fall with x.
    pub fn reach(
        &self,
        below: impl Fn(i128) -> i128,
        above: impl Fn(i128) -> i128,
    ) -> Vec<(u32, u32)> {
        let first = self.first() as usize;
        let mut reach = Vec::with_capacity(self.scaled.len());
        reach.extend(self.missing().map(|code| (code, code + 1)));
        let (mut from, mut to) = (first, first);
        for &x in &self.scaled[first..] {
            let (low, high) = (x - below(x), x + above(x));
            while from > first && self.scaled[from - 1] >= low {
                from -= 1;
            }
            while self.scaled[from] < low {
                from += 1;
            }
            while to > first && self.scaled[to - 1] > high {
                to -= 1;
            }
            while to < self.scaled.len() && self.scaled[to] <= high {
                to += 1;
            }
            reach.push((from as u32, to as u32));
        }
        reach
    }

    /// Number of codes whose number is not above 0.
    pub fn n_not_positive(&self) -> usize {
        self.scaled[self.first() as usize..].partition_point(|&x| x <= 0)
    }
}

fn num_integer_floor(numerator: &BigInt, denominator: &BigInt) -> BigInt {
    let quotient = numerator / denominator;
    if numerator.sign() == num_bigint::Sign::Minus && &quotient * denominator != *numerator {
        quotient - 1
    } else {
        quotient
    }
}

/// floor(share * units), exact.
pub(crate) fn share_of(share: &Rational, units: i128) -> i128 {
    match share.numer().checked_mul(units) {
        Some(product) => product.div_euclid(*share.denom()),
        None => {
            let product = BigInt::from(*share.numer()) * units;
            num_integer_floor(&product, &BigInt::from(*share.denom()))
                .to_i128()
                .unwrap_or(4 * LIMIT)
        }
    }
}

/// Digits behind the decimal point of a number whose denominator divides a power of ten.
fn decimal_places(number: &Rational) -> u32 {
    let mut power = 1i128;
    (0..=30)
        .find(|_| {
            let divides = power % number.denom() == 0;
            power = power.saturating_mul(10);
            divides
        })
        .expect("decimal numbers have at most 30 digits behind the point in lowest terms")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &[&str]) -> Result<Numbers, NotNumbers> {
        Numbers::from_dictionary(
            &Dictionary::from_distinct(values.iter().map(|v| (*v).to_owned()).collect()).0,
        )
    }

    #[test]
    fn numbers_share_a_scale() {
        let numbers = numbers(&["", "2", "-1.25", "0.5"]).expect("all are numbers");
        assert_eq!(numbers.all_scaled(), [0, -125, 50, 200]);
        assert_eq!((numbers.scale(), numbers.missing()), (100, Some(0)));
        assert_eq!(numbers.units_of(&Rational::new(1, 3)), 33);
        assert_eq!(numbers.units_of(&Rational::new(-1, 3)), -34);
        assert_eq!(numbers.n_not_positive(), 1);
    }

    #[test]
    fn a_missing_value_resembles_only_itself() {
        let numbers = numbers(&["", "0", "1", "3"]).expect("all are numbers");
        let reach = numbers.reach(|_| 1, |_| 2);
        assert_eq!(reach, [(0, 1), (1, 3), (1, 4), (3, 4)]);
    }

    #[test]
    fn centers_are_rounded_to_whole_units_half_of_one_up() {
        let numbers = numbers(&["", "-3", "0", "1", "2.5", "10"]).expect("all are numbers");
        // In tenths: -30, 0, 10, 25, 100.
        let of = |values: &[(u32, u64)]| (numbers.mean(values), numbers.median(values));
        assert_eq!(of(&[(3, 1), (4, 1)]), (Some(18), Some(18)));
        assert_eq!(of(&[(1, 1), (4, 1)]), (Some(-2), Some(-2)));
        assert_eq!(of(&[(1, 1), (2, 2), (5, 3)]), (Some(45), Some(50)));
        assert_eq!(of(&[(1, 3), (2, 1), (5, 1)]), (Some(2), Some(-30)));
        assert_eq!(of(&[]), (None, None));
    }

    #[test]
    fn text_and_long_numbers_are_refused() {
        assert_eq!(numbers(&["1", "", "x", "y"]), Err(NotNumbers::Text { codes: vec![2, 3] }));
        assert_eq!(numbers(&["1e25", "1e-9"]), Err(NotNumbers::TooManyDigits));
        assert!(numbers(&["1e20", "1e-8"]).is_ok());
        assert!(numbers(&[]).is_ok());
    }

    #[test]
    fn shares_are_floored() {
        assert_eq!(share_of(&Rational::new(1, 5), 15), 3);
        assert_eq!(share_of(&Rational::new(1, 5), 14), 2);
        assert_eq!(share_of(&Rational::new(i128::MAX / 2, i128::MAX), 1 << 90), (1 << 89) - 1);
    }
}
