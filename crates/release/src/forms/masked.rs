//! Rows with noise in quasi-identifiers, for which no principle can be evaluated.

use indistinct_core::{MISSING, parse_decimal};
use indistinct_policy::PolicyFile;

use super::{Form, ReadBack};
use crate::check::{Check, Difference, Subject};
use crate::files::SensitiveValuesOf;

/// The form of releases with noise.
pub(super) struct MaskedRows;

impl Form for MaskedRows {
    fn name(&self) -> &'static str {
        "masked rows"
    }

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

    fn sensitive_values_of(&self) -> SensitiveValuesOf {
        SensitiveValuesOf::Perturbed
    }

    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        let mut differences = Vec::new();
        for masked in &read.policy.recoding.masking {
            let mut columns = read.rows.by_labels.quasi_identifiers().iter();
            let Some(column) = columns.find(|column| column.name == masked.column) else {
                continue;
            };
            let is_other = |text: &&String| **text != MISSING && parse_decimal(text).is_err();
            let n = column.dictionary.values().iter().filter(is_other).count();
            if masked.operation.needs_numbers && n > 0 {
                let column = masked.column.clone();
                differences.push(Difference::NotNumbers { column, n_values: n as u64 });
            }
        }
        if !read.policy.principles.is_empty() || !read.certificate.claims.rows.principles.is_empty()
        {
            differences.push(Difference::PrinciplesOfNoise);
        }
        Some(Check::new(Subject::Noise, differences))
    }
}
