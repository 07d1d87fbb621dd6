//! The trade-off between epsilon and m, according to Theorems 1 and 2 of the (epsilon, m) paper.

use num_traits::ToPrimitive;

use crate::Rational;
use crate::model::Numbers;
use crate::principle::proximity::Nearness;
pub use crate::principle::proximity::{NearnessBound, Unit};

impl NearnessBound {
    /// Returns the supremum of the feasible epsilon for the rows of a column, with m rounded up to
    /// an integer. Returns `None` if one epsilon cannot describe the neighborhood.
    pub fn supremum(&self, numbers: &Numbers, entries: &[(u32, u64)]) -> Option<Supremum> {
        let m = self.m.ceil().to_integer().to_u64().filter(|m| *m > 0)?;
        Some(supremum(numbers, entries, m, self.epsilon()?.1))
    }
}

/// The supremum of the feasible epsilon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Supremum {
    /// Every epsilon is feasible.
    Unbounded,
    /// Every epsilon below this value is feasible, but the value itself is not (reading C-9). If it
    /// is 0, no epsilon is feasible.
    Below(Rational),
    /// Undefined: the table is empty, or the neighborhood is relative and some numbers are not
    /// positive.
    Undefined,
}

/// Returns the largest m for which rows with this nearness can be partitioned (Theorem 1), or
/// `None` if there are no rows.
pub fn largest_m(nearness: &Nearness) -> Option<u64> {
    nearness.n_rows.checked_div(nearness.maxsize)
}

/// Returns the supremum of the feasible epsilon for a given m (Theorem 2). For `Relative` and m =
/// 1, it is 1.
///
/// `entries` contains the codes of the numbers with their counts, in ascending order. A missing
/// value is near only itself.
///
/// # Panics
/// Panics if m is 0.
pub fn supremum(numbers: &Numbers, entries: &[(u32, u64)], m: u64, unit: Unit) -> Supremum {
    assert!(m > 0, "m must be at least 1");
    let n: u64 = entries.iter().map(|entry| entry.1).sum();
    let smallest = entries.iter().find(|entry| entry.0 >= numbers.first());
    let is_positive = smallest.is_none_or(|entry| numbers.scaled(entry.0) > 0);
    if n == 0 || (unit == Unit::Relative && !is_positive) {
        return Supremum::Undefined;
    }
    let h = n / m;
    if h == 0 {
        return Supremum::Below(Rational::from_integer(0));
    }
    let mut least: Option<Distance> = None;
    // With `start` rows before a value, the (h + start)-th row is the nearest row that must not be
    // near the value.
    let (mut start, mut ahead, mut before_ahead) = (0, 0, 0);
    for &(code, count) in entries {
        while ahead < entries.len() && before_ahead + entries[ahead].1 <= start + h {
            before_ahead += entries[ahead].1;
            ahead += 1;
        }
        let Some(&(other, _)) = entries.get(ahead) else { break };
        let distance = match (Some(code) == numbers.missing(), other == code) {
            (_, true) => Some(Distance { units: 0, of: 1 }),
            (true, false) => None,
            (false, false) => Some(Distance::between(numbers, code, other, unit)),
        };
        if let Some(distance) = distance.filter(|own| least.is_none_or(|least| own.is_below(least)))
        {
            least = Some(distance);
        }
        start += count;
    }
    match (least, unit) {
        (Some(least), Unit::Absolute) => Supremum::Below(numbers.unscaled(least.units)),
        (Some(least), Unit::Relative) => Supremum::Below(Rational::new_raw(least.units, least.of)),
        (None, Unit::Absolute) => Supremum::Unbounded,
        (None, Unit::Relative) => Supremum::Below(Rational::from_integer(1)),
    }
}

/// The distance between a smaller and a larger number, as a number of units or as a fraction. If
/// epsilon is less than this distance, neither number is in the neighborhood of the other.
#[derive(Debug, Clone, Copy)]
struct Distance {
    units: i128,
    /// The denominator of the distance: the larger number, which is positive, if the distance is a
    /// fraction, and 1 otherwise.
    of: i128,
}

