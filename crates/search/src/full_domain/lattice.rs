//! The generalization lattice: all combinations of levels within bounds. The nodes are never stored
//! as a list.
//!
//! A clause is a node F that fails together with all nodes below it: every node that satisfies the
//! policy has a higher level than F in *some* attribute.

use std::ops::RangeInclusive;

/// All combinations of levels within bounds.
#[derive(Debug)]
pub(super) struct Lattice {
    min: Vec<usize>,
    max: Vec<usize>,
}

impl Lattice {
    pub fn new(bounds: &[RangeInclusive<usize>]) -> Self {
        Self {
            min: bounds.iter().map(|bound| *bound.start()).collect(),
            max: bounds.iter().map(|bound| *bound.end()).collect(),
        }
    }

    /// Returns the number of nodes, saturating at the maximum of the type.
    pub fn n_nodes(&self) -> u64 {
        let of_attribute = |(min, max): (&usize, &usize)| (max - min + 1) as u64;
        self.min.iter().zip(&self.max).map(of_attribute).fold(1, u64::saturating_mul)
    }

    /// Returns the number of nodes at each height, saturating at the maximum of the type.
    pub fn layers(&self) -> Vec<u64> {
        let mut layers = vec![1u64];
        for (min, max) in self.min.iter().zip(&self.max) {
            let mut wider = vec![0u64; layers.len() + max - min];
            for (at, n) in layers.iter().enumerate() {
                for more in &mut wider[at..=at + max - min] {
                    *more = more.saturating_add(*n);
                }
            }
            layers = wider;
        }
        layers
    }

    pub fn n_attributes(&self) -> usize {
        self.min.len()
    }

    pub fn min(&self) -> &[usize] {
        &self.min
    }

    pub fn max(&self) -> &[usize] {
        &self.max
    }

    /// Returns the next node in lexicographic order that differs from this one in the first `n`
    /// levels; `None` after the last.
    pub fn next_after(&self, levels: &[usize], n: usize) -> Option<Vec<usize>> {
        let at = (0..n).rev().find(|&at| levels[at] < self.max[at])?;
        let mut next = self.min.clone();
        next[..at].copy_from_slice(&levels[..at]);
        next[at] = levels[at] + 1;
        Some(next)
    }

    /// Like [`Self::next_after`], in descending order.
    pub fn next_before(&self, levels: &[usize], n: usize) -> Option<Vec<usize>> {
        let at = (0..n).rev().find(|&at| levels[at] > self.min[at])?;
        let mut next = self.max.clone();
        next[..at].copy_from_slice(&levels[..at]);
        next[at] = levels[at] - 1;
        Some(next)
    }
}

/// Returns whether every level of `upper` is at least the corresponding level of `lower`.
pub(super) fn is_above_or_equal(upper: &[usize], lower: &[usize]) -> bool {
    upper.iter().zip(lower).all(|(a, b)| a >= b)
}

/// Nodes that are known to fail together with all nodes below them. No stored node is below
/// another.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    all: Vec<Vec<usize>>,
}

impl Clauses {
    /// Records that a node fails together with all nodes below it.
    pub fn add(&mut self, levels: Vec<usize>) {
        if !self.rule_out(&levels) {
            self.all.retain(|known| !is_above_or_equal(&levels, known));
            self.all.push(levels);
        }
    }

    /// Returns whether a node is known to fail.
    pub fn rule_out(&self, levels: &[usize]) -> bool {
        self.all.iter().any(|clause| is_above_or_equal(clause, levels))
    }

    /// Returns the clauses that a node violates.
    pub fn violated_by<'c>(&'c self, levels: &'c [usize]) -> impl Iterator<Item = &'c [usize]> {
        let violated = |clause: &&Vec<usize>| is_above_or_equal(clause, levels);
        self.all.iter().filter(violated).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_enumerated_once_in_both_orders() {
        let lattice = Lattice::new(&[0..=1, 2..=4, 0..=0]);
        let expected = [[0, 2, 0], [0, 3, 0], [0, 4, 0], [1, 2, 0], [1, 3, 0], [1, 4, 0]];
        let mut up = vec![lattice.min().to_vec()];
        while let Some(next) = lattice.next_after(&up[up.len() - 1], 3) {
            up.push(next);
        }
        assert_eq!(up, expected.map(Vec::from));
        let mut down = vec![lattice.max().to_vec()];
        while let Some(next) = lattice.next_before(&down[down.len() - 1], 3) {
            down.push(next);
        }
        down.reverse();
        assert_eq!(down, up);
        assert_eq!(lattice.n_nodes(), 6);
        assert_eq!(lattice.layers(), [1, 2, 2, 1]);
        assert_eq!(lattice.next_after(&[0, 3, 0], 1), Some(vec![1, 2, 0]));
        assert_eq!(lattice.next_before(&[1, 3, 0], 1), Some(vec![0, 4, 0]));
    }

    #[test]
    fn huge_node_count_saturates() {
        assert_eq!(Lattice::new(&vec![0..=9; 12]).n_nodes(), 1_000_000_000_000);
        let large = Lattice::new(&vec![0..=9; 40]);
        assert_eq!(large.n_nodes(), u64::MAX);
        assert_eq!((large.layers()[1], large.layers()[180]), (40, u64::MAX));
    }
}

#[cfg(test)]
mod clauses_tests {
    use super::*;

    #[test]
    fn clause_replaces_dominated_clauses() {
        let mut clauses = Clauses::default();
        for levels in [[0, 1], [1, 0], [0, 0], [0, 2]] {
            clauses.add(levels.to_vec());
        }
        assert_eq!(clauses.all, [[1, 0], [0, 2]]);
        assert!(clauses.rule_out(&[0, 1]) && !clauses.rule_out(&[1, 1]));
        assert_eq!(clauses.violated_by(&[0, 0]).count(), 2);
    }
}
