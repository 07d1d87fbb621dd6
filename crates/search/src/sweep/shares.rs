//! Exact induced frequencies as integers over a common multiple ((tau, l) paper, Definitions 2 to
//! 4; reading E-6).
//!
//! Stores the rows of one class by sensitive value, and generalizes sensitive values until the
//! class satisfies the requirement.

use std::collections::BTreeMap;

use indistinct_core::Rational;
use indistinct_core::model::Taxonomy;
pub(super) use indistinct_core::principle::Whole;
use indistinct_core::principle::{Growth, Limit, WholeWeights, limits_of_psi, whole_weights};
use num_bigint::BigInt;
use num_traits::Zero;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::RngCore;

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

    /// Returns the base value with the highest frequency; in case of a tie, the first one.
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

    /// Removes previously added rows with the given node.
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

/// A number of rows from one unit that have the same sensitive value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    /// The unit: rows with equal raw values, in the order of the table.
    pub unit: u32,
    /// The node of the sensitive value.
    pub node: u32,
    /// Number of rows, at least 1.
    pub rows: u64,
}

/// The rule that selects the next row whose sensitive value is generalized.
#[derive(Debug)]
pub(super) enum Chooser {
    /// A row whose value covers the dominant base value: the least general value, then the first
    /// row.
    Dominant,
    /// A random row whose value is below the root.
    Random(Box<ChaCha20Rng>),
}

/// Returns a uniformly random number below `n`.
fn below(random: &mut ChaCha20Rng, n: u64) -> u64 {
    let rejected = (u64::MAX % n + 1) % n;
    loop {
        let drawn = random.next_u64();
        if drawn <= u64::MAX - rejected {
            return drawn % n;
        }
    }
}

/// Draws a row, and replaces its node in the urn with the parent node. If the parent is the root,
/// the row is removed from the urn instead.
fn draw(
    urn: &mut Vec<(u32, u32)>,
    taxonomy: &Taxonomy,
    random: &mut ChaCha20Rng,
) -> Option<(u32, u32)> {
    if urn.is_empty() {
        return None;
    }
    let at = below(random, urn.len() as u64) as usize;
    let (node, unit) = urn[at];
    match taxonomy.parent(node).filter(|&parent| taxonomy.parent(parent).is_some()) {
        Some(parent) => urn[at].0 = parent,
        None => {
            urn.swap_remove(at);
        }
    }
    Some((node, unit))
}

/// The rows of a class.
#[derive(Debug, Clone)]
pub(super) struct Pool<T> {
    tally: Tally<T>,
    /// The number of rows of each unit, for each node.
    by_node: BTreeMap<u32, BTreeMap<u32, u64>>,
}

impl<T: Whole> Pool<T> {
    pub fn new() -> Self {
        Self { tally: Tally::new(), by_node: BTreeMap::new() }
    }

    pub fn n_rows(&self) -> u64 {
        self.tally.n_rows
    }

    pub fn add(&mut self, shares: &Shares<T>, taxonomy: &Taxonomy, piece: Piece) {
        self.tally.add(shares, taxonomy, piece.node, piece.rows);
        *self.by_node.entry(piece.node).or_default().entry(piece.unit).or_default() += piece.rows;
    }

    fn take_one(&mut self, shares: &Shares<T>, taxonomy: &Taxonomy, node: u32, unit: u32) {
        self.tally.remove(shares, taxonomy, node, 1);
        let Some(units) = self.by_node.get_mut(&node) else { return };
        if let Some(rows) = units.get_mut(&unit) {
            *rows -= 1;
            if *rows == 0 {
                units.remove(&unit);
            }
        }
        if units.is_empty() {
            self.by_node.remove(&node);
        }
    }

    /// Returns the least general sensitive value below the root that covers a base value, and its
    /// first row.
    fn least_general(&self, taxonomy: &Taxonomy, leaf: u32) -> Option<(u32, u32)> {
        // Parents precede their children, so the last node of an ancestor chain is the deepest.
        let covering = |node: &u32| {
            taxonomy.parent(*node).is_some() && taxonomy.leaves(*node).contains(&(leaf as usize))
        };
        let (node, units) = self.by_node.iter().rev().find(|(node, _)| covering(node))?;
        units.first_key_value().map(|(unit, _)| (*node, *unit))
    }

    /// Returns one entry for each row below the root: its node and unit.
    fn below_root(&self, taxonomy: &Taxonomy) -> Vec<(u32, u32)> {
        let below = self.by_node.iter().filter(|(node, _)| taxonomy.parent(**node).is_some());
        below
            .flat_map(|(&node, units)| {
                units.iter().flat_map(move |(&unit, &rows)| {
                    std::iter::repeat_n((node, unit), rows as usize)
                })
            })
            .collect()
    }

