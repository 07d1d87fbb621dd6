//! `split = "best"` for principles that merging keeps: classes from the cheapest boxes, or with many attributes from what lies
//! near each other, then improved.

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

/// Neighborhoods formed anew, at most.
const MOST_EFFORT: u64 = 4_500;
/// Walks through the boxes with the prices of the walks before.
const N_PRICED_WALKS: usize = 8;
/// The same where sensitive values decide, too: only the first finds room for what was left.
const N_FEW_PRICED_WALKS: usize = 1;
/// Tuples of boxes looked at after which [`Walks::Bounded`] end.
const MOST_WALKED: u64 = 30_000_000;
const SHARE_OF_PRICES: f64 = 0.4;
/// The share of the last walk in the prices of the next.
const SHARE_OF_LAST_WALK: f64 = 0.3;
/// Tuples up to which they are worth their time.
const MOST_PRICED: usize = 50_000;
/// The most boxes that each tuple may be in for boxes to be worth their time: one for each combination of levels.
const MOST_NODES: u64 = 50_000;
/// What no box has room for is joined tuple by tuple; where more than so many are left, in localities first.
const MOST_LEFT: usize = 5_000;
/// The sweeps, in turn.
const SWEEPS: [Sweep; 3] = [
    Sweep { n_neighbors: 3, criterion: Criterion::Added },
    Sweep { n_neighbors: 6, criterion: Criterion::Added },
    Sweep { n_neighbors: 4, criterion: Criterion::AddedPerRow },
];

/// Forms classes of some tuples, in each of which all principles hold; `None` where the time is up before all are.
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

/// How often the boxes are walked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Walks {
    /// As often as it is worth it.
    Many,
    /// The same, but not where a walk takes long: where wide boxes cost hardly more than narrow ones.
    Bounded,
    /// No more than it takes to find room for what was left.
    Few,
}

/// In how many boxes each tuple is.
fn n_nodes(problem: &Task<'_>) -> u64 {
    let levels = |bounds: &RangeInclusive<usize>| (bounds.end() - bounds.start()) as u64 + 1;
    problem.bounds.iter().map(levels).fold(1, u64::saturating_mul)
}

/// Suppresses and sweeps. How many neighborhoods were formed anew.
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

/// Improves classes that were found for another objective.
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

/// Gives tuples to boxes, several times, and keeps what costs least.
fn boxed(
    context: &Context<'_>,
    problem: &Task<'_>,
    (tuples, walks): (&[u32], Walks),
    stop: &Stop<'_>,
) -> (Vec<Cluster>, Vec<u32>) {
    let (aim, suppressed) = (context.aim, context.space.suppressed_cost);
    // A tuple that is in no class is reckoned with as if it were suppressed.
    let total = |(clusters, open): &(Vec<Cluster>, Vec<u32>)| -> f64 {
        let rows: u64 = open.iter().map(|&tuple| context.judge.rows(tuple)).sum();
        let classes: f64 = clusters.iter().map(|cluster| cluster.total).sum();
        classes + rows as f64 * aim.suppressed
    };
    // Values are not boxes.
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
