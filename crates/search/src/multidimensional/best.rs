//! `split = "best"` for principles that are preserved when classes are merged. Classes are formed
//! from the cheapest boxes (or from nearby tuples if there are many attributes) and then improved.
//!
//! Dissolves and rebuilds neighborhoods of classes as long as the objective improves.

use std::ops::RangeInclusive;

use indistinct_core::{Phase, SearchEffort};
use rayon::prelude::*;

use super::ascending::{Bands, Prices, first_clusters};
use super::boxes::Finder;
use super::clusters::{Cluster, Context, absorb, cut};
use super::local::Localities;
use super::neighbors::Neighbors;
use super::resolve::{Criterion, resolve};
use super::suppress::{Budget, suppress};
use super::{GeneralizeTo, local};
use crate::Problem;

/// Maximum number of neighborhoods that are rebuilt.
const MOST_EFFORT: u64 = 4_500;
/// Number of walks through the boxes that use the prices of previous walks.
const N_PRICED_WALKS: usize = 8;
/// The number of walks that use prices if the principles depend on sensitive values, because only
/// the first one places the remaining tuples.
const N_FEW_PRICED_WALKS: usize = 1;
/// Maximum number of tuples that [`Walks::Bounded`] examines to find boxes.
const MOST_WALKED: u64 = 30_000_000;
const SHARE_OF_PRICES: f64 = 0.4;
/// The weight of the last walk in the prices of the next walk.
const SHARE_OF_LAST_WALK: f64 = 0.3;
/// Maximum number of tuples for which walks that use prices are performed.
const MOST_PRICED: usize = 50_000;
/// Maximum number of boxes per tuple, one for each combination of levels, for which boxes are
/// examined.
const MOST_NODES: u64 = 50_000;
/// Tuples without a box are joined one by one, unless more than this number remain. In that case,
/// these tuples first form classes in localities.
const MOST_LEFT: usize = 5_000;
/// The improvement passes, in order.
const SWEEPS: [Sweep; 3] = [
    Sweep { n_neighbors: 3, criterion: Criterion::Added },
    Sweep { n_neighbors: 6, criterion: Criterion::Added },
    Sweep { n_neighbors: 4, criterion: Criterion::AddedPerRow },
];

/// Forms classes of some tuples that all satisfy the principles. Returns `None` if the time limit
/// expires first.
pub(super) fn best(
    context: &Context<'_>,
    (tuples, walks): (Vec<u32>, Walks),
    budget: &Budget,
    effort: &mut SearchEffort,
) -> Option<Vec<Cluster>> {
    let localities = Localities::new(context.space, context.problem.table);
    let is_boxed = n_nodes(context.problem) <= MOST_NODES;
    let clusters = if is_boxed {
        let (mut clusters, open) = boxed(context, (&tuples, walks));
        if open.len() > MOST_LEFT {
            clusters.extend(local::first_clusters(context, &localities, &open));
        } else {
            clusters.extend(open.into_iter().map(|tuple| context.cluster(vec![tuple])));
        }
        clusters
    } else {
        local::first_clusters(context, &localities, &tuples)
    };
    let (mut clusters, n_failing) = absorb(context, clusters);
    if n_failing > 0 {
        return None;
    }
    effort.n_first_classes = clusters.len() as u64;
    effort.n_improvements += if is_boxed {
        let n_improvements = improve(context, &mut clusters, budget);
        let budget = (local::N_LAST_SWEEPS, &budget.used_up());
        n_improvements + local::improve(context, &localities, &mut clusters, budget)
    } else {
        let budget = (local::N_SWEEPS, budget);
        local::improve(context, &localities, &mut clusters, budget)
    };
    Some(clusters)
}

/// The number of walks through the boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Walks {
    /// Performs as many walks as are worthwhile.
    Many,
    /// Performs as many walks as are worthwhile, with limited effort, for objectives in which wide
    /// boxes cost only slightly more than narrow ones.
    Bounded,
    /// Performs only as many walks as are needed to place the remaining tuples.
    Few,
}

