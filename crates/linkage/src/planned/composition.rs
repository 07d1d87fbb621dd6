//! # Composition: the joint guarantee of several planned releases
//!
//! **Definition.** The guarantee for t releases that follow plans with the *same classes*. Except
//! with probability delta_1 + ... + delta_t, every release contains every designated value of its
//! plan in every class, so the values that all plans designate in a class remain for every person
//! of this class after linkage.
//! **Formula.** (l, sum_j delta_j), by the union bound; the releases need not be independent. l is
//! the smallest number of values of a class that all plans designate. If each release contains
//! these values r times, the linked class has at least k = l r records. The entropy is guaranteed
//! if all plans guarantee it for the same probabilities: the ratio between the largest and the
//! smallest possible linked counts is at most that of the plan with the largest slack.
//! **Complexity.** O(t R l).
//! **Does not protect against.** Releases with different classes or fewer rows than planned. A
//! person in all releases is fixed, not random: of N rows, N - 1 are random, which the bound covers
//! only to first order (reading D-13).
//! **Source.** Theorem 4.5 of the linkage paper. Deviations: plans with different classes are
//! refused, because the theorem is false for them; plans with different designated values are
//! refused unless the values that they have in common guarantee more than the worst case (reading
//! D-10). If plans are refused, the result is the worst case ([`crate::worst_case()`], D-9).

use std::ops::Range;

use indistinct_core::Rational;
use num_traits::{One, Zero};
use serde::Serialize;

use super::exact::Linked;
use super::plan::{Plan, PlannedClass};
use crate::{LinkageError, worst_case};

/// The reason why several plans do not provide a joint guarantee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlanDifference {
    /// The plans have different classes.
    Classes,
    /// The plans do not have enough designated values in common.
    Designated,
    /// The plans have the same classes, but the failure probabilities of all releases add up to 1
    /// or more.
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
        /// The other guarantees that all plans give for linked classes.
        linked: Linked,
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

/// Computes the joint guarantee of several releases from the plan of each release.
///
/// # Errors
/// Returns [`LinkageError::TooFewReleases`] if no plan is given.
pub fn compose(plans: &[&Plan]) -> Result<Composition, LinkageError> {
    let [first, others @ ..] = plans else {
        return Err(LinkageError::TooFewReleases { got: 0 });
    };
    let delta = plans.iter().fold(Rational::zero(), |sum, plan| sum + plan.target.delta());
    let n_sensitive_values = plans.iter().map(|plan| plan.n_sensitive_values).max().unwrap_or(1);
    let l_each: Vec<u64> = plans.iter().map(|plan| plan.target.l()).collect();
    let worst_case = worst_case(n_sensitive_values, &l_each)?;
    let combinations = |plan: &Plan| -> Vec<Range<usize>> {
        plan.classes.iter().map(|class| class.combinations.clone()).collect()
    };
    let difference = if others.iter().any(|other| combinations(other) != combinations(first)) {
        PlanDifference::Classes
    } else if delta >= Rational::one() {
        PlanDifference::NothingLeft
    } else {
        let in_all = |class: usize, value: &u32| {
            let mut designated = others.iter().map(|other| &other.classes[class].designated);
            designated.all(|values| values.binary_search(value).is_ok())
        };
        let n_in_all = |(at, class): (usize, &PlannedClass)| {
            class.designated.iter().filter(|value| in_all(at, value)).count() as u64
        };
        let smallest = l_each.iter().copied().min().unwrap_or(1);
        let l = first.classes.iter().enumerate().map(n_in_all).min().unwrap_or(smallest);
        if l == smallest || l > worst_case {
            return Ok(Composition::Holds { l, delta, linked: linked(plans, l) });
        }
        PlanDifference::Designated
    };
    Ok(Composition::Refused { difference, worst_case })
}

/// Returns the guarantees for linked classes in which `l` values occur in all releases.
fn linked(plans: &[&Plan], l: u64) -> Linked {
    let all_have_k = plans.iter().all(|plan| plan.target.linked().k.is_some());
    let times = plans.iter().map(|plan| plan.target.times()).min().unwrap_or(1);
    let is_same = plans.iter().all(|plan| plan.classes == plans[0].classes);
    let entropies = plans.iter().map(|plan| plan.target.linked().entropy_l);
    let entropy_l = entropies.min().flatten().filter(|_| is_same);
    Linked { k: all_have_k.then_some(l * times), entropy_l }
}