impl Distance {
    fn between(numbers: &Numbers, code: u32, larger: u32, unit: Unit) -> Self {
        let (x, y) = (numbers.scaled(code), numbers.scaled(larger));
        let of = match unit {
            Unit::Absolute => 1,
            Unit::Relative => y,
        };
        Self { units: y - x, of }
    }

    /// Compares exactly by cross-multiplication. A trade-off curve needs many comparisons, and
    /// divisions would be slower.
    fn is_below(self, other: Self) -> bool {
        match (self.units.checked_mul(other.of), other.units.checked_mul(self.of)) {
            (Some(own), Some(others)) => own < others,
            _ => Rational::new_raw(self.units, self.of) < Rational::new_raw(other.units, other.of),
        }
    }
}

/// Returns the trade-off curve, which contains the supremum of the feasible epsilon for each m.
pub fn trade_off(
    numbers: &Numbers,
    entries: &[(u32, u64)],
    unit: Unit,
    m: &[u64],
) -> Vec<(u64, Supremum)> {
    m.iter().map(|&m| (m, supremum(numbers, entries, m, unit))).collect()
}

/// Returns values of m for a trade-off curve of n rows: all values up to 10, then values at
/// increasing distances up to n.
pub fn worthwhile_m(n: u64) -> Vec<u64> {
    let mut m = Vec::new();
    let mut next = 1;
    while next <= n {
        m.push(next);
        next += (next / 5).max(1);
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dictionary;

    fn column(values: &[i64]) -> (Numbers, Vec<(u32, u64)>) {
        let mut distinct = values.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let texts = distinct.iter().map(i64::to_string).collect();
        let numbers =
            Numbers::from_dictionary(&Dictionary::from_distinct(texts).0).expect("numbers");
        let count = |x: &i64| values.iter().filter(|y| *y == x).count() as u64;
        (numbers, (0u32..).zip(distinct.iter().map(count)).collect())
    }

    #[test]
    fn running_example_is_reproduced() {
        let (numbers, entries) = column(&[1000, 1010, 1020, 50000, 16000, 24000, 33000, 31000]);
        let below = |m| supremum(&numbers, &entries, m, Unit::Absolute);
        assert_eq!(below(1), Supremum::Unbounded);
        assert_eq!(below(2), Supremum::Below(Rational::from_integer(23000)));
        assert_eq!(below(3), Supremum::Below(Rational::from_integer(20)));
        assert_eq!(below(8), Supremum::Below(Rational::from_integer(10)));
        assert_eq!(below(9), Supremum::Below(Rational::from_integer(0)));
    }

    #[test]
    fn excessive_ties_have_supremum_zero() {
        let (numbers, entries) = column(&[5, 5, 5, 7, 9]);
        assert_eq!(
            supremum(&numbers, &entries, 2, Unit::Absolute),
            Supremum::Below(Rational::from_integer(0))
        );
    }

    #[test]
    fn relative_distances_require_positive_numbers() {
        let (numbers, entries) = column(&[74, 100]);
        let below = supremum(&numbers, &entries, 2, Unit::Relative);
        assert_eq!(below, Supremum::Below(Rational::new(26, 100)));
        let (numbers, entries) = column(&[-4, 4]);
        assert_eq!(supremum(&numbers, &entries, 2, Unit::Relative), Supremum::Undefined);
    }

    /// The products of the numbers in this test require more than 128 bits.
    #[test]
    fn ratios_of_long_numbers_are_compared_exactly() {
        let units = 10i64.pow(18);
        let (numbers, entries) = column(&[units - 2, units - 1, units]);
        let long = |x: i64| Distance { units: i128::from(x) << 60, of: (i128::from(x) << 60) + 1 };
        assert!(long(units - 1).is_below(long(units)) && !long(units).is_below(long(units - 1)));
        let below = supremum(&numbers, &entries, 3, Unit::Relative);
        let expected = Rational::new(1, i128::from(units));
        assert_eq!(below, Supremum::Below(expected));
    }

    #[test]
    fn curve_contains_worthwhile_values_of_m() {
        assert_eq!(worthwhile_m(16), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16]);
        assert!(worthwhile_m(0).is_empty());
    }
}
