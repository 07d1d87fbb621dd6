//! Rows whose quasi-identifiers contain generated numbers: class centers, or numbers with noise.

use indistinct_core::model::CountedColumn;
use indistinct_core::{MISSING, STAR, parse_decimal};
use indistinct_policy::PolicyFile;

use super::{Form, ReadBack};
use crate::check::{Check, Difference, Subject};

/// The form of microaggregated releases.
pub(super) struct CentersOfClasses;

impl Form for CentersOfClasses {
    fn generated(&self, policy: &PolicyFile) -> Vec<String> {
        policy.recoding.aggregate.clone()
    }

    fn rules_values_out(&self) -> bool {
        false
    }

    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        let aggregated = &read.policy.recoding.aggregate;
        let columns = read.rows.by_labels.quasi_identifiers().iter();
        let aggregated = columns.filter(|column| aggregated.contains(&column.name));
        let differences = aggregated.filter_map(|column| not_numbers(column, &[MISSING, STAR]));
        Some(Check::new(Subject::Centers, differences.collect()))
    }
}

/// The form of releases with noise. No principle can be evaluated for such releases.
pub(super) struct MaskedRows;

impl Form for MaskedRows {
    fn generated(&self, policy: &PolicyFile) -> Vec<String> {
        policy.recoding.masking.iter().map(|masked| masked.column.clone()).collect()
    }

    fn shows_principles(&self) -> bool {
        false
    }

    fn has_classes(&self) -> bool {
        false
    }

    fn rules_values_out(&self) -> bool {
        false
    }

    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        let columns = read.rows.by_labels.quasi_identifiers();
        let numeric = read.policy.recoding.masking.iter().filter(|it| it.operation.needs_numbers);
        let numeric =
            numeric.filter_map(|it| columns.iter().find(|column| column.name == it.column));
        let mut differences: Vec<Difference> =
            numeric.filter_map(|column| not_numbers(column, &[MISSING])).collect();
        let is_claimed = !read.certificate.claims.rows.principles.is_empty();
        if is_claimed || !read.policy.principles.is_empty() {
            differences.push(Difference::PrinciplesOfNoise);
        }
        Some(Check::new(Subject::Noise, differences))
    }
}

/// Counts the values of a column that are neither numbers nor listed as exceptions.
fn not_numbers(column: &CountedColumn, exceptions: &[&str]) -> Option<Difference> {
    let is_other =
        |text: &&String| !exceptions.contains(&text.as_str()) && parse_decimal(text).is_err();
    let n = column.dictionary.values().iter().filter(is_other).count();
    let column = column.name.clone();
    (n > 0).then_some(Difference::NotNumbers { column, n_values: n as u64 })
}
