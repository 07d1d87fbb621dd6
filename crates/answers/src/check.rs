//! The answer of `check`.

use std::collections::BTreeMap;

use indistinct_core::PrincipleClaim;
use indistinct_core::risk::Risk;
use indistinct_diagnostics::warning::Warning;
use serde::Serialize;

/// The answer of `check`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct CheckAnswer {
    /// Number of rows in the table.
    pub n_rows: u64,
    /// Equal to `n_rows`, because `check` suppresses no rows.
    pub n_released: u64,
    /// Always 0, because `check` suppresses no rows.
    pub n_suppressed: u64,
    /// Number of equivalence classes.
    pub n_classes: u64,
    /// Size of the smallest class; `None` if the table is empty.
    pub smallest_class: Option<u64>,
    /// The required and achieved parameters of each principle.
    pub principles: Vec<PrincipleClaim>,
    /// Re-identification risk.
    pub risk: Risk,
    /// For each principle, the classes with the worst levels, worst first.
    pub worst_classes: Vec<Vec<WorstClass>>,
    /// Parts of the policy that are accepted for this table but probably not intended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A class with one of the worst levels.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct WorstClass {
    /// Number of rows in the class.
    pub size: u64,
    /// The quasi-identifier values of the class, for the data holder only; present only if values
    /// were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<BTreeMap<String, String>>,
}

impl CheckAnswer {
    /// Returns whether all principles hold.
    pub fn holds(&self) -> bool {
        self.principles.iter().all(|claim| claim.holds)
    }
}
