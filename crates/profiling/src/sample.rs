//! The sample of values of a column that recognizers examine.

use crate::text::{Cell, name_words};

/// The maximum number of sampled distinct values, which is sufficient to estimate the fraction of
/// each kind.
pub const MOST_VALUES: usize = 1000;

/// A column with a sample of its distinct values and their frequencies.
#[derive(Debug)]
pub struct Sample<'a> {
    /// The words of the column name, folded.
    pub name_words: Vec<String>,
    /// At most [`MOST_VALUES`] distinct non-missing values as written, with their row counts.
    pub values: Vec<(&'a str, u64)>,
    /// The number of distinct values in the whole column.
    pub n_distinct: u64,
    /// The number of rows with a value.
    pub n_present: u64,
    /// The number of rows of the table.
    pub n_rows: u64,
}

impl<'a> Sample<'a> {
    /// Samples distinct values at regular intervals. The result is the same for the same values in
    /// the same order.
    ///
    /// `values` must be distinct and must not contain missing values.
    pub fn of_values(name: &str, n_rows: u64, values: &[(&'a str, u64)]) -> Self {
        let n_present = values.iter().map(|(_, count)| count).sum();
        let n = values.len();
        let taken = if n <= MOST_VALUES {
            values.to_vec()
        } else {
            (0..MOST_VALUES).map(|at| values[at * n / MOST_VALUES]).collect()
        };
        Self {
            name_words: name_words(name),
            values: taken,
            n_distinct: n as u64,
            n_present,
            n_rows,
        }
    }

    /// Returns the non-blank values in the form that recognizers examine.
    pub fn cells(&self) -> impl Iterator<Item = Cell<'a>> {
        self.values.iter().filter_map(|(value, _)| Cell::new(value))
    }

    /// Converts a number of sampled values to a fraction of the sample, in [0, 1].
    pub fn share(&self, n: usize) -> f64 {
        if self.values.is_empty() { 0.0 } else { n as f64 / self.values.len() as f64 }
    }

    /// Returns whether the column name contains one of the words, or all words of a multi-word
    /// entry such as `date birth`.
    pub fn is_named(&self, words: &[&str]) -> bool {
        words
            .iter()
            .any(|entry| entry.split(' ').all(|word| self.name_words.iter().any(|own| own == word)))
    }

    /// Returns the number of distinct values divided by the number of rows with a value, in [0, 1].
    pub fn distinct_fraction(&self) -> f64 {
        if self.n_present == 0 { 0.0 } else { self.n_distinct as f64 / self.n_present as f64 }
    }
}
