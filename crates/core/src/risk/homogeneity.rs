//! Homogeneity: classes in which (nearly) all rows share the sensitive value, which k-anonymity does not prevent.

use crate::model::{FrequencyTable, Histogram, Rational, sum_by_key};

/// Rows whose sensitive value is given away by their class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Homogeneity {
    /// Classes in which one value has at least the threshold's share.
    pub n_classes: u64,
    /// Rows in them.
    pub n_rows: u64,
}

/// Whether the most frequent value has at least a share of `threshold`. Exact.
pub fn is_homogeneous(histogram: &Histogram<'_>, threshold: &Rational) -> bool {
    let share = Rational::from_integer(i128::from(histogram.largest()));
    share >= threshold * Rational::from_integer(i128::from(histogram.total()))
}

/// How many classes (rows with equal quasi-identifiers) and rows of a table are homogeneous in a sensitive attribute.
///
/// # Panics
/// If there is no such attribute.
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
