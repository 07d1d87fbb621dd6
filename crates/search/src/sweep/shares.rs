//! Exact induced frequencies as integers over a common multiple ((tau, l) text, Definitions 2 to 4;
//! reading E-6).

use indistinct_core::Rational;
use indistinct_core::model::Taxonomy;
use indistinct_core::principle::Growth;
pub(super) use indistinct_core::principle::Whole;
use indistinct_core::principle::{Limit, WholeWeights, limits_of_psi, whole_weights};
use num_bigint::BigInt;
use num_traits::Zero;

/// The share of each base value in a row, and the limits on these shares.
#[derive(Debug, Clone)]
pub(super) struct Shares<T> {
    /// The weights of the leaves and of all nodes that a row can reach; a row counts as the common
    /// multiple.
    whole: WholeWeights<T>,
    /// The limits psi(k) for k < l.
    limits: Vec<Limit<T>>,
    /// The value 1 / tau, rounded up.
    inverse_tau: usize,
}

/// The induced frequencies of a class.
#[derive(Debug, Clone)]
pub(super) struct Tally<T> {
    /// Pairs (leaf, rows times the common multiple) with ascending leaves and positive values.
    leaves: Vec<(u32, T)>,
    /// Number of rows.
    pub n_rows: u64,
}

/// Leaf weights and the required (tau, l).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TauL {
    /// Maximum share of a base value.
    pub tau: Rational,
    /// The number of base values at which the limit reaches 1.
    pub l: Rational,
    /// The weight of each leaf of the sensitive attribute's taxonomy.
    pub weights: Vec<Rational>,
    /// The growth of the limit from `tau` to 1.
    pub growth: Growth,
}

impl Shares<BigInt> {
    /// Computes the shares for rows with the given nodes or with nodes above them. Returns `None`
    /// if one of these nodes has total weight 0.
    pub fn new(taxonomy: &Taxonomy, required: &TauL, occurring: &[u32]) -> Option<Self> {
        let weights = whole_weights(&required.weights);
        let mut totals = vec![BigInt::zero(); taxonomy.n_nodes()];
        for &node in occurring {
            let mut above = Some(node);
            while let Some(at) = above.filter(|at| totals[*at as usize].is_zero()) {
                let total: BigInt = weights[taxonomy.leaves(at)].iter().sum();
                if total.is_zero() {
                    return None;
                }
                totals[at as usize] = total;
                above = taxonomy.parent(at);
            }
        }
        let one = Rational::from_integer(1);
        // The limits apply to k < l, that is k = 1, ..., ceil(l) - 1; tau = 1 requires nothing
        // (reading E-5).
        let below_l = (required.l.ceil().to_integer() - 1).min(weights.len() as i128);
        let n_limits = if required.tau >= one { 0 } else { below_l.max(0) as usize };
        let inverse_tau = required.tau.recip().ceil().to_integer();
        Some(Self {
            whole: WholeWeights::new(weights, &totals),
            limits: limits_of_psi(&required.tau, &required.l, required.growth, n_limits),
            inverse_tau: usize::try_from(inverse_tau).unwrap_or(usize::MAX),
        })
    }

    /// Converts the shares to 128-bit integers, if all values are small enough.
    pub fn short(&self) -> Option<Shares<i128>> {
        Some(Shares {
            whole: self.whole.short()?,
            limits: self.limits.iter().map(Limit::short).collect::<Option<_>>()?,
            inverse_tau: self.inverse_tau,
        })
    }
}

impl<T: Whole> Shares<T> {
    /// Returns the minimum number of base values that a class must induce, for any frequencies.
    pub fn smallest_support(&self) -> usize {
        match self.limits.len() {
            0 => 0,
            // F(1) is at least 1 / support; F(k) = 1 for k = support, and psi(k) < 1 below l.
            below_l => self.inverse_tau.max(below_l + 1),
        }
    }

    /// Returns the share of a leaf in a row with the given node above the leaf.
    pub fn of_leaf(&self, node: u32, leaf: u32) -> T {
        self.whole.weights[leaf as usize].clone() * self.whole.factors[node as usize].clone()
    }

    /// Returns whether F(k) <= psi(k) for all k. An empty class satisfies this condition.
    pub fn holds(&self, tally: &Tally<T>, scratch: &mut Vec<T>) -> bool {
        if self.limits.is_empty() || tally.n_rows == 0 {
            return true;
        }
        if tally.leaves.len() < self.smallest_support() {
            return false;
        }
        scratch.clear();
        scratch.extend(tally.leaves.iter().map(|(_, share)| share.clone()));
        scratch.sort_unstable_by(|a, b| b.cmp(a));
        let whole = self.whole.common.clone() * T::from(tally.n_rows);
        let mut sum = T::zero();
        scratch.iter().zip(&self.limits).all(|(share, limit)| {
            sum += share.clone();
            sum.clone() * limit.denominator.clone() <= whole.clone() * limit.numerator.clone()
        })
    }
}

impl<T: Whole> Tally<T> {
    pub fn new() -> Self {
        Self { leaves: Vec::new(), n_rows: 0 }
    }

    /// Returns the number of induced base values.
    pub fn support(&self) -> usize {
        self.leaves.len()
    }

    /// Returns the base value with the highest frequency; among equal ones, the first.
    pub fn dominant(&self) -> Option<u32> {
        let mut largest: Option<&(u32, T)> = None;
        for entry in &self.leaves {
            if largest.is_none_or(|(_, share)| entry.1 > *share) {
                largest = Some(entry);
            }
        }
        largest.map(|(leaf, _)| *leaf)
    }

    /// Adds rows with a node.
    pub fn add(&mut self, shares: &Shares<T>, taxonomy: &Taxonomy, node: u32, rows: u64) {
        self.n_rows += rows;
        for leaf in taxonomy.leaves(node) {
            let more = shares.of_leaf(node, leaf as u32) * T::from(rows);
            if more.is_zero() {
                continue;
            }
            match self.leaves.binary_search_by_key(&(leaf as u32), |entry| entry.0) {
                Ok(at) => self.leaves[at].1 += more,
                Err(at) => self.leaves.insert(at, (leaf as u32, more)),
            }
        }
    }

    /// Removes rows with a node that were added before.
    pub fn remove(&mut self, shares: &Shares<T>, taxonomy: &Taxonomy, node: u32, rows: u64) {
        self.n_rows -= rows;
        for leaf in taxonomy.leaves(node) {
            let less = shares.of_leaf(node, leaf as u32) * T::from(rows);
            if let Ok(at) = self.leaves.binary_search_by_key(&(leaf as u32), |entry| entry.0) {
                self.leaves[at].1 -= less;
                if self.leaves[at].1.is_zero() {
                    self.leaves.remove(at);
                }
            }
        }
    }
}
