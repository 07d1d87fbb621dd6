//! Forms classes during improvement.

use super::aim::Aim;
pub(super) use super::cluster::Cluster;
use super::judge::{Judge, merged};
use super::regions::Measure;
use super::space::Space;

/// The data for forming clusters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub space: &'a Space<'a>,
    pub judge: &'a Judge<'a>,
    pub aim: &'a Aim,
}

impl Measure for Context<'_> {
    fn cost(&self, attribute: usize, low: u32, high: u32) -> f64 {
        Measure::cost(self.space, attribute, low, high)
    }

    fn of_part(&self, cost: f64, rows: u64) -> f64 {
        self.aim.of_part(cost, rows)
    }
}

impl Context<'_> {
    /// Creates the cluster of some tuples: at least one, in ascending order.
    pub fn cluster(&self, tuples: Vec<u32>) -> Cluster {
        let cells = self.space.cover(&tuples);
        let (tally, size) = self.judge.tally(&tuples);
        let (cost, holds) = (self.space.cost(&cells), self.judge.holds(size, &tally));
        let total = self.aim.total(self.judge, cost, size, &tally);
        Cluster { tuples, size, cells, tally, cost, total, holds }
    }

    /// Returns the union of two clusters.
    pub fn union(&self, a: &Cluster, b: &Cluster) -> Cluster {
        let mut tuples = Vec::with_capacity(a.tuples.len() + b.tuples.len());
        tuples.extend_from_slice(&a.tuples);
        tuples.extend_from_slice(&b.tuples);
        tuples.sort_unstable();
        let mut cells = a.cells.clone();
        self.space.join(&mut cells, &b.cells);
        let (tally, size) = (merged(&a.tally, &b.tally), a.size + b.size);
        let (cost, holds) = (self.space.cost(&cells), self.judge.holds(size, &tally));
        let total = self.aim.total(self.judge, cost, size, &tally);
        Cluster { tuples, size, cells, tally, cost, total, holds }
    }

    /// Returns, for each tuple of a cluster, the cells that the cluster covers without the tuple;
    /// `None` for a single tuple.
    pub fn covers_without_each(&self, cluster: &Cluster) -> Vec<Option<Vec<u32>>> {
        let tuples = &cluster.tuples;
        let n = tuples.len();
        if n == 1 {
            return vec![None];
        }
        // The cover of the tuples after each tuple.
        let mut behind: Vec<Vec<u32>> = vec![Vec::new(); n];
        behind[n - 1] = self.space.leaf(tuples[n - 1]).to_vec();
        for at in (1..n - 1).rev() {
            let mut cells = behind[at + 1].clone();
            self.space.join(&mut cells, self.space.leaf(tuples[at]));
            behind[at] = cells;
        }
        let mut before: Vec<u32> = Vec::new();
        let mut covers = Vec::with_capacity(n);
        for (at, &tuple) in tuples.iter().enumerate() {
            let mut cells = before.clone();
            match (before.is_empty(), behind.get(at + 1)) {
                (false, Some(behind)) => self.space.join(&mut cells, behind),
                (true, Some(behind)) => cells.clone_from(behind),
                (_, None) => {}
            }
            covers.push(Some(cells));
            let leaf = self.space.leaf(tuple);
            match before.is_empty() {
                true => before = leaf.to_vec(),
                false => self.space.join(&mut before, leaf),
            }
        }
        covers
    }
}
