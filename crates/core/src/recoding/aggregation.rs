//! # microaggregation
//!
//! **Definition.** Classes of similar rows; every number of a class is replaced by the center of the class, one for each column.
//! **Formula.** The center of a column in a class is the mean or the median of its rows' values, rounded to as many digits as the column
//! has, half of the last one up; the median of an even number of rows is the mean of the two in the middle.
//! **Cells.** A center is no label: it does not say which values it stands for, and mostly no row has it. The proposal has a range for every
//! class and aggregated column; the certifier checks that the range covers the rows, computes the center from them itself, and releases it
//! in place of the range ([`Cell::Generated`]). Columns that are not aggregated have cells as in any other recoding.
//! **Classes.** As ever, the rows with equal released values: classes with equal centers are one. All rows of a class are alike in all
//! quasi-identifiers, so that principles on classes are judged as for any other recoding.
//! **Error.** [`squared_error`]: the squared distances between the values and what is released for them, to be held against the squared
//! distances from the mean of the column. Exact numbers up to the last step.
//! **Does not protect against.** Whoever knows all rows of a class but one computes the last one's value from a mean, up to rounding.
//! **Source.** Domingo-Ferrer, Mateo-Sanz, IEEE TKDE 14(1), 2002. Deviation: centers are rounded, so that they have no more digits than values.

use serde::{Deserialize, Serialize};

use crate::certify::{DROPPED, Release};
use crate::model::Numbers;
use crate::recoding::{Cell, Generalization, Recoding};

/// What stands for the values of a class.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Center {
    /// Their mean.
    #[default]
    Mean,
    /// The one in the middle.
    Median,
}

impl Center {
    /// Of some values of a column, as codes with their rows, ascending; in units of the last digit. `None` without rows.
    pub fn of(self, numbers: &Numbers, values: &[(u32, u64)]) -> Option<i128> {
        match self {
            Center::Mean => numbers.mean(values),
            Center::Median => numbers.median(values),
        }
    }
}

/// Classes whose numbers are replaced by centers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregation {
    /// What stands for the values of a class.
    pub center: Center,
    /// For each quasi-identifier whether its numbers are aggregated.
    pub columns: Vec<bool>,
    /// The classes, with cells that cover the values of their rows. A class has either numbers or missing values of an aggregated
    /// column.
    pub recoding: Recoding,
}

/// How far released numbers are from the values that they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SquaredError {
    /// The sum over all released rows with a value of the squared distance between it and the released number.
    pub of_release: f64,
    /// The sum of the squared distances from the mean: what is lost if that is released for all.
    pub of_mean: f64,
}

impl SquaredError {
    /// The share of the column's variance that is lost: 0 where numbers are as they were. More than 1 for much noise.
    pub fn share(self) -> f64 {
        match self.of_mean > 0.0 {
            true => self.of_release / self.of_mean,
            false => f64::from(u8::from(self.of_release > 0.0)),
        }
    }
}

/// The error of a quasi-identifier whose released values are numbers; `None` if the values are none, or some released value is no number.
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
    /// For each of `n` quasi-identifiers whether some released value is made: no value of its column, and no label.
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

    /// Whether that is so of any.
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