    /// Generalizes sensitive values one by one until the rows satisfy the requirement. Returns
    /// `false` if no row can be generalized further before the requirement is satisfied.
    pub fn generalize(
        &mut self,
        shares: &Shares<T>,
        taxonomy: &Taxonomy,
        chooser: &mut Chooser,
    ) -> bool {
        let mut scratch = Vec::new();
        let mut urn: Option<Vec<(u32, u32)>> = None;
        while !shares.holds(&self.tally, &mut scratch) {
            let chosen = match chooser {
                Chooser::Dominant => {
                    self.tally.dominant().and_then(|leaf| self.least_general(taxonomy, leaf))
                }
                Chooser::Random(random) => {
                    draw(urn.get_or_insert_with(|| self.below_root(taxonomy)), taxonomy, random)
                }
            };
            let Some((node, unit)) = chosen else { return false };
            let Some(parent) = taxonomy.parent(node) else { return false };
            self.take_one(shares, taxonomy, node, unit);
            self.add(shares, taxonomy, Piece { unit, node: parent, rows: 1 });
        }
        true
    }

    /// Returns the rows, ordered by unit.
    pub fn into_pieces(self) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = self
            .by_node
            .into_iter()
            .flat_map(|(node, units)| {
                units.into_iter().map(move |(unit, rows)| Piece { unit, node, rows })
            })
            .collect();
        pieces.sort_unstable();
        pieces
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use indistinct_core::Rational;
    use indistinct_core::model::Branch;
    use indistinct_core::principle::Growth;
    use rand_chacha::rand_core::SeedableRng;

    use super::super::TauL;
    use super::*;

    fn example() -> (Taxonomy, Shares<num_bigint::BigInt>) {
        let leaves = ["a", "b", "c", "d"].map(|label| Branch::Leaf(label.to_owned()));
        let taxonomy = Taxonomy::of_tree(&Branch::Inner("R".to_owned(), leaves.to_vec()));
        let one = Rational::from_integer(1);
        let required = TauL {
            tau: Rational::new(1, 2),
            l: Rational::from_integer(4),
            weights: vec![one; 4],
            growth: Growth::Linear,
        };
        let shares = Shares::new(&taxonomy, &required, &[1, 2, 3, 4])
            .expect("every base value has a positive weight");
        (taxonomy, shares)
    }

    fn pool(taxonomy: &Taxonomy, shares: &Shares<num_bigint::BigInt>) -> Pool<num_bigint::BigInt> {
        let mut pool = Pool::new();
        for (unit, node) in [1, 1, 1, 1, 1, 1, 2, 3, 4].into_iter().enumerate() {
            pool.add(shares, taxonomy, Piece { unit: unit as u32, node, rows: 1 });
        }
        pool
    }

    /// The class of reading E-13: six rows with a, and one each with b, c, and d. The rule only
    /// generalizes rows with a, so an adversary who knows the rule can reverse the generalization.
    #[test]
    fn dominant_choice_is_reversible_but_random_is_not() {
        let (taxonomy, shares) = example();
        let generalized = |mut chooser| {
            let mut pool = pool(&taxonomy, &shares);
            assert!(pool.generalize(&shares, &taxonomy, &mut chooser));
            let pieces = pool.into_pieces().into_iter();
            pieces.filter(|piece| piece.node == 0).map(|piece| piece.unit).collect::<BTreeSet<_>>()
        };
        let by_rule = generalized(Chooser::Dominant);
        assert!(!by_rule.is_empty() && by_rule.iter().all(|unit| *unit < 6), "{by_rule:?}");
        assert!(by_rule.contains(&0), "the rule generalizes row 0 first");
        let drawn: BTreeSet<u32> = (0..20)
            .flat_map(|seed| {
                let random = ChaCha20Rng::seed_from_u64(seed);
                generalized(Chooser::Random(Box::new(random)))
            })
            .collect();
        assert!(drawn.iter().any(|unit| *unit >= 6), "{drawn:?}");
    }

    /// Reading E-2: no generalization lowers the share of each of four base values below 1/4.
    #[test]
    fn exhausted_pool_stops_generalization() {
        let (taxonomy, _) = example();
        let one = Rational::from_integer(1);
        let required = TauL {
            tau: Rational::new(1, 5),
            l: Rational::from_integer(4),
            weights: vec![one; 4],
            growth: Growth::Linear,
        };
        let shares = Shares::new(&taxonomy, &required, &[1, 2, 3, 4])
            .expect("every base value has a positive weight");
        let random = || Chooser::Random(Box::new(ChaCha20Rng::seed_from_u64(1)));
        for mut chooser in [Chooser::Dominant, random()] {
            assert!(!pool(&taxonomy, &shares).generalize(&shares, &taxonomy, &mut chooser));
        }
    }
}
