//! # Entropy l-diversity with probability 1 - delta, for one release and after linkage
//!
//! **Definition.** In every class of one release, or of the linked table of releases with the same
//! classes, the entropy of the sensitive values is at least log l, except with probability delta
//! for each release.
//! **Formula.** Let A be a set of frequent sensitive values of a class, q the smallest P(c, s) of a
//! value in A, and e a slack. Consider the event that |n(c, s) - n p| <= e n sqrt(p) for
//! p = P(c, s) and all s in A, and n(c, s) <= n (q + e sqrt(q)) for all other s, where n is the
//! number of rows.
//! If the event occurs in every release, minima over releases are in the same box, for the smallest
//! n. Every table in the box has an entropy of at least log l if G = sum_s v_s ln(N / (l v_s)) >= 0
//! for all counts v in the box, where N is the sum of v. G is the minimum over distributions r of
//! sum_s v_s (-ln r_s - ln l) and does not depend on n except for a factor. Therefore, at the
//! smallest G, the values with a share above 1/l, which are fewer than l, have their largest
//! counts, and all other values have their smallest counts. The former may be assumed to be the
//! most probable values, so at most l corners need to be computed. By Chernoff's bound, the event
//! fails with probability at most the sum of exp(-n KL) over these conditions, where KL is the
//! divergence between Bernoulli distributions.
//! **Parameters.** `l`: real, at least 1; every class needs an entropy above log l.
//! **Complexity.** O(R |S| (|S| l + log N)) for each slack.
//! **Errors.** `LBelowOne`, `DeltaOutOfRange`, `NotDiverse` with the number of classes,
//! `TooManyRows`.
//! **Does not protect against.** See [`super::Plan`]. The bound requires more rows than one release
//! alone, because all counts of A must be in the box (test `entropy_bound_is_within_a_factor`).
//! **Source.** Open problem in Section 5 of the linkage paper; the proof is in `docs/releases.md`.

use std::ops::Range;

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use num_traits::One;

use super::exact::check_delta;
use super::joint::Joint;
use super::samples::smallest_n;
use crate::LinkageError;

/// The denominator of slacks.
pub const SLACK_PARTS: u32 = 1 << 16;

/// The number of slacks that are tried. Each is 15/16 of the previous one.
const N_TRIED: usize = 64;

/// The sample size for entropy l-diversity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EntropySize {
    /// The sample size N.
    pub n_rows: u64,
    /// The slack e that gives the smallest N.
    pub slack: f64,
}

/// The conditions on the counts of a class: the probabilities of the values in A, in descending
/// order, and upper bounds on the probabilities of the other values with their number.
#[derive(Debug, Clone)]
pub(super) struct Balanced {
    pub frequent: Vec<f64>,
    pub others: Vec<(f64, u64)>,
}

impl Balanced {
    /// Returns the probability of at most `given` certain rows and n - `given` random rows that
    /// violate a condition, by Chernoff's bound.
    pub(super) fn failure(&self, slack: f64, n_rows: u64, given: u64) -> f64 {
        let (n, random) = (n_rows as f64, n_rows.saturating_sub(given) as f64);
        if random <= 0.0 {
            return 1.0;
        }
        let above = |most: f64, p: f64| {
            let share = (n * (most + slack * most.sqrt()) - given as f64) / random;
            match share {
                _ if share >= 1.0 => 0.0,
                _ if share <= p => 1.0,
                _ => (-random * divergence(share, p)).exp(),
            }
        };
        let below = |p: f64| {
            let share = n * (p - slack * p.sqrt()) / random;
            match share {
                _ if share <= 0.0 => 0.0,
                _ if share >= p => 1.0,
                _ => (-random * divergence(share, p)).exp(),
            }
        };
        let least = self.frequent.last().copied().unwrap_or(0.0);
        let frequent: f64 = self.frequent.iter().map(|&p| above(p, p) + below(p)).sum();
        let others = self.others.iter().map(|&(p, n_values)| n_values as f64 * above(least, p));
        frequent + others.sum::<f64>()
    }
}

