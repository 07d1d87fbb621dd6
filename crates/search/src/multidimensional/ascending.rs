//! First classes: all boxes of labels in ascending cost, each given the still open tuples that it covers, if all principles
//! hold in them.
//!
//! Boxes are found from the tuples, band by band of costs: those with too few open rows are told by a table of counts, the
//! others are sorted.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::clusters::{Cluster, Ground};
use super::space::label_costs;
use super::{Problem, Stop};

/// How many bands of costs there are.
const N_BANDS: usize = 16;
/// Slots of the table of counts.
const N_SLOTS: usize = 1 << 20;
/// Boxes of single tuples looked at, at most; what is open then is given to the nearest classes.
const MOST_BOXES: u64 = 60_000_000;
/// Tuples up to which the boxes of a band are kept.
const MOST_KEPT: usize = 50_000;
/// Tuples that a thread takes at a time.
const CHUNK: usize = 256;

/// A label of a box: its number and its cost.
#[derive(Debug, Clone, Copy)]
struct Step {
    number: u64,
    cost: f64,
}

/// For each quasi-identifier and code its labels, with rising costs.
struct Chains {
    /// The quasi-identifiers whose first step up costs most come first: they rule out most boxes.
    order: Vec<usize>,
    of_code: Vec<Vec<Vec<Step>>>,
    /// For each quasi-identifier and those behind it, what they cost at most and at least.
    most: Vec<f64>,
}

/// A box of one tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Boxed {
    /// The bits of a number of at least 0, which are in its order.
    cost: u64,
    key: u64,
    tuple: u32,
}

/// A number that looks random.
fn scrambled(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Chains {
    fn new(problem: &Problem<'_>) -> Self {
        let whole: f64 = problem.weights.iter().sum();
        let columns = problem.table.quasi_identifiers();
        let mut of_code = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            let hierarchy = &problem.policy.hierarchies[at];
            let costs = label_costs(problem, at);
            let weight = if whole > 0.0 { problem.weights[at] / whole } else { 0.0 };
            let chain = |code: usize| {
                let mut chain: Vec<Step> = Vec::new();
                for level in problem.bounds[at].clone() {
                    let label = hierarchy.level(level).map[code];
                    let cost = costs[level][label as usize] * weight;
                    let seed = (at as u64) << 48 | (level as u64) << 32 | u64::from(label);
                    // Of labels that cover the same, one is enough; but rows below must agree on it.
                    chain.push(Step { number: scrambled(seed), cost });
                }
                chain
            };
            of_code.push((0..column.dictionary.len()).map(chain).collect::<Vec<_>>());
        }
        let first_step = |at: usize| {
            let steps = of_code[at].iter().filter_map(|chain: &Vec<Step>| chain.get(1));
            steps.map(|step| step.cost).sum::<f64>() / of_code[at].len().max(1) as f64
        };
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by(|&a, &b| first_step(b).total_cmp(&first_step(a)).then(a.cmp(&b)));
        let of_code: Vec<_> = order.iter().map(|&at| of_code[at].clone()).collect();
        let mut most = vec![0.0; columns.len() + 1];
        for at in (0..columns.len()).rev() {
            let costs = of_code[at].iter().flatten().map(|step: &Step| step.cost);
            most[at] = most[at + 1] + costs.fold(0.0, f64::max);
        }
        Self { order, of_code, most }
    }

    /// Calls `f` with the key and cost of each box of a tuple that costs at least `from` and less than `to`.
    fn each(&self, chains: &[&[Step]], from: f64, to: f64, f: &mut impl FnMut(u64, f64)) {
        self.walk(chains, 0, 0, 0.0, (from, to), f);
    }

    fn walk(
        &self,
        chains: &[&[Step]],
        at: usize,
        key: u64,
        cost: f64,
        band: (f64, f64),
        f: &mut impl FnMut(u64, f64),
    ) {
        if at == chains.len() {
            if cost >= band.0 {
                f(key, cost);
            }
            return;
        }
        if at + 1 == chains.len() {
            for step in chains[at] {
                let cost = cost + step.cost;
                if cost >= band.0 && cost < band.1 {
                    f(key.wrapping_add(step.number), cost);
                }
            }
            return;
        }
        for step in chains[at] {
            let cost = cost + step.cost;
            if cost >= band.1 {
                break;
            }
            if cost + self.most[at + 1] >= band.0 {
                self.walk(chains, at + 1, key.wrapping_add(step.number), cost, band, f);
            }
        }
    }

    fn of_tuple(&self, problem: &Problem<'_>, tuple: u32) -> Vec<&[Step]> {
        let columns = problem.table.quasi_identifiers();
        self.of_code
            .iter()
            .zip(&self.order)
            .map(|(of, &at)| &of[columns[at].codes[tuple as usize] as usize][..])
            .collect()
    }
}

/// Clusters that are made of open tuples.
struct Taker<'a> {
    ground: &'a Ground<'a>,
    is_open: Vec<bool>,
    clusters: Vec<Cluster>,
}

