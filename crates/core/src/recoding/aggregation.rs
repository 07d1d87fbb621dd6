//! # microaggregation
//!
//! **Definition.** Similar rows form classes; in each aggregated column, all numbers of a class are
//! replaced by a center.
//! **Formula.** The center of a column in a class is the mean or the median of the values of its
//! rows, rounded to the number of digits of the column; half a unit of the last digit is rounded
//! up. The median of an even number of rows is the mean of the two middle values.
//! **Cells.** A center is not a label: it does not show which values it represents, and usually no
//! row has it as its value. The proposal contains a range for every class and aggregated column.
//! The certifier checks that the range covers the rows, computes the center from the rows, and
//! releases the center instead of the range ([`Cell::Generated`]). Columns that are not aggregated
//! have the same cells as in any other recoding.
//! **Classes.** Rows with equal released values form a class, so classes with equal centers become
//! one class. Because all rows of a class have equal quasi-identifiers, principles on classes are
//! evaluated as for any other recoding.
//! **Error.** [`squared_error`]: the sum of squared distances between the values and the released
//! values, to be compared with the sum of squared distances from the mean of the column. The
//! computation is exact except for the last step.
//! **Does not protect against.** An adversary who knows all rows of a class except one can compute
//! the last value from a mean, up to rounding.
//! **Source.** Domingo-Ferrer, Mateo-Sanz, IEEE TKDE 14(1), 2002. Deviation: centers are rounded to
//! the number of digits of the values.

use indistinct_diagnostics::words;
use serde::{Deserialize, Serialize};

use crate::certify::{DROPPED, Release};
use crate::model::Numbers;
use crate::recoding::{Cell, Generalization, Recoding};

words! {
    /// The kind of center that replaces the values of a class.
    #[derive(Default, Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum Center {
        /// The mean.
        Mean = "mean" {default},
        /// The median.
        Median = "median",
    }
}

impl Center {
    /// Returns the center of values in units of the last digit, or `None` if there are no rows. The
    /// values are given as ascending codes with row counts.
    pub fn of(self, numbers: &Numbers, values: &[(u32, u64)]) -> Option<i128> {
        match self {
            Center::Mean => numbers.mean(values),
            Center::Median => numbers.median(values),
        }
    }
}

/// A recoding that replaces the numbers of each class with their center.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregation {
    /// The kind of center that replaces the values of a class.
    pub center: Center,
    /// For each quasi-identifier, whether its numbers are aggregated.
    pub columns: Vec<bool>,
    /// The classes, with cells that cover the values of their rows. In an aggregated column, a
    /// class contains either only numbers or only missing values.
    pub recoding: Recoding,
}

/// The squared distances between released numbers and original numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SquaredError {
    /// The sum of squared distances between the original and the released number, over all released
    /// rows with a number.
    pub of_release: f64,
    /// The sum of squared distances from the mean, which would be the error if the mean were
    /// released for all rows.
    pub of_mean: f64,
}

impl SquaredError {
    /// Returns the share of the column's variance that is lost. The share is 0 for unchanged
    /// numbers, and it can exceed 1 for strong noise.
    pub fn share(self) -> f64 {
        match self.of_mean > 0.0 {
            true => self.of_release / self.of_mean,
            false => f64::from(u8::from(self.of_release > 0.0)),
        }
    }
}

/// Returns the error of a quasi-identifier whose released values are numbers, or `None` if an
/// original or released value is not a number.
pub fn squared_error(release: &Release<'_>, attribute: usize) -> Option<SquaredError> {
    let (table, partition) = (release.table(), release.partition());
    let column = &table.quasi_identifiers()[attribute];
    let numbers = Numbers::from_dictionary(&column.dictionary).ok()?;
    let scale = numbers.scale() as f64;
    let value = |code: u32| numbers.scaled(code) as f64 / scale;
    let shown: Vec<Option<f64>> = partition.labels[attribute]
        .iter()
        .map(|text| text.trim().parse().ok().filter(|number: &f64| number.is_finite()))
        .collect();
    let rows = || {
        let tuples = partition.class_of.iter().zip(&column.codes).zip(table.counts());
        tuples
            .filter(|((class, code), _)| **class != DROPPED && numbers.missing() != Some(**code))
            .map(|((&class, &code), &count)| (class, value(code), count as f64))
    };
    let (sum, n) =
        rows().fold((0.0, 0.0), |(sum, n), (_, value, count)| (sum + value * count, n + count));
    let mean = if n > 0.0 { sum / n } else { 0.0 };
    let mut error = SquaredError::default();
    for (class, value, count) in rows() {
        let label = partition.classes.get(class).labels[attribute] as usize;
        error.of_release += (value - shown[label]?).powi(2) * count;
        error.of_mean += (value - mean).powi(2) * count;
    }
    Some(error)
}

impl Recoding {
    /// Returns, for each of `n` quasi-identifiers, whether any released value is synthetic (neither
    /// a value of the column nor a label).
    pub fn generated(&self, n: usize) -> Vec<bool> {
        let mut generated = vec![false; n];
        if let Generalization::Classes(classes) = &self.generalization {
            for (generated, cells) in generated.iter_mut().zip(classes.cells.attributes()) {
                *generated =
                    cells.distinct().iter().any(|cell| matches!(cell, Cell::Generated { .. }));
            }
        }
        generated
    }

    /// Returns whether any quasi-identifier has synthetic released values.
    pub(crate) fn has_generated(&self) -> bool {
        self.generated(self.n_cells()).contains(&true)
    }

    fn n_cells(&self) -> usize {
        match &self.generalization {
            Generalization::FullDomain { .. } => 0,
            Generalization::Classes(classes) => classes.cells.attributes().len(),
        }
    }
}
