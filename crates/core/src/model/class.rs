//! What a principle sees of one equivalence class.

use super::Dictionary;

/// How often each value of one sensitive attribute occurs in a class.
///
/// Entries have ascending codes and counts above zero, which add up to the size of the class.
#[derive(Debug, Clone, Copy)]
pub struct Histogram<'a> {
    /// (code, count), ascending by code.
    pub entries: &'a [(u32, u64)],
    /// The values that the codes stand for.
    pub dictionary: &'a Dictionary,
}

impl Histogram<'_> {
    /// Number of rows.
    pub fn total(&self) -> u64 {
        self.entries.iter().map(|entry| entry.1).sum()
    }

    /// The counts, most frequent first.
    pub fn descending(&self) -> Vec<u64> {
        let mut counts: Vec<u64> = self.entries.iter().map(|entry| entry.1).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        counts
    }

    /// The count of the most frequent value; 0 in an empty class.
    pub fn largest(&self) -> u64 {
        self.entries.iter().map(|entry| entry.1).max().unwrap_or(0)
    }
}

/// An equivalence class: the rows with equal released quasi-identifier values.
#[derive(Debug, Clone, Copy)]
pub struct ClassView<'a> {
    /// Number of rows.
    pub size: u64,
    /// One histogram for each sensitive attribute, in the order of the table.
    pub histograms: &'a [Histogram<'a>],
}