impl Taker<'_> {
    /// Makes a cluster of the open tuples of a box, if all principles hold in them.
    fn take(&mut self, group: &[Boxed]) {
        let judge = self.ground.judge;
        let still = |boxed: &&Boxed| self.is_open[boxed.tuple as usize];
        let size: u64 = group.iter().filter(still).map(|boxed| judge.rows(boxed.tuple)).sum();
        if size < judge.smallest_size {
            return;
        }
        let tuples: Vec<u32> = group.iter().filter(still).map(|boxed| boxed.tuple).collect();
        let (tally, size) = judge.tally(&tuples);
        if !judge.holds(size, &tally) {
            return;
        }
        for &tuple in &tuples {
            self.is_open[tuple as usize] = false;
        }
        self.clusters.push(self.ground.cluster(tuples));
    }
}

/// What tuples paid in a walk before, and the share of it that is taken off the costs of their boxes in the next: those come
/// earlier that help tuples which came late.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prices<'a> {
    pub of_tuple: &'a [f64],
    pub share: f64,
}

/// The boxes of a band in the order in which they are looked at.
fn in_order<'a>(
    ground: &Ground<'_>,
    boxes: &'a [Boxed],
    prices: Option<Prices<'_>>,
) -> Vec<&'a [Boxed]> {
    let groups = boxes.chunk_by(|a, b| (a.cost, a.key) == (b.cost, b.key));
    let Some(Prices { of_tuple, share }) = prices else { return groups.collect() };
    let mut order: Vec<(f64, &[Boxed])> = groups
        .map(|group| {
            let (mut rows, mut paid) = (0, 0.0);
            for boxed in group {
                rows += ground.judge.rows(boxed.tuple);
                paid += ground.judge.rows(boxed.tuple) as f64 * of_tuple[boxed.tuple as usize];
            }
            (f64::from_bits(group[0].cost) - share * paid / rows.max(1) as f64, group)
        })
        .collect();
    order.par_sort_unstable_by(|a, b| {
        a.0.total_cmp(&b.0).then((a.1[0].cost, a.1[0].key).cmp(&(b.1[0].cost, b.1[0].key)))
    });
    order.into_iter().map(|(_, group)| group).collect()
}

/// Clusters in which all principles hold, and the tuples that are in none: boxes are given tuples, the cheapest first.
pub(super) fn first_clusters(
    ground: &Ground<'_>,
    problem: &Problem<'_>,
    mut open: Vec<u32>,
    prices: Option<Prices<'_>>,
    stop: &Stop<'_>,
) -> (Vec<Cluster>, Vec<u32>) {
    let chains = Chains::new(problem);
    let judge = ground.judge;
    let is_open = vec![true; ground.space.n_tuples()];
    let mut taker = Taker { ground, is_open, clusters: Vec::new() };
    let slots: Vec<AtomicU32> = (0..N_SLOTS).map(|_| AtomicU32::new(0)).collect();
    let slot = |key: u64| &slots[(key >> 40) as usize & (N_SLOTS - 1)];
    let width = chains.most[0] * (1.0 + 1e-9) / N_BANDS as f64;
    let mut n_boxes = 0;
    for band in 0..N_BANDS {
        if open.is_empty() || n_boxes > MOST_BOXES || stop.asked() {
            break;
        }
        let from = band as f64 * width;
        let to = if band + 1 == N_BANDS { f64::INFINITY } else { from + width };
        slots.par_iter().for_each(|slot| slot.store(0, Ordering::Relaxed));
        let count = |boxed: &Boxed| {
            let rows = u32::try_from(judge.rows(boxed.tuple)).unwrap_or(1 << 16).min(1 << 16);
            slot(boxed.key).fetch_add(rows, Ordering::Relaxed);
        };
        let each = |tuples: &[u32], f: &mut dyn FnMut(Boxed)| {
            for &tuple in tuples {
                chains.each(&chains.of_tuple(problem, tuple), from, to, &mut |key, cost| {
                    f(Boxed { cost: cost.to_bits(), key, tuple });
                });
            }
        };
        let least = judge.smallest_size.min(1 << 16) as u32;
        let has_enough = |boxed: &Boxed| slot(boxed.key).load(Ordering::Relaxed) >= least;
        // Many boxes are walked through twice rather than kept.
        let mut boxes: Vec<Boxed> = if open.len() <= MOST_KEPT {
            let lists: Vec<Vec<Boxed>> = open
                .par_chunks(CHUNK)
                .map(|tuples| {
                    let mut boxes = Vec::new();
                    each(tuples, &mut |boxed| boxes.push(boxed));
                    boxes.iter().for_each(count);
                    boxes
                })
                .collect();
            n_boxes += lists.iter().map(|list| list.len() as u64).sum::<u64>();
            lists.par_iter().flat_map_iter(|list| list.iter().copied().filter(has_enough)).collect()
        } else {
            let counted = open.par_chunks(CHUNK).map(|tuples| {
                let mut n = 0;
                each(tuples, &mut |boxed| {
                    count(&boxed);
                    n += 1;
                });
                n
            });
            n_boxes += counted.sum::<u64>();
            open.par_chunks(CHUNK)
                .flat_map_iter(|tuples| {
                    let mut boxes = Vec::new();
                    each(tuples, &mut |boxed| {
                        if has_enough(&boxed) {
                            boxes.push(boxed);
                        }
                    });
                    boxes
                })
                .collect()
        };
        boxes.par_sort_unstable();
        for group in in_order(ground, &boxes, prices) {
            taker.take(group);
        }
        open.retain(|&tuple| taker.is_open[tuple as usize]);
    }
    (taker.clusters, open)
}
