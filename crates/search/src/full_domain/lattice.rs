//! The generalization lattice: all combinations of levels within bounds. The nodes are never stored
//! as a list.

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

/// Returns whether every level of `upper` is at least that of `lower`.
pub(super) fn is_above_or_equal(upper: &[usize], lower: &[usize]) -> bool {
    upper.iter().zip(lower).all(|(a, b)| a >= b)
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
