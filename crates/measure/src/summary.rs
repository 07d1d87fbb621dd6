//! Summary statistics.

use serde::Serialize;

/// The summary statistics of a set of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Summary {
    /// The number of values.
    pub n: usize,
    /// The minimum.
    pub min: f64,
    /// The lower quartile, which is at least as large as one quarter of the values.
    pub lower_quartile: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile, which is at least as large as three quarters of the values.
    pub upper_quartile: f64,
    /// The maximum.
    pub max: f64,
    /// The mean.
    pub mean: f64,
}

impl Summary {
    /// Computes the statistics, or returns `None` for an empty set. Quantiles between two values
    /// are interpolated.
    pub fn from_numbers(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.into_iter().collect();
        if sorted.is_empty() {
            return None;
        }
        sorted.sort_unstable_by(f64::total_cmp);
        let last = sorted.len() - 1;
        let at = |quarters: usize| {
            let place = last as f64 * quarters as f64 / 4.0;
            let (low, part) = (place.floor(), place.fract());
            let (low, high) = (sorted[low as usize], sorted[(low as usize + 1).min(last)]);
            low + (high - low) * part
        };
        Some(Self {
            n: sorted.len(),
            min: sorted[0],
            lower_quartile: at(1),
            median: at(2),
            upper_quartile: at(3),
            max: sorted[last],
            mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_interpolated() {
        let summary = Summary::from_numbers([4.0, 1.0, 3.0, 2.0]).expect("four numbers");
        let quartiles = (summary.lower_quartile, summary.median, summary.upper_quartile);
        assert_eq!(quartiles, (1.75, 2.5, 3.25));
        assert_eq!((summary.n, summary.min, summary.max, summary.mean), (4, 1.0, 4.0, 2.5));
        let one = Summary::from_numbers([7.0]).expect("a number");
        assert_eq!((one.min, one.median, one.upper_quartile), (7.0, 7.0, 7.0));
        assert_eq!(Summary::from_numbers([]), None);
    }
}
