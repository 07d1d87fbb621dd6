//! Dissolves and rebuilds neighborhoods of classes as long as the objective improves.

use indistinct_core::Phase;
use rayon::prelude::*;

use super::clusters::{Cluster, Context};
use super::neighbors::Neighbors;
use super::resolve::{Criterion, resolve};
use crate::stop::Stop;

/// Maximum number of tuples in a neighborhood.
const MOST_TUPLES: usize = 72;
/// Maximum number of neighborhoods in a round.
const PER_ROUND: usize = 512;

/// The settings of one pass over all classes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sweep {
    /// Number of classes in a neighborhood in addition to the first one.
    pub n_neighbors: usize,
    pub criterion: Criterion,
}

/// Runs one pass over all classes. Returns the number of neighborhoods that were rebuilt.
pub(super) fn sweep(
    context: &Context<'_>,
    clusters: &mut Vec<Cluster>,
    sweep: Sweep,
    effort: &mut u64,
    stop: &Stop<'_>,
) -> u64 {
    // Process the most expensive classes first.
    let urgency = |slab: &[Option<Cluster>], at: u32| {
        slab[at as usize].as_ref().map_or(0.0, |of| context.aim.urgency(context.judge, of))
    };
    let mut is_done = vec![false; clusters.len()];
    let mut n_better = 0;
    let mut slab: Vec<Option<Cluster>> = std::mem::take(clusters).into_iter().map(Some).collect();
    loop {
        let mut seeds: Vec<u32> = (0..slab.len() as u32)
            .filter(|&at| !is_done[at as usize] && urgency(&slab, at) > 0.0)
            .collect();
        if seeds.is_empty() || *effort == 0 || stop.is_requested() {
            break;
        }
        let of = |at: u32| urgency(&slab, at);
        seeds.sort_by(|&a, &b| of(b).total_cmp(&of(a)).then(a.cmp(&b)));
        let n_tried = seeds.len().min(2 * PER_ROUND).min(*effort as usize);
        let alive: Vec<(u32, &Cluster)> = slab
            .iter()
            .enumerate()
            .filter_map(|(at, cluster)| cluster.as_ref().map(|cluster| (at as u32, cluster)))
            .collect();
        let neighbors = Neighbors::new(context.space, &alive);
        let hoods: Vec<Vec<u32>> = seeds[..n_tried]
            .par_iter()
            .map(|&seed| neighborhood(&slab, &neighbors, seed, sweep.n_neighbors))
            .collect();
        let mut is_used = vec![false; slab.len()];
        let mut chosen: Vec<&[u32]> = Vec::new();
        for (seed, hood) in seeds.iter().zip(&hoods) {
            if hood.len() < 2 {
                is_done[*seed as usize] = true;
                continue;
            }
            if chosen.len() < PER_ROUND && hood.iter().all(|&at| !is_used[at as usize]) {
                hood.iter().for_each(|&at| is_used[at as usize] = true);
                is_done[*seed as usize] = true;
                chosen.push(hood);
            }
        }
        *effort = effort.saturating_sub(chosen.len() as u64);
        let answers: Vec<Option<Vec<Cluster>>> = chosen
            .par_iter()
            .map(|hood| {
                let old: Vec<&Cluster> =
                    hood.iter().filter_map(|&at| slab[at as usize].as_ref()).collect();
                resolve(context, &old, sweep.criterion)
            })
            .collect();
        let chosen: Vec<Vec<u32>> = chosen.into_iter().map(<[u32]>::to_vec).collect();
        for (hood, answer) in chosen.iter().zip(answers) {
            let Some(better) = answer else { continue };
            n_better += 1;
            for &at in hood {
                slab[at as usize] = None;
            }
            slab.extend(better.into_iter().map(Some));
            is_done.resize(slab.len(), true);
        }
        stop.observer.progress(Phase::Search, n_better, 0);
    }
    *clusters = slab.into_iter().flatten().collect();
    n_better
}

/// Returns a class and its nearest classes, as long as they have few tuples.
fn neighborhood(
    slab: &[Option<Cluster>],
    neighbors: &Neighbors<'_>,
    seed: u32,
    most: usize,
) -> Vec<u32> {
    let Some(cluster) = &slab[seed as usize] else { return Vec::new() };
    let n_tuples = |at: u32| slab[at as usize].as_ref().map_or(0, |other| other.tuples.len());
    let skip = |at: u32| at == seed || n_tuples(at) > MOST_TUPLES / 2;
    if n_tuples(seed) > MOST_TUPLES / 2 {
        return Vec::new();
    }
    let rows = cluster.size as f64;
    let near = neighbors.nearest(&cluster.cells, rows, f64::INFINITY, most, skip);
    let mut hood = vec![seed];
    let mut sum = n_tuples(seed);
    for near in near {
        sum += n_tuples(near.cluster);
        if sum > MOST_TUPLES {
            break;
        }
        hood.push(near.cluster);
    }
    hood
}
