//! What a version is made of, or why there is none.

use serde::Serialize;

/// What a version of a growing table is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct Invariance {
    /// Which version it is, from 1.
    pub version: u32,
    /// People of the release who were in no earlier version.
    pub n_new: u64,
    /// People of the release who were, and keep their sets of sensitive values.
    pub n_retained: u64,
    /// Rows of the release that are about nobody.
    pub n_counterfeits: u64,
}

/// Why there is no version.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct NoVersion {
    /// Which version it would be, from 1.
    pub version: u32,
    /// The m that is asked for.
    pub m: u64,
    /// People who were in no earlier version.
    pub n_new: u64,
    /// People whose class in an earlier version has fewer than m sensitive values.
    pub n_short: u64,
    /// The largest m for which there is a version; the same as `m` where another principle fails.
    pub largest_m: u64,
    /// How many of the rows of new people would have to be suppressed; `None` where that does not help.
    pub n_suppressed_needed: Option<u64>,
    /// Where another principle fails: what the classes reach.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub principles: Vec<indistinct_core::PrincipleClaim>,
}
