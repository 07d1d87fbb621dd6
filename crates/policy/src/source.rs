//! The text that a policy was read from, and where in it everything stands: for messages that come later.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Code, PolicyErrors, PolicyFile, Problem};

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

impl PolicyFile {
    /// The text that the policy was read from.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// Where a key stands, as byte offsets, by its path such as `["attributes", "age", "hierarchy"]` or
    /// `["principles", "0", "k"]`. A key that is left out is at the table that would hold it.
    pub fn span_of(&self, path: &[&str]) -> Option<Range<usize>> {
        self.source.span(path)
    }

    /// A problem that shows up only later, at the place of a key (see [`PolicyFile::span_of`]).
    pub fn problem_at(&self, path: &[&str], code: Code, message: impl Into<String>) -> Problem {
        Problem { code, message: message.into(), help: None, span: self.span_of(path) }
    }

    /// Problems that show up only later, as errors of this file.
    pub fn errors(&self, problems: Vec<Problem>) -> PolicyErrors {
        PolicyErrors::new(&self.source.name, &self.source.text, problems)
    }
}
