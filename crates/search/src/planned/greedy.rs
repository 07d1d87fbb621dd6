//! # Greedy contiguous generalization
//!
//! **Definition.** Computes as many classes of consecutive combinations as possible, each with at
//! least l sensitive values of probability at least p.
//! **Formula.** Combinations join the current class until l sensitive values reach p. Combinations
//! that remain at the end join the last class.
//! **Parameters.** `l`: integer, at least 1. `p`: 0 < p <= p_l.
//! **Complexity.** O(cells) for many classes; O(R |S| log |Q|) for few classes, using stored sums.
//! **Errors.** `LAboveSensitiveValues`, `POutOfRange`, `PTooLarge`.
//! **Does not protect against.** See [`sample_size`](indistinct_linkage::planned::sample_size):
//! classes alone do not guarantee anything for a sample.
//! **Source.** Algorithm 2 of the linkage paper. Deviations: the last combination is not lost
//! (D-4), an incomplete last class joins the previous one (D-5), and if all combinations together
//! do not form a class, the result is an error (D-6).

use std::ops::Range;

use indistinct_core::Rational;

use indistinct_core::model::to_f64;
use indistinct_linkage::LinkageError;
use indistinct_linkage::planned::{Basis, Joint, Plan, Target};
use num_traits::{One, ToPrimitive, Zero};

/// Returns as many classes of consecutive combinations as possible, as ranges of positions. Each
/// class has l sensitive values of probability p.
///
/// # Errors
/// [`LinkageError::PTooLarge`] with the largest p if all combinations together do not form a class.
pub fn greedy(joint: &Joint, l: u64, p: &Rational) -> Result<Vec<Range<usize>>, LinkageError> {
    if *p <= Rational::zero() || *p > Rational::one() {
        return Err(LinkageError::POutOfRange { got: to_f64(p) });
    }
    let marginal = joint.marginal();
    let (weight, largest) = (joint.weight_of(p), marginal.weight_l(l)?);
    if weight > largest {
        let largest = joint.share(largest).to_f64().unwrap_or(f64::NAN);
        return Err(LinkageError::PTooLarge { l, got: to_f64(p), largest });
    }
    Ok(Cutter::new(joint, l).classes(weight))
}

/// Returns the plan with the most classes for p.
///
/// # Errors
/// See [`greedy`] and [`Plan::of_classes`].
pub fn greedy_plan(
    joint: &Joint,
    target: &Target,
    p: &Rational,
    basis: Basis,
) -> Result<Plan, LinkageError> {
    Plan::of_classes(joint, &greedy(joint, target.l(), p)?, target, p, basis)
}

/// The result of one pass with a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Number of classes; 0 if all combinations together do not form a class.
    pub(super) n_classes: u64,
    /// The largest threshold that all of the classes meet.
    pub(super) met: u64,
}

/// Cuts one distribution at many thresholds.
pub(super) struct Cutter<'a> {
    joint: &'a Joint,
    l: usize,
    /// Number of combinations between two stored sums.
    block: usize,
    /// For each block, the weight of each sensitive value in all blocks before it.
    sums: Sums,
}

/// The stored sums, which take half the memory if the total weight is small.
enum Sums {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

/// An integer type for sums.
trait Weight: Copy + Ord {
    fn minus(self, other: Self) -> Self;
    fn from_weight(weight: u64) -> Self;
    fn wide(self) -> u64;
}

impl Weight for u32 {
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    fn from_weight(weight: u64) -> Self {
        u32::try_from(weight).expect("narrow sums imply narrow weights")
    }
    fn wide(self) -> u64 {
        u64::from(self)
    }
}

impl Weight for u64 {
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    fn from_weight(weight: u64) -> Self {
        weight
    }
    fn wide(self) -> u64 {
        self
    }
}

/// A class under construction.
#[derive(Default)]
struct Filling {
    weights: Vec<u64>,
    /// Number of sensitive values that have reached the threshold.
    n_reached: usize,
    /// The weights of the previous class.
    before: Vec<u64>,
    scratch: Vec<u64>,
    /// Number of combinations in the most recently completed class.
    size: usize,
}

fn reached(weights: &[u64], threshold: u64) -> usize {
    weights.iter().map(|&weight| usize::from(weight >= threshold)).sum()
}

fn l_th_largest(weights: &mut [u64], l: usize) -> u64 {
    *weights.select_nth_unstable_by(l - 1, |a, b| b.cmp(a)).1
}

impl<'a> Cutter<'a> {
    pub(super) fn new(joint: &'a Joint, l: u64) -> Self {
        let (n, n_sensitive_values) = (joint.n_combinations(), joint.n_sensitive_values());
        // With this block size, the number of sums is about equal to the number of cells.
        let block = (n * n_sensitive_values).div_ceil(joint.n_cells().max(1));
        let sums = if joint.total() <= u64::from(u32::MAX) {
            Sums::Narrow(sums(joint, block))
        } else {
            Sums::Wide(sums(joint, block))
        };
        let l = usize::try_from(l).expect("l is at most the number of sensitive values");
        Self { joint, l, block, sums }
    }