/// Returns the KL divergence of Bernoulli distributions, in nats.
fn divergence(a: f64, b: f64) -> f64 {
    let part = |x: f64, y: f64| if x <= 0.0 { 0.0 } else { x * (x / y).ln() };
    (part(a, b) + part(1.0 - a, 1.0 - b)).max(0.0)
}

/// Returns whether all counts in the box of a class have an entropy of at least log l, with a
/// margin for rounding errors. `frequent` must be in descending order and contain at least l
/// values.
pub fn has_entropy(frequent: &[f64], l: f64, slack: f64) -> bool {
    if (frequent.len() as f64) < l {
        return false;
    }
    (0..frequent.len()).take_while(|&n_high| (n_high as f64) < l).all(|n_high| {
        let count = |(at, &p): (usize, &f64)| {
            if at < n_high { p + slack * p.sqrt() } else { p - slack * p.sqrt() }
        };
        let counts = || frequent.iter().enumerate().map(count).filter(|count| *count > 0.0);
        let total: f64 = counts().sum();
        let margin: f64 = counts().map(|v| v * ((total / v).ln() - l.ln())).sum();
        total > 0.0 && margin >= 1e-9 * total
    })
}

/// Returns the slacks to try, from a number of parts on, as numbers of [`SLACK_PARTS`].
pub(super) fn slacks(largest: u32) -> Vec<u32> {
    let next = |slack: &u32| Some(*slack * 15 / 16).filter(|it| *it > 0);
    let first = Some(largest).filter(|it| *it > 0);
    std::iter::successors(first, next).take(N_TRIED).collect()
}

