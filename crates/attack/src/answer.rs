//! The answer of `attack`.

use std::collections::BTreeMap;

use indistinct_core::CountedUnit;
use serde::Serialize;

use crate::threshold::ThresholdCheck;
use crate::{Finding, LabelsReadBy, MinimumMet, Severity, UntriedAttack};

/// The findings of the known attacks on a release.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct AttackAnswer {
    /// Number of released rows.
    pub n_rows: u64,
    /// Number of classes that an adversary can distinguish, or the number of quasi-identifier
    /// combinations if sensitive values are published only by class.
    pub n_classes: u64,
    /// Number of rows in the smallest class; `None` if the release is empty.
    pub smallest_class: Option<u64>,
    /// Number of rows that are unique in their class.
    pub n_unique: u64,
    /// The unit that the principles count. If the unit is people, a person may have several rows.
    pub counts: CountedUnit,
    /// Whether the original was available.
    pub with_original: bool,
    /// The requested thresholds.
    pub thresholds: Vec<ThresholdCheck>,
    /// The required minima.
    pub minima: Vec<MinimumMet>,
    /// The findings of the attacks.
    pub findings: Vec<Finding>,
    /// The attacks that were not tried.
    pub not_tried: Vec<UntriedAttack>,
    /// For each quasi-identifier, how its released labels were compared with original values in the
    /// register or the population.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels_read_by: BTreeMap<String, LabelsReadBy>,
}

impl AttackAnswer {
    /// Returns the findings that disclose something, most severe first.
    pub fn ranked(&self) -> Vec<(&Finding, Severity)> {
        let all = self.findings.iter().map(|it| (it, it.figures.severity(self.n_rows)));
        let mut ranked: Vec<(&Finding, Severity)> =
            all.filter(|(_, severity)| !severity.is_none()).collect();
        // The sort is stable, so equally severe findings keep the order of the documentation.
        ranked.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(std::cmp::Ordering::Equal));
        ranked
    }

    /// Whether all required minima are met.
    pub fn holds(&self) -> bool {
        self.minima.iter().all(|minimum| minimum.holds)
    }
}
