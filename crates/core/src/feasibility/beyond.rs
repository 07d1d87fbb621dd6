//! Requirements that no recoding of a table can meet, and the best reachable levels as suggestions
//! if no release is possible.
//!
//! All messages about policies that cannot be met use this module, so no suggestion contradicts a
//! theorem.

use num_traits::ToPrimitive;

use super::{Supremum, reach, tau_reach_of};
use crate::model::{FrequencyTable, Numbers};
use crate::principle::Quantity;
use crate::recoding::Requirement;

/// How a method treats sensitive values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SensitiveValues {
    /// Sensitive values are released unchanged.
    AsTheyAre,
    /// Sensitive values may be generalized.
    Generalized,
}

/// A requirement that no recoding without suppression meets.
#[derive(Debug, Clone, PartialEq)]
pub struct Beyond {
    /// The best levels that are not ruled out.
    pub best: Vec<(&'static str, Quantity)>,
    /// For principles on near numbers, the supremum of the feasible epsilon (twice delta) for the
    /// required m or l.
    pub epsilon: Option<Supremum>,
    /// Whether suppression may help. This is false if a class needs more rows than the table has.
    pub suppression_may_help: bool,
    /// With generalized sensitive values, the smallest tau for the required l.
    pub smallest_tau: Option<f64>,
}

/// Returns the reachable levels if it is proved that no recoding without suppression meets a
/// requirement, and `None` otherwise.
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

/// Returns the supremum of epsilon by Theorem 2 of the (epsilon, m) text.
fn epsilon(table: &FrequencyTable, requirement: &Requirement) -> Option<Supremum> {
    let near = requirement.principle.near()?;
    let column = &table.sensitive()[table.sensitive_index(requirement.attribute.as_deref()?)?];
    let numbers = Numbers::from_dictionary(&column.dictionary).ok()?;
    near.supremum(&numbers, &table.occurring(column))
}