/// Returns the number of boxes that contain a tuple.
fn n_nodes(problem: &Problem<'_>) -> u64 {
    let levels = |bounds: &RangeInclusive<usize>| (bounds.end() - bounds.start()) as u64 + 1;
    problem.bounds.iter().map(levels).fold(1, u64::saturating_mul)
}

/// Suppresses rows and runs the improvement passes. Returns the number of neighborhoods that were
/// rebuilt.
fn improve(context: &Context<'_>, clusters: &mut Vec<Cluster>, budget: &Budget) -> u64 {
    suppress(context, clusters, budget);
    let mut effort = MOST_EFFORT;
    SWEEPS.into_iter().map(|next| sweep(context, clusters, next, &mut effort)).sum()
}

/// Improves classes that were found for a different objective.
pub(super) fn adapt(
    context: &Context<'_>,
    classes: &[Vec<u32>],
    budget: &Budget,
    effort: &mut SearchEffort,
) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> =
        classes.iter().map(|tuples| context.cluster(tuples.clone())).collect();
    if context.aim.is_on_sizes() {
        clusters = cut(context, clusters);
    }
    effort.n_improvements += improve(context, &mut clusters, budget);
    if context.aim.is_of_cells() {
        let localities = Localities::new(context.space, context.problem.table);
        let budget = (local::N_SWEEPS, &budget.used_up());
        effort.n_improvements += local::improve(context, &localities, &mut clusters, budget);
    }
    clusters
}

/// Assigns tuples to boxes in several walks, and returns the cheapest result.
fn boxed(context: &Context<'_>, (tuples, walks): (&[u32], Walks)) -> (Vec<Cluster>, Vec<u32>) {
    let (aim, suppressed) = (context.aim, context.space.suppressed_cost);
    // A tuple without a class counts as suppressed.
    let total = |(clusters, open): &(Vec<Cluster>, Vec<u32>)| -> f64 {
        let rows: u64 = open.iter().map(|&tuple| context.judge.rows(tuple)).sum();
        let classes: f64 = clusters.iter().map(|cluster| cluster.total).sum();
        classes + rows as f64 * aim.suppressed
    };
    // Walks that use prices are performed only if classes are generalized to hierarchy labels, not
    // to bounding intervals and sets.
    let is_worth_it =
        context.options.align == GeneralizeTo::Hierarchy && tuples.len() <= MOST_PRICED;
    let n_walks = match (is_worth_it, context.judge.is_on_sizes()) {
        (false, _) => 0,
        (true, true) if walks != Walks::Few => N_PRICED_WALKS,
        (true, _) => N_FEW_PRICED_WALKS,
    };
    let finder = Finder::new(context);
    let mut bands = Bands::new(&finder, tuples);
    let walk = |bands: &mut Bands, prices: Option<Prices<'_>>| {
        first_clusters(context, &finder, bands, tuples.to_vec(), prices)
    };
    let mut last = walk(&mut bands, None);
    let mut prices = vec![suppressed; context.space.n_tuples()];
    let mut best = (total(&last), last.clone());
    for turn in 0..n_walks {
        if context.stop.is_requested() || (walks == Walks::Bounded && bands.effort > MOST_WALKED) {
            break;
        }
        let share = if turn == 0 { 1.0 } else { SHARE_OF_LAST_WALK };
        for cluster in &last.0 {
            for &tuple in &cluster.tuples {
                let price = &mut prices[tuple as usize];
                *price += share * (cluster.cost - *price);
            }
        }
        last = walk(&mut bands, Some(Prices { of_tuple: &prices, share: SHARE_OF_PRICES }));
        let cost = total(&last);
        if cost < best.0 {
            best = (cost, last.clone());
        }
    }
    best.1
}

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
        if seeds.is_empty() || *effort == 0 || context.stop.is_requested() {
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
        context.stop.observer.progress(Phase::Search, n_better, 0);
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
