//! What no recoding of a table can reach, and what it could: where there is no release, the way out.
//!
//! One source for whoever says that a policy cannot be met: a way out that a theorem forbids is not offered.

use num_traits::ToPrimitive;

use super::{Supremum, reach, tau_reach_of};
use crate::model::{FrequencyTable, Numbers};
use crate::principle::Quantity;
use crate::recoding::Requirement;

/// What a method does with sensitive values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SensitiveValues {
    /// They are released as they are.
    AsTheyAre,
    /// They may be generalized.
    Generalized,
}

/// A requirement that no recoding without suppression meets.
#[derive(Debug, Clone, PartialEq)]
pub struct Beyond {
    /// The best figures that are not ruled out.
    pub best: Vec<(&'static str, Quantity)>,
    /// For near numbers: what epsilon (twice delta) must stay below, at the required m or l.
    pub epsilon: Option<Supremum>,
    /// Whether fewer rows could be enough: never where a class needs more rows than there are.
    pub suppression_may_help: bool,
    /// With generalized sensitive values: the smallest tau at the required l.
    pub smallest_tau: Option<f64>,
}

/// Whether a requirement is proved to be beyond the reach of every recoding of a table that suppresses no row, and what is within.
pub fn beyond_reach(
    table: &FrequencyTable,
    requirement: &Requirement,
    values: SensitiveValues,
) -> Option<Beyond> {
    let reach = reach(table, requirement).filter(|reach| !reach.is_within)?;
    let mut smallest_tau = None;
    if values == SensitiveValues::Generalized
        && let Some(required) = requirement.principle.shares()
    {
        let generalized = tau_reach_of(table, requirement, &required.l)?;
        if generalized.holds_generalized(&required.tau) || !generalized.is_exact {
            return None;
        }
        smallest_tau = generalized.as_is.min(generalized.all_generalized).to_f64();
    }
    Some(Beyond {
        best: reach.best,
        epsilon: epsilon(table, requirement),
        suppression_may_help: requirement.fits_into(table.n_rows()),
        smallest_tau,
    })
}

/// Theorem 2 of the (epsilon, m) text.
fn epsilon(table: &FrequencyTable, requirement: &Requirement) -> Option<Supremum> {
    let near = requirement.principle.near()?;
    let column = &table.sensitive()[table.sensitive_index(requirement.attribute.as_deref()?)?];
    let numbers = Numbers::from_dictionary(&column.dictionary).ok()?;
    near.supremum(&numbers, &table.occurring(column))
}
