//! Moves tuples to neighboring classes or swaps them, as long as this lowers the contribution of
//! both classes to the objective.

use super::aim::Change;
use super::clusters::{Cluster, Context};
use super::resolve::{LEAST_GAIN, can_move, carry};

/// Number of neighbors with which a class exchanges tuples.
const N_NEIGHBORS: usize = 8;

/// A cluster, with the cells that it covers without each of its tuples.
struct OpenCluster {
    covers: Vec<Option<Vec<u32>>>,
    /// The cost of each list of cells in `covers` per row.
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
        // If the cover of a cluster does not shrink without the tuple, giving the tuple away gains
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

/// Returns whether both clusters satisfy all principles after two tuples swap places.
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
