//! # Composition: the joint guarantee of several planned releases
//!
//! **Definition.** The guarantee for t releases that follow the *same* plan. Except with
//! probability delta_1 + ... + delta_t, every release contains every designated value in every
//! class, so at least l sensitive values remain for every person after linkage.
//! **Formula.** (l, sum_j delta_j), by the union bound; the releases need not be independent.
//! **Complexity.** O(t R l).
//! **Does not protect against.** Releases with different classes or fewer rows than planned. A
//! person in all releases is fixed, not random: of N rows, N - 1 are random, which the bound covers
//! only to first order (reading D-13).
//! **Source.** Theorem 4.5 of the linkage text. Deviations: plans with different classes, p, or
//! designated values are refused, because the theorem is false for them (reading D-10). For such
//! plans, the result is that of [`crate::worst_case()`] (D-9).

use indistinct_core::Rational;
use num_traits::{One, Zero};
use serde::Serialize;

use super::plan::Plan;
use crate::{LinkageError, worst_case};

/// The reason why several plans do not give a joint guarantee.
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

/// The joint guarantee of several releases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Composition {
    /// At least `l` sensitive values remain for every person, except with probability `delta`.
    Holds {
        /// The parameter l.
        l: u64,
        /// The sum of the failure probabilities.
        delta: Rational,
    },
    /// The theorem does not apply.
    Refused {
        /// The reason.
        difference: PlanDifference,
        /// The number of sensitive values that remain in the worst case, if each release has the l
        /// of its plan.
        worst_case: u64,
    },
}

/// Computes the joint guarantee of several releases, given the plan of each release.
///
/// # Errors
/// [`LinkageError::TooFewReleases`] if no plan is given.
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
