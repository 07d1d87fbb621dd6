//! The nodes of a lattice in a given order, without listing them all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::lattice::{Lattice, NodeId};

/// Where an enumeration starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// At the bottom.
    Up,
    /// At the top.
    Down,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Place(f64);

impl Eq for Place {}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Nodes by ascending place, then number. A place must not fall in the direction of the enumeration.
#[derive(Debug)]
pub(super) struct Frontier {
    direction: Direction,
    heap: BinaryHeap<Reverse<(Place, NodeId)>>,
}

impl Frontier {
    pub fn new(direction: Direction, lattice: &Lattice, place: impl Fn(&[usize]) -> f64) -> Self {
        let start = match direction {
            Direction::Up => lattice.bottom(),
            Direction::Down => lattice.top(),
        };
        let first = Reverse((Place(place(&lattice.levels(start))), start));
        Self { direction, heap: BinaryHeap::from([first]) }
    }

    /// Takes the next node and its place.
    pub fn pop(&mut self) -> Option<(f64, NodeId)> {
        self.heap.pop().map(|Reverse((place, node))| (place.0, node))
    }

    /// Gives up everything that is still to come.
    pub fn clear(&mut self) {
        self.heap.clear();
    }

    /// Adds the nodes that follow a node. Each node of the lattice follows exactly one other: a node is reached by
    /// stepping in its attributes one after the other, and goes on with the last one it stepped in.
    pub fn follow(&mut self, lattice: &Lattice, node: NodeId, place: impl Fn(&[usize]) -> f64) {
        let mut levels = lattice.levels(node);
        let start = match self.direction {
            Direction::Up => lattice.min(),
            Direction::Down => lattice.max(),
        };
        let last = (0..levels.len()).rev().find(|&at| levels[at] != start[at]).unwrap_or(0);
        for attribute in last..levels.len() {
            let next = match self.direction {
                Direction::Up => lattice.above(node, &levels, attribute),
                Direction::Down => lattice.below(node, &levels, attribute),
            };
            let Some(next) = next else { continue };
            let level = levels[attribute];
            levels[attribute] = match self.direction {
                Direction::Up => level + 1,
                Direction::Down => level - 1,
            };
            self.heap.push(Reverse((Place(place(&levels)), next)));
            levels[attribute] = level;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_comes_once_and_in_order() {
        let lattice = Lattice::new(&[0..=2, 1..=1, 0..=3, 1..=2]).expect("small");
        for (direction, sign) in [(Direction::Up, 1.0), (Direction::Down, -1.0)] {
            let place = |levels: &[usize]| sign * levels.iter().sum::<usize>() as f64;
            let mut frontier = Frontier::new(direction, &lattice, place);
            let mut seen = Vec::new();
            let mut before = f64::NEG_INFINITY;
            while let Some((at, node)) = frontier.pop() {
                assert!(at >= before);
                before = at;
                seen.push(node);
                frontier.follow(&lattice, node, place);
            }
            seen.sort_unstable();
            assert_eq!(seen, (0..lattice.n_nodes()).collect::<Vec<_>>());
        }
    }
}
