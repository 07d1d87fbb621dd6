//! Coarsening of numbers in columns that are not quasi-identifiers: rounding, bottom and top
//! coding, and intervals.
//!
//! An exact number, such as a bill to the cent, singles out a person like an identifier. Coarsening
//! replaces the numbers of a column when the table is read, so counts, principles, and released
//! rows contain only coarse values.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_labels::{Interval, Rational, decimal, parse_decimal, to_f64};
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};

/// The method for coarsening the numbers in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coarsening {
    /// Numbers are rounded to the nearest multiple of a unit, with half units rounded up. Then
    /// numbers outside the limits are replaced by the nearest limit.
    Numbers {
        /// The unit, if numbers are rounded.
        unit: Option<Rational>,
        /// The lower limit.
        bottom: Option<Rational>,
        /// The upper limit.
        top: Option<Rational>,
    },
    /// Numbers are replaced by half-open intervals of one width that start at multiples of the
    /// width. Numbers below `bottom`, and numbers of at least `top`, form one interval each.
    Intervals {
        /// The width.
        width: Rational,
        /// The end of the lowest interval.
        bottom: Option<Rational>,
        /// The start of the highest interval.
        top: Option<Rational>,
    },
    /// Numbers are replaced by half-open intervals between ascending boundaries; the first and the
    /// last interval are unbounded.
    Boundaries(Vec<Rational>),
    /// Intervals with approximately equal numbers of rows. The table determines the boundaries.
    Quantiles(u64),
}

impl Coarsening {
    /// Returns the released text of a number. Returns `None` if the text is not a number, if the
    /// number is too large, or if the boundaries of quantiles are unknown.
    pub fn apply(&self, text: &str) -> Option<String> {
        let value = parse_decimal(text).ok()?;
        match self {
            Self::Numbers { unit, bottom, top } => {
                let value = match unit {
                    None => value,
                    Some(unit) => {
                        let half = Rational::new(1, 2);
                        floor(value.checked_div(unit)?.checked_add(&half)?).checked_mul(unit)?
                    }
                };
                let value = bottom.map_or(value, |bottom| value.max(bottom));
                decimal(&top.map_or(value, |top| value.min(top)))
            }
            Self::Intervals { width, bottom, top } => {
                if let Some(bottom) = bottom.filter(|bottom| value < *bottom) {
                    return Interval::Below(bottom).text();
                }
                if let Some(top) = top.filter(|top| value >= *top) {
                    return Interval::From(top).text();
                }
                let start = floor(value.checked_div(width)?).checked_mul(width)?;
                let end = start.checked_add(width)?;
                let start = bottom.map_or(start, |bottom| start.max(bottom));
                Interval::HalfOpen(start, top.map_or(end, |top| end.min(top))).text()
            }
            Self::Boundaries(boundaries) => interval_between(boundaries, &value)?.text(),
            Self::Quantiles(_) => None,
        }
    }

    /// Returns whether a released text can be the result of this coarsening.
    pub fn is_result(&self, text: &str) -> bool {
        let interval = Interval::read(text);
        if matches!(self, Self::Quantiles(_)) {
            let is_open = |it| !matches!(it, Interval::Closed(..) | Interval::Around(..));
            return interval.is_some_and(is_open);
        }
        let one = Rational::from_integer(1);
        let inside = match interval {
            Some(Interval::HalfOpen(low, _) | Interval::From(low)) => decimal(&low),
            Some(Interval::Below(high)) => high.checked_sub(&one).and_then(|below| decimal(&below)),
            _ => Some(text.to_owned()),
        };
        inside.is_some_and(|value| self.apply(&value).as_deref() == Some(text))
    }

