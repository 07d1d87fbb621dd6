//! The answer of `attack`.

use std::collections::BTreeMap;

use indistinct_core::CountedUnit;
use serde::Serialize;

use crate::threshold::ThresholdCheck;
use crate::{Finding, LabelsReadBy, MinimumMet, UntriedAttack};

/// What the known attacks learn from a release.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct AttackAnswer {
    /// Released rows.
    pub n_rows: u64,
    /// Classes that an adversary sees; if sensitive values are published by class only, the combinations of
    /// quasi-identifiers.
    pub n_classes: u64,
    /// Rows of the smallest; `None` for an empty release.
    pub smallest_class: Option<u64>,
    /// Rows that are alone in their class.
    pub n_unique: u64,
    /// What the principles count. If they count people, a person may have several rows.
    pub counts: CountedUnit,
    /// Whether the original was given.
    pub with_original: bool,
    /// The requested thresholds.
    pub thresholds: Vec<ThresholdCheck>,
    /// The required minima.
    pub minima: Vec<MinimumMet>,
    /// What the attacks found.
    pub findings: Vec<Finding>,
    /// The attacks that were not tried.
    pub not_tried: Vec<UntriedAttack>,
    /// For each quasi-identifier how its released labels were compared with the raw values of the register or
    /// the population.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels_read_by: BTreeMap<String, LabelsReadBy>,
}

impl AttackAnswer {
    /// Whether all required minima are met.
    pub fn holds(&self) -> bool {
        self.minima.iter().all(|minimum| minimum.holds)
    }
}
