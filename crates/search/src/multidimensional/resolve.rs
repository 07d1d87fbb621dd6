//! Dissolves a few neighboring classes and forms new classes of their tuples.
//!
//! Moves tuples to neighboring classes or swaps them, as long as this lowers the contribution of
//! both classes to the objective.

use super::aim::Change;
use super::clusters::{Cluster, Context, apart, grow};

/// The criterion that selects the next two groups to join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Criterion {
    /// The increase in the total cost of all rows of both groups.
    Added,
    /// The increase in the cost per row of the union.
    AddedPerRow,
}

/// Gains below this threshold are rounding errors.
pub(super) const LEAST_GAIN: f64 = 1e-9;

struct Pair {
    score: f64,
    other: usize,
}

struct Groups<'a> {
    context: &'a Context<'a>,
    criterion: Criterion,
    groups: Vec<Option<Cluster>>,
    best: Vec<Option<Pair>>,
}

impl<'a> Groups<'a> {
    /// Creates one group per tuple.
    fn new(context: &'a Context<'a>, tuples: Vec<u32>, criterion: Criterion) -> Self {
        let groups: Vec<Option<Cluster>> =
            tuples.into_iter().map(|tuple| Some(context.cluster(vec![tuple]))).collect();
        let best = groups.iter().map(|_| None).collect();
        Self { context, criterion, groups, best }
    }

    fn score(&self, a: &Cluster, b: &Cluster) -> f64 {
        let cost = self.context.space.cost_of_join(&a.cells, &b.cells);
        let added = self.context.aim.added(self.context.judge, a, b, cost);
        match self.criterion {
            Criterion::Added => added,
            Criterion::AddedPerRow => added / (a.size + b.size) as f64,
        }
    }

    /// Finds the best partner of a group that still violates a principle.
    fn find(&mut self, at: usize) {
        self.best[at] = None;
        let Some(group) = self.groups[at].as_ref().filter(|group| !group.holds) else { return };
        let mut best: Option<Pair> = None;
        for (other, candidate) in self.groups.iter().enumerate() {
            let Some(candidate) = candidate.as_ref().filter(|_| other != at) else { continue };
            let score = self.score(group, candidate);
            if best.as_ref().is_none_or(|best| score < best.score) {
                best = Some(Pair { score, other });
            }
        }
        self.best[at] = best;
    }

    /// Joins groups until all of them satisfy the principles, and returns whether they do.
    fn join_all(&mut self) -> bool {
        for at in 0..self.groups.len() {
            self.find(at);
        }
        loop {
            let mut next: Option<(f64, usize, usize)> = None;
            for (at, best) in self.best.iter().enumerate() {
                if let Some(Pair { score, other }) = best
                    && next.is_none_or(|(least, ..)| *score < least)
                {
                    next = Some((*score, at, *other));
                }
            }
            let Some((score, at, other)) = next else { break };
            if !score.is_finite() {
                return false;
            }
            let (Some(a), Some(b)) = (self.groups[at].take(), self.groups[other].take()) else {
                return false;
            };
            let union = self.context.union(&a, &b);
            self.groups[at] = Some(union);
            self.best[other] = None;
            self.find(at);
            for third in 0..self.groups.len() {
                if third == at || self.best[third].is_none() {
                    continue;
                }
                let (Some(group), Some(union)) = (&self.groups[third], &self.groups[at]) else {
                    continue;
                };
                let score = self.score(group, union);
                let Some(best) = &mut self.best[third] else { continue };
                if best.other == at || best.other == other {
                    self.find(third);
                } else if score < best.score {
                    *best = Pair { score, other: at };
                }
            }
        }
        self.groups.iter().flatten().all(|group| group.holds)
    }
}

/// Moves single tuples between clusters while this lowers the sum of the costs.
pub(super) fn move_tuples(context: &Context<'_>, clusters: &mut [Cluster], passes: usize) {
    for _ in 0..passes {
        let mut moved = false;
        for from in 0..clusters.len() {
            let mut at = 0;
            let mut covers = context.covers_without_each(&clusters[from]);
            while at < clusters[from].tuples.len() {
                let tuple = clusters[from].tuples[at];
                match best_move(context, clusters, from, tuple, covers[at].as_deref()) {
                    Some(to) => {
                        carry(context, clusters, from, to, tuple);
                        covers = context.covers_without_each(&clusters[from]);
                        moved = true;
                    }
                    None => at += 1,
                }
            }
        }
        if !moved {
            break;
        }
    }
}

fn best_move(
    context: &Context<'_>,
    clusters: &[Cluster],
    from: usize,
    tuple: u32,
    rest: Option<&[u32]>,
) -> Option<usize> {
    let (space, judge) = (context.space, context.judge);
    let source = &clusters[from];
    let rows = judge.rows(tuple);
    let left = source.size - rows;
    let rest = rest?;
    if left < judge.smallest_size {
        return None;
    }
    let aim = context.aim;
    let without = aim.total_with(judge, source, Change::Without(tuple), space.cost(rest));
    let gained = source.total - without;
    let leaf = space.leaf(tuple);
    let mut best: Option<(f64, usize)> = None;
    for (to, target) in clusters.iter().enumerate().filter(|(to, _)| *to != from) {
        let cost = space.cost_of_join(&target.cells, leaf);
        let added = aim.total_with(judge, target, Change::With(tuple), cost) - target.total;
        if added < best.map_or(gained - LEAST_GAIN, |(added, _)| added) {
            best = Some((added, to));
        }
    }
    let (_, to) = best?;
    can_move(context, source, &clusters[to], tuple).then_some(to)
}

