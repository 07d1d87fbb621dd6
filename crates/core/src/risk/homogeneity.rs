//! Homogeneity: classes in which (nearly) all rows have the same sensitive value, which k-anonymity
//! does not prevent.

use crate::model::{FrequencyTable, Histogram, Rational, sum_by_key};

/// The number of classes and rows whose sensitive value is disclosed by homogeneity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Homogeneity {
    /// The number of classes in which one value has at least the threshold share.
    pub n_classes: u64,
    /// The number of rows in these classes.
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
/// If the attribute does not exist.
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
