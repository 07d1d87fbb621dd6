//! Forms and extends classes during improvement.
//!
//! For objectives that depend only on class sizes, forms small classes.
//!
//! Assigns tuples without a class to the classes whose loss increases least.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Multidimensional;
use super::aim::Aim;
pub(super) use super::aim::Cluster;
use super::judge::{Judge, merged};
use super::neighbors::{Near, Neighbors};
use super::regions::Measure;
use super::space::Space;
use crate::Problem;
use crate::stop::Stop;

/// The problem with its options, and the data for forming clusters.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub problem: &'a Problem<'a>,
    pub options: Multidimensional,
    pub stop: &'a Stop<'a>,
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
    /// Creates a cluster of the given tuples, which must be in ascending order and not empty.
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
        // For each position, the cells that cover the tuple at this position and all later tuples.
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

/// Number of tuples in the pieces into which large classes are cut.
const PIECE: usize = 64;

/// Grows one class after the other; each takes the nearest tuples until it satisfies the
/// principles. Returns `None` if some class fails.
pub(super) fn grow(context: &Context<'_>, tuples: &[u32]) -> Option<Vec<Cluster>> {
    let space = context.space;
    let mut open = tuples.to_vec();
    let (mut clusters, mut left): (Vec<Cluster>, Vec<u32>) = (Vec::new(), Vec::new());
    while !open.is_empty() {
        // Start with the tuple that is farthest from the previous class, to avoid leaving outliers
        // to the end.
        let first = clusters.last().map_or(0, |last| {
            let far = |at: &usize| space.cost_of_join(&last.cells, space.leaf(open[*at]));
            (0..open.len()).max_by(|a, b| far(a).total_cmp(&far(b)).then(b.cmp(a))).unwrap_or(0)
        });
        let mut cluster = context.cluster(vec![open.remove(first)]);
        while !cluster.holds && !open.is_empty() {
            let cost = |at: &usize| space.cost_of_join(&cluster.cells, space.leaf(open[*at]));
            let near = (0..open.len()).min_by(|a, b| cost(a).total_cmp(&cost(b)).then(a.cmp(b)));
            let Some(near) = near else { break };
            cluster = context.union(&cluster, &context.cluster(vec![open.remove(near)]));
        }
        match cluster.holds && cluster.cost.is_finite() {
            true => clusters.push(cluster),
            false => left.extend(cluster.tuples),
        }
    }
    for tuple in left {
        let tuple = context.cluster(vec![tuple]);
        let added = |cluster: &Cluster| {
            let cost = space.cost_of_join(&cluster.cells, &tuple.cells);
            cost * (cluster.size + tuple.size) as f64 - cluster.of_cells()
        };
        let nearest = clusters.iter().enumerate().map(|(at, cluster)| (added(cluster), at));
        let (cost, at) = nearest.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        if !cost.is_finite() {
            return None;
        }
        clusters[at] = context.union(&clusters[at], &tuple);
    }
    let holds = clusters.iter().all(|cluster| cluster.holds);
    (holds && !clusters.is_empty()).then_some(clusters)
}

/// Returns the classes that an adversary can distinguish: classes with equal released values are
/// merged.
pub(super) fn apart(context: &Context<'_>, clusters: Vec<Cluster>) -> Vec<Cluster> {
    let mut number: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    let mut visited: Vec<Cluster> = Vec::with_capacity(clusters.len());
    for cluster in clusters {
        let text = context.space.released(&cluster.cells);
        match number.get(&text) {
            Some(&at) => visited[at] = context.union(&visited[at], &cluster),
            None => {
                number.insert(text, visited.len());
                visited.push(cluster);
            }
        }
    }
    visited
}

/// Cuts large classes into smaller ones, if that lowers the objective.
pub(super) fn cut(context: &Context<'_>, clusters: Vec<Cluster>) -> Vec<Cluster> {
    let cut = |cluster: Cluster| -> Vec<Cluster> {
        if cluster.tuples.len() <= PIECE / 2 {
            return vec![cluster];
        }
        let mut tuples = cluster.tuples.clone();
        tuples.sort_by_key(|&tuple| (context.space.leaf(tuple), tuple));
        let grown = tuples.chunks(PIECE).map(|piece| {
            let mut piece = piece.to_vec();
            piece.sort_unstable();
            grow(context, &piece)
        });
        let Some(pieces) = grown.collect::<Option<Vec<_>>>() else { return vec![cluster] };
        let pieces = apart(context, pieces.concat());
        let total: f64 = pieces.iter().map(|piece| piece.total).sum();
        if total < cluster.total { pieces } else { vec![cluster] }
    };
    let pieces: Vec<Vec<Cluster>> = clusters.into_par_iter().map(cut).collect();
    apart(context, pieces.concat())
}

/// Joins clusters that violate a principle with the cheapest other clusters until, if possible, all
/// clusters satisfy the principles. Clusters that cannot satisfy them come last, and the function
/// returns their number.
pub(super) fn absorb(context: &Context<'_>, mut clusters: Vec<Cluster>) -> (Vec<Cluster>, usize) {
    loop {
        let failing: Vec<usize> = (0..clusters.len()).filter(|&at| !clusters[at].holds).collect();
        if failing.is_empty() || context.stop.is_requested() {
            break;
        }
        let numbered: Vec<(u32, &Cluster)> = (0u32..).zip(&clusters).collect();
        let neighbors = Neighbors::new(context.space, &numbered);
        let mut wanted: Vec<(f64, usize, Near)> = failing
            .par_iter()
            .filter_map(|&at| {
                let cluster = &clusters[at];
                let (rows, own) = (cluster.size as f64, |other| other == at as u32);
                let near = neighbors.nearest(&cluster.cells, rows, f64::INFINITY, 1, own);
                let near = near.first()?;
                Some((near.cost - cluster.of_cells(), at, *near))
            })
            .collect();
        if wanted.is_empty() {
            break;
        }
        wanted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut is_used = vec![false; clusters.len()];
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (_, at, near) in wanted {
            let other = near.cluster as usize;
            if !is_used[at] && !is_used[other] {
                is_used[at] = true;
                is_used[other] = true;
                pairs.push((at, other));
            }
        }
        let unions: Vec<Cluster> =
            pairs.par_iter().map(|&(a, b)| context.union(&clusters[a], &clusters[b])).collect();
        let mut at = 0;
        clusters.retain(|_| {
            at += 1;
            !is_used[at - 1]
        });
        clusters.extend(unions);
    }
    clusters.sort_by(|a, b| b.holds.cmp(&a.holds).then_with(|| a.tuples.cmp(&b.tuples)));
    let n_failing = clusters.iter().filter(|cluster| !cluster.holds).count();
    (clusters, n_failing)
}
