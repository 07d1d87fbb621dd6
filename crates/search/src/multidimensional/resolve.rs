//! Dissolves a few neighboring classes and forms new classes of their tuples.

use super::aim::Change;
use super::clusters::{Cluster, Context};
use super::sizes::{apart, grow};

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