/// Returns the largest slack with which all classes have entropy l-diversity, in parts; 0 if no
/// slack is small enough.
pub(super) fn largest_slack(classes: &[Balanced], l: f64) -> u32 {
    let has = |parts: u32| {
        let slack = f64::from(parts) / f64::from(SLACK_PARTS);
        classes.iter().all(|class| has_entropy(&class.frequent, l, slack))
    };
    // A smaller slack has a smaller box. Invariant: `low` is 0 or small enough, `high` is not.
    let (mut low, mut high) = (0, SLACK_PARTS);
    while low + 1 < high {
        let middle = low.midpoint(high);
        if has(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Returns the smallest set of frequent values that has entropy l-diversity with this slack.
fn smallest_set(shares: &[f64], l: f64, slack: f64) -> Option<Balanced> {
    let found = (1..=shares.len()).find(|&n| has_entropy(&shares[..n], l, slack))?;
    let others = shares[found..].iter().map(|&share| (share, 1)).collect();
    Some(Balanced { frequent: shares[..found].to_vec(), others })
}

/// Returns the smallest N by Chernoff's bound.
///
/// # Errors
/// Returns [`LinkageError::NotDiverse`] if a class has an entropy of at most about log l.
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
    let (l, delta, total) = (to_f64(l), to_f64(delta), joint.total() as f64);
    let shares = |class: &Range<usize>| {
        let mut weights = joint.weights_in(class.clone());
        weights.retain(|weight| *weight > 0);
        weights.sort_unstable_by(|a, b| b.cmp(a));
        weights.iter().map(|&weight| weight as f64 / total).collect()
    };
    let by_class: Vec<Vec<f64>> = classes.iter().map(shares).collect();
    let has_none = |shares: &&Vec<f64>| !has_entropy(shares, l, 0.0);
    let n_not_diverse = by_class.iter().filter(has_none).count();
    if n_not_diverse > 0 {
        return Err(LinkageError::NotDiverse { n_classes: n_not_diverse });
    }
    let mut best: Option<EntropySize> = None;
    for parts in slacks(SLACK_PARTS) {
        let slack = f64::from(parts) / f64::from(SLACK_PARTS);
        let sets = by_class.iter().map(|shares| smallest_set(shares, l, slack));
        let Some(all) = sets.collect::<Option<Vec<Balanced>>>() else { continue };
        let bound =
            |n: u64| all.iter().map(|class| class.failure(slack, n, 0)).sum::<f64>() * (1.0 + 1e-9);
        if best.is_some_and(|best| bound(best.n_rows) > delta) {
            continue;
        }
        let n_rows = smallest_n(delta, bound)?;
        if best.is_none_or(|best| n_rows < best.n_rows) {
            best = Some(EntropySize { n_rows, slack });
        }
    }
    best.ok_or(LinkageError::NotDiverse { n_classes: classes.len() })
}

#[cfg(test)]
mod tests {
    use super::super::samples::fewer_than;
    use super::*;

    #[test]
    fn failure_bounds_binomial_tails() {
        let class = Balanced { frequent: vec![0.4, 0.25], others: vec![(0.2, 1), (0.15, 1)] };
        for (n, given) in [(20, 0), (50, 0), (50, 1), (200, 1), (200, 0)] {
            for slack in [0.05, 0.15, 0.3] {
                let tail = |low: f64, high: f64, p: f64| {
                    // The given row has the value.
                    let low = (low * n as f64).ceil() as u64;
                    let high = (high * n as f64).floor() as u64;
                    let above = 1.0 - fewer_than((high + 1).saturating_sub(given), n - given, p);
                    above + fewer_than(low, n - given, p)
                };
                let exact: f64 = [(0.4, 0.4), (0.25, 0.25)]
                    .map(|(most, p): (f64, f64)| {
                        tail(p - slack * p.sqrt(), most + slack * most.sqrt(), p)
                    })
                    .iter()
                    .chain(&[0.2, 0.15].map(|p| tail(0.0, 0.25 + slack * 0.5, p)))
                    .sum();
                let bound = class.failure(slack, n, given);
                assert!(exact <= bound + 1e-12, "{n} {given} {slack}: {exact} above {bound}");
            }
        }
        assert_eq!(class.failure(0.5, 1, 1), 1.0);
    }

    /// Compares the boxes that are computed with all corners of random boxes.
    #[test]
    fn smallest_entropy_of_box_is_at_a_computed_corner() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from((state >> 40) as u32 % 1000 + 1) / 1000.0
        };
        let (mut n_held, mut n_failed) = (0, 0);
        for turn in 0..3000 {
            let mut shares: Vec<f64> = (0..2 + turn % 5).map(|_| random()).collect();
            shares.sort_unstable_by(|a, b| b.total_cmp(a));
            let (slack, l) = (random() * 0.4, 1.0 + random() * 4.0);
            let least = shares[shares.len() - 1];
            // Two other values; the box contains all their counts up to that of the last one.
            let corners = 1u32 << (shares.len() + 2);
            let smallest = (0..corners).map(|corner| {
                let counts: Vec<f64> = (0..shares.len() + 2)
                    .map(|at| match (shares.get(at), corner >> at & 1 == 1) {
                        (Some(p), true) => p + slack * p.sqrt(),
                        (Some(p), false) => (p - slack * p.sqrt()).max(0.0),
                        (None, true) => least + slack * least.sqrt(),
                        (None, false) => 0.0,
                    })
                    .collect();
                let total: f64 = counts.iter().sum();
                let occurring = counts.iter().filter(|n| **n > 0.0);
                occurring.map(|n| n / total * (total / n).ln()).sum::<f64>()
            });
            let smallest = smallest.fold(f64::INFINITY, f64::min).exp();
            if (smallest - l).abs() > 1e-6 {
                assert_eq!(has_entropy(&shares, l, slack), smallest > l, "{shares:?} {slack} {l}");
                *(if smallest > l { &mut n_held } else { &mut n_failed }) += 1;
            }
        }
        assert!(n_held > 200 && n_failed > 200, "{n_held} {n_failed}");
    }
}
