//! `split = "best"` for principles that merging preserves. Classes are formed from the cheapest
//! boxes (or from nearby tuples if there are many attributes) and then improved.

use indistinct_core::SearchEffort;
use std::ops::RangeInclusive;

use super::absorb::absorb;
use super::ascending::{Bands, Prices, first_clusters};
use super::boxes::Finder;
use super::clusters::{Cluster, Context};
use super::improve::{Sweep, sweep};
use super::localities::Localities;
use super::resolve::Criterion;
use super::sizes::cut;
use super::suppress::{Budget, suppress};
use super::{GeneralizeTo, Task, local};
use crate::stop::Stop;

/// Maximum number of neighborhoods that are rebuilt.
const MOST_EFFORT: u64 = 4_500;
/// Number of walks through the boxes with the prices of previous walks.
const N_PRICED_WALKS: usize = 8;
/// The number of priced walks if sensitive values matter, because only the first one places the
/// remaining tuples.
const N_FEW_PRICED_WALKS: usize = 1;
/// Number of examined tuples of boxes after which [`Walks::Bounded`] ends.
const MOST_WALKED: u64 = 30_000_000;
const SHARE_OF_PRICES: f64 = 0.4;
/// The weight of the last walk in the prices of the next walk.
const SHARE_OF_LAST_WALK: f64 = 0.3;
/// Maximum number of tuples for which priced walks are worth their time.
const MOST_PRICED: usize = 50_000;
/// Maximum number of boxes per tuple, one for each combination of levels, for which boxes are worth
/// their time.
const MOST_NODES: u64 = 50_000;
/// Tuples without a box are joined one by one, unless more than this number remain. In that case,
/// they first form classes in localities.
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
    problem: &Task<'_>,
    (tuples, walks): (Vec<u32>, Walks),
    budget: &Budget,
    stop: &Stop<'_>,
    effort: &mut SearchEffort,
) -> Option<Vec<Cluster>> {
    let localities = Localities::new(context.space, problem.table);
    let is_boxed = n_nodes(problem) <= MOST_NODES;
    let clusters = if is_boxed {
        let (mut clusters, open) = boxed(context, problem, (&tuples, walks), stop);
        if open.len() > MOST_LEFT {
            clusters.extend(local::first_clusters(context, &localities, &open, stop));
        } else {
            clusters.extend(open.into_iter().map(|tuple| context.cluster(vec![tuple])));
        }
        clusters
    } else {
        local::first_clusters(context, &localities, &tuples, stop)
    };
    let (mut clusters, n_failing) = absorb(context, clusters, stop);
    if n_failing > 0 {
        return None;
    }
    effort.n_first_classes = clusters.len() as u64;
    effort.n_improvements += if is_boxed {
        let n_improvements = improve(context, &mut clusters, budget, stop);
        let budget = (local::N_LAST_SWEEPS, &budget.used_up());
        n_improvements + local::improve(context, &localities, &mut clusters, budget, stop)
    } else {
        let budget = (local::N_SWEEPS, budget);
        local::improve(context, &localities, &mut clusters, budget, stop)
    };
    Some(clusters)
}

/// The number of walks through the boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Walks {
    /// As many walks as are worthwhile.
    Many,
    /// As many walks as are worthwhile, with limited effort, for objectives in which wide boxes
    /// cost only slightly more than narrow ones.
    Bounded,
    /// Only as many walks as are needed to place the remaining tuples.
    Few,
}

/// Returns the number of boxes that contain a tuple.
fn n_nodes(problem: &Task<'_>) -> u64 {
    let levels = |bounds: &RangeInclusive<usize>| (bounds.end() - bounds.start()) as u64 + 1;
    problem.bounds.iter().map(levels).fold(1, u64::saturating_mul)
}

/// Suppresses rows and runs the improvement passes. Returns the number of neighborhoods that were
/// rebuilt.
fn improve(
    context: &Context<'_>,
    clusters: &mut Vec<Cluster>,
    budget: &Budget,
    stop: &Stop<'_>,
) -> u64 {
    suppress(context, clusters, budget);
    let mut effort = MOST_EFFORT;
    SWEEPS.into_iter().map(|next| sweep(context, clusters, next, &mut effort, stop)).sum()
}

/// Improves classes that were found for a different objective.
pub(super) fn adapt(
    context: &Context<'_>,
    problem: &Task<'_>,
    classes: &[Vec<u32>],
    budget: &Budget,
    stop: &Stop<'_>,
    effort: &mut SearchEffort,
) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> =
        classes.iter().map(|tuples| context.cluster(tuples.clone())).collect();
    if context.aim.is_on_sizes() {
        clusters = cut(context, clusters);
    }
    effort.n_improvements += improve(context, &mut clusters, budget, stop);
    if context.aim.is_of_cells() {
        let localities = Localities::new(context.space, problem.table);
        let budget = (local::N_SWEEPS, &budget.used_up());
        effort.n_improvements += local::improve(context, &localities, &mut clusters, budget, stop);
    }
    clusters
}

/// Assigns tuples to boxes in several walks, and returns the cheapest result.
fn boxed(
    context: &Context<'_>,
    problem: &Task<'_>,
    (tuples, walks): (&[u32], Walks),
    stop: &Stop<'_>,
) -> (Vec<Cluster>, Vec<u32>) {
    let (aim, suppressed) = (context.aim, context.space.suppressed_cost);
    // A tuple without a class counts as suppressed.
    let total = |(clusters, open): &(Vec<Cluster>, Vec<u32>)| -> f64 {
        let rows: u64 = open.iter().map(|&tuple| context.judge.rows(tuple)).sum();
        let classes: f64 = clusters.iter().map(|cluster| cluster.total).sum();
        classes + rows as f64 * aim.suppressed
    };
    // Bounding intervals and sets are not boxes of labels.
    let is_worth_it = problem.align == GeneralizeTo::Hierarchy && tuples.len() <= MOST_PRICED;
    let n_walks = match (is_worth_it, context.judge.is_on_sizes()) {
        (false, _) => 0,
        (true, true) if walks != Walks::Few => N_PRICED_WALKS,
        (true, _) => N_FEW_PRICED_WALKS,
    };
    let finder = Finder::new(context, problem);
    let mut bands = Bands::new(&finder, tuples);
    let walk = |bands: &mut Bands, prices: Option<Prices<'_>>| {
        first_clusters(context, &finder, bands, tuples.to_vec(), prices, stop)
    };
    let mut last = walk(&mut bands, None);
    let mut prices = vec![suppressed; context.space.n_tuples()];
    let mut best = (total(&last), last.clone());
    for turn in 0..n_walks {
        if stop.is_requested() || (walks == Walks::Bounded && bands.effort > MOST_WALKED) {
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
