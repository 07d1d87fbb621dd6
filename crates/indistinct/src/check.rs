//! Which principles a table satisfies as it is.

use std::collections::BTreeMap;

use indistinct_core::risk::Risk;
use indistinct_core::{Observer, PrincipleClaim, check_rows};
use serde::Serialize;

use crate::error::Error;
use crate::job::Job;

/// The answer of `check`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct CheckAnswer {
    /// Rows of the table.
    pub n_rows: u64,
    /// The same: nothing is suppressed.
    pub n_released: u64,
    /// None.
    pub n_suppressed: u64,
    /// Equivalence classes.
    pub n_classes: u64,
    /// Size of the smallest class; `None` for an empty table.
    pub smallest_class: Option<u64>,
    /// Required and reached.
    pub principles: Vec<PrincipleClaim>,
    /// Re-identification risk.
    pub risk: Risk,
    /// For each principle the classes with the worst levels, the worst first.
    pub worst_classes: Vec<Vec<WorstClass>>,
    /// Parts of the policy that are accepted for this table but probably not intended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A class with a low level.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct WorstClass {
    /// Number of rows.
    pub size: u64,
    /// Its quasi-identifier values, for the holder's eyes: only where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<BTreeMap<String, String>>,
}

impl CheckAnswer {
    /// Whether all principles hold.
    pub fn holds(&self) -> bool {
        self.principles.iter().all(|claim| claim.holds)
    }
}

/// Tells which principles of the job's policy its table satisfies as it is.
///
/// # Errors
/// [`Error`] if the table cannot be read or does not fit the policy.
pub fn check(job: &Job, values: crate::Values) -> Result<CheckAnswer, Error> {
    job.run(|observer| checked(job, values, observer))
}

fn checked(
    job: &Job,
    values: crate::Values,
    observer: &dyn Observer,
) -> Result<CheckAnswer, Error> {
    let loaded = job.load(observer)?;
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
}