    /// Determines the boundaries of quantiles from the values of a column with their numbers of
    /// rows. Any other coarsening is returned unchanged.
    ///
    /// A boundary is the roundest number that separates two neighboring values: above the smaller
    /// value, and at most the larger one. Returns `None` if a value is not a number, or if all
    /// numbers are equal.
    pub fn resolved<'a>(&self, values: impl Iterator<Item = (&'a str, u64)>) -> Option<Self> {
        let Self::Quantiles(n_groups) = self else { return Some(self.clone()) };
        let numbers = values.map(|(text, rows)| Some((parse_decimal(text).ok()?, rows)));
        let mut numbers = numbers.collect::<Option<Vec<(Rational, u64)>>>()?;
        numbers.sort_unstable();
        let n_rows: u64 = numbers.iter().map(|(_, rows)| rows).sum();
        let (mut boundaries, mut n_below, mut group) = (Vec::new(), 0, 1);
        for pair in numbers.windows(2) {
            n_below += pair[0].1;
            if u128::from(n_below) * u128::from(*n_groups) >= u128::from(n_rows) * group {
                boundaries.push(roundest_between(pair[0].0, pair[1].0)?);
                group = u128::from(n_below) * u128::from(*n_groups) / u128::from(n_rows) + 1;
            }
        }
        (!boundaries.is_empty()).then_some(Self::Boundaries(boundaries))
    }

    /// Replaces quantiles by the boundaries of released intervals. Any other coarsening is returned
    /// unchanged. Returns `None` if `texts` contains no interval.
    pub fn as_released<'a>(&self, texts: impl Iterator<Item = &'a str>) -> Option<Self> {
        let Self::Quantiles(_) = self else { return Some(self.clone()) };
        let ends = texts.filter_map(Interval::read).flat_map(|interval| match interval {
            Interval::HalfOpen(low, high) => vec![low, high],
            Interval::Below(end) | Interval::From(end) => vec![end],
            Interval::Closed(..) | Interval::Around(..) => Vec::new(),
        });
        let boundaries: BTreeSet<Rational> = ends.collect();
        (!boundaries.is_empty()).then(|| Self::Boundaries(boundaries.into_iter().collect()))
    }
}

/// Returns the half-open interval between ascending boundaries that contains a number. The first
/// and the last interval are unbounded. Returns `None` if the list of boundaries is empty.
pub(crate) fn interval_between(boundaries: &[Rational], value: &Rational) -> Option<Interval> {
    match boundaries.partition_point(|boundary| boundary <= value) {
        0 => boundaries.first().copied().map(Interval::Below),
        n if n == boundaries.len() => Some(Interval::From(boundaries[n - 1])),
        n => Some(Interval::HalfOpen(boundaries[n - 1], boundaries[n])),
    }
}

/// Returns the largest integer that does not exceed the number.
fn floor(value: Rational) -> Rational {
    Rational::from_integer(value.numer().div_euclid(*value.denom()))
}

/// Returns the number in (`low`, `high`] that is a multiple of the largest possible power of ten.
fn roundest_between(low: Rational, high: Rational) -> Option<Rational> {
    let ten = Rational::from_integer(10);
    let mut unit = Rational::from_integer(10i128.pow(30));
    for _ in 0..=60 {
        let candidate = high.checked_div(&unit).and_then(|n| floor(n).checked_mul(&unit));
        if let Some(found) = candidate.filter(|candidate| *candidate > low) {
            return Some(found);
        }
        unit = unit.checked_div(&ten)?;
    }
    None
}

