//! The search for tables with many attributes. Because there would be too many boxes, classes are
//! formed from tuples that are near each other. They are then improved in localities, whose
//! boundaries differ from pass to pass.
//!
//! A locality is a group of similar items, which allows a search to examine a group instead of the
//! whole table. An item can be any object that a tuple represents. Groups are found by repeated
//! halving along the attribute that makes the halves most homogeneous. Groups are independent of
//! each other and are distributed to threads.

use std::sync::atomic::{AtomicU64, Ordering};

use indistinct_core::{FrequencyTable, Phase};
use rayon::prelude::*;

use super::clusters::{Cluster, Context};
use super::resolve::{Criterion, exchange, join_up, resolve};
use super::space::Space;
use super::suppress::{Budget, suppress};

/// Number of tuples in a locality in which classes are grown one after the other.
const GROWN: usize = 4096;
/// Number of tuples in a locality in which classes are formed by joining.
const JOINED: usize = 320;
/// Minimum size of a locality, as a multiple of the minimum class size.
const FIRST_CLASSES: usize = 12;
/// Number of open tuples from which the first tuple of the next class is chosen.
const SEEDS: usize = 64;
/// Number of classes in a locality in which classes are improved.
const CLASSES: usize = 64;
/// Maximum number of passes over classes that were formed in localities.
pub(super) const N_SWEEPS: u64 = 24;
/// Maximum number of passes over classes that were improved earlier, which is too low for
/// neighborhoods to be rebuilt.
pub(super) const N_LAST_SWEEPS: u64 = 3;
/// In every pass whose number is a multiple of this one, neighborhoods are rebuilt before tuples
/// are exchanged.
const REFORM_EVERY: u64 = 4;
/// Number of passes before rows are suppressed, because the gain of suppression is not reliable in
/// earlier passes.
const SUPPRESS_AFTER: u64 = 2;
/// Passes end when a pass gains less than this fraction.
const LEAST_SHARE: f64 = 2e-4;
/// Number of times that tuples are exchanged in each pass.
const PASSES: usize = 6;
/// Number of classes in a neighborhood in addition to the first one.
const N_NEIGHBORS: usize = 3;
/// Maximum number of tuples in a neighborhood that is rebuilt.
const MOST_TUPLES: usize = 72;

/// Forms classes of some tuples. Some of these classes may violate the principles. If the search is
/// stopped, the remaining tuples of a locality form one class.
pub(super) fn first_clusters(
    context: &Context<'_>,
    localities: &Localities<'_>,
    tuples: &[u32],
) -> Vec<Cluster> {
    let smallest = usize::try_from(context.judge.smallest_size).unwrap_or(usize::MAX);
    let is_grown = context.judge.is_on_sizes();
    let least = if is_grown { GROWN } else { JOINED };
    let most = least.max(smallest.saturating_mul(FIRST_CLASSES)).min(GROWN);
    let groups = localities.of(tuples.len(), |item| tuples[item as usize], most, 0);
    let of_group = |group: Vec<u32>| {
        let mut tuples: Vec<u32> = group.into_iter().map(|at| tuples[at as usize]).collect();
        tuples.sort_unstable();
        match (is_grown, context.stop.is_requested()) {
            (_, true) => vec![context.cluster(tuples)],
            (true, _) => grow(context, tuples),
            (false, _) => join_up(context, tuples, Criterion::Added),
        }
    };
    groups.into_par_iter().with_max_len(1).map(of_group).collect::<Vec<_>>().concat()
}

