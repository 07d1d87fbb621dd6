//! Evaluates the principles of a policy on a table without changing it.

pub use indistinct_answers::check::{CheckAnswer, WorstClass};
use indistinct_core::check_rows;

use crate::error::Error;
use crate::job::Job;

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
