//! Statistics of the rows and classes of a release.

use indistinct_core::Observer;
use indistinct_core::published::PublishedSensitive;
use serde::Serialize;

/// The number of affected classes, and the number of rows in these classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct AffectedRows {
    /// Number of classes.
    pub n_classes: u64,
    /// Number of rows in these classes.
    pub n_rows: u64,
}

impl AffectedRows {
    /// Adds a class with this number of rows.
    pub(crate) fn add(&mut self, rows: u64) {
        self.n_classes += 1;
        self.n_rows += rows;
    }
}

/// The distribution of a figure over the rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Distribution {
    /// Number of rows.
    pub n_rows: u64,
    /// The smallest figure.
    pub minimum: f64,
    /// The 5th percentile over the rows.
    pub percentile_5: f64,
    /// The median over the rows.
    pub median: f64,
    /// The 95th percentile over the rows.
    pub percentile_95: f64,
    /// The largest figure.
    pub maximum: f64,
    /// The mean over the rows.
    pub mean: f64,
}

impl Distribution {
    /// Creates a distribution from figures with row counts; `None` if there are no rows.
    pub fn from_figures(mut figures: Vec<(f64, u64)>) -> Option<Self> {
        figures.retain(|&(_, rows)| rows > 0);
        figures.sort_by(|a, b| a.0.total_cmp(&b.0));
        let n_rows: u64 = figures.iter().map(|&(_, rows)| rows).sum();
        let (&(minimum, _), &(maximum, _)) = (figures.first()?, figures.last()?);
        // Returns the smallest figure that is not exceeded in at least `percent` percent of rows.
        let percentile = |percent: u64| {
            let wanted = (u128::from(n_rows) * u128::from(percent)).div_ceil(100);
            let mut below = 0u128;
            let reached = figures.iter().find(|&&(_, rows)| {
                below += u128::from(rows);
                below >= wanted
            });
            reached.map_or(maximum, |&(figure, _)| figure)
        };
        let sum: f64 = figures.iter().map(|&(figure, rows)| figure * rows as f64).sum();
        Some(Self {
            n_rows,
            minimum,
            percentile_5: percentile(5),
            median: percentile(50),
            percentile_95: percentile(95),
            maximum,
            mean: sum / n_rows as f64,
        })
    }
}

/// Returns the number of rows with each value of a released sensitive attribute, by code.
pub(crate) fn marginal(sensitive: &PublishedSensitive) -> Vec<u64> {
    let mut marginal = vec![0; sensitive.dictionary.len()];
    for &(code, rows) in sensitive.histograms.iter().flatten() {
        marginal[code as usize] += rows;
    }
    marginal
}

/// Returns the classes with rows of a sensitive attribute, each with the number of rows of each
/// value and the total. The iteration ends if the observer cancels.
pub(crate) fn classes<'a>(
    sensitive: &'a PublishedSensitive,
    observer: &'a dyn Observer,
) -> impl Iterator<Item = (&'a [(u32, u64)], u64)> {
    let classes = sensitive.histograms.iter().filter(|entries| !entries.is_empty());
    classes
        .take_while(|_| !observer.is_cancelled())
        .map(|entries| (entries.as_slice(), entries.iter().map(|entry| entry.1).sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distribution_weights_figures_by_rows() {
        let of = Distribution::from_figures(vec![(4.0, 1), (1.0, 18), (2.0, 1), (9.0, 0)])
            .expect("rows");
        assert_eq!((of.n_rows, of.minimum, of.median, of.maximum), (20, 1.0, 1.0, 4.0));
        assert_eq!((of.percentile_5, of.percentile_95), (1.0, 2.0));
        assert!((of.mean - 1.2).abs() < 1e-12);
        assert_eq!(Distribution::from_figures(vec![(1.0, 0)]), None);
    }
}
