//! What keeps a table from being released by its plan.

use indistinct_core::PrincipleClaim;
use serde::Serialize;

/// Why a table cannot be released by its plan.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct NotByPlan {
    /// The rows that a release waits for.
    pub n_rows_needed: u64,
    /// How many of them are missing.
    pub n_rows_missing: u64,
    /// l of the plan.
    pub l: u64,
    /// delta of the plan.
    pub delta: f64,
    /// Whether a class has rows but fewer than l different sensitive values: the failure that delta speaks of.
    pub is_failure: bool,
    /// The principles that fail, on all rows.
    pub failing: Vec<PrincipleClaim>,
}
