//! Assigns tuples without a class to the classes whose loss increases least.

use rayon::prelude::*;

use super::clusters::{Cluster, Context};
use super::neighbors::{Near, Neighbors};
use crate::stop::Stop;

/// Joins clusters that violate a principle with the cheapest other clusters until, if possible, all
/// clusters satisfy the principles. Clusters that cannot satisfy them come last, and the function
/// returns their number.
pub(super) fn absorb(
    context: &Context<'_>,
    mut clusters: Vec<Cluster>,
    stop: &Stop<'_>,
) -> (Vec<Cluster>, usize) {
    loop {
        let failing: Vec<usize> = (0..clusters.len()).filter(|&at| !clusters[at].holds).collect();
        if failing.is_empty() || stop.is_requested() {
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
