//! The answers of `ledger check` and `ledger verify`.

use indistinct_diagnostics::warning::{RepairedRelease, Warning};
use indistinct_ledger::{Coarser, Finding};
use indistinct_linkage::post_linkage::Effect;
use indistinct_methods::invariant::SeriesCheck;
use serde::Serialize;

use crate::release::Infeasible;

/// The effect of linking a release with the recorded releases.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct CheckedLinkage {
    /// Whether the remaining values of every person meet the required minimum.
    pub holds: bool,
    /// The name of the release in the ledger, if it is recorded. A recorded release is compared
    /// with the other recorded releases about the same population.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_as: Option<String>,
    /// What an adversary learns about people by linking the releases; absent if the policy itself
    /// is infeasible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// For a version of a growing table, the comparison of all recorded versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versions: Option<SeriesCheck>,
    /// For a policy, the coarsening that `anonymize` would apply to the recoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coarser: Option<Coarser>,
    /// For a policy, the reason why `anonymize` would create no release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infeasible: Option<Box<Infeasible>>,
    /// Number of recodings that were tried, if none of them retains the required minimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_tried: Option<u64>,
}

/// The answer of `ledger verify`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct VerifiedLedger {
    /// Whether the ledger and the recorded releases are unchanged.
    pub holds: bool,
    /// Number of releases.
    pub n_releases: u64,
    /// Number of events in the ledger.
    pub n_events: u64,
    /// The last hash of the event chain. If a copy of this hash is stored elsewhere, a replacement
    /// of the whole file can be detected.
    pub head: String,
    /// The problems found in the ledger.
    pub findings: Vec<Finding>,
    /// The releases that were repaired after an interrupted run.
    pub healed: Vec<RepairedRelease>,
    /// Each release with the state of its directory.
    pub releases: Vec<VerifiedRelease>,
    /// Warnings about the ledger file.
    pub warnings: Vec<Warning>,
}

/// A recorded release and the state of its directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct VerifiedRelease {
    /// The name of the release.
    pub name: String,
    /// The state of the release directory.
    pub directory: DirectoryState,
    /// Number of changed or missing files.
    pub n_files_changed: u64,
}

/// The state of a release directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DirectoryState {
    /// All files are as recorded.
    AsRecorded,
    /// The directory does not exist, because it was moved or removed.
    NotThere,
    /// The directory contains another recorded release.
    Replaced,
    /// Some files are changed or missing.
    Changed,
    /// Another process is about to create the directory.
    Pending,
}
