//! The distribution of a figure over the rows.

use serde::Serialize;

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
        // Returns the smallest figure that at least this percentage of the rows do not exceed.
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
