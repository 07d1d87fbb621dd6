//! The answer of `init`.

use std::path::PathBuf;

use serde::Serialize;

/// A proposed policy.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Proposal {
    /// Number of rows in the table.
    pub n_rows: u64,
    /// Each column with its proposed role, in the order of the table; `?` if the user must choose
    /// the role.
    pub roles: Vec<(String, String)>,
    /// Number of columns whose role the user must choose before creating a release.
    pub n_questions: u64,
    /// The detected input settings, in sentences.
    pub reading: Vec<String>,
    /// The hierarchies that are written as editable files, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hierarchies: Vec<HierarchyPreview>,
    /// The text of the policy file, with comments.
    pub policy: String,
}

/// A proposed hierarchy as a file, with the figures of its levels.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct HierarchyPreview {
    /// The name of the attribute.
    pub attribute: String,
    /// The path of the file.
    pub file: PathBuf,
    /// The levels of the hierarchy; level 0 contains the original values.
    pub levels: Vec<LevelFacts>,
    /// The content of the file in ARX CSV format. It contains values from the table, so it is not
    /// part of the JSON answer.
    #[serde(skip)]
    pub text: String,
}

/// The figures of one level of a hierarchy, applied to a column.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LevelFacts {
    /// The number of the level; level 0 contains the original values.
    pub level: usize,
    /// Number of labels, which is also the number of classes that this column alone forms.
    pub n_labels: u64,
    /// Number of rows that have the least frequent label.
    pub rarest: u64,
    /// The loss named `loss` of this column at this level, in [0, 1].
    pub loss: f64,
    /// The most frequent labels with their row counts, for the data holder only; present only
    /// if values were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<(String, u64)>,
}
