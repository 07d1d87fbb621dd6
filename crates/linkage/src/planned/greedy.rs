//! # Greedy contiguous generalization
//!
//! **Definition.** Classes of consecutive combinations, each with at least l secrets of probability at least p, as many as
//! possible.
//! **Formula.** Combinations join the current class until l secrets reach p; what is left at the end joins the last class.
//! **Parameters.** `l`: whole number, at least 1. `p`: 0 < p <= p_l.
//! **Complexity.** O(cells) for many classes; O(R (B + |S| log |Q|)) for R classes, with sums at every B-th combination.
//! **Errors.** `LAboveSecrets`, `POutOfRange`, `PTooLarge`.
//! **Does not protect against.** See [`super::sample_size`]: classes alone promise nothing about a sample.
//! **Source.** Algorithm 2 of the linkage text. Deviations: the last combination is not lost (D-4), an incomplete last class
//! joins the one before (D-5), and where not even one class of all combinations will do there is no answer (D-6).

use std::ops::Range;

use indistinct_core::Rational;

use super::exact::{big, check_p, double};
use super::joint::Joint;
use crate::LinkageError;

/// The most classes of consecutive combinations with l secrets of probability p each, as ranges of positions.
///
/// # Errors
/// [`LinkageError::PTooLarge`] with the largest p if not even all combinations together do.
pub fn greedy(joint: &Joint, l: u64, p: &Rational) -> Result<Vec<Range<usize>>, LinkageError> {
    check_p(&big(p))?;
    let marginal = joint.marginal();
    let (weight, largest) = (joint.weight_of(p), marginal.weight_l(l)?);
    if weight > largest {
        let largest = double(&marginal.p_l(l)?);
        return Err(LinkageError::PTooLarge { l, got: double(&big(p)), largest });
    }
    Ok(Cutter::new(joint, l).classes(weight))
}

/// What one pass with a threshold finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// The number of classes; 0 if not even all combinations together do.
    pub n_classes: u64,
    /// The largest threshold that all these classes meet.
    pub met: u64,
    /// All thresholds above this one, and up to the one asked for, cut at the same places.
    pub same_above: u64,
}

/// Cuts one distribution with many thresholds.
pub(super) struct Cutter<'a> {
    joint: &'a Joint,
    l: usize,
    /// The combinations between two stored sums.
    block: usize,
    /// For each block the weight of each secret in all blocks before it.
    sums: Vec<u64>,
}

/// A class that is being filled.
struct Filling {
    weights: Vec<u64>,
    /// The secrets that have reached the threshold.
    n_reached: usize,
    scratch: Vec<u64>,
}

fn reached(weights: &[u64], threshold: u64) -> usize {
    weights.iter().map(|&weight| usize::from(weight >= threshold)).sum()
}

impl Filling {
    fn clear(&mut self) {
        self.weights.fill(0);
        self.n_reached = 0;
    }

    fn l_th(&mut self, l: usize) -> u64 {
        self.scratch.clone_from(&self.weights);
        *self.scratch.select_nth_unstable_by(l - 1, |a, b| b.cmp(a)).1
    }
}

impl<'a> Cutter<'a> {
    pub(super) fn new(joint: &'a Joint, l: u64) -> Self {
        let (n, n_secrets) = (joint.n_combinations(), joint.n_secrets());
        // The sums take at most a quarter of the memory of the cells.
        let block = (4 * n * n_secrets).div_ceil(joint.n_cells().max(1)).clamp(16, n.max(16));
        let mut sums = vec![0; n_secrets];
        let mut running = vec![0; n_secrets];
        for combination in 0..n {
            for (secret, weight) in joint.cells(combination) {
                running[secret as usize] += weight;
            }
            if (combination + 1) % block == 0 {
                sums.extend_from_slice(&running);
            }
        }
        Self { joint, l: usize::try_from(l).expect("l is at most the secrets"), block, sums }
    }

    fn sums_before(&self, block: usize) -> &[u64] {
        let n_secrets = self.joint.n_secrets();
        &self.sums[block * n_secrets..(block + 1) * n_secrets]
    }

    fn filling(&self) -> Filling {
        let n_secrets = self.joint.n_secrets();
        Filling { weights: vec![0; n_secrets], n_reached: 0, scratch: Vec::new() }
    }