/// Returns whether both clusters satisfy all principles after a tuple moves from one to the other.
pub(super) fn can_move(context: &Context<'_>, from: &Cluster, to: &Cluster, tuple: u32) -> bool {
    let judge = context.judge;
    let rows = judge.rows(tuple);
    if from.size < rows + judge.smallest_size {
        return false;
    }
    let mut less = from.tally.clone();
    judge.remove(&mut less, tuple, rows);
    let mut more = to.tally.clone();
    judge.add(&mut more, tuple, rows);
    judge.holds(from.size - rows, &less) && judge.holds(to.size + rows, &more)
}

/// Moves a tuple from one cluster to another.
pub(super) fn carry(
    context: &Context<'_>,
    clusters: &mut [Cluster],
    from: usize,
    to: usize,
    tuple: u32,
) {
    let mut rest = std::mem::take(&mut clusters[from].tuples);
    rest.retain(|other| *other != tuple);
    clusters[from] = context.cluster(rest);
    let mut tuples = std::mem::take(&mut clusters[to].tuples);
    let place = tuples.partition_point(|other| *other < tuple);
    tuples.insert(place, tuple);
    clusters[to] = context.cluster(tuples);
}

/// Joins single tuples until all groups satisfy the principles. Groups that cannot satisfy them
/// remain unchanged.
pub(super) fn join_up(
    context: &Context<'_>,
    tuples: Vec<u32>,
    criterion: Criterion,
) -> Vec<Cluster> {
    let mut groups = Groups::new(context, tuples, criterion);
    groups.join_all();
    groups.groups.into_iter().flatten().collect()
}

/// Rebuilds some clusters with a lower total cost. Returns `None` if this is not possible.
pub(super) fn resolve(
    context: &Context<'_>,
    old: &[&Cluster],
    criterion: Criterion,
) -> Option<Vec<Cluster>> {
    let before: f64 = old.iter().map(|cluster| cluster.total).sum();
    let mut tuples: Vec<u32> =
        old.iter().flat_map(|cluster| cluster.tuples.iter().copied()).collect();
    tuples.sort_unstable();
    let total = |clusters: &[Cluster]| clusters.iter().map(|cluster| cluster.total).sum::<f64>();
    let grown = match context.aim.is_on_sizes() {
        true => grow(context, &tuples),
        false => None,
    };
    let mut groups = Groups::new(context, tuples, criterion);
    let joined = groups.join_all().then(|| groups.groups.into_iter().flatten().collect());
    let mut found: Option<Vec<Cluster>> = None;
    for mut clusters in [joined, grown].into_iter().flatten() {
        move_tuples(context, &mut clusters, 3);
        if context.aim.is_on_sizes() {
            clusters = apart(context, clusters);
        }
        if found.as_ref().is_none_or(|found| total(&clusters) < total(found)) {
            found = Some(clusters);
        }
    }
    found.filter(|clusters| total(clusters) < before - LEAST_GAIN)
}

/// Number of neighbors with which a class exchanges tuples.
const N_NEIGHBORS: usize = 8;

/// A cluster, with the cells that it covers without each of its tuples.
struct OpenCluster {
    covers: Vec<Option<Vec<u32>>>,
    /// The cost per row of each list of cells in `covers`.
    costs: Vec<f64>,
}

impl OpenCluster {
    fn new(context: &Context<'_>, cluster: &Cluster) -> Self {
        let covers = context.covers_without_each(cluster);
        let cost =
            |cover: &Option<Vec<u32>>| cover.as_ref().map_or(0.0, |it| context.space.cost(it));
        Self { costs: covers.iter().map(cost).collect(), covers }
    }
}

/// An exchange between two clusters.
enum Exchange {
    /// A move of a tuple between two clusters: (from, to, tuple).
    Move(usize, usize, u32),
    Swap(u32, u32),
}

