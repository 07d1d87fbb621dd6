//! The nodes of the generalization lattice and their neighbors.

use std::ops::RangeInclusive;

use crate::SearchError;

/// The most nodes that a lattice may have: the search keeps a byte for each.
pub const MAX_NODES: u128 = 50_000_000;

/// A node by number: lower numbers have lexicographically smaller levels.
pub(super) type NodeId = usize;

/// All combinations of levels within bounds.
#[derive(Debug)]
pub(super) struct Lattice {
    min: Vec<usize>,
    max: Vec<usize>,
    stride: Vec<usize>,
    n_nodes: usize,
}

impl Lattice {
    pub fn new(bounds: &[RangeInclusive<usize>]) -> Result<Self, SearchError> {
        let mut stride = vec![0; bounds.len()];
        let mut n_nodes: u128 = 1;
        for (at, bound) in bounds.iter().enumerate().rev() {
            stride[at] = n_nodes as usize;
            n_nodes = n_nodes.saturating_mul((bound.end() - bound.start() + 1) as u128);
        }
        if n_nodes > MAX_NODES {
            return Err(SearchError::LatticeTooLarge { n_nodes });
        }
        Ok(Self {
            min: bounds.iter().map(|bound| *bound.start()).collect(),
            max: bounds.iter().map(|bound| *bound.end()).collect(),
            stride,
            n_nodes: n_nodes as usize,
        })
    }

    pub fn n_nodes(&self) -> usize {
        self.n_nodes
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

    pub fn bottom(&self) -> NodeId {
        0
    }

    pub fn top(&self) -> NodeId {
        self.n_nodes - 1
    }

    pub fn levels(&self, node: NodeId) -> Vec<usize> {
        let mut rest = node;
        self.min
            .iter()
            .zip(&self.stride)
            .map(|(min, stride)| {
                let steps = rest / stride;
                rest %= stride;
                min + steps
            })
            .collect()
    }

    /// The node one level up in an attribute.
    pub fn above(&self, node: NodeId, levels: &[usize], attribute: usize) -> Option<NodeId> {
        (levels[attribute] < self.max[attribute]).then(|| node + self.stride[attribute])
    }

    /// The node one level down in an attribute.
    pub fn below(&self, node: NodeId, levels: &[usize], attribute: usize) -> Option<NodeId> {
        (levels[attribute] > self.min[attribute]).then(|| node - self.stride[attribute])
    }

    /// Calls `visit` with all nodes above `node`, itself included, but does not go on from those where it answers no.
    pub fn walk_up(&self, node: NodeId, visit: impl FnMut(NodeId) -> bool) {
        self.walk(node, Self::above, visit);
    }

    /// As [`Self::walk_up`], downward.
    pub fn walk_down(&self, node: NodeId, visit: impl FnMut(NodeId) -> bool) {
        self.walk(node, Self::below, visit);
    }

    fn walk(
        &self,
        node: NodeId,
        next: impl Fn(&Self, NodeId, &[usize], usize) -> Option<NodeId>,
        mut visit: impl FnMut(NodeId) -> bool,
    ) {
        if !visit(node) {
            return;
        }
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let levels = self.levels(node);
            for attribute in 0..self.n_attributes() {
                if let Some(neighbor) = next(self, node, &levels, attribute)
                    && visit(neighbor)
                {
                    open.push(neighbor);
                }
            }
        }
    }
}

/// Whether every level of `upper` is at least that of `lower`.
pub(super) fn is_above_or_equal(upper: &[usize], lower: &[usize]) -> bool {
    upper.iter().zip(lower).all(|(a, b)| a >= b)
}

#[cfg(test)]
mod tests {
    use indistinct_language::Coded;

    use super::*;

    #[test]
    fn numbers_are_in_lexicographic_order() {
        let lattice = Lattice::new(&[0..=1, 2..=4, 0..=0]).expect("small");
        let all: Vec<_> = (0..lattice.n_nodes()).map(|node| lattice.levels(node)).collect();
        assert_eq!(
            all,
            [[0, 2, 0], [0, 3, 0], [0, 4, 0], [1, 2, 0], [1, 3, 0], [1, 4, 0]].map(Vec::from)
        );
    }

    #[test]
    fn walking_up_reaches_each_node_above_once_if_told_so() {
        let lattice = Lattice::new(&[0..=2, 0..=2]).expect("small");
        let mut seen = [0; 9];
        lattice.walk_up(4, |node| {
            seen[node] += 1;
            seen[node] == 1
        });
        assert_eq!(
            seen.map(|n| n > 0),
            [4, 5, 7, 8].iter().fold([false; 9], |mut all, &at| {
                all[at] = true;
                all
            })
        );
        let mut below = Vec::new();
        lattice.walk_down(4, |node| {
            below.push(node);
            true
        });
        below.sort_unstable();
        below.dedup();
        assert_eq!(below, [0, 1, 3, 4]);
    }

    #[test]
    fn too_many_nodes_are_refused_before_any_memory_is_taken() {
        let bounds = vec![0..=9; 30];
        let error = Lattice::new(&bounds).expect_err("10^30 nodes");
        assert_eq!(error.code(), "E-SEARCH-003");
        assert!(error.to_string().contains("1000000000000000000000000000000"), "{error}");
        assert!(Lattice::new(&vec![0..=9; 40]).is_err(), "beyond 128 bits");
    }
}
