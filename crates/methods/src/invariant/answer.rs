//! The composition of a version, or the reason why the version cannot be created.

use serde::Serialize;

/// The composition of a version of a growing table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct Invariance {
    /// The number of the version, counting from 1.
    pub version: u32,
    /// The number of people in the release who were in no earlier version.
    pub n_new: u64,
    /// The number of people in the release who were in an earlier version and retain their sets of
    /// sensitive values.
    pub n_retained: u64,
    /// The number of counterfeit rows in the release.
    pub n_counterfeits: u64,
}

/// The reason why a version cannot be created.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct NoVersion {
    /// The number of the missing version, counting from 1.
    pub version: u32,
    /// The required m.
    pub m: u64,
    /// The number of people who were in no earlier version.
    pub n_new: u64,
    /// The number of people whose class in an earlier version has fewer than m sensitive values.
    pub n_short: u64,
    /// The largest m for which a version can be created; the same as `m` if another principle
    /// fails.
    pub largest_m: u64,
    /// The number of rows of new people that would have to be suppressed; `None` if suppression
    /// does not help.
    pub n_suppressed_needed: Option<u64>,
    /// The levels that the classes reach, if another principle fails.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub principles: Vec<indistinct_core::PrincipleClaim>,
}
