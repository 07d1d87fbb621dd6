//! The reasons why a table cannot be released with its plan.

use indistinct_core::PrincipleClaim;
use serde::Serialize;

/// The reasons why a table cannot be released with its plan.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct NotByPlan {
    /// The minimum number of rows that the plan requires in a release.
    pub n_rows_needed: u64,
    /// The number of missing rows.
    pub n_rows_missing: u64,
    /// The l of the plan.
    pub l: u64,
    /// The delta of the plan.
    pub delta: f64,
    /// Whether a class with rows has fewer than l distinct sensitive values, the event that delta
    /// bounds.
    pub is_failure: bool,
    /// The principles that fail if all rows are released in the classes of the plan.
    pub failing: Vec<PrincipleClaim>,
}
