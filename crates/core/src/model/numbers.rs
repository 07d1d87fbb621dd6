//! The values of a numeric column as exact numbers, which are parsed only once.

use indistinct_diagnostics::{errors, words};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;

use super::{Dictionary, Order, Rational, parse_decimal};
use crate::MISSING;

/// The limit for scaled values. Sums and differences of two values within this limit do not
/// overflow.
const LIMIT: i128 = 1 << 96;

errors! {
    /// The reason why the values of a column cannot be compared as exact numbers.
    #[derive(Clone, PartialEq, Eq)]
    pub enum NotNumbers {
        /// A column that must contain numbers also contains other values.
        #[error(
            "{} not {}",
            words::counted(codes.len() as u64, "distinct value is", "distinct values are"),
            words::either(codes.len() as u64, "a number", "numbers")
        )]
        #[code("E-NUMBERS-001", "correct the values, add markers for missing values to \
                null_values, or use a principle for categories")]
        Text {
            /// The codes of the values that are not numbers.
            codes: Vec<u32>,
        },
        /// The numbers have too many digits for an exact comparison.
        #[error("the numbers need more than 28 digits from the largest to the smallest decimal place")]
        #[code("E-NUMBERS-002", "round the numbers, or use a larger unit")]
        TooManyDigits,
    }
}

/// The exact number for each code of a dictionary, represented as an integer multiple of
/// 10^-digits.
///
/// The numbers are in ascending order of their codes. If values are missing, code 0 represents the
/// missing value.
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
    /// Returns [`NotNumbers`] if a value is not a decimal number, or if the values have no common
    /// scale.
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
            .map(|value| {
                parse_decimal(value).expect("all values of a numeric dictionary are numbers")
            })
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

    /// Returns the code of the missing value, if it occurs.
    pub fn missing(&self) -> Option<u32> {
        self.has_missing.then_some(0)
    }

    /// Returns the first code of a number.
    pub fn first(&self) -> u32 {
        u32::from(self.has_missing)
    }

    /// Returns the number with the given code in units of 10^-digits, or 0 for a missing value.
    pub fn scaled(&self, code: u32) -> i128 {
        self.scaled[code as usize]
    }

    /// Returns all numbers in units of 10^-digits, by code.
    pub fn all_scaled(&self) -> &[i128] {
        &self.scaled
    }

    /// Returns the number of units in 1.
    pub fn scale(&self) -> i128 {
        10i128.pow(self.digits)
    }

    /// Converts a number of units to a fraction, which is not reduced to lowest terms.
    pub fn unscaled(&self, units: i128) -> Rational {
        Rational::new_raw(units, self.scale())
    }

    /// Returns the mean of values, given as codes with row counts, rounded to an integer number of
    /// units; half a unit is rounded up. Returns `None` if there are no rows.
    pub fn mean(&self, values: &[(u32, u64)]) -> Option<i128> {
        let n: u64 = values.iter().map(|value| value.1).sum();
        let sum: BigInt = values.iter().map(|&(code, n)| BigInt::from(self.scaled(code)) * n).sum();
        let rounded = || BigInt::div_floor(&(sum * 2 + n), &(BigInt::from(n) * 2)).to_i128();
        if n == 0 { None } else { rounded() }
    }

    /// Returns the median of values, given as ascending codes with row counts, in integer units. If
    /// there are two middle values, the result is their mean, rounded as in [`Numbers::mean`].
    /// Returns `None` if there are no rows.
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

    /// Returns the threshold in units, rounded down. Thresholds beyond all possible differences are
    /// clamped.
    pub fn units_of(&self, threshold: &Rational) -> i128 {
        let units = BigInt::from(*threshold.numer()) * self.scale();
        let floor = units.div_floor(&BigInt::from(*threshold.denom()));
        floor.to_i128().unwrap_or(4 * LIMIT).clamp(-4 * LIMIT, 4 * LIMIT)
    }

    /// Returns, for each code with number x, the half-open range of codes whose numbers are at most
    /// `below(x)` units below x and at most `above(x)` units above x. A missing value is near only
    /// itself. The computation is fast if the ends of the ranges rarely decrease as x increases.
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

    /// Returns the number of codes whose number is not positive.
    pub fn n_not_positive(&self) -> usize {
        self.scaled[self.first() as usize..].partition_point(|&x| x <= 0)
    }
}

/// Returns floor(share * units). The result is exact.
pub(crate) fn share_of(share: &Rational, units: i128) -> i128 {
    match share.numer().checked_mul(units) {
        Some(product) => product.div_euclid(*share.denom()),
        None => {
            let product = BigInt::from(*share.numer()) * units;
            product.div_floor(&BigInt::from(*share.denom())).to_i128().unwrap_or(4 * LIMIT)
        }
    }
}

/// Returns the number of decimal places of a number whose denominator divides a power of ten.
fn decimal_places(number: &Rational) -> u32 {
    let mut power = 1i128;
    (0..=30)
        .find(|_| {
            let divides = power % number.denom() == 0;
            power = power.saturating_mul(10);
            divides
        })
        .expect("decimal numbers in lowest terms have at most 30 decimal places")
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
        let numbers = numbers(&["", "2", "-1.25", "0.5"]).expect("all values are numbers");
        assert_eq!(numbers.all_scaled(), [0, -125, 50, 200]);
        assert_eq!((numbers.scale(), numbers.missing()), (100, Some(0)));
        assert_eq!(numbers.units_of(&Rational::new(1, 3)), 33);
        assert_eq!(numbers.units_of(&Rational::new(-1, 3)), -34);
        assert_eq!(numbers.n_not_positive(), 1);
    }

    #[test]
    fn missing_value_is_near_no_other_value() {
        let numbers = numbers(&["", "0", "1", "3"]).expect("all values are numbers");
        let reach = numbers.reach(|_| 1, |_| 2);
        assert_eq!(reach, [(0, 1), (1, 3), (1, 4), (3, 4)]);
    }

    #[test]
    fn centers_are_rounded_half_up() {
        let numbers = numbers(&["", "-3", "0", "1", "2.5", "10"]).expect("all values are numbers");
        // The numbers in tenths: -30, 0, 10, 25, 100.
        let of = |values: &[(u32, u64)]| (numbers.mean(values), numbers.median(values));
        assert_eq!(of(&[(3, 1), (4, 1)]), (Some(18), Some(18)));
        assert_eq!(of(&[(1, 1), (4, 1)]), (Some(-2), Some(-2)));
        assert_eq!(of(&[(1, 1), (2, 2), (5, 3)]), (Some(45), Some(50)));
        assert_eq!(of(&[(1, 3), (2, 1), (5, 1)]), (Some(2), Some(-30)));
        assert_eq!(of(&[]), (None, None));
    }

    #[test]
    fn text_and_long_numbers_are_rejected() {
        assert_eq!(numbers(&["1", "", "x", "y"]), Err(NotNumbers::Text { codes: vec![2, 3] }));
        assert_eq!(numbers(&["1e25", "1e-9"]), Err(NotNumbers::TooManyDigits));
        assert!(numbers(&["1e20", "1e-8"]).is_ok());
        assert!(numbers(&[]).is_ok());
    }

    #[test]
    fn fractions_are_rounded_down() {
        assert_eq!(share_of(&Rational::new(1, 5), 15), 3);
        assert_eq!(share_of(&Rational::new(1, 5), 14), 2);
        assert_eq!(share_of(&Rational::new(i128::MAX / 2, i128::MAX), 1 << 90), (1 << 89) - 1);
    }
}