/// Grows one class after the other; each class takes the tuples that cost least until it satisfies
/// the principles. The method is for principles on class sizes, because every added tuple brings a
/// class closer to satisfying them (Byun, Kamra, Bertino, Li, DASFAA 2007).
fn grow(context: &Context<'_>, mut open: Vec<u32>) -> Vec<Cluster> {
    let (space, judge) = (context.space, context.judge);
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut left: Vec<u32> = Vec::new();
    while !open.is_empty() {
        if context.stop.is_requested() {
            open.sort_unstable();
            clusters.push(context.cluster(std::mem::take(&mut open)));
            break;
        }
        // Start with a tuple that is far from the previous class to avoid leaving outliers to the
        // end.
        let far = |at: usize| {
            let last: Option<&Cluster> = clusters.last();
            last.map_or(0.0, |last| space.cost_of_join(&last.cells, space.leaf(open[at])))
        };
        let seeds = (0..open.len()).step_by(open.len().div_ceil(SEEDS));
        let first = seeds.max_by(|&a, &b| far(a).total_cmp(&far(b)).then(b.cmp(&a))).unwrap_or(0);
        let mut tuples = vec![open.swap_remove(first)];
        let mut cells = space.leaf(tuples[0]).to_vec();
        let mut size = judge.rows(tuples[0]);
        let mut holds = judge.holds(size, &[]);
        while !holds {
            let (mut least, mut nearest) = (f64::INFINITY, None);
            for (at, &tuple) in open.iter().enumerate() {
                let cost = space.cost_of_join_below(&cells, space.leaf(tuple), least);
                if cost < least {
                    (least, nearest) = (cost, Some(at));
                }
            }
            let Some(at) = nearest else { break };
            let tuple = open.swap_remove(at);
            space.join(&mut cells, space.leaf(tuple));
            size += judge.rows(tuple);
            tuples.push(tuple);
            holds = judge.holds(size, &[]);
        }
        if holds {
            tuples.sort_unstable();
            clusters.push(context.cluster(tuples));
        } else {
            left.extend(tuples);
        }
    }
    for tuple in left {
        let own = context.cluster(vec![tuple]);
        let added = |cluster: &Cluster| {
            let cost = space.cost_of_join(&cluster.cells, &own.cells);
            cost * (cluster.size + own.size) as f64 - cluster.of_cells()
        };
        let nearest = clusters.iter().enumerate().map(|(at, cluster)| (added(cluster), at));
        match nearest.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))) {
            Some((cost, at)) if cost.is_finite() => {
                clusters[at] = context.union(&clusters[at], &own)
            }
            // A locality with too few rows forms a failing class, which joins another class later.
            _ => clusters.push(own),
        }
    }
    clusters
}

/// Improves all classes in at most `n_sweeps` passes, as long as the gain is sufficient, and
/// suppresses rows. Returns the number of changes.
pub(super) fn improve(
    context: &Context<'_>,
    localities: &Localities<'_>,
    clusters: &mut Vec<Cluster>,
    (n_sweeps, budget): (u64, &Budget),
) -> u64 {
    let total = |clusters: &[Cluster]| clusters.iter().map(|cluster| cluster.total).sum::<f64>();
    let mut n_changes = 0;
    for turn in 1..=n_sweeps {
        let before = total(clusters);
        n_changes += sweep(context, localities, clusters, turn);
        if turn == SUPPRESS_AFTER {
            suppress(context, clusters, budget);
        } else if turn > SUPPRESS_AFTER && before - total(clusters) < LEAST_SHARE * before.abs() {
            break;
        }
        if context.stop.is_requested() {
            break;
        }
    }
    n_changes
}

/// Improves classes within localities that differ from pass to pass.
fn sweep(
    context: &Context<'_>,
    localities: &Localities<'_>,
    clusters: &mut Vec<Cluster>,
    turn: u64,
) -> u64 {
    let any = |at: u32| {
        let tuples = &clusters[at as usize].tuples;
        tuples[turn as usize % tuples.len()]
    };
    let groups = localities.of(clusters.len(), any, CLASSES, turn);
    let mut slab: Vec<Option<Cluster>> = std::mem::take(clusters).into_iter().map(Some).collect();
    let groups: Vec<Vec<Cluster>> = groups
        .into_iter()
        .map(|group| group.iter().filter_map(|&at| slab[at as usize].take()).collect())
        .collect();
    let n_done = AtomicU64::new(0);
    let of_group = |mut group: Vec<Cluster>| {
        if context.stop.is_requested() {
            return (group, 0);
        }
        let mut n_changes = 0;
        if turn.is_multiple_of(REFORM_EVERY) {
            n_changes += reform(context, &mut group);
        }
        n_changes += exchange(context, &mut group, PASSES);
        context.stop.observer.progress(Phase::Search, n_done.fetch_add(1, Ordering::Relaxed), 0);
        (group, n_changes)
    };
    let improved: Vec<(Vec<Cluster>, u64)> =
        groups.into_par_iter().with_max_len(1).map(of_group).collect();
    let mut n_changes = 0;
    for (group, n) in improved {
        clusters.extend(group);
        n_changes += n;
    }
    n_changes
}

