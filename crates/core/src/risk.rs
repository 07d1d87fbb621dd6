//! Prosecutor, journalist, and marketer risk of re-identification, computed from class sizes.
//!
//! All three adversaries know the quasi-identifiers. The prosecutor knows that the target is in the
//! table and selects a row of the target's class. The journalist does not know whether the target
//! is in the table; without a population table, the journalist risk is bounded by the prosecutor
//! risk. The marketer maximizes the number of correct matches over the whole table.
//!
//! This module also measures homogeneity: a class is homogeneous if (nearly) all its rows have the
//! same sensitive value. k-anonymity does not prevent homogeneity.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{FrequencyTable, Histogram, Rational, sum_by_key};

/// The re-identification risk of a table. Each risk is a probability from 0 to 1, or `None` for an
/// empty table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Risk {
    /// The maximum prosecutor risk of any row: 1 / (size of the smallest class).
    pub prosecutor_max: Option<f64>,
    /// The mean prosecutor risk of all rows: (number of classes) / (number of rows).
    pub prosecutor_mean: Option<f64>,
    /// An upper bound on the journalist risk, which is the prosecutor risk because there is no
    /// population table.
    pub journalist_max: Option<f64>,
    /// The expected fraction of rows that the marketer matches correctly: (number of classes) /
    /// (number of rows).
    pub marketer: Option<f64>,
    /// The fraction of rows that are unique in their class.
    pub unique_fraction: Option<f64>,
}

/// Returns the risk of a table, given the number of classes of each size.
pub fn of_class_sizes(class_sizes: &BTreeMap<u64, u64>) -> Risk {
    let n_rows: u64 = class_sizes.iter().map(|(size, classes)| size * classes).sum();
    let n_classes: u64 = class_sizes.values().sum();
    let Some((&smallest, _)) = class_sizes.first_key_value() else { return Risk::default() };
    let mean = n_classes as f64 / n_rows as f64;
    let unique = class_sizes.get(&1).copied().unwrap_or(0) as f64 / n_rows as f64;
    Risk {
        prosecutor_max: Some(1.0 / smallest as f64),
        prosecutor_mean: Some(mean),
        journalist_max: Some(1.0 / smallest as f64),
        marketer: Some(mean),
        unique_fraction: Some(unique),
    }
}

/// The number of classes, and of rows, whose sensitive value is disclosed by homogeneity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Homogeneity {
    /// The number of classes in which the share of one value is at least the threshold.
    pub n_classes: u64,
    /// The number of rows in classes in which the share of one value is at least the threshold.
    pub n_rows: u64,
}

/// Returns whether the share of the most frequent value is at least `threshold`. The comparison is
/// exact.
pub fn is_homogeneous(histogram: &Histogram<'_>, threshold: &Rational) -> bool {
    let share = Rational::from_integer(i128::from(histogram.largest()));
    share >= threshold * Rational::from_integer(i128::from(histogram.total()))
}

/// Counts the classes (rows with equal quasi-identifiers) that are homogeneous in a sensitive
/// attribute, and their rows.
///
/// # Panics
/// Panics if the attribute does not exist.
pub fn homogeneity(table: &FrequencyTable, attribute: usize, threshold: &Rational) -> Homogeneity {
    let column = &table.sensitive()[attribute];
    let mut found = Homogeneity::default();
    for tuples in table.groups().iter() {
        let mut entries: Vec<(u32, u64)> =
            tuples.map(|tuple| (column.codes[tuple], table.counts()[tuple])).collect();
        sum_by_key(&mut entries);
        let histogram = Histogram { entries: &entries, dictionary: &column.dictionary };
        if is_homogeneous(&histogram, threshold) {
            found.n_classes += 1;
            found.n_rows += histogram.total();
        }
    }
    found
}

/// Unique rows: rows whose combination of values occurs in no other released row. An adversary who
/// knows a person's combination of values can find the person's row regardless of its class. A
/// figure is `None` if the release has no such attributes, or if the rows were not read; in the
/// latter case, `n_unique` is `None`, too.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct UniqueRows {
    /// Number of released rows.
    pub n_rows: u64,
    /// Number of rows that are unique in all attributes or, if the release consists of two tables,
    /// in the attributes of the first table.
    pub n_unique: Option<u64>,
    /// Number of rows that are unique in the sensitive attributes.
    pub n_unique_in_sensitive: Option<u64>,
    /// Number of rows that are unique in the insensitive attributes.
    pub n_unique_in_insensitive: Option<u64>,
    /// Number of rows that are unique in a single attribute, for each attribute whose unique values
    /// the data holder accepts.
    pub n_unique_in_attribute: BTreeMap<String, u64>,
}

impl UniqueRows {
    /// Returns the fraction of the rows that an adversary who knows only the sensitive values, or
    /// only the insensitive values, cannot single out. Returns `None` if the release is empty, or
    /// if its insensitive values were not read.
    pub fn shared_fraction(&self) -> Option<f64> {
        self.n_unique?;
        let unique = self.n_unique_in_sensitive.max(self.n_unique_in_insensitive).unwrap_or(0);
        (self.n_rows > 0).then(|| (self.n_rows - unique) as f64 / self.n_rows as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_four_rows_have_risk_one_quarter() {
        let risk = of_class_sizes(&BTreeMap::from([(4, 3)]));
        assert_eq!(risk.prosecutor_max, Some(0.25));
        assert_eq!(risk.prosecutor_mean, Some(0.25));
        assert_eq!(risk.marketer, Some(0.25));
        assert_eq!(risk.unique_fraction, Some(0.0));
    }

    #[test]
    fn empty_table_has_no_risk() {
        assert_eq!(of_class_sizes(&BTreeMap::new()), Risk::default());
    }

    #[test]
    fn unique_row_has_maximum_risk() {
        let risk = of_class_sizes(&BTreeMap::from([(1, 1), (3, 1)]));
        assert_eq!(risk.prosecutor_max, Some(1.0));
        assert_eq!(risk.prosecutor_mean, Some(0.5));
        assert_eq!(risk.unique_fraction, Some(0.25));
    }
}
