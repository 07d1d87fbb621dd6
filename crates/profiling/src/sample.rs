//! The values of a column that are looked at.

use crate::text::{Cell, name_words};

/// More distinct values are not looked at: from that many the share of a kind is known well enough.
pub const MOST_VALUES: usize = 1000;

/// A column with distinct values of it, and how often each occurs.
#[derive(Debug)]
pub struct Sample<'a> {
    /// The words of its name, folded.
    pub name_words: Vec<String>,
    /// Distinct values that are not missing, as they are written, with the number of their rows; at most [`MOST_VALUES`].
    pub values: Vec<(&'a str, u64)>,
    /// Distinct values that there are in all.
    pub n_distinct: u64,
    /// Rows with a value.
    pub n_present: u64,
    /// Rows of the table.
    pub n_rows: u64,
}

impl<'a> Sample<'a> {
    /// Takes values evenly out of all distinct ones: the same for the same values in the same order.
    ///
    /// `values` are distinct and not missing.
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

    /// The values that are not blank, as recognizers see them.
    pub fn cells(&self) -> impl Iterator<Item = Cell<'a>> {
        self.values.iter().filter_map(|(value, _)| Cell::new(value))
    }

    /// A number of the looked-at values as a share of them, in [0, 1].
    pub fn share(&self, n: usize) -> f64 {
        if self.values.is_empty() { 0.0 } else { n as f64 / self.values.len() as f64 }
    }

    /// Whether the name of the column has one of the words, or all words of an entry such as `date birth`.
    pub fn is_named(&self, words: &[&str]) -> bool {
        words
            .iter()
            .any(|entry| entry.split(' ').all(|word| self.name_words.iter().any(|own| own == word)))
    }

    /// How many distinct values there are for each row that has one, in [0, 1].
    pub fn distinct_fraction(&self) -> f64 {
        if self.n_present == 0 { 0.0 } else { self.n_distinct as f64 / self.n_present as f64 }
    }
}