/// Dissolves and rebuilds each class with its nearest neighbors, if that improves the objective.
fn reform(context: &Context<'_>, clusters: &mut Vec<Cluster>) -> u64 {
    let urgency = |cluster: &Cluster| context.aim.urgency(context.judge, cluster);
    let mut order: Vec<usize> = (0..clusters.len()).collect();
    order.sort_by(|&a, &b| urgency(&clusters[b]).total_cmp(&urgency(&clusters[a])).then(a.cmp(&b)));
    let mut slab: Vec<Option<Cluster>> = std::mem::take(clusters).into_iter().map(Some).collect();
    let mut n_better = 0;
    for seed in order {
        let Some(own) = &slab[seed] else { continue };
        if own.tuples.len() > MOST_TUPLES / 2 || urgency(own) <= 0.0 {
            continue;
        }
        let mut near: Vec<(f64, usize)> = Vec::new();
        for (at, other) in slab.iter().enumerate().filter(|(at, _)| *at != seed) {
            let few = |it: &&Cluster| it.tuples.len() <= MOST_TUPLES / 2;
            let Some(other) = other.as_ref().filter(few) else { continue };
            let cost = context.space.cost_of_join(&own.cells, &other.cells);
            near.push((cost * (own.size + other.size) as f64 - other.of_cells(), at));
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut hood = vec![seed];
        let mut n_tuples = own.tuples.len();
        for &(_, at) in near.iter().take(N_NEIGHBORS) {
            n_tuples += slab[at].as_ref().map_or(0, |it| it.tuples.len());
            if n_tuples > MOST_TUPLES {
                break;
            }
            hood.push(at);
        }
        if hood.len() < 2 {
            continue;
        }
        let old: Vec<&Cluster> = hood.iter().filter_map(|&at| slab[at].as_ref()).collect();
        let Some(better) = resolve(context, &old, Criterion::Added) else { continue };
        n_better += 1;
        for &at in &hood {
            slab[at] = None;
        }
        slab.extend(better.into_iter().map(Some));
    }
    *clusters = slab.into_iter().flatten().collect();
    n_better
}

/// Maximum number of items that are sampled to choose the cut of a group.
const SAMPLE: usize = 192;
/// Groups of at least this size are halved by several threads.
const PARALLEL: usize = 4096;
/// How much worse than the best cut a chosen cut may be, relative to the best one. As a result,
/// cuts differ from turn to turn.
const DIVERSITY: f64 = 0.25;

/// The data for finding localities.
#[derive(Debug)]
pub(super) struct Localities<'a> {
    space: &'a Space<'a>,
    /// The position of each tuple, for each attribute.
    places: Vec<Vec<u32>>,
}

