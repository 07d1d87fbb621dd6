//! The values of the rows of a class, given that most rows are in the cheapest class that fits
//! them.
//!
//! **Model.** A row of a class is a draw from the [distribution](crate::mixture::Mixture) of the
//! values that the labels cover. Combinations of values that also fit a class with a lower cost
//! rarely occur in the class: they have the weight [`IN_COSTLIER`], and all others the weight 1. The
//! cost of a class is the weighted sum of (covered values - 1) / (all values - 1) over the columns.
//! **Computation.** At most [`MOST_COMBINATIONS`] combinations are enumerated for each class, and
//! fewer if there are more than 2,048 classes. If a class has more combinations, the same number of
//! evenly distributed combinations represents them (the additive recurrence of the generalized
//! golden ratio). The mean weight then counts once for each value, so a value that no combination
//! contains remains possible.
//! **Complexity.** O(classes * combinations * columns * classes / 64) at worst.

use crate::covers::Covers;
use crate::mixture::{Part, of_column, shares};

/// The weight of combinations of values that fit a cheaper class. In releases of real tables, the
/// classes of 0.2% to 1.6% of the rows are not the cheapest ones.
const IN_COSTLIER: f64 = 0.02;

/// The maximum number of combinations of values for each class.
const MOST_COMBINATIONS: usize = 512;

/// The maximum number of combinations for all classes, unless each class has only
/// [`FEWEST_COMBINATIONS`].
const MOST_IN_ALL: usize = MOST_COMBINATIONS * 2048;

/// The number of combinations that is enumerated for each class even if there are many classes.
const FEWEST_COMBINATIONS: usize = 64;

/// The maximum size of all sets of classes, in words of 64 bits.
const MOST_WORDS: usize = 1 << 25;

/// Differences of costs below this value are rounding errors.
const EQUAL: f64 = 1e-9;

/// The labels of one column.
pub(crate) struct PricedLabels<'a> {
    pub covers: &'a Covers,
    /// The weight of the loss.
    pub weight: f64,
}

/// A set of classes, with one bit for each class.
type Classes = Vec<u64>;

/// The classes of a release, in ascending order of their costs.
pub(crate) struct Cheapest<'a> {
    columns: Vec<PricedLabels<'a>>,
    costs: Vec<f64>,
    /// The maximum number of combinations of values for each class.
    n_combinations: usize,
    /// For each column and value, the classes whose labels cover the value.
    fitting: Vec<Vec<Classes>>,
    /// For each column and label, the classes whose labels cover some of the same values.
    overlapping: Vec<Vec<Classes>>,
}

/// The beliefs about a row of a class.
pub(crate) struct RowBeliefs {
    /// For each column, the probability of each covered value.
    pub columns: Vec<Vec<f64>>,
    /// The information about the row in bits: the negative logarithm of the mean weight.
    pub bits: f64,
}

