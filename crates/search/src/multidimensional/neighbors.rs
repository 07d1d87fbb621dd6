//! Finds the clusters that are cheapest to join.
//!
//! The clusters are sorted by their cells, so consecutive clusters share their first cells. A query
//! walks through the list and skips clusters whose shared first cells already cost too much.

use super::aim::Cluster;
use super::space::Space;

/// Clusters in the order of their cells.
#[derive(Debug)]
pub(super) struct Neighbors<'a> {
    space: &'a Space<'a>,
    /// The attributes, the most distinguishing first.
    order: Vec<usize>,
    /// Numbers of the clusters.
    clusters: Vec<u32>,
    cells: Vec<u32>,
    /// The size and cost of each cluster.
    sizes: Vec<f64>,
    costs: Vec<f64>,
    /// The cost of the cell, for each cluster and attribute.
    cell_costs: Vec<f64>,
    /// For each cluster and attribute, the next list position at which this cell or an earlier one
    /// changes.
    next: Vec<u32>,
    /// For each cluster, the number of cells shared with the previous cluster.
    shared: Vec<u32>,
    least_size: f64,
}

/// A cluster near a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Near {
    /// The cost of joining: the cost of the queried rows in the union, plus the cost increase of
    /// the rows that are already in the cluster.
    pub cost: f64,
    pub cluster: u32,
}

/// Returns the attributes in the order in which clusters are compared.
fn order_of(space: &Space<'_>, clusters: &[(u32, &Cluster)]) -> Vec<usize> {
    let n = clusters.len();
    let sample: Vec<(&[u32], &[u32])> = (0..n.min(256))
        .map(|at| {
            let (a, b) = (at * 7919 % n, (at * 104_729 + n / 2) % n);
            (&clusters[a].1.cells[..], &clusters[b].1.cells[..])
        })
        .collect();
    let mut gains: Vec<(f64, usize)> = space
        .attributes
        .iter()
        .enumerate()
        .map(|(at, attribute)| {
            let words = attribute.first..attribute.first + attribute.n_words;
            let mut visited: Vec<&[u32]> = sample
                .iter()
                .flat_map(|pair| [&pair.0[words.clone()], &pair.1[words.clone()]])
                .collect();
            visited.sort_unstable();
            visited.dedup();
            let apart: f64 = sample
                .iter()
                .map(|(a, b)| {
                    let (a, b) = (&a[words.clone()], &b[words.clone()]);
                    (attribute.cost_of_join(a, b) - attribute.cost(a)).clamp(0.0, 1.0)
                })
                .sum();
            (apart / (visited.len() as f64 + 1.0).ln(), at)
        })
        .collect();
    gains.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    gains.into_iter().map(|gain| gain.1).collect()
}

impl<'a> Neighbors<'a> {
    pub fn new(space: &'a Space<'a>, clusters: &[(u32, &Cluster)]) -> Self {
        let order = order_of(space, clusters);
        let words = |at: usize| {
            let attribute = &space.attributes[at];
            attribute.first..attribute.first + attribute.n_words
        };
        let in_order = |cells: &[u32]| -> Vec<u32> {
            order.iter().flat_map(|&at| cells[words(at)].to_vec()).collect()
        };
        let mut sorted: Vec<(Vec<u32>, u32, &Cluster)> = clusters
            .iter()
            .map(|(number, cluster)| (in_order(&cluster.cells), *number, *cluster))
            .collect();
        sorted.sort_unstable_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        let (n, d) = (sorted.len(), order.len());
        let mut neighbors = Self {
            space,
            order: Vec::new(),
            clusters: sorted.iter().map(|entry| entry.1).collect(),
            cells: sorted.iter().flat_map(|entry| entry.2.cells.iter().copied()).collect(),
            sizes: sorted.iter().map(|entry| entry.2.size as f64).collect(),
            costs: sorted.iter().map(|entry| entry.2.cost).collect(),
            cell_costs: Vec::with_capacity(n * d),
            next: vec![n as u32; n * d],
            shared: vec![0; n],
            least_size: sorted.iter().map(|entry| entry.2.size).min().unwrap_or(1) as f64,
        };
        for (at, (_, _, cluster)) in sorted.iter().enumerate() {
            for &attribute in &order {
                let cost = space.attributes[attribute].cost(&cluster.cells[words(attribute)]);
                neighbors.cell_costs.push(cost);
            }
            if at > 0 {
                let before = sorted[at - 1].2;
                let same = |attribute: &&usize| {
                    before.cells[words(**attribute)] == cluster.cells[words(**attribute)]
                };
                neighbors.shared[at] = order.iter().take_while(same).count() as u32;
            }
        }
        for at in (0..n.saturating_sub(1)).rev() {
            let shared = neighbors.shared[at + 1] as usize;
            for depth in 0..d {
                neighbors.next[at * d + depth] = match depth < shared {
                    true => neighbors.next[(at + 1) * d + depth],
                    false => at as u32 + 1,
                };
            }
        }
        neighbors.order = order;
        neighbors
    }

    /// Returns up to `most` clusters with the lowest costs of joining `rows` rows with the given
    /// cells, below a bound. Ties are broken by the order of the cells. Clusters for which `skip`
    /// returns true are ignored.
    pub fn nearest(
        &self,
        cells: &[u32],
        rows: f64,
        below: f64,
        most: usize,
        skip: impl Fn(u32) -> bool,
    ) -> Vec<Near> {
        let (n, d, w) = (self.clusters.len(), self.order.len(), self.space.n_words);
        let mut found: Vec<Near> = Vec::with_capacity(most + 1);
        let mut bound = below;
        // Sums over the first attributes: a lower bound on the cost, and the cost of the join.
        let mut sums = vec![(0.0f64, 0.0f64); d + 1];
        let mut at = 0;
        'list: while at < n {
            let shared = self.shared[at] as usize;
            for depth in shared..d {
                let attribute = &self.space.attributes[self.order[depth]];
                let words = attribute.first..attribute.first + attribute.n_words;
                let own = &self.cells[at * w + words.start..at * w + words.end];
                let join = attribute.cost_of_join(&cells[words], own);
                let more = join - self.cell_costs[at * d + depth];
                let (least, cost) = sums[depth];
                sums[depth + 1] = (least + rows * join + self.least_size * more, cost + join);
                if sums[depth + 1].0 >= bound + 1e-12 {
                    at = self.next[at * d + depth] as usize;
                    continue 'list;
                }
            }
            let cost = rows * sums[d].1 + self.sizes[at] * (sums[d].1 - self.costs[at]);
            if cost < bound && !skip(self.clusters[at]) {
                let place = found.partition_point(|near| near.cost <= cost);
                found.insert(place, Near { cost, cluster: self.clusters[at] });
                found.truncate(most);
                if found.len() == most {
                    bound = bound.min(found[most - 1].cost);
                }
            }
            at += 1;
        }
        found
    }
}
