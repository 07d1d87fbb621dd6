//! # The guarantee of a plan for an inaccurate distribution
//!
//! **Definition.** The true distribution P' differs from the distribution P of the plan by at most
//! eta in total variation: |P'(A) - P(A)| <= eta for every event A. This module computes which l
//! and delta still hold.
//! **Formula.** For the same l, delta is at most the smaller of two bounds: D(eta), the worst case
//! of sum_cells (1 - P(c, s) + e)^N over shifts e >= 0 of designated cells that sum to eta; and the
//! union bound at P plus N eta. The sum is convex in the shifts, so the worst case shifts the least
//! probable cells first. If designated values must occur r times, every cell is shifted by eta,
//! because P(Bin(N, p) < r) is not convex in p. For an entropy, only the second bound applies. For
//! the same delta, l is the largest l' for which one of the two bounds, over the l' most probable
//! designated values of each class, is at most delta; below l, nothing is stated about k and the
//! entropy.
//! **Parameters.** `eta`: 0 <= eta <= 1.
//! **Complexity.** O(R l log(R l)).
//! **Errors.** `EtaOutOfRange`.
//! **Source.** The linkage paper states that such an error "can be carried forward in every step"
//! (4.1); the proof is in `docs/releases.md`.

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use num_traits::{One, Zero};

use super::exact::double;
use super::plan::{Plan, rare};
use super::samples::smallest_n;
use crate::LinkageError;

/// The remaining guarantee of a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Robustness {
    /// The failure probability for the l of the plan, or 1 if there is no guarantee.
    pub delta: f64,
    /// The largest l for the delta of the plan, or 0 if there is no guarantee.
    pub l: u64,
    /// The number of rows that would preserve both l and delta, or `None` if no number of rows is
    /// sufficient.
    pub n_rows: Option<u64>,
}

/// Computes the guarantee of a plan for all distributions within `eta` of the distribution of the
/// plan.
///
/// # Errors
/// Returns [`LinkageError::EtaOutOfRange`] if `eta` is outside [0, 1].
pub fn effect_of_error(plan: &Plan, eta: &Rational) -> Result<Robustness, LinkageError> {
    if *eta < Rational::zero() || *eta > Rational::one() {
        return Err(LinkageError::EtaOutOfRange { got: to_f64(eta) });
    }
    let (eta, delta) = (to_f64(eta), to_f64(&plan.target.delta()));
    let cells = most_probable(plan, plan.target.l());
    let is_lost = cells.first().is_some_and(|smallest| *smallest <= eta);
    let times = plan.target.times();
    let n_rows = match plan.slack {
        Some(_) => Some(plan.n_rows).filter(|_| eta == 0.0),
        None if is_lost => None,
        None => smallest_n(delta, |n_rows| shifted_bound(&cells, eta, n_rows, times)).ok(),
    };
    let at_l = match plan.slack {
        Some(_) => plan.union_bound(plan.n_rows) + plan.n_rows as f64 * eta,
        None => bound(cells, eta, plan.n_rows, times),
    };
    let keeps = |l: &u64| match *l == plan.target.l() {
        true => at_l <= delta,
        false => bound(most_probable(plan, *l), eta, plan.n_rows, times) <= delta,
    };
    let l = (1..=plan.target.l()).rev().find(keeps).unwrap_or(0);
    Ok(Robustness { delta: at_l.min(1.0), l, n_rows })
}

/// Returns the probabilities of the l most probable designated values of each class, all together
/// in ascending order.
fn most_probable(plan: &Plan, l: u64) -> Vec<f64> {
    let l = usize::try_from(l).unwrap_or(usize::MAX);
    let mut cells = Vec::new();
    for class in &plan.classes {
        let mut own: Vec<f64> = class.probabilities.iter().map(double).collect();
        own.sort_unstable_by(|a, b| b.total_cmp(a));
        cells.extend(own.into_iter().take(l));
    }
    cells.sort_unstable_by(f64::total_cmp);
    cells
}

/// Returns the smaller of two upper bounds on the failure probability. `cells` must be in ascending
/// order.
fn bound(cells: Vec<f64>, eta: f64, n_rows: u64, times: u64) -> f64 {
    let sampled = shifted_bound(&cells, 0.0, n_rows, times) + n_rows as f64 * eta;
    shifted_bound(&cells, eta, n_rows, times).min(sampled)
}

/// Returns the union bound after shifting `eta` from the least probable cells, or from every cell
/// if values must occur more than once; `cells` must be in ascending order.
fn shifted_bound(cells: &[f64], eta: f64, n_rows: u64, times: u64) -> f64 {
    let mut left = eta;
    let sum: f64 = cells
        .iter()
        .map(|&p| {
            let shift = left.min(p);
            left -= if times == 1 { shift } else { 0.0 };
            rare(p - shift, n_rows, times)
        })
        .sum();
    sum * (1.0 + 1e-9)
}
