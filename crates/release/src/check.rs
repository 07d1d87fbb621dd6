//! What `verify` finds, one thing at a time.

use serde::Serialize;

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Check {
    /// What.
    pub about: String,
    /// Whether it is as claimed.
    pub holds: bool,
    /// Where it is not, in words; no cell of the table.
    pub differences: Vec<String>,
}

impl Check {
    /// Something that holds where nothing differs.
    pub fn new(about: &str, differences: Vec<String>) -> Self {
        Self { about: about.to_owned(), holds: differences.is_empty(), differences }
    }
}

/// Equal up to what another machine's logarithm, or a number's way through a text, may differ by.
pub(crate) fn same_number(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}