impl<'a> Cheapest<'a> {
    /// `classes` contains the labels of each class. Returns `None` if there are too many classes.
    pub fn new<'b>(
        columns: Vec<PricedLabels<'a>>,
        classes: impl ExactSizeIterator<Item = &'b [u32]>,
    ) -> Option<Self> {
        let n_words = classes.len().div_ceil(64);
        let n_sets: usize =
            columns.iter().map(|it| it.covers.n_values + it.covers.values.len()).sum();
        if n_words * n_sets > MOST_WORDS {
            return None;
        }
        let mut classes: Vec<(f64, &[u32])> =
            classes.map(|labels| (cost(&columns, labels), labels)).collect();
        classes.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1)));
        let mut fitting: Vec<_> =
            columns.iter().map(|column| vec![vec![0; n_words]; column.covers.n_values]).collect();
        for (class, (_, labels)) in classes.iter().enumerate() {
            for ((column, label), fitting) in columns.iter().zip(*labels).zip(&mut fitting) {
                for &value in &column.covers.values[*label as usize] {
                    fitting[value as usize][class / 64] |= 1 << (class % 64);
                }
            }
        }
        let overlapping = columns.iter().zip(&fitting).map(|(column, fitting)| {
            let of_label = |values: &Vec<u32>| {
                let mut all = vec![0; n_words];
                for &value in values {
                    all.iter_mut().zip(&fitting[value as usize]).for_each(|(all, it)| *all |= it);
                }
                all
            };
            column.covers.values.iter().map(of_label).collect()
        });
        let overlapping = overlapping.collect();
        let costs: Vec<f64> = classes.into_iter().map(|(cost, _)| cost).collect();
        let n_combinations =
            (MOST_IN_ALL / costs.len().max(1)).clamp(FEWEST_COMBINATIONS, MOST_COMBINATIONS);
        Some(Self { columns, costs, n_combinations, fitting, overlapping })
    }

    /// Returns the beliefs about a row with these labels. Each label must cover a value. `parts`
    /// contains the distribution of the covered values.
    pub fn beliefs(&self, labels: &[u32], parts: &[Part]) -> RowBeliefs {
        let cheaper = self.cheaper(labels);
        let values =
            self.columns.iter().zip(labels).map(|(it, at)| &*it.covers.values[*at as usize]);
        let values: Vec<&[u32]> = values.collect();
        let combinations = Combinations::of(parts, self.n_combinations);
        let mut sums: Vec<Vec<(f64, f64)>> =
            values.iter().map(|values| vec![(0.0, 0.0); values.len()]).collect();
        let (mut all, mut weighted) = (0.0, 0.0);
        combinations.visit(parts, |positions, probability| {
            let is_in_costlier = self.fits_any(&cheaper, &values, positions);
            let weight = probability * if is_in_costlier { IN_COSTLIER } else { 1.0 };
            all += probability;
            weighted += weight;
            for (sums, at) in sums.iter_mut().zip(positions) {
                sums[*at].0 += probability;
                sums[*at].1 += weight;
            }
        });
        let mean = weighted / all;
        let added = if combinations.is_complete { 0.0 } else { 1.0 };
        let beliefs = |(at, sums): (usize, &Vec<(f64, f64)>)| {
            let of_value = |(prior, (all, weighted)): (f64, &(f64, f64))| {
                prior * (weighted + added * mean) / (all + added)
            };
            shares(of_column(parts, at).into_iter().zip(sums).map(of_value).collect())
        };
        let columns = sums.iter().enumerate().map(beliefs).collect();
        RowBeliefs { columns, bits: -mean.log2() }
    }

    /// Returns the classes that cost less than these labels and cover some of the same
    /// combinations: the positions of words, and the words.
    fn cheaper(&self, labels: &[u32]) -> Vec<(usize, u64)> {
        let own = cost(&self.columns, labels);
        let n = self.costs.partition_point(|cost| *cost < own - EQUAL);
        let words = (0..n.div_ceil(64)).map(|word| {
            let n_left = n - word * 64;
            let first = if n_left < 64 { (1 << n_left) - 1 } else { u64::MAX };
            let sets = self.overlapping.iter().zip(labels);
            (word, sets.fold(first, |all, (sets, label)| all & sets[*label as usize][word]))
        });
        words.filter(|(_, word)| *word != 0).collect()
    }

    /// Returns whether a combination of values fits any of the classes.
    fn fits_any(&self, classes: &[(usize, u64)], values: &[&[u32]], positions: &[usize]) -> bool {
        classes.iter().any(|&(word, classes)| {
            let mut left = classes;
            for ((fitting, values), at) in self.fitting.iter().zip(values).zip(positions) {
                left &= fitting[values[*at] as usize][word];
                if left == 0 {
                    return false;
                }
            }
            true
        })
    }
}

