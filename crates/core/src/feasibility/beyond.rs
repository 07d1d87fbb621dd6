//! Detects requirements that no recoding of a table can meet, and suggests the best reachable
//! levels.
//!
//! All messages about infeasible policies use this module, so no suggestion contradicts a theorem.

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

/// A requirement that cannot be met without suppression.
#[derive(Debug, Clone, PartialEq)]
pub struct Beyond {
    /// The best levels that may still be reachable.
    pub best: Vec<(&'static str, Quantity)>,
    /// For principles on close numbers, the supremum of the feasible epsilon for the required m or
    /// l. For delta, epsilon is twice delta.
    pub epsilon: Option<Supremum>,
    /// Whether suppression may help. Suppression does not help if a class needs more rows than the
    /// table has.
    pub suppression_may_help: bool,
    /// The smallest tau for the required l if sensitive values are generalized.
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

/// Returns the supremum of epsilon according to Theorem 2 of the (epsilon, m) text.
fn epsilon(table: &FrequencyTable, requirement: &Requirement) -> Option<Supremum> {
    let near = requirement.principle.near()?;
    let column = &table.sensitive()[table.sensitive_index(requirement.attribute.as_deref()?)?];
    let numbers = Numbers::from_dictionary(&column.dictionary).ok()?;
    near.supremum(&numbers, &table.occurring(column))
}
