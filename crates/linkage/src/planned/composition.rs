//! # Composition: what several planned releases promise together
//!
//! **Definition.** t releases by the *same* plan: except with probability delta_1 + ... + delta_t every release shows every
//! designated value in every class, so for everybody at least l sensitive values remain after linkage.
//! **Formula.** (l, sum_j delta_j), by the union bound; the releases need not be independent of each other.
//! **Complexity.** O(t R l).
//! **Does not protect against.** Releases that are not made by these classes, or wait for fewer rows. One person in all releases is
//! given, not drawn: of N rows N - 1 are random, which the bound covers to first order only (reading D-13).
//! **Source.** Theorem 4.5 of the linkage text. Deviations: refused where classes, p or designated values differ, since then
//! it is false (reading D-10); what remains is the worst case of [`crate::worst_case()`] (D-9).

use indistinct_core::Rational;
use num_traits::{One, Zero};
use serde::Serialize;

use super::plan::Plan;
use crate::{LinkageError, worst_case};

/// Why the promise of plans does not hold for several releases together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlanDifference {
    /// The plans have different classes.
    Classes,
    /// The plans have a different l or p.
    Threshold,
    /// The plans have different designated values.
    Designated,
    /// The plans are the same, but the failure probabilities of all releases add up to 1 or more.
    NothingLeft,
}

/// What several releases promise together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Composition {
    /// At least `l` sensitive values remain for everybody, except with probability `delta`.
    Holds {
        /// l.
        l: u64,
        /// The sum of the failure probabilities.
        delta: Rational,
    },
    /// The theorem does not apply.
    Refused {
        /// Why.
        difference: PlanDifference,
        /// So many sensitive values remain in the worst case, if each release has the l of its plan.
        worst_case: u64,
    },
}

/// What releases by these plans promise together, one plan for each release.
///
/// # Errors
/// [`LinkageError::TooFewReleases`] for no plan.
pub fn compose(plans: &[&Plan]) -> Result<Composition, LinkageError> {
    let [first, others @ ..] = plans else {
        return Err(LinkageError::TooFewReleases { got: 0 });
    };
    let delta = plans.iter().fold(Rational::zero(), |sum, plan| sum + plan.target.delta());
    let difference = others
        .iter()
        .find_map(|other| difference(first, other))
        .or((delta >= Rational::one()).then_some(PlanDifference::NothingLeft));
    let Some(difference) = difference else {
        return Ok(Composition::Holds { l: first.target.l(), delta });
    };
    let n_sensitive_values = plans.iter().map(|plan| plan.n_sensitive_values).max().unwrap_or(1);
    let l_each: Vec<u64> = plans.iter().map(|plan| plan.target.l()).collect();
    Ok(Composition::Refused { difference, worst_case: worst_case(n_sensitive_values, &l_each)? })
}

fn difference(a: &Plan, b: &Plan) -> Option<PlanDifference> {
    let pairs = || a.classes.iter().zip(&b.classes);
    if a.classes.len() != b.classes.len() || pairs().any(|(a, b)| a.combinations != b.combinations)
    {
        Some(PlanDifference::Classes)
    } else if a.p != b.p || a.target.l() != b.target.l() {
        Some(PlanDifference::Threshold)
    } else if pairs().any(|(a, b)| a.designated != b.designated) {
        Some(PlanDifference::Designated)
    } else {
        None
    }
}
