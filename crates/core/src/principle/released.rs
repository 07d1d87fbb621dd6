//! What principles share that hold the shares of a class against those of all released rows.

use crate::model::Histogram;

/// The released rows of each sensitive value, by code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReleasedValues {
    rows: Vec<u64>,
    n_rows: u64,
}

impl ReleasedValues {
    pub(super) fn new(rows: Vec<u64>) -> Self {
        let n_rows = rows.iter().sum();
        Self { rows, n_rows }
    }

    pub(super) fn of(histogram: &Histogram<'_>) -> Self {
        Self::new(histogram.by_code())
    }

    /// The rows of each value.
    pub(super) fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// All rows.
    pub(super) fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The share of a value with `count` rows in a class of `size`, and its share of all: as whole numbers of one denominator.
    pub(super) fn shares(&self, code: u32, count: u64, size: u64) -> (i128, i128) {
        let of_class = i128::from(count) * i128::from(self.n_rows);
        (of_class, i128::from(self.rows[code as usize]) * i128::from(size))
    }
}