/// Exchanges tuples until no exchange lowers the objective, with at most `passes` passes over all
/// clusters. Returns the number of exchanges.
pub(super) fn exchange(context: &Context<'_>, clusters: &mut [Cluster], passes: usize) -> u64 {
    let mut open: Vec<OpenCluster> =
        clusters.iter().map(|one| OpenCluster::new(context, one)).collect();
    let mut is_new = vec![true; clusters.len()];
    let mut n_deals = 0;
    for _ in 0..passes {
        let neighbors: Vec<Vec<usize>> = (0..clusters.len())
            .map(|at| if is_new[at] { nearest(context, clusters, at) } else { Vec::new() })
            .collect();
        let mut is_changed = vec![false; clusters.len()];
        for (a, near) in neighbors.iter().enumerate() {
            for &b in near {
                while let Some(exchange) = best_exchange(context, (clusters, &open), (a, b)) {
                    match exchange {
                        Exchange::Move(from, to, tuple) => {
                            carry(context, clusters, from, to, tuple)
                        }
                        Exchange::Swap(x, y) => {
                            let of = |at: usize, without: u32, with: u32| {
                                let mut tuples = clusters[at].tuples.clone();
                                tuples.retain(|&tuple| tuple != without);
                                let place = tuples.partition_point(|&other| other < with);
                                tuples.insert(place, with);
                                context.cluster(tuples)
                            };
                            (clusters[a], clusters[b]) = (of(a, x, y), of(b, y, x));
                        }
                    }
                    for at in [a, b] {
                        open[at] = OpenCluster::new(context, &clusters[at]);
                        is_changed[at] = true;
                    }
                    n_deals += 1;
                }
            }
        }
        if !is_changed.iter().any(|is_changed| *is_changed) {
            break;
        }
        is_new = is_changed;
    }
    n_deals
}

/// Returns the clusters that are cheapest to join with a cluster.
fn nearest(context: &Context<'_>, clusters: &[Cluster], at: usize) -> Vec<usize> {
    let own = &clusters[at];
    let mut near: Vec<(f64, usize)> = Vec::with_capacity(clusters.len());
    for (other, cluster) in clusters.iter().enumerate().filter(|(other, _)| *other != at) {
        let cost = context.space.cost_of_join(&own.cells, &cluster.cells);
        near.push((cost * (own.size + cluster.size) as f64 - cluster.of_cells(), other));
    }
    let n = near.len().min(N_NEIGHBORS);
    if n == 0 {
        return Vec::new();
    }
    let by_cost = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    near.select_nth_unstable_by(n - 1, by_cost);
    near.truncate(n);
    near.sort_by(by_cost);
    near.into_iter().map(|near| near.1).collect()
}

fn best_exchange(
    context: &Context<'_>,
    (clusters, open): (&[Cluster], &[OpenCluster]),
    (a, b): (usize, usize),
) -> Option<Exchange> {
    let (judge, space, aim) = (context.judge, context.space, context.aim);
    let before = clusters[a].total + clusters[b].total;
    let mut least = before - LEAST_GAIN;
    let mut best = None;
    for (from, to) in [(a, b), (b, a)] {
        let (source, target) = (&clusters[from], &clusters[to]);
        for (at, &tuple) in source.tuples.iter().enumerate() {
            let rows = judge.rows(tuple);
            if open[from].covers[at].is_none() || source.size < rows + judge.smallest_size {
                continue;
            }
            let without =
                aim.total_with(judge, source, Change::Without(tuple), open[from].costs[at]);
            if without + target.total >= least {
                continue;
            }
            let cost = space.cost_of_join(&target.cells, space.leaf(tuple));
            let total = without + aim.total_with(judge, target, Change::With(tuple), cost);
            if total < least && can_move(context, source, target, tuple) {
                least = total;
                best = Some(Exchange::Move(from, to, tuple));
            }
        }
    }
    if !aim.is_of_cells() {
        return best;
    }
    let (left, right) = (&clusters[a], &clusters[b]);
    for (i, &x) in left.tuples.iter().enumerate() {
        let Some(without_x) = &open[a].covers[i] else { continue };
        // If the cover of a cluster does not shrink without the tuple, moving the tuple gains
        // nothing.
        for (j, &y) in right.tuples.iter().enumerate() {
            let Some(without_y) = &open[b].covers[j] else { continue };
            let (given, taken) = (judge.rows(x), judge.rows(y));
            let n_left = left.size - given + taken;
            let n_right = right.size - taken + given;
            if n_left.min(n_right) < judge.smallest_size {
                continue;
            }
            let (n_left, n_right) = (n_left as f64, n_right as f64);
            if open[a].costs[i] * n_left + open[b].costs[j] * n_right >= least {
                continue;
            }
            let of_left = space.cost_of_join(without_x, space.leaf(y)) * n_left;
            if of_left + open[b].costs[j] * n_right >= least {
                continue;
            }
            let total = of_left + space.cost_of_join(without_y, space.leaf(x)) * n_right;
            if total < least && can_swap(context, (left, x), (right, y)) {
                least = total;
                best = Some(Exchange::Swap(x, y));
            }
        }
    }
    best
}

/// Returns whether both clusters satisfy all principles after exchanging two tuples.
fn can_swap(context: &Context<'_>, (a, x): (&Cluster, u32), (b, y): (&Cluster, u32)) -> bool {
    let judge = context.judge;
    if judge.is_on_sizes() && judge.n_slots() == 0 {
        return true;
    }
    let holds = |of: &Cluster, without: u32, with: u32| {
        let mut tally = of.tally.clone();
        judge.add(&mut tally, with, judge.rows(with));
        judge.remove(&mut tally, without, judge.rows(without));
        judge.holds(of.size + judge.rows(with) - judge.rows(without), &tally)
    };
    holds(a, x, y) && holds(b, y, x)
}