fn cost(columns: &[PricedLabels<'_>], labels: &[u32]) -> f64 {
    let of_column = |(column, label): (&PricedLabels<'_>, &u32)| {
        let n_covered = column.covers.values[*label as usize].len();
        let n_others = column.covers.n_values.saturating_sub(1).max(1);
        column.weight * n_covered.saturating_sub(1) as f64 / n_others as f64
    };
    columns.iter().zip(labels).map(of_column).sum()
}

/// The combinations of values to visit.
struct Combinations {
    n: usize,
    /// Whether these are all combinations.
    is_complete: bool,
}

impl Combinations {
    fn of(parts: &[Part], most: usize) -> Self {
        let n = parts[0].columns.iter().map(Vec::len).try_fold(1, usize::checked_mul);
        match n.filter(|n| *n <= most) {
            Some(n) => Self { n, is_complete: true },
            None => Self { n: most, is_complete: false },
        }
    }

    /// Visits each combination with its probability, or evenly distributed combinations with
    /// probability 1 each.
    fn visit(&self, parts: &[Part], mut visit: impl FnMut(&[usize], f64)) {
        let shares: Vec<f64> = parts.iter().map(|part| part.share).collect();
        let sizes: Vec<usize> = parts[0].columns.iter().map(Vec::len).collect();
        let n_axes = 1 + sizes.iter().filter(|n| **n > 1).count();
        let step = 1.0 / golden(n_axes);
        let mut positions = vec![0; sizes.len()];
        for number in 0..self.n {
            if self.is_complete {
                let mut rest = number;
                for (at, n) in positions.iter_mut().zip(&sizes) {
                    *at = rest % n;
                    rest /= n;
                }
                let of_part = |part: &Part| {
                    let all = part.columns.iter().zip(&positions).map(|(column, at)| column[*at]);
                    part.share * all.product::<f64>()
                };
                visit(&positions, parts.iter().map(of_part).sum());
                continue;
            }
            let mut axis = 1.0;
            let mut point = || {
                axis *= step;
                (0.5 + axis * (number + 1) as f64).fract()
            };
            let part = &parts[quantile(&shares, point())];
            let all = positions.iter_mut().zip(&part.columns);
            for (at, column) in all.filter(|(_, column)| column.len() > 1) {
                *at = quantile(column, point());
            }
            visit(&positions, 1.0);
        }
    }
}

/// Returns the first position at which the sum of the probabilities exceeds `point`.
fn quantile(probabilities: &[f64], point: f64) -> usize {
    let mut below = 0.0;
    let exceeds = |p: &f64| {
        below += p;
        below > point
    };
    probabilities.iter().position(exceeds).unwrap_or(probabilities.len() - 1)
}

/// Returns the positive solution of x^(d + 1) = x + 1.
fn golden(d: usize) -> f64 {
    (0..64).fold(2.0, |x: f64, _| (1.0 + x).powf(1.0 / (d as f64 + 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class_beliefs::Event;

    /// Three columns with ten values each, and labels that cover the values `of` of each column.
    fn covers(of: &[Vec<u32>]) -> Covers {
        let events = of.iter().map(|_| Event::Nothing).collect();
        Covers::of_values(of.to_vec(), events, 10)
    }

    #[test]
    fn few_combinations_represent_all() {
        let all: Vec<u32> = (0..10).collect();
        let covers = covers(&[all.clone(), (0..5).collect(), (3..9).collect()]);
        let [rising, falling] = [
            shares((1..=10).map(f64::from).collect()),
            shares((1..=10).rev().map(f64::from).collect()),
        ];
        let part = |share, of: &Vec<f64>| Part { share, columns: vec![of.clone(); 3] };
        let parts = [part(0.7, &rising), part(0.3, &falling)];
        let column = || PricedLabels { covers: &covers, weight: 1.0 };
        let classes: [&[u32]; 4] = [&[0, 0, 0], &[1, 1, 2], &[2, 2, 1], &[1, 0, 2]];
        let columns = vec![column(), column(), column()];
        let cheapest = Cheapest::new(columns, classes.iter().copied()).expect("few classes");
        let found = cheapest.beliefs(classes[0], &parts);
        let (mut expected, mut sum) = (vec![vec![0.0; 10]; 3], 0.0);
        for number in 0..1000 {
            let values = [number / 100, number / 10 % 10, number % 10];
            let fits = |labels: &&[u32]| {
                let all = labels.iter().zip(values);
                all.clone().all(|(label, it)| covers.values[*label as usize].contains(&(it as u32)))
            };
            let weight = if classes[1..].iter().any(fits) { IN_COSTLIER } else { 1.0 };
            let product = |of: &Vec<f64>| values.iter().map(|it| of[*it]).product::<f64>();
            let probability = (0.7 * product(&rising) + 0.3 * product(&falling)) * weight;
            sum += probability;
            for (expected, value) in expected.iter_mut().zip(values) {
                expected[value] += probability;
            }
        }
        assert!((found.bits + sum.log2()).abs() < 0.05, "{} {}", found.bits, sum.log2());
        for (found, expected) in found.columns.iter().zip(&expected) {
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected / sum).abs() < 0.02, "{found} {}", expected / sum);
            }
        }
        assert!(sum < 0.9, "{sum}");
    }
}