/// Returns a pseudorandom number.
fn scrambled(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl<'a> Localities<'a> {
    pub fn new(space: &'a Space<'a>, table: &FrequencyTable) -> Self {
        let columns = table.quasi_identifiers().par_iter();
        let places = columns
            .zip(&space.attributes)
            .map(|(column, attribute)| {
                column.codes.iter().map(|&code| attribute.place[code as usize]).collect()
            })
            .collect();
        Self { space, places }
    }

    /// Returns groups of at most `most` items, as item numbers. `tuple` returns the tuple that
    /// represents an item. Each turn uses different cuts.
    pub fn of(
        &self,
        n_items: usize,
        tuple: impl Fn(u32) -> u32 + Sync,
        most: usize,
        turn: u64,
    ) -> Vec<Vec<u32>> {
        let items = (0..n_items as u32).map(|item| (item, tuple(item))).collect();
        self.halve(items, most.max(2), scrambled(turn))
    }

    fn halve(&self, items: Vec<(u32, u32)>, most: usize, seed: u64) -> Vec<Vec<u32>> {
        if items.len() <= most {
            return vec![items.into_iter().map(|item| item.0).collect()];
        }
        let n = items.len();
        let is_large = n >= PARALLEL;
        let (left, right) = match self.cut(&items, seed) {
            Some((attribute, place)) => {
                let places = &self.places[attribute];
                items.into_iter().partition(|item| places[item.1 as usize] <= place)
            }
            None => {
                let mut left = items;
                let right = left.split_off(n / 2);
                (left, right)
            }
        };
        let halves = [(left, scrambled(seed ^ 1)), (right, scrambled(seed ^ 2))];
        let [left, right] = halves;
        let one = |half: (Vec<(u32, u32)>, u64)| self.halve(half.0, most, half.1);
        let (mut groups, more) = match is_large {
            true => rayon::join(|| one(left), || one(right)),
            false => (one(left), one(right)),
        };
        groups.extend(more);
        groups
    }

    /// Returns the attribute and the highest position of the left half; `None` if all items are
    /// equal.
    fn cut(&self, items: &[(u32, u32)], seed: u64) -> Option<(usize, u32)> {
        let n = items.len();
        let at = |number: usize| match n <= SAMPLE {
            true => items[number].1,
            false => items[(scrambled(seed ^ number as u64) % n as u64) as usize].1,
        };
        let sample: Vec<u32> = (0..n.min(SAMPLE)).map(at).collect();
        let mut best: Option<(f64, usize, u32)> = None;
        for (attribute, places) in self.places.iter().enumerate() {
            let mut sorted = sample.clone();
            sorted.sort_unstable_by_key(|&tuple| places[tuple as usize]);
            let place = |at: usize| places[sorted[at] as usize];
            let (first, last) = (place(0), place(sorted.len() - 1));
            if first == last {
                continue;
            }
            // Cut after the median, or before the median if the median is the highest position.
            let middle = place(sorted.len() / 2);
            let n_left = match middle == last {
                true => sorted.partition_point(|&tuple| places[tuple as usize] < middle),
                false => sorted.partition_point(|&tuple| places[tuple as usize] <= middle),
            };
            let (left, right) = sorted.split_at(n_left);
            let unlike =
                self.unlike(left) * left.len() as f64 + self.unlike(right) * right.len() as f64;
            let noise =
                (scrambled(seed ^ (attribute as u64) << 32) >> 40) as f64 / (1u64 << 24) as f64;
            let unlike = unlike * (1.0 + DIVERSITY * noise);
            if best.is_none_or(|best| unlike < best.0) {
                best = Some((unlike, attribute, place(n_left - 1)));
            }
        }
        let (_, attribute, place) = best?;
        // If the sample has items on both sides of the cut, the group also has items on both sides.
        Some((attribute, place))
    }

    /// Returns the average cost of joining two tuples, estimated from a few pairs.
    fn unlike(&self, tuples: &[u32]) -> f64 {
        let n = tuples.len();
        let shift = (n / 2).max(1);
        let pairs = (0..n.min(SAMPLE / 3)).map(|at| {
            let at = at * 3 % n;
            (tuples[at], tuples[(at + shift) % n])
        });
        let (mut sum, mut n_pairs) = (0.0, 0);
        for (a, b) in pairs {
            let cost = self.space.cost_of_join(self.space.leaf(a), self.space.leaf(b));
            // A forbidden cell counts as a suppressed row.
            sum += if cost.is_finite() { cost } else { self.space.suppressed_cost };
            n_pairs += 1;
        }
        sum / f64::from(n_pairs.max(1))
    }
}
