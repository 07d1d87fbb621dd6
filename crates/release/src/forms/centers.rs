//! Rows with class centers instead of numbers.

use indistinct_core::{MISSING, STAR, parse_decimal};
use indistinct_policy::PolicyFile;

use super::{Form, ReadBack};
use crate::check::{Check, Difference, Subject};

/// The form of microaggregated releases.
pub(super) struct CentersOfClasses;

impl Form for CentersOfClasses {
    fn name(&self) -> &'static str {
        "class centers"
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
                let column = column.name.clone();
                (n > 0).then_some(Difference::NotNumbers { column, n_values: n as u64 })
            })
            .collect();
        Some(Check::new(Subject::Centers, differences))
    }
}