    fn add(&self, filling: &mut Filling, combination: usize, threshold: u64) {
        for (secret, weight) in self.joint.cells(combination) {
            let sum = &mut filling.weights[secret as usize];
            let before = *sum;
            *sum += weight;
            filling.n_reached += usize::from(before < threshold && *sum >= threshold);
        }
    }

    /// Fills a class from combination `from`; the end of the class, or `None` if the combinations do not suffice.
    fn fill(&self, filling: &mut Filling, from: usize, threshold: u64) -> Option<usize> {
        filling.clear();
        let n = self.joint.n_combinations();
        let mut at = from;
        // Up to the next stored sum, and one block more: most classes are small, or end in a later block.
        let near = (from / self.block + 2) * self.block;
        while at < near.min(n) {
            self.add(filling, at, threshold);
            at += 1;
            if filling.n_reached >= self.l {
                return Some(at);
            }
        }
        if at >= n {
            return None;
        }
        let first = at / self.block;
        let last = n / self.block;
        let mut enough = |block: usize, keep: bool| {
            let (here, there) = (self.sums_before(first), self.sums_before(block));
            let sums = filling.weights.iter().zip(here.iter().zip(there));
            if keep {
                filling.scratch.clear();
                filling.scratch.extend(sums.map(|(own, (a, b))| own + (b - a)));
                std::mem::swap(&mut filling.scratch, &mut filling.weights);
                return false;
            }
            let n_reached: usize =
                sums.map(|(own, (a, b))| usize::from(own + (b - a) >= threshold)).sum();
            n_reached >= self.l
        };
        // The last block before which the class is not complete.
        let (mut low, mut step) = (first, 1);
        let mut high = last + 1;
        while low + step <= last {
            if enough(low + step, false) {
                high = low + step;
                break;
            }
            low += step;
            step *= 2;
        }
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if middle <= last && !enough(middle, false) {
                low = middle;
            } else {
                high = middle;
            }
        }
        enough(low, true);
        filling.n_reached = reached(&filling.weights, threshold);
        for at in low * self.block..n {
            self.add(filling, at, threshold);
            if filling.n_reached >= self.l {
                return Some(at + 1);
            }
        }
        None
    }

    /// The classes of a threshold that all combinations together meet.
    pub(super) fn classes(&self, threshold: u64) -> Vec<Range<usize>> {
        let mut filling = self.filling();
        let mut classes: Vec<Range<usize>> = Vec::new();
        let mut from = 0;
        while let Some(end) = self.fill(&mut filling, from, threshold) {
            classes.push(from..end);
            from = end;
        }
        if let Some(last) = classes.last_mut() {
            last.end = self.joint.n_combinations();
        }
        classes
    }

    /// How many classes a threshold gives, and which thresholds give the same ones.
    pub(super) fn cut(&self, threshold: u64) -> Cut {
        let mut filling = self.filling();
        let mut cut = Cut { n_classes: 0, met: u64::MAX, same_above: 0 };
        let mut from = 0;
        // The last class is held back until it is known whether something joins it.
        let mut held: Option<Vec<u64>> = None;
        loop {
            let end = self.fill(&mut filling, from, threshold);
            if let Some(mut last) = held.take() {
                if end.is_none() {
                    for (last, rest) in last.iter_mut().zip(&filling.weights) {
                        *last += rest;
                    }
                }
                if reached(&last, cut.met) < self.l {
                    let l_th = last.select_nth_unstable_by(self.l - 1, |a, b| b.cmp(a)).1;
                    cut.met = *l_th;
                }
                held = Some(last);
            }
            let Some(end) = end else {
                self.same_above(&mut filling, &mut cut);
                break;
            };
            let mut last = held.take().unwrap_or_default();
            last.clone_from(&filling.weights);
            held = Some(last);
            cut.n_classes += 1;
            for (secret, weight) in self.joint.cells(end - 1) {
                filling.weights[secret as usize] -= weight;
            }
            self.same_above(&mut filling, &mut cut);
            from = end;
        }
        cut
    }

    fn same_above(&self, filling: &mut Filling, cut: &mut Cut) {
        if reached(&filling.weights, cut.same_above + 1) >= self.l {
            cut.same_above = filling.l_th(self.l);
        }
    }
}
