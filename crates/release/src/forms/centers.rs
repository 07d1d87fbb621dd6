//! Rows with the centers of their classes in place of numbers.

use indistinct_core::{MISSING, STAR, parse_decimal};
use indistinct_diagnostics::words;
use indistinct_policy::PolicyFile;

use super::{Form, ReadBack};
use crate::check::Check;

/// The form of microaggregation.
pub(super) struct CentersOfClasses;

impl Form for CentersOfClasses {
    fn name(&self) -> &'static str {
        "centers of classes"
    }

    fn generated(&self, policy: &PolicyFile) -> Vec<String> {
        policy.recoding.aggregate.clone()
    }

    fn rules_values_out(&self) -> bool {
        false
    }

    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        let aggregated = &read.policy.recoding.aggregate;
        let columns = read.rows.by_labels.quasi_identifiers().iter();
        let differences = columns
            .filter(|column| aggregated.contains(&column.name))
            .filter_map(|column| {
                let is_other = |text: &&String| {
                    **text != MISSING && **text != STAR && parse_decimal(text).is_err()
                };
                let n = column.dictionary.values().iter().filter(is_other).count();
                (n > 0).then(|| {
                    format!(
                        "column '{}' has {}, and so no centers",
                        column.name,
                        words::counted(
                            n as u64,
                            "value that is no number",
                            "values that are no numbers"
                        )
                    )
                })
            })
            .collect();
        Some(Check::new("centers", differences))
    }
}