    fn filling(&self) -> Filling {
        let zeros = vec![0; self.joint.n_sensitive_values()];
        Filling { weights: zeros.clone(), before: zeros, ..Filling::default() }
    }

    fn add(&self, filling: &mut Filling, combination: usize, threshold: u64) {
        for (value, weight) in self.joint.cells(combination) {
            let sum = &mut filling.weights[value as usize];
            let before = *sum;
            *sum += weight;
            filling.n_reached += usize::from(before < threshold && *sum >= threshold);
        }
    }

    /// Fills a class from combination `from`. Returns the end of the class, or `None` if the
    /// remaining combinations do not suffice.
    fn fill(&self, filling: &mut Filling, from: usize, threshold: u64) -> Option<usize> {
        if self.block == 1 {
            return match &self.sums {
                Sums::Narrow(sums) => self.fill_by_sums(sums, filling, from, threshold),
                Sums::Wide(sums) => self.fill_by_sums(sums, filling, from, threshold),
            };
        }
        filling.weights.fill(0);
        filling.n_reached = 0;
        let n = self.joint.n_combinations();
        let mut at = from;
        // Add single combinations up to the next stored sum and one block beyond, because many
        // classes are small.
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
        let at = match &self.sums {
            Sums::Narrow(sums) => self.skip(sums, filling, at / self.block, threshold),
            Sums::Wide(sums) => self.skip(sums, filling, at / self.block, threshold),
        };
        filling.n_reached = reached(&filling.weights, threshold);
        for at in at..n {
            self.add(filling, at, threshold);
            if filling.n_reached >= self.l {
                return Some(at + 1);
            }
        }
        None
    }

    /// Like [`Self::fill`], but reads only stored sums, for use if there is one for each
    /// combination. The search starts at the end that a class of the previous size would have.
    fn fill_by_sums<W: Weight>(
        &self,
        sums: &[W],
        filling: &mut Filling,
        from: usize,
        threshold: u64,
    ) -> Option<usize> {
        let (n, n_sensitive_values) =
            (self.joint.n_combinations(), self.joint.n_sensitive_values());
        let before = |at: usize| &sums[at * n_sensitive_values..(at + 1) * n_sensitive_values];
        let zero = before(from);
        let end = match threshold <= self.joint.total() {
            false => None,
            true => {
                let threshold = W::from_weight(threshold);
                let is_complete = |at: usize| {
                    let weights = before(at).iter().zip(zero);
                    let n_reached: u32 =
                        weights.map(|(sum, zero)| u32::from(sum.minus(*zero) >= threshold)).sum();
                    n_reached as usize >= self.l
                };
                first_complete(from, n, filling.size, is_complete)
            }
        };
        let weights = before(end.unwrap_or(n)).iter().zip(zero);
        for (weight, (sum, zero)) in filling.weights.iter_mut().zip(weights) {
            *weight = sum.minus(*zero).wide();
        }
        filling.size = end.map_or(filling.size, |end| end - from);
        end
    }

    /// Adds whole blocks, starting with block `first`, as long as the class is incomplete. Returns
    /// the combination after these blocks.
    fn skip<W: Weight>(
        &self,
        sums: &[W],
        filling: &mut Filling,
        first: usize,
        threshold: u64,
    ) -> usize {
        let n_sensitive_values = self.joint.n_sensitive_values();
        let before =
            |block: usize| &sums[block * n_sensitive_values..(block + 1) * n_sensitive_values];
        let last = self.joint.n_combinations() / self.block;
        // The sums before the start of the class, extrapolated from the sums before block `first`.
        let zero: Vec<W> = before(first)
            .iter()
            .zip(&filling.weights)
            .map(|(sum, &own)| sum.minus(W::from_weight(own)))
            .collect();
        if threshold <= self.joint.total() {
            let threshold = W::from_weight(threshold);
            let is_complete = |block: usize| {
                let weights = before(block).iter().zip(&zero);
                let n_reached: u32 =
                    weights.map(|(sum, zero)| u32::from(sum.minus(*zero) >= threshold)).sum();
                n_reached as usize >= self.l
            };
            // Invariant: the class is complete at `high` and incomplete at `low`.
            let (mut low, mut high, mut step) = (first, last + 1, 1);
            while low + step <= last {
                if is_complete(low + step) {
                    high = low + step;
                    break;
                }
                low += step;
                step *= 2;
            }
            let (low, _) = bisect(low, high, is_complete);
            for ((weight, sum), zero) in filling.weights.iter_mut().zip(before(low)).zip(&zero) {
                *weight = sum.minus(*zero).wide();
            }
            return low * self.block;
        }
        first * self.block
    }

