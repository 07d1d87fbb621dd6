//! What evaluated nodes say about the cost of nodes below them.

use super::lattice::is_above_or_equal;

/// The most nodes that are remembered: looking through them must cost less than an evaluation.
const MAX_REMEMBERED: usize = 256;

/// Rows in small classes of an evaluated node are suppressed at all nodes below it too.
#[derive(Debug)]
struct Bound {
    levels: Vec<usize>,
    n_small: u64,
    added: Vec<Vec<f64>>,
}

/// What is known of nodes below evaluated ones, from the rows that these must suppress.
#[derive(Debug, Default)]
pub(super) struct BoundsBelow {
    bounds: Vec<Bound>,
    oldest: usize,
}

impl BoundsBelow {
    /// Remembers that the small classes of a node have `n_small` rows, and what suppressing them adds at least by
    /// attribute and level, from the lowest level.
    pub fn add(&mut self, levels: Vec<usize>, n_small: u64, added: Vec<Vec<f64>>) {
        let bound = Bound { levels, n_small, added };
        if self.bounds.len() < MAX_REMEMBERED {
            self.bounds.push(bound);
        } else {
            self.bounds[self.oldest] = bound;
            self.oldest = (self.oldest + 1) % MAX_REMEMBERED;
        }
    }

    /// The largest known cost that is added to a node, and the largest known number of rows it must suppress.
    pub fn of(&self, levels: &[usize], lowest: &[usize]) -> (f64, u64) {
        let mut largest = (0.0, 0);
        for bound in &self.bounds {
            if is_above_or_equal(&bound.levels, levels) {
                let added: f64 = bound
                    .added
                    .iter()
                    .zip(levels.iter().zip(lowest))
                    .map(|(added, (level, lowest))| added[level - lowest])
                    .sum();
                largest = (f64::max(largest.0, added), u64::max(largest.1, bound.n_small));
            }
        }
        largest
    }
}
