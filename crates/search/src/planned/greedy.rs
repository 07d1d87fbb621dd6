//! # Greedy contiguous generalization
//!
//! **Definition.** Classes of consecutive combinations, each with at least l sensitive values of probability at least p,
//! as many as possible.
//! **Formula.** Combinations join the current class until l sensitive values reach p; what is left at the end joins the
//! last class.
//! **Parameters.** `l`: whole number, at least 1. `p`: 0 < p <= p_l.
//! **Complexity.** O(cells) for many classes; O(R |S| log |Q|) for few, by sums that are stored once.
//! **Errors.** `LAboveSensitiveValues`, `POutOfRange`, `PTooLarge`.
//! **Does not protect against.** See [`sample_size`](indistinct_linkage::planned::sample_size): classes alone promise nothing about a sample.
//! **Source.** Algorithm 2 of the linkage text. Deviations: the last combination is not lost (D-4), an incomplete last class
//! joins the one before (D-5), and where not even one class of all combinations will do there is no answer (D-6).

use std::ops::Range;

use indistinct_core::Rational;

use indistinct_core::model::to_f64;
use indistinct_linkage::LinkageError;
use indistinct_linkage::planned::{Basis, Joint, Plan, Target};
use num_traits::{One, ToPrimitive, Zero};

/// The most classes of consecutive combinations with l sensitive values of probability p each, as ranges of positions.
///
/// # Errors
/// [`LinkageError::PTooLarge`] with the largest p if not even all combinations together do.
pub fn greedy(joint: &Joint, l: u64, p: &Rational) -> Result<Vec<Range<usize>>, LinkageError> {
    if *p <= Rational::zero() || *p > Rational::one() {
        return Err(LinkageError::POutOfRange { got: to_f64(p) });
    }
    let marginal = joint.marginal();
    let (weight, largest) = (joint.weight_of(p), marginal.weight_l(l)?);
    if weight > largest {
        let largest = marginal.p_l(l)?.to_f64().unwrap_or(f64::NAN);
        return Err(LinkageError::PTooLarge { l, got: to_f64(p), largest });
    }
    Ok(Cutter::new(joint, l).classes(weight))
}

/// The plan with the most classes for p.
///
/// # Errors
/// As [`greedy`] and [`Plan::of_classes`].
pub fn greedy_plan(
    joint: &Joint,
    target: &Target,
    p: &Rational,
    basis: Basis,
) -> Result<Plan, LinkageError> {
    Plan::of_classes(joint, &greedy(joint, target.l(), p)?, target, p, basis)
}

/// What one pass with a threshold finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The number of classes; 0 if not even all combinations together do.
    pub(super) n_classes: u64,
    /// The largest threshold that all these classes meet.
    pub(super) met: u64,
}

/// Cuts one distribution with many thresholds.
pub(super) struct Cutter<'a> {
    joint: &'a Joint,
    l: usize,
    /// The combinations between two stored sums.
    block: usize,
    /// For each block the weight of each sensitive value in all blocks before it.
    sums: Sums,
}

/// Sums take half the memory where all weights together are small.
enum Sums {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

/// A whole number that sums are stored in.
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
        u32::try_from(weight).expect("weights are narrow where sums are")
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

/// A class that is being filled.
#[derive(Default)]
struct Filling {
    weights: Vec<u64>,
    /// The sensitive values that have reached the threshold.
    n_reached: usize,
    /// The class before.
    before: Vec<u64>,
    scratch: Vec<u64>,
    /// Combinations of the last class that was filled.
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
        // There are about as many sums as cells.
        let block = (n * n_sensitive_values).div_ceil(joint.n_cells().max(1));
        let sums = if joint.total() <= u64::from(u32::MAX) {
            Sums::Narrow(sums(joint, block))
        } else {
            Sums::Wide(sums(joint, block))
        };
        let l = usize::try_from(l).expect("l is at most the sensitive values");
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

    /// Fills a class from combination `from`; the end of the class, or `None` if the combinations do not suffice.
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
        // Up to the next stored sum, and one block more: many classes are small.
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

    /// The same where there is a sum for each combination: looks at sums alone, first where a class as large as the last one ends.
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

    /// Adds whole blocks, from block `first`, as long as the class is not complete; the combination after them.
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
        // What the sums would be before the class.
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
            // Complete at `high`, not at `low`.
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

    /// How many classes a threshold gives, and what they meet.
    pub(super) fn cut(&self, threshold: u64) -> Cut {
        self.pass(threshold, |_, _| {})
    }

    /// The same, and the threshold above which all thresholds, up to the one given, cut at the same places.
    pub(super) fn cut_with_bound(&self, threshold: u64) -> (Cut, u64) {
        let mut same_above = 0;
        let cut = self.pass(threshold, |filling, last| {
            // The class without its last combination, or what is left at the end.
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

    /// Calls `see` with each class and its last combination, and with what is left.
    fn pass(&self, threshold: u64, mut see: impl FnMut(&mut Filling, Option<usize>)) -> Cut {
        let mut filling = self.filling();
        let mut cut = Cut { n_classes: 0, met: u64::MAX };
        let mut from = 0;
        loop {
            let end = self.fill(&mut filling, from, threshold);
            see(&mut filling, end.map(|end| end - 1));
            // The class before was held back until it was known whether something joins it.
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

/// The first place after `from`, up to `n`, where a class is complete, which it stays further on; looks first at `size` places
/// beyond.
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
    // Complete at `high`, not at `low`.
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

/// Neighbors between which it becomes complete: it is so at `high` and not at `low`.
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

/// The weight of each sensitive value before each block.
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
