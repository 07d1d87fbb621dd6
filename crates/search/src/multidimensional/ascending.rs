//! First classes: all boxes of labels in ascending cost, each given the still open tuples that it covers, if all principles
//! hold in them. Boxes are found band by band of costs, of what is still open.

use rayon::prelude::*;

use super::boxes::{Boxed, Boxes, Finder};
use super::clusters::{Cluster, Ground};
use crate::stop::Stop;

/// How many bands of costs there are, each twice as wide as the one before.
const N_BANDS: u32 = 5;
/// Tuples of boxes looked at, at most; what is open then is given to the nearest classes.
const MOST_EFFORT: u64 = 200_000_000;

/// Clusters that are made of open tuples.
struct Taker<'a> {
    ground: &'a Ground<'a>,
    is_open: Vec<bool>,
    clusters: Vec<Cluster>,
}

impl Taker<'_> {
    /// Makes a cluster of the open tuples of a box, if all principles hold in them.
    fn take(&mut self, covered: &[u32]) {
        let judge = self.ground.judge;
        let still = |&&tuple: &&u32| self.is_open[tuple as usize];
        let size: u64 = covered.iter().filter(still).map(|&tuple| judge.rows(tuple)).sum();
        if size < judge.smallest_size {
            return;
        }
        let mut tuples: Vec<u32> = covered.iter().filter(still).copied().collect();
        tuples.sort_unstable();
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
fn in_order(ground: &Ground<'_>, boxes: &Boxes, prices: Option<Prices<'_>>) -> Vec<Boxed> {
    let Some(Prices { of_tuple, share }) = prices else { return boxes.all.clone() };
    let mut order: Vec<(f64, Boxed)> = boxes
        .all
        .par_iter()
        .map(|one| {
            let (mut rows, mut paid) = (0, 0.0);
            for &tuple in boxes.tuples(one) {
                rows += ground.judge.rows(tuple);
                paid += ground.judge.rows(tuple) as f64 * of_tuple[tuple as usize];
            }
            (f64::from_bits(one.cost) - share * paid / rows.max(1) as f64, *one)
        })
        .collect();
    order.par_sort_unstable_by(|a, b| {
        a.0.total_cmp(&b.0).then((a.1.cost, a.1.key).cmp(&(b.1.cost, b.1.key)))
    });
    order.into_iter().map(|(_, one)| one).collect()
}

/// Where a band ends; the last is number 0.
fn end_of(finder: &Finder<'_>, band: u32) -> f64 {
    if band == 0 { f64::INFINITY } else { finder.most[0] / f64::from(1u32 << band) }
}

/// The boxes of the first band, which are the same in all walks.
pub(super) fn cheapest_boxes(finder: &Finder<'_>, tuples: &[u32]) -> Boxes {
    finder.find(tuples, (0.0, end_of(finder, N_BANDS - 1)))
}

/// Clusters in which all principles hold, and the tuples that are in none: boxes are given tuples, the cheapest first.
pub(super) fn first_clusters(
    ground: &Ground<'_>,
    finder: &Finder<'_>,
    cheapest: &Boxes,
    mut open: Vec<u32>,
    prices: Option<Prices<'_>>,
    stop: &Stop<'_>,
) -> (Vec<Cluster>, Vec<u32>) {
    let is_open = vec![true; ground.space.n_tuples()];
    let mut taker = Taker { ground, is_open, clusters: Vec::new() };
    let mut effort = 0;
    let mut from = 0.0;
    for band in (0..N_BANDS).rev() {
        if open.is_empty() || effort > MOST_EFFORT || stop.asked() {
            break;
        }
        let to = end_of(finder, band);
        let found;
        let boxes = if band + 1 < N_BANDS {
            found = finder.find(&open, (from, to));
            &found
        } else {
            cheapest
        };
        from = to;
        effort += boxes.effort;
        for one in in_order(ground, boxes, prices) {
            taker.take(boxes.tuples(&one));
        }
        open.retain(|&tuple| taker.is_open[tuple as usize]);
    }
    (taker.clusters, open)
}
