//! The target of a prediction.

use indistinct_core::published::{Attachment, ReleaseWithOriginal};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::sample::Row;
use crate::axes::Axes;

/// The classes of the attribute to predict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TargetClasses {
    /// The values of the attribute.
    Values,
    /// The quarters of the attribute's numbers, in ascending order and with about equal frequencies
    /// in the original.
    Quarters,
    /// The most frequent values, and one class for all other values.
    MostFrequent,
}

/// The maximum number of values of a numeric attribute that are predicted individually.
const MOST_NUMBERS: u32 = 10;

/// The maximum number of classes of values. If there are more values, the less frequent ones form
/// one class.
const MOST_VALUES: u32 = 24;

/// An attribute to predict.
pub(super) struct Target {
    at: usize,
    pub classes: TargetClasses,
    pub n_classes: usize,
    /// The class of each place on the axis.
    class_of_place: Vec<u32>,
    place_of: Vec<u32>,
}

impl Target {
    pub(super) fn new(pair: &ReleaseWithOriginal, axes: &Axes, at: usize) -> Self {
        let axis = &axes.axes[at];
        let column = pair.original.columns().nth(at).expect("every axis belongs to a column");
        let mut rows = vec![0u64; axis.n_places as usize];
        for (code, n) in pair.original.marginal(column).into_iter().enumerate() {
            rows[axis.place_of[code] as usize] += n;
        }
        let (classes, n_classes, class_of_place) = match (&axis.numbers, axis.n_places) {
            (Some(_), n) if n > MOST_NUMBERS => (TargetClasses::Quarters, 4, quarters(&rows)),
            (_, n) if n > MOST_VALUES => {
                (TargetClasses::MostFrequent, MOST_VALUES as usize, most_frequent(&rows))
            }
            (_, n) => (TargetClasses::Values, n as usize, (0..n).collect()),
        };
        let place_of = axis.place_of.clone();
        Self { at, classes, n_classes, class_of_place, place_of }
    }

    /// Returns the class of a row in the original.
    pub(super) fn of_original(&self, pair: &ReleaseWithOriginal, tuple: u32) -> u32 {
        let column = pair.original.columns().nth(self.at).expect("every target is a column");
        let place = self.place_of[column.codes[tuple as usize] as usize];
        self.class_of_place[place as usize]
    }

    /// Returns the apparent class of rows in the release: a random value among the covered values,
    /// or among the sensitive values of the class.
    pub(super) fn of_released(
        &self,
        pair: &ReleaseWithOriginal,
        axes: &Axes,
        rows: &[Row],
        seed: u64,
    ) -> Vec<u32> {
        let published = &pair.published;
        // Use a random stream that is independent of the stream for sampling.
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(1);
        let axis = &axes.axes[self.at];
        let column = published.rows.columns().nth(self.at);
        let apart =
            published.attachment == Attachment::ToClasses && !axes.is_quasi_identifier(self.at);
        let mut one = |row: &Row| -> u32 {
            let tuple = row.released.expect("training uses only released rows") as usize;
            let code = match column.filter(|_| !apart) {
                Some(column) => column.codes[tuple],
                None => {
                    let sensitive = &published.sensitive[self.at - axes.n_quasi_identifiers];
                    drawn(&sensitive.histograms[published.class_of[tuple] as usize], &mut random)
                }
            };
            let covered = &axis.released[code as usize];
            let nth = random.random_range(0..covered.n_places.max(1)) as usize;
            let place = covered.places().nth(nth).unwrap_or(0);
            self.class_of_place[place as usize]
        };
        rows.iter().map(&mut one).collect()
    }
}

/// Draws a sensitive value of a class, with a probability proportional to its frequency.
fn drawn(histogram: &[(u32, u64)], random: &mut ChaCha8Rng) -> u32 {
    let all: u64 = histogram.iter().map(|entry| entry.1).sum();
    let mut left = random.random_range(0..all.max(1));
    for &(code, n) in histogram {
        if left < n {
            return code;
        }
        left -= n;
    }
    0
}

/// Divides the places into quarters at the quartiles of the rows.
fn quarters(rows: &[u64]) -> Vec<u32> {
    let all: u64 = rows.iter().sum();
    let mut below = 0;
    rows.iter()
        .map(|&n| {
            // Assign each place to the quarter that contains the midpoint of its rows.
            let quarter = ((2 * below + n) * 2).checked_div(all).unwrap_or(0).min(3);
            below += n;
            quarter as u32
        })
        .collect()
}

/// Assigns the most frequent values to separate classes in the order of their places, and all
/// others to a last class.
fn most_frequent(rows: &[u64]) -> Vec<u32> {
    let n_own = MOST_VALUES as usize - 1;
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&place| (std::cmp::Reverse(rows[place]), place));
    let mut own: Vec<usize> = order[..n_own].to_vec();
    own.sort_unstable();
    let mut class_of = vec![n_own as u32; rows.len()];
    for (class, place) in own.into_iter().enumerate() {
        class_of[place] = class as u32;
    }
    class_of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartile_classes_have_similar_row_counts() {
        assert_eq!(quarters(&[1, 1, 1, 1]), [0, 1, 2, 3]);
        assert_eq!(quarters(&[10, 1, 1, 10]), [0, 1, 2, 3]);
        assert_eq!(quarters(&[0, 5, 0]), [0, 2, 3]);
        assert_eq!(quarters(&[0, 0]), [0, 0]);
    }

    #[test]
    fn rare_values_form_one_class() {
        let rows: Vec<u64> = (0..30).map(|place| if place == 3 { 100 } else { place }).collect();
        let classes = most_frequent(&rows);
        assert_eq!((classes[3], classes[8], classes[29]), (0, 1, 22));
        assert!(classes[..3].iter().chain(&classes[4..8]).all(|class| *class == 23));
    }
}
