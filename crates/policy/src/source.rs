//! The text that a policy was read from, and where in it everything stands: for messages that come later.

use std::collections::BTreeMap;
use std::ops::Range;

/// The text of a policy and the places of its keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
    /// By path, such as `["attributes", "age", "hierarchy"]`: the value, or the name of a table.
    pub(super) spans: BTreeMap<Vec<String>, Range<usize>>,
}

impl Source {
    /// The place of a key, or of the nearest table around it.
    pub(super) fn span(&self, path: &[&str]) -> Option<Range<usize>> {
        (1..=path.len()).rev().find_map(|length| {
            let path: Vec<String> = path[..length].iter().map(|part| (*part).to_owned()).collect();
            self.spans.get(&path).cloned()
        })
    }
}
