//! Localities: groups of similar items, which allow a search to examine a group instead of the
//! whole table. An item can be any object for which a tuple stands. Groups are found by repeated
//! halving along the attribute that makes the halves most homogeneous. Groups are independent of
//! each other and are distributed to threads.

use indistinct_core::FrequencyTable;
use rayon::prelude::*;

use super::space::Space;

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
            // Cut after the median, or before the median if it is the highest position.
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
        // If the sample has items on both sides, so do all items.
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
            // A forbidden cell counts like a suppressed row.
            sum += if cost.is_finite() { cost } else { self.space.suppressed_cost };
            n_pairs += 1;
        }
        sum / f64::from(n_pairs.max(1))
    }
}
