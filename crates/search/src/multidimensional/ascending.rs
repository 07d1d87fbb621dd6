//! Forms the first classes. All boxes of labels are visited in ascending order of cost, and each
//! box takes the open tuples that it covers, if they satisfy all principles. Boxes are computed for
//! one band of costs at a time, based on the tuples that are still open.

use rayon::prelude::*;

use super::boxes::{BoxedTuples, Boxes, Finder};
use super::clusters::{Cluster, Context};

/// The first band ends at this fraction of the highest cost. Each further band doubles its width if
/// the previous one had few boxes.
const SHARE_OF_FIRST_BAND: f64 = 1.0 / 16.0;
/// Maximum number of tuples in the boxes of one band. If wide boxes cost only slightly more than
/// narrow ones, bands are narrowed until they meet this limit, because tuples taken by cheaper
/// boxes are no longer open in the next band.
const MOST_AT_ONCE: u64 = 8_000_000;
/// Bands are not narrowed below this fraction of the highest cost.
const LEAST_BAND: f64 = 1e-5;
/// Maximum number of examined tuples. Tuples that are still open when this limit is reached join
/// the nearest classes.
const MOST_EFFORT: u64 = 200_000_000;

/// Forms clusters of tuples that are not yet in a class.
struct Taker<'a> {
    context: &'a Context<'a>,
    is_open: Vec<bool>,
    clusters: Vec<Cluster>,
}

impl Taker<'_> {
    /// Forms a cluster from the tuples of a box that are not yet in a class, if these tuples
    /// satisfy all principles.
    fn take(&mut self, covered: &[u32]) {
        let judge = self.context.judge;
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
        self.clusters.push(self.context.cluster(tuples));
    }
}

/// The prices that tuples paid in previous walks. A fraction of these prices reduces the costs of
/// boxes in the next walk, so boxes that help expensive tuples come earlier.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prices<'a> {
    pub of_tuple: &'a [f64],
    pub share: f64,
}

/// Returns the boxes of a band in the order in which they are visited.
fn in_order(context: &Context<'_>, boxes: &Boxes, prices: Option<Prices<'_>>) -> Vec<BoxedTuples> {
    let Some(Prices { of_tuple, share }) = prices else { return boxes.all.clone() };
    let mut order: Vec<(f64, BoxedTuples)> = boxes
        .all
        .par_iter()
        .map(|one| {
            let (mut rows, mut paid) = (0, 0.0);
            for &tuple in boxes.tuples(one) {
                rows += context.judge.rows(tuple);
                paid += context.judge.rows(tuple) as f64 * of_tuple[tuple as usize];
            }
            (f64::from_bits(one.cost) - share * paid / rows.max(1) as f64, *one)
        })
        .collect();
    order.par_sort_unstable_by(|a, b| {
        a.0.total_cmp(&b.0).then((a.1.cost, a.1.key).cmp(&(b.1.cost, b.1.key)))
    });
    order.into_iter().map(|(_, one)| one).collect()
}

/// The ends of the cost bands, which are determined in the first walk and apply to all walks.
#[derive(Debug)]
pub(super) struct Bands {
    ends: Vec<f64>,
    /// Width of the last band.
    width: f64,
    highest: f64,
    /// The boxes of the first band, for all tuples.
    first: Option<Boxes>,
    /// Number of tuples that were examined to find boxes, over all walks.
    pub effort: u64,
}

impl Bands {
    pub fn new(finder: &Finder<'_>, tuples: &[u32]) -> Self {
        let highest = finder.most[0];
        let width = highest * SHARE_OF_FIRST_BAND;
        let mut bands = Self { ends: Vec::new(), width, highest, first: None, effort: 0 };
        bands.first = bands.find(finder, tuples, 0);
        bands
    }

    /// Returns the boxes of a band; `None` if there are too many boxes at the minimum width, or if
    /// the previous band was the last one.
    fn find(&mut self, finder: &Finder<'_>, open: &[u32], band: usize) -> Option<Boxes> {
        let from = band.checked_sub(1).map_or(0.0, |before| self.ends[before]);
        if let Some(&to) = self.ends.get(band) {
            return finder.find(open, (from, to), u64::MAX);
        }
        while from.is_finite() && self.width >= LEAST_BAND * self.highest {
            let to = from + self.width;
            // The most expensive boxes belong to the last band.
            let to = if to >= self.highest { f64::INFINITY } else { to };
            let Some(boxes) = finder.find(open, (from, to), MOST_AT_ONCE) else {
                self.width = self.width.min(self.highest - from) / 4.0;
                continue;
            };
            if boxes.effort <= MOST_AT_ONCE / 8 {
                self.width = to.min(2.0 * self.width);
            }
            self.ends.push(to);
            return Some(boxes);
        }
        None
    }
}

/// Returns clusters that satisfy all principles, and the tuples that are in no cluster. Boxes take
/// tuples in ascending order of cost.
pub(super) fn first_clusters(
    context: &Context<'_>,
    finder: &Finder<'_>,
    bands: &mut Bands,
    mut open: Vec<u32>,
    prices: Option<Prices<'_>>,
) -> (Vec<Cluster>, Vec<u32>) {
    let is_open = vec![true; context.space.n_tuples()];
    let mut taker = Taker { context, is_open, clusters: Vec::new() };
    let before = bands.effort;
    for band in 0.. {
        if open.is_empty() || bands.effort - before > MOST_EFFORT || context.stop.is_requested() {
            break;
        }
        let found;
        let boxes = match (band, &bands.first) {
            (0, Some(first)) => first,
            (0, None) => break,
            _ => match bands.find(finder, &open, band) {
                Some(boxes) => {
                    found = boxes;
                    &found
                }
                None => break,
            },
        };
        let effort = boxes.effort;
        for one in in_order(context, boxes, prices) {
            taker.take(boxes.tuples(&one));
        }
        bands.effort += effort;
        open.retain(|&tuple| taker.is_open[tuple as usize]);
    }
    (taker.clusters, open)
}
