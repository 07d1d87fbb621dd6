//! # What a plan holds if the distribution is a little wrong
//!
//! **Definition.** The true distribution P' differs from the one that the plan was made for by at most eta in total variation:
//! |P'(A) - P(A)| <= eta for every event A. What l and delta still hold?
//! **Formula.** At the same l, delta is at most the smallest of: D(eta), the worst case of sum_cells (1 - P(c, s) + e)^N over shifts
//! e >= 0 of designated cells that sum to eta; and the union bound at P plus N eta. The sum is convex in the shifts, so the worst
//! case puts eta on the least probable cells, one after the other. At the same delta, l is the largest l' such that every class
//! has l' designated secrets of probability at least p' + eta, with R l' (1 - p')^N = delta.
//! **Parameters.** `eta`: 0 <= eta <= 1.
//! **Complexity.** O(R l log(R l)).
//! **Errors.** `EtaOutOfRange`.
//! **Source.** The linkage text says that such an error "can be carried forward in every step" (4.1); the proof is in
//! `docs/releases.md`.

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use num_traits::{One, Zero};

use super::exact::double;
use super::plan::{Plan, missing};
use super::samples::smallest_n;
use crate::LinkageError;

/// What a plan still holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Robustness {
    /// The failure probability at the plan's l; 1 if nothing is promised.
    pub delta: f64,
    /// The largest l at the plan's delta; 0 if nothing is promised.
    pub l: u64,
    /// The rows that would keep both; `None` if no number would.
    pub n_rows: Option<u64>,
}

/// What a plan holds for all distributions within `eta` of the one that it was made for.
///
/// # Errors
/// [`LinkageError::EtaOutOfRange`].
pub fn effect_of_error(plan: &Plan, eta: &Rational) -> Result<Robustness, LinkageError> {
    if *eta < Rational::zero() || *eta > Rational::one() {
        return Err(LinkageError::EtaOutOfRange { got: to_f64(eta) });
    }
    let (eta, delta) = (to_f64(eta), to_f64(&plan.target.delta()));
    let mut cells: Vec<f64> =
        plan.classes.iter().flat_map(|class| &class.probabilities).map(double).collect();
    cells.sort_unstable_by(f64::total_cmp);
    let shifted = shifted_bound(&cells, eta, plan.n_rows);
    let sampled = plan.union_bound(plan.n_rows) + plan.n_rows as f64 * eta;
    let is_lost = cells.first().is_some_and(|smallest| *smallest <= eta);
    let n_rows = if is_lost {
        None
    } else {
        smallest_n(delta, |n_rows| shifted_bound(&cells, eta, n_rows)).ok()
    };
    let l = (1..=plan.target.l()).rev().find(|&l| keeps(plan, l, eta, delta)).unwrap_or(0);
    Ok(Robustness { delta: shifted.min(sampled).min(1.0), l, n_rows })
}

/// The union bound with `eta` taken from the least probable cells; `cells` ascend.
fn shifted_bound(cells: &[f64], eta: f64, n_rows: u64) -> f64 {
    let mut left = eta;
    let sum: f64 = cells
        .iter()
        .map(|&p| {
            let shift = left.min(p);
            left -= shift;
            missing(p - shift, n_rows)
        })
        .sum();
    sum * (1.0 + 1e-9)
}

/// Whether every class has l designated secrets that suffice in spite of the error.
fn keeps(plan: &Plan, l: u64, eta: f64, delta: f64) -> bool {
    let n_cells = plan.classes.len() as f64 * l as f64;
    // The p' for which the union bound is delta.
    let needed = -((delta / n_cells).ln() / plan.n_rows as f64).exp_m1();
    let enough = needed.max(0.0) * (1.0 + 1e-9) + eta;
    plan.classes
        .iter()
        .all(|class| class.probabilities.iter().filter(|p| double(p) >= enough).count() as u64 >= l)
}
