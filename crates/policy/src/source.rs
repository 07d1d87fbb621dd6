//! The text of a policy and the locations of its keys, for problems that are found after parsing.

use std::collections::BTreeMap;
use std::ops::Range;

/// The text of a policy and the locations of its keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
    /// The location of each value, or of the name of a table, by path, such as `["attributes",
    /// "age", "hierarchy"]`.
    pub(super) spans: BTreeMap<Vec<String>, Range<usize>>,
}

impl Source {
    /// Returns the location of a key, or of the innermost table that would contain it.
    pub(super) fn span(&self, path: &[&str]) -> Option<Range<usize>> {
        (1..=path.len()).rev().find_map(|length| {
            let path: Vec<String> = path[..length].iter().map(|part| (*part).to_owned()).collect();
            self.spans.get(&path).cloned()
        })
    }
}
