//! # The whole trade-off between classes and sample size
//!
//! **Definition.** For every number R of classes that the greedy generalization can give, the largest p that gives it.
//! **Formula.** R(p) falls with p, and changes only where p is the weight of a secret in some class: from the largest p
//! downwards, the next p is found by bisection between one that gives more classes and one that does not. Each pass narrows the
//! bounds to where its own classes would change.
//! **Parameters.** `detail`: every R, or every R up to some number and then steps.
//! **Level.** Points (R, p) with the sample sizes that belong to them.
//! **Complexity.** About ten greedy passes for each R; a pass with few classes looks only at stored sums.
//! **Errors.** `LAboveSecrets`, `TooManyRows`.
//! **Source.** Step 3 of Algorithm 1 and Remark 2 of the linkage text ("it suffices to vary p over finitely many values").
//! Deviations: none; beyond `every_up_to` a point need not have the largest p, and says so.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::exact::Target;
use super::greedy::{Cut, Cutter};
use super::joint::Joint;
use super::samples;
use crate::LinkageError;

/// How many points of the trade-off are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Every attainable number of classes.
    Every,
    /// Every attainable number of classes up to `every_up_to`, then about `per_doubling` until it has doubled, up to the
    /// largest that is attainable.
    Steps {
        /// Up to this number of classes nothing is left out.
        every_up_to: u64,
        /// Points for each doubling beyond.
        per_doubling: u32,
    },
}

impl Default for Detail {
    fn default() -> Self {
        Detail::Steps { every_up_to: 256, per_doubling: 4 }
    }
}

/// Whether a point has the largest p.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Largest {
    /// No larger p gives so many classes.
    Proved,
    /// Its classes meet no larger p; others, as many, might.
    ForItsClasses,
}

/// One choice of the central agency.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// R.
    pub n_classes: u64,
    /// p.
    pub p: BigRational,
    /// Whether p is the largest for R.
    pub largest: Largest,
    /// m of Lemma 4.3.
    pub m: BigRational,
    /// N of the text, from m.
    pub n_rows: u64,
    /// N from the actual number of classes instead of m.
    pub n_rows_actual_classes: u64,
}

/// All choices, from one class to the most that there can be.
///
/// # Errors
/// [`LinkageError::LAboveSecrets`]; [`LinkageError::TooManyRows`].
pub fn trade_off(
    joint: &Joint,
    target: &Target,
    detail: Detail,
) -> Result<Vec<Point>, LinkageError> {
    let secrets = joint.marginal();
    let largest = secrets.weight_l(target.l())?;
    let cutter = Cutter::new(joint, target.l());
    let mut points = Vec::new();
    let point = |weight: u64, n_classes: u64, largest: Largest| {
        let p = BigRational::new(BigInt::from(weight), BigInt::from(joint.total()));
        let size = samples::of_text(joint.n_combinations(), &secrets, target, &p)?;
        let cells = BigRational::from_integer(BigInt::from(n_classes) * BigInt::from(target.l()));
        let n_rows_actual_classes = samples::by_union_bound(&cells, target, &p)?;
        Ok(Point { n_classes, p, largest, m: size.m, n_rows: size.n_rows, n_rows_actual_classes })
    };
    let (mut at, mut weight) = (cutter.cut(largest), largest);
    let most = cutter.cut(1).n_classes;
    points.push(point(weight, at.n_classes, Largest::Proved)?);
    while at.n_classes < most {
        let stepped = match detail {
            Detail::Steps { every_up_to, per_doubling } if at.n_classes >= every_up_to => {
                Some(per_doubling.max(1))
            }
            _ => None,
        };
        let (next, proof) = match stepped {
            None => (next_exactly(&cutter, at, weight), Largest::Proved),
            Some(per_doubling) => {
                let grown = at.n_classes as f64 * 2f64.powf(1.0 / f64::from(per_doubling));
                let wanted = (grown.ceil() as u64).clamp(at.n_classes + 1, most);
                (next_at_least(&cutter, at, weight, wanted), Largest::ForItsClasses)
            }
        };
        (at, weight) = (next, next.met);
        points.push(point(weight, at.n_classes, proof)?);
    }
    Ok(points)
}

/// A threshold a little below `weight`, which gave `at`, that should give `wanted` classes.
fn guess(at: Cut, weight: u64, wanted: u64) -> u64 {
    let scaled = u128::from(weight) * u128::from(at.n_classes) / u128::from(wanted);
    (scaled as u64).clamp(1, at.same_above.max(1))
}

/// The pass with the largest threshold that gives more classes than `at`, of which there is one.
fn next_exactly(cutter: &Cutter<'_>, at: Cut, weight: u64) -> Cut {
    // More classes at `low`, not more above `high`.
    let mut high = at.same_above;
    let mut low: Option<Cut> = None;
    let mut try_at = guess(at, weight, at.n_classes + 1).min(high);
    let mut step = (weight / at.n_classes.max(1) / 16).max(1);
    loop {
        let found = cutter.cut(try_at);
        if found.n_classes > at.n_classes {
            low = Some(found);
        } else {
            high = found.same_above;
        }
        match low {
            Some(low) if low.met >= high => return low,
            Some(low) => try_at = low.met + (high - low.met).div_ceil(2),
            None => {
                try_at = high.saturating_sub(step).max(1);
                step = step.saturating_mul(2);
            }
        }
    }
}

/// A pass with at least `wanted` classes, which some threshold gives.
fn next_at_least(cutter: &Cutter<'_>, at: Cut, weight: u64, wanted: u64) -> Cut {
    let mut try_at = guess(at, weight, wanted);
    loop {
        let found = cutter.cut(try_at);
        if found.n_classes >= wanted || try_at == 1 {
            return found;
        }
        let scaled = u128::from(try_at) * u128::from(found.n_classes.max(1)) / u128::from(wanted);
        let closer = (scaled as u64).min(try_at - try_at / 64);
        try_at = closer.min(try_at - 1).max(1);
    }
}
