//! Evaluates the principles of a policy on a table without changing it.

use std::collections::BTreeMap;

use indistinct_answers::warning::Warning;
use indistinct_core::risk::Risk;
use indistinct_core::{PrincipleClaim, check_rows};
use serde::Serialize;

use crate::error::Error;
use crate::job::Job;

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

/// Evaluates the principles of the job's policy on its unchanged table.
///
/// # Errors
/// [`Error`] if the table cannot be read or does not match the policy.
pub fn check(job: &Job, values: crate::Values) -> Result<CheckAnswer, Error> {
    job.run(|observer| {
        let loaded = job.count(observer)?;
        let table = &loaded.counted.table;
        let judged = check_rows(table, &loaded.requirements);
        let groups = table.groups();
        let worst = |class: u32, size: u64| WorstClass {
            size,
            values: (values == crate::Values::Shown).then(|| {
                let tuple = groups.starts[class as usize] as usize;
                table
                    .quasi_identifiers()
                    .iter()
                    .map(|column| {
                        let value = column.dictionary.value(column.codes[tuple]);
                        (column.name.clone(), value.to_owned())
                    })
                    .collect()
            }),
        };
        let claims = judged.claims;
        Ok(CheckAnswer {
            n_rows: table.n_rows(),
            n_released: claims.n_released,
            n_suppressed: 0,
            n_classes: claims.n_classes,
            smallest_class: claims.smallest_class,
            worst_classes: judged
                .worst
                .iter()
                .map(|classes| classes.iter().map(|&(class, size)| worst(class, size)).collect())
                .collect(),
            principles: claims.principles,
            risk: claims.risk,
            warnings: loaded.warnings,
        })
    })
}
