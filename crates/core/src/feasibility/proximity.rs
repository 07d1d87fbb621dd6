//! The (epsilon, m) trade-off: Theorems 1 and 2.

use num_traits::ToPrimitive;

use crate::Rational;
use crate::model::Numbers;
use crate::principle::proximity::Nearness;
pub use crate::principle::proximity::{NearnessBound, Unit};

impl NearnessBound {
    /// What epsilon must stay below on the rows of a column, at the smallest whole number that is at least m. `None` where no one
    /// epsilon says what is near.
    pub fn supremum(&self, numbers: &Numbers, entries: &[(u32, u64)]) -> Option<Supremum> {
        let m = self.m.ceil().to_integer().to_u64().filter(|m| *m > 0)?;
        Some(supremum(numbers, entries, m, self.epsilon()?.1))
    }
}

/// What epsilon must stay below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Supremum {
    /// Everything is feasible.
    Unbounded,
    /// This value, which itself is not feasible (reading C-9); with 0 nothing is.
    Below(Rational),
    /// Not defined: there are no rows, or the relative neighborhood of numbers that are not positive is asked for.
    Undefined,
}

/// The largest m for which rows that are as near to each other can be partitioned (Theorem 1); `None` for no rows.
pub fn largest_m(nearness: &Nearness) -> Option<u64> {
    nearness.n_rows.checked_div(nearness.maxsize)
}

/// What epsilon must stay below, given m (Theorem 2). For `Relative` and m = 1 that is 1.
///
/// `entries` are codes of the numbers with their counts, ascending. A missing value resembles only itself.
///
/// # Panics
/// If m is 0.
pub fn supremum(numbers: &Numbers, entries: &[(u32, u64)], m: u64, unit: Unit) -> Supremum {
    assert!(m > 0, "m is at least 1");
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
    // The (h + start)-th row, where `start` rows come before a value: the nearest that must not be near the value.
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

/// How far the larger of two numbers is from the smaller one: below that neither is in the other's neighborhood. In units of the numbers, or
/// as a share.
#[derive(Debug, Clone, Copy)]
struct Distance {
    units: i128,
    /// The larger number for a share, which is positive; else 1.
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

    /// Exact. A curve compares very many of them, and a comparison of fractions divides.
    fn is_below(self, other: Self) -> bool {
        match (self.units.checked_mul(other.of), other.units.checked_mul(self.of)) {
            (Some(own), Some(others)) => own < others,
            _ => Rational::new_raw(self.units, self.of) < Rational::new_raw(other.units, other.of),
        }
    }
}

/// For each m what epsilon must stay below: the trade-off curve.
pub fn trade_off(
    numbers: &Numbers,
    entries: &[(u32, u64)],
    unit: Unit,
    m: &[u64],
) -> Vec<(u64, Supremum)> {
    m.iter().map(|&m| (m, supremum(numbers, entries, m, unit))).collect()
}

/// Values of m worth a point on the curve of n rows: all up to 10, then ever wider apart, while anything is feasible.
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
    fn the_running_example_of_the_text() {
        let (numbers, entries) = column(&[1000, 1010, 1020, 50000, 16000, 24000, 33000, 31000]);
        let below = |m| supremum(&numbers, &entries, m, Unit::Absolute);
        assert_eq!(below(1), Supremum::Unbounded);
        assert_eq!(below(2), Supremum::Below(Rational::from_integer(23000)));
        assert_eq!(below(3), Supremum::Below(Rational::from_integer(20)));
        assert_eq!(below(8), Supremum::Below(Rational::from_integer(10)));
        assert_eq!(below(9), Supremum::Below(Rational::from_integer(0)));
    }

    #[test]
    fn ties_beyond_the_dealing_leave_nothing() {
        let (numbers, entries) = column(&[5, 5, 5, 7, 9]);
        assert_eq!(
            supremum(&numbers, &entries, 2, Unit::Absolute),
            Supremum::Below(Rational::from_integer(0))
        );
    }

    #[test]
    fn relative_distances_need_positive_numbers() {
        let (numbers, entries) = column(&[74, 100]);
        let below = supremum(&numbers, &entries, 2, Unit::Relative);
        assert_eq!(below, Supremum::Below(Rational::new(26, 100)));
        let (numbers, entries) = column(&[-4, 4]);
        assert_eq!(supremum(&numbers, &entries, 2, Unit::Relative), Supremum::Undefined);
    }

    /// Products of such numbers need more than 128 bits.
    #[test]
    fn shares_of_long_numbers_are_compared_exactly() {
        let units = 10i64.pow(18);
        let (numbers, entries) = column(&[units - 2, units - 1, units]);
        let long = |x: i64| Distance { units: i128::from(x) << 60, of: (i128::from(x) << 60) + 1 };
        assert!(long(units - 1).is_below(long(units)) && !long(units).is_below(long(units - 1)));
        let below = supremum(&numbers, &entries, 3, Unit::Relative);
        let expected = Rational::new(1, i128::from(units));
        assert_eq!(below, Supremum::Below(expected));
    }

    #[test]
    fn points_of_the_curve() {
        assert_eq!(worthwhile_m(16), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16]);
        assert!(worthwhile_m(0).is_empty());
    }
}
