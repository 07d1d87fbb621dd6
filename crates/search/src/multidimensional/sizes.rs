//! Forms small classes, for objectives that depend only on class sizes.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::clusters::{Cluster, Context};

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
