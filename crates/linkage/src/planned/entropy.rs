//! # Entropy l-diversity with probability 1 - delta, for one release and after linkage
//!
//! **Definition.** In every class of one release, or of the linked table of releases with the same
//! classes, the entropy of the sensitive values is at least log l, except with probability delta
//! for each release.
//! **Formula.** Let A be a set of frequent sensitive values of a class and u = (1 - e) P(c, A) / l.
//! Consider the event that n(c, s) >= (1 - e) N P(c, s) for all s in A, and n(c, s) <= N u for all
//! s. If the event occurs, the most frequent sensitive value has a fraction of at most 1/l, even
//! after taking minima over releases, so the entropy is at least log l. By Chernoff's bound, the
//! event fails with probability at most the sum of exp(-N KL) over these conditions, where KL is
//! the divergence between Bernoulli distributions. A contains the smallest number of most frequent
//! sensitive values with u >= (1 + e) max_s P(c, s); e is the best value of a grid.
//! **Parameters.** `l`: real, at least 1; every class needs max_s P(c, s) < P(c) / l.
//! **Complexity.** O(63 R |S| log N).
//! **Errors.** `LBelowOne`, `DeltaOutOfRange`, `NotDiverse` with the number of classes,
//! `TooManyRows`.
//! **Does not protect against.** See [`super::Plan`]. The bound requires more rows than entropy
//! alone, because the bound also guarantees frequency l-diversity.
//! **Source.** Open problem in Section 5 of the linkage paper; the proof is in `docs/releases.md`.

use std::ops::Range;

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use num_bigint::BigInt;
use num_traits::One;

use super::exact::check_delta;
use super::joint::Joint;
use super::samples::smallest_n;
use crate::LinkageError;

/// The denominator of the slacks e. All fractions from 1/64 to 63/64 are tried.
const GRID: u32 = 64;

/// The sample size for entropy l-diversity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EntropySize {
    /// The sample size N.
    pub n_rows: u64,
    /// The slack e that gives the smallest N.
    pub slack: f64,
}

/// Returns the KL divergence of Bernoulli distributions, in nats.
fn divergence(a: f64, b: f64) -> f64 {
    let part = |x: f64, y: f64| if x <= 0.0 { 0.0 } else { x * (x / y).ln() };
    (part(a, b) + part(1.0 - a, 1.0 - b)).max(0.0)
}

/// Adds the exponents of the conditions of one class; returns `None` if the slack is too large for
/// the class. `shares` must be in descending order.
fn exponents(shares: &[f64], l: f64, slack: f64, into: &mut Vec<f64>) -> Option<()> {
    let mut upper = 0.0;
    let enough = (1.0 + slack) * shares.first()?;
    let mut n_frequent = 0;
    for share in shares {
        n_frequent += 1;
        upper += (1.0 - slack) * share / l;
        if upper >= enough {
            break;
        }
    }
    if upper < enough {
        return None;
    }
    into.extend(shares[..n_frequent].iter().map(|&p| divergence((1.0 - slack) * p, p)));
    into.extend(
        shares.iter().map(|&p| if upper >= 1.0 { f64::INFINITY } else { divergence(upper, p) }),
    );
    Some(())
}

/// Returns the smallest N by Chernoff's bound.
///
/// # Errors
/// Returns [`LinkageError::NotDiverse`] if a sensitive value has a fraction of 1/l or more of its
/// class.
pub fn rows_for_entropy(
    joint: &Joint,
    classes: &[Range<usize>],
    l: &Rational,
    delta: &Rational,
) -> Result<EntropySize, LinkageError> {
    if *l < Rational::one() {
        return Err(LinkageError::LBelowOne);
    }
    check_delta(delta)?;
    let total = joint.total() as f64;
    let mut n_not_diverse = 0;
    let mut by_class: Vec<Vec<f64>> = Vec::with_capacity(classes.len());
    for class in classes {
        let mut weights = joint.weights_in(class.clone());
        weights.retain(|weight| *weight > 0);
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let mass: u64 = weights.iter().sum();
        let largest = weights.first().copied().unwrap_or(0);
        let scaled = |weight: u64, factor: i128| BigInt::from(weight) * BigInt::from(factor);
        let is_diverse = mass > 0 && scaled(largest, *l.numer()) < scaled(mass, *l.denom());
        n_not_diverse += usize::from(!is_diverse);
        by_class.push(weights.iter().map(|&weight| weight as f64 / total).collect());
    }
    if n_not_diverse > 0 {
        return Err(LinkageError::NotDiverse { n_classes: n_not_diverse });
    }
    let mut best: Option<EntropySize> = None;
    for step in 1..GRID {
        let slack = f64::from(step) / f64::from(GRID);
        let mut all = Vec::new();
        let fits =
            by_class.iter().all(|shares| exponents(shares, to_f64(l), slack, &mut all).is_some());
        if !fits {
            break;
        }
        let bound =
            |n: u64| all.iter().map(|&rate| (-(n as f64) * rate).exp()).sum::<f64>() * (1.0 + 1e-9);
        if best.is_some_and(|best| bound(best.n_rows) > to_f64(delta)) {
            continue;
        }
        let n_rows = smallest_n(to_f64(delta), bound)?;
        if best.is_none_or(|best| n_rows < best.n_rows) {
            best = Some(EntropySize { n_rows, slack });
        }
    }
    // If no size was found, even the smallest slack is too large.
    best.ok_or(LinkageError::NotDiverse { n_classes: classes.len() })
}

#[cfg(test)]
mod tests {
    use super::super::people::fewer_than;
    use super::*;

    #[test]
    fn exponents_bound_binomial_tails() {
        let shares = [0.4, 0.25, 0.2, 0.15];
        let (l, slack) = (2.0, 0.1);
        let mut rates = Vec::new();
        exponents(&shares, l, slack, &mut rates).expect("the slack is small enough for the class");
        // The upper bound u = 0.9 * 1 / 2 reaches 1.1 * 0.4 only if it includes all four sensitive
        // values.
        assert_eq!(rates.len(), 8);
        for n in [20, 50, 200] {
            for (at, &p) in shares.iter().enumerate() {
                let lower = (0.9 * p * n as f64).ceil() as u64;
                let upper = (0.45 * n as f64).floor() as u64 + 1;
                for (rate, tail) in [
                    (rates[at], fewer_than(lower, n, p)),
                    (rates[4 + at], 1.0 - fewer_than(upper, n, p)),
                ] {
                    let bound = (-(n as f64) * rate).exp();
                    assert!(tail <= bound + 1e-12, "{n} {p}: {tail} above {bound}");
                }
            }
        }
        // For the large slack e = 0.2, the upper bound u remains below (1 + e) max P.
        assert_eq!(exponents(&shares, l, 0.2, &mut rates), None);
    }
}
