//! A view of one equivalence class, from which principles compute levels.

use super::Dictionary;

/// The frequencies of the values of one sensitive attribute in a class.
///
/// Entries are in ascending order of codes. Counts are positive and add up to the size of the
/// class.
#[derive(Debug, Clone, Copy)]
pub struct Histogram<'a> {
    /// Pairs of a code and a count, in ascending order of codes.
    pub entries: &'a [(u32, u64)],
    /// The dictionary that defines the codes.
    pub dictionary: &'a Dictionary,
}

impl Histogram<'_> {
    /// Returns the number of rows with each code of the dictionary.
    pub fn by_code(&self) -> Vec<u64> {
        let mut rows = vec![0; self.dictionary.len()];
        for &(code, count) in self.entries {
            rows[code as usize] = count;
        }
        rows
    }

    /// Returns the number of rows.
    pub fn total(&self) -> u64 {
        self.entries.iter().map(|entry| entry.1).sum()
    }

    /// Calls `f` with the counts in descending order. Allocates memory only for more than 64
    /// values.
    pub fn with_descending<R>(&self, f: impl FnOnce(&[u64]) -> R) -> R {
        let mut on_stack = [0; 64];
        let mut on_heap = Vec::new();
        let counts = match on_stack.get_mut(..self.entries.len()) {
            Some(counts) => counts,
            None => {
                on_heap.resize(self.entries.len(), 0);
                on_heap.as_mut_slice()
            }
        };
        for (count, entry) in counts.iter_mut().zip(self.entries) {
            *count = entry.1;
        }
        counts.sort_unstable_by(|a, b| b.cmp(a));
        f(counts)
    }

    /// Returns the count of the most frequent value, or 0 for an empty class.
    pub fn largest(&self) -> u64 {
        self.entries.iter().map(|entry| entry.1).max().unwrap_or(0)
    }
}

/// An equivalence class: the rows with equal released quasi-identifier values.
#[derive(Debug, Clone, Copy)]
pub struct ClassView<'a> {
    /// The number of rows.
    pub size: u64,
    /// One histogram for each sensitive attribute, in the order of the table.
    pub histograms: &'a [Histogram<'a>],
    /// The number of people in the population table who match the released quasi-identifier values,
    /// or `None` if there is no population table.
    pub population: Option<u64>,
}

impl<'a> ClassView<'a> {
    /// Creates a class without a population.
    pub fn new(size: u64, histograms: &'a [Histogram<'a>]) -> Self {
        Self { size, histograms, population: None }
    }
}

/// Sorts entries by key, and adds the counts of equal keys.
pub fn sum_by_key<K: Ord>(entries: &mut Vec<(K, u64)>) {
    entries.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    entries.dedup_by(|next, retained| {
        let is_same = next.0 == retained.0;
        retained.1 += if is_same { next.1 } else { 0 };
        is_same
    });
}