/// Returns the loss of coarsening a column: the mean, over all rows, of the distance between the
/// smallest and the largest original number that the released value of the row represents, divided
/// by the range of the column. Returns 0 if the column has no two different numbers. Returns `None`
/// if a value is not a number.
pub fn loss<'a>(
    values: impl Iterator<Item = (&'a str, u64)>,
    coarsening: &Coarsening,
) -> Option<f64> {
    let mut groups: BTreeMap<String, (Rational, Rational, u64)> = BTreeMap::new();
    for (text, rows) in values {
        let value = parse_decimal(text).ok()?;
        let group = groups.entry(coarsening.apply(text)?).or_insert((value, value, 0));
        *group = (group.0.min(value), group.1.max(value), group.2 + rows);
    }
    let low = groups.values().map(|group| group.0).min();
    let high = groups.values().map(|group| group.1).max();
    let range = high.zip(low).and_then(|(high, low)| high.checked_sub(&low));
    let range = range.map_or(0.0, |range| to_f64(&range));
    let n_rows: u64 = groups.values().map(|group| group.2).sum();
    if range <= 0.0 {
        return Some(0.0);
    }
    let spread = |(low, high, rows): &(Rational, Rational, u64)| {
        Some(to_f64(&high.checked_sub(low)?) * *rows as f64)
    };
    let lost = groups.values().map(spread).sum::<Option<f64>>()?;
    Some(lost / range / n_rows as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Rational {
        parse_decimal(text).expect("a decimal")
    }

    fn results(coarsening: &Coarsening, values: &[&str]) -> Vec<String> {
        values.iter().map(|value| coarsening.apply(value).expect("a number")).collect()
    }

    #[test]
    fn numbers_are_rounded_half_up_and_limited() {
        let (unit, top) = (Some(number("0.5")), Some(number("9.9")));
        let round = Coarsening::Numbers { unit, bottom: Some(number("-1")), top };
        assert_eq!(
            results(&round, &["-7", "-0.25", "0.24", "0.25", "3.14", "9.8", "1e3"]),
            ["-1", "0", "0", "0.5", "3", "9.9", "9.9"]
        );
        assert_eq!(round.apply("n/a"), None);
        assert!(round.is_result("3.5") && round.is_result("9.9") && round.is_result("-1"));
        for other in ["3.14", "10", "-2", "3.50", "[3, 4)", "x"] {
            assert!(!round.is_result(other), "{other}");
        }
    }

    #[test]
    fn equal_intervals_end_at_limits() {
        let coarsening = Coarsening::Intervals {
            width: number("100"),
            bottom: Some(number("50")),
            top: Some(number("250")),
        };
        let found = results(&coarsening, &["-3", "50", "99.99", "100", "249", "250", "9999"]);
        assert_eq!(
            found,
            ["< 50", "[50, 100)", "[50, 100)", "[100, 200)", "[200, 250)", ">= 250", ">= 250"]
        );
        assert!(found.iter().all(|label| coarsening.is_result(label)));
        for other in ["120", "[100, 150)", "[0, 100)", ">= 300", "< 100", "[50, 100]"] {
            assert!(!coarsening.is_result(other), "{other}");
        }
    }

    #[test]
    fn boundaries_include_their_lower_end() {
        let coarsening = Coarsening::Boundaries(vec![number("0"), number("10"), number("100")]);
        let found = results(&coarsening, &["-1", "0", "9.99", "10", "100", "101"]);
        assert_eq!(found, ["< 0", "[0, 10)", "[0, 10)", "[10, 100)", ">= 100", ">= 100"]);
        assert!(found.iter().all(|label| coarsening.is_result(label)));
        assert!(!coarsening.is_result("[10, 50)") && !coarsening.is_result("5"));
    }

    #[test]
    fn quantiles_divide_rows_equally_and_hide_exact_values() {
        let values: Vec<String> = (0..1000).map(|n| format!("{}.{:02}", n * n, n % 100)).collect();
        let counted = || values.iter().map(|value| (value.as_str(), 1));
        let quantiles = Coarsening::Quantiles(4);
        assert_eq!(quantiles.apply("5"), None);
        let resolved = quantiles.resolved(counted()).expect("numbers");
        let mut n_rows = std::collections::BTreeMap::new();
        for value in &values {
            let label = resolved.apply(value).expect("a number");
            assert!(quantiles.is_result(&label) && resolved.is_result(&label), "{label}");
            *n_rows.entry(label).or_insert(0) += 1;
        }
        assert_eq!(n_rows.values().copied().collect::<Vec<_>>(), [250; 4], "{n_rows:?}");
        let Coarsening::Boundaries(boundaries) = &resolved else { panic!("boundaries") };
        let texts: Vec<String> = boundaries.iter().filter_map(decimal).collect();
        assert_eq!(texts, ["62500", "250000", "562000"]);
        assert!(!values.contains(&texts[0]));
        // The boundaries can be determined from the released intervals, even if one interval is
        // missing.
        let released = ["[62500, 250000)", "", "< 62500", ">= 562000"];
        assert_eq!(quantiles.as_released(released.into_iter()), Some(resolved.clone()));
        assert_eq!(quantiles.as_released(["", "7"].into_iter()), None);
        assert_eq!(quantiles.resolved([("7", 9)].into_iter()), None);
        // A value that occurs in most rows forms a separate group.
        let skewed = [("1", 90), ("2", 5), ("3.75", 5)];
        let resolved = Coarsening::Quantiles(4).resolved(skewed.into_iter()).expect("numbers");
        assert_eq!(resolved, Coarsening::Boundaries(vec![number("2")]));
        assert_eq!(Coarsening::Quantiles(2).resolved([("x", 1)].into_iter()), None);
    }

    #[test]
    fn loss_is_the_mean_spread_of_released_values() {
        let values = || [("0", 1), ("4", 1), ("10", 2)].into_iter();
        let halves = Coarsening::Boundaries(vec![number("5")]);
        assert_eq!(loss(values(), &halves), Some(0.2));
        let nothing = Coarsening::Numbers { unit: Some(number("1")), bottom: None, top: None };
        assert_eq!(loss(values(), &nothing), Some(0.0));
        let all = Coarsening::Boundaries(vec![number("11")]);
        assert_eq!(loss(values(), &all), Some(1.0));
    }
}
