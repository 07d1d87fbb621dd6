//! Proposes intervals with round bounds for numbers, based on the range of most rows.

use crate::numbers::Numbers;

/// The intervals of a policy, as decimal numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intervals {
    /// The widths of the levels, each a multiple of the previous width.
    pub widths: Vec<String>,
    /// Values below this number form one interval. The number is set if a few very small values
    /// would extend the range too far.
    pub min: Option<String>,
    /// Values that are greater than or equal to this number form one interval.
    pub max: Option<String>,
}

/// The maximum number of intervals of the smallest width that cover the range of most rows.
const MOST_INTERVALS: f64 = 20.0;
/// Widths are proposed only for powers of ten whose exponents have at most this absolute value.
const LARGEST_EXPONENT: i32 = 12;
/// A range contains outliers if it is at least this many times as large as the range of most rows.
const FAR_OUT: f64 = 2.0;

/// Proposes round intervals for the numbers of a column. Age intervals end at 90, as Safe Harbor
/// requires. The intervals disclose only the order of magnitude of the range of most rows.
pub fn of_numbers(numbers: &Numbers, are_ages: bool) -> Option<Intervals> {
    let (first, last) = numbers.range;
    let [low, _, _, _, high] = numbers.quantiles;
    let range = last - first;
    if !range.is_finite() || range <= 0.0 || (numbers.whole && range <= 4.0) {
        return None;
    }
    let middle = high - low;
    // If nearly all rows have the same value, the quantiles are equal and do not reflect
    // the spread.
    let is_far_out = middle > 0.0 && range > FAR_OUT * middle;
    let spread = if is_far_out { middle } else { range };
    let ([width, second, third], exponent) = round_widths(spread / MOST_INTERVALS, numbers.whole)?;
    let widths: Vec<String> = [width, second, third]
        .iter()
        .enumerate()
        .filter(|(at, width)| *at == 0 || f64::from(**width) * 10f64.powi(exponent) < spread)
        .filter(|(_, width)| !(numbers.whole && exponent == 0 && **width == 1))
        .map(|(_, width)| literal(i64::from(*width), exponent))
        .collect();
    if widths.is_empty() {
        return None;
    }
    // Bounds are multiples of the largest width because they must be valid at all levels.
    let coarsest = [width, second, third][widths.len().min(3) - 1].max(width);
    let step = f64::from(coarsest) * 10f64.powi(exponent);
    let border = |value: f64| {
        let times = value / step;
        (times.abs() < 1e9).then(|| literal(times as i64 * i64::from(coarsest), exponent))
    };
    let far_above = last - high > middle;
    let far_below = low - first > middle;
    let mut max = if is_far_out && far_above { border((high / step).ceil() * step) } else { None };
    let mut min = if is_far_out && far_below { border((low / step).floor() * step) } else { None };
    if are_ages && numbers.whole && first >= 0.0 && (90.0..=130.0).contains(&last) {
        max = Some("90".to_owned());
    }
    if min.is_some() && min == max {
        (min, max) = (None, None);
    }
    Some(Intervals { widths, min, max })
}

/// Returns a first width of at least `wanted`, and two larger widths, in units of a power of ten,
/// such as 5, 10, and 20.
fn round_widths(wanted: f64, whole: bool) -> Option<([u32; 3], i32)> {
    let exponent = wanted.log10().floor() as i32;
    if !wanted.is_finite() || wanted <= 0.0 || exponent.abs() > LARGEST_EXPONENT {
        return None;
    }
    let unit = 10f64.powi(exponent);
    Some(if whole && exponent < 0 {
        ([2, 10, 20], 0)
    } else if wanted <= unit {
        ([1, 5, 10], exponent)
    } else if wanted <= 2.0 * unit {
        ([2, 10, 20], exponent)
    } else if wanted <= 5.0 * unit {
        ([5, 10, 20], exponent)
    } else {
        ([10, 50, 100], exponent)
    })
}

/// Formats `digits * 10^exponent` without an exponent.
fn literal(digits: i64, exponent: i32) -> String {
    let sign = if digits < 0 { "-" } else { "" };
    let digits = digits.unsigned_abs();
    if digits == 0 {
        return "0".to_owned();
    }
    let zeros = |n: i32| "0".repeat(usize::try_from(n).unwrap_or(0));
    if exponent >= 0 {
        return format!("{sign}{digits}{}", zeros(exponent));
    }
    let digits = digits.to_string();
    let places = usize::try_from(-exponent).unwrap_or(0);
    let padded = format!("{}{digits}", "0".repeat((places + 1).saturating_sub(digits.len())));
    let (before, after) = padded.split_at(padded.len() - places);
    let after = after.trim_end_matches('0');
    if after.is_empty() { format!("{sign}{before}") } else { format!("{sign}{before}.{after}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::NumberFormat;

    fn numbers(first: f64, low: f64, high: f64, last: f64, whole: bool) -> Numbers {
        let middle = f64::midpoint(low, high);
        Numbers {
            format: NumberFormat::Plain,
            whole,
            range: (first, last),
            quantiles: [low, low, middle, high, high],
        }
    }

    fn list(numbers: &Numbers, are_ages: bool) -> Option<String> {
        let Intervals { widths, min, max } = of_numbers(numbers, are_ages)?;
        let of = |name: &str, end: Option<String>| {
            end.map_or(String::new(), |end| format!(" {name} {end}"))
        };
        Some(format!("{}{}{}", widths.join(" "), of("min", min), of("max", max)))
    }

    #[test]
    fn interval_widths_fit_central_range() {
        let even = |range: f64, whole| list(&numbers(0.0, 0.0, range, range, whole), false);
        assert_eq!(even(73.0, true).as_deref(), Some("5 10 20"));
        assert_eq!(even(12.0, true).as_deref(), Some("2 10"));
        assert_eq!(even(20.0, true).as_deref(), Some("5 10"));
        assert_eq!(even(0.7, false).as_deref(), Some("0.05 0.1 0.2"));
        assert_eq!(even(123_456.0, true).as_deref(), Some("10000 50000 100000"));
        assert_eq!(even(3.0, true), None);
        assert_eq!(even(f64::NAN, false), None);
        assert_eq!(even(1e300, false), None);
        assert_eq!(even(0.0, false), None);
    }

    #[test]
    fn outliers_do_not_stretch_intervals() {
        let incomes = numbers(0.0, 8_000.0, 92_000.0, 5_000_000.0, true);
        assert_eq!(list(&incomes, false).as_deref(), Some("5000 10000 20000 max 100000"));
        let below = numbers(-4000.0, 10.0, 90.0, 100.0, true);
        assert_eq!(list(&below, false).as_deref(), Some("5 10 20 min 0"));
    }

    #[test]
    fn age_intervals_end_at_90() {
        assert_eq!(
            list(&numbers(17.0, 19.0, 80.0, 99.0, true), true).as_deref(),
            Some("5 10 20 max 90")
        );
        assert_eq!(list(&numbers(17.0, 19.0, 80.0, 85.0, true), true).as_deref(), Some("5 10 20"));
    }
}