    /// Returns the classes for a threshold that all combinations together meet.
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

    /// Returns the number of classes for a threshold, and the largest threshold that they meet.
    pub(super) fn cut(&self, threshold: u64) -> Cut {
        self.pass(threshold, |_, _| {})
    }

    /// Like [`Self::cut`]; also returns the lower bound above which all thresholds, up to the given
    /// one, cut at the same positions.
    pub(super) fn cut_with_bound(&self, threshold: u64) -> (Cut, u64) {
        let mut same_above = 0;
        let cut = self.pass(threshold, |filling, last| {
            // The class without its last combination, or the combinations that remain at the end.
            for (value, weight) in last.into_iter().flat_map(|last| self.joint.cells(last)) {
                filling.weights[value as usize] -= weight;
            }
            if reached(&filling.weights, same_above + 1) >= self.l {
                filling.scratch.clone_from(&filling.weights);
                same_above = l_th_largest(&mut filling.scratch, self.l);
            }
            for (value, weight) in last.into_iter().flat_map(|last| self.joint.cells(last)) {
                filling.weights[value as usize] += weight;
            }
        });
        (cut, same_above)
    }

    /// Calls `see` with each class and its last combination, and with the remaining combinations.
    fn pass(&self, threshold: u64, mut see: impl FnMut(&mut Filling, Option<usize>)) -> Cut {
        let mut filling = self.filling();
        let mut cut = Cut { n_classes: 0, met: u64::MAX };
        let mut from = 0;
        loop {
            let end = self.fill(&mut filling, from, threshold);
            see(&mut filling, end.map(|end| end - 1));
            // Each class is processed after the next one is found, because the remaining
            // combinations may join it.
            if cut.n_classes > 0 {
                if end.is_none() {
                    for (last, rest) in filling.before.iter_mut().zip(&filling.weights) {
                        *last += rest;
                    }
                }
                if reached(&filling.before, cut.met) < self.l {
                    cut.met = l_th_largest(&mut filling.before, self.l);
                }
            }
            let Some(end) = end else { return cut };
            cut.n_classes += 1;
            std::mem::swap(&mut filling.before, &mut filling.weights);
            from = end;
        }
    }
}

/// Returns the first position after `from`, up to `n`, at which a class is complete; completeness
/// must be monotone. The search starts `size` positions after `from`.
fn first_complete(
    from: usize,
    n: usize,
    size: usize,
    is_complete: impl Fn(usize) -> bool,
) -> Option<usize> {
    if from >= n {
        return None;
    }
    let guess = (from + size.max(1)).min(n);
    // Invariant: the class is complete at `high` and incomplete at `low`.
    let (mut low, mut high, mut step) = (from, guess, 1);
    if is_complete(guess) {
        while high - low > step {
            if !is_complete(high - step) {
                low = high - step;
                break;
            }
            high -= step;
            step *= 2;
        }
    } else {
        low = guess;
        loop {
            if low == n {
                return None;
            }
            high = (low + step).min(n);
            if is_complete(high) {
                break;
            }
            low = high;
            step *= 2;
        }
    }
    Some(bisect(low, high, is_complete).1)
}

/// Returns the adjacent positions between which the class becomes complete, given that it is
/// complete at `high` and incomplete at `low`.
fn bisect(mut low: usize, mut high: usize, is_complete: impl Fn(usize) -> bool) -> (usize, usize) {
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if is_complete(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    (low, high)
}

/// Returns the weight of each sensitive value before each block.
fn sums<W: Weight + Default + std::ops::Add<Output = W>>(joint: &Joint, block: usize) -> Vec<W> {
    let (n, n_sensitive_values) = (joint.n_combinations(), joint.n_sensitive_values());
    let mut sums = Vec::with_capacity((n / block + 1) * n_sensitive_values);
    let mut running = vec![W::default(); n_sensitive_values];
    sums.extend_from_slice(&running);
    for combination in 0..n {
        for (value, weight) in joint.cells(combination) {
            let sum = &mut running[value as usize];
            *sum = *sum + W::from_weight(weight);
        }
        if (combination + 1) % block == 0 {
            sums.extend_from_slice(&running);
        }
    }
    sums
}
