//! # The exact failure probability of a sample
//!
//! **Definition.** N independent rows fall into the cells (class, sensitive value). A class fails
//! if fewer than l sensitive values occur in it. A class without rows either is not a class of the
//! release (*ignoring empty*) or fails (*counting empty*). A class fails *as designated* if one of
//! its designated values is missing.
//! **Formula.** If the counts are Poisson with means N P(c, s), the cells are independent;
//! conditional on a sum of N, their distribution is multinomial. The joint distribution of (class,
//! number of distinct sensitive values, number of rows) is therefore convolved class by class, and
//! the result is evaluated at N rows. Failure weights are summed separately, never as one minus the
//! rest.
//! **Parameters.** `l`: whole number, at least 1. `n_rows`: N.
//! **Complexity.** Approximately N times the sum of the plausible class sizes; refused above a
//! limit.
//! **Errors.** `TooMuchWork`.
//! **Does not protect against.** Rounding: relative errors of about 1e-10; Poisson weights below
//! 1e-40 are omitted.
//! **Source.** Theorem 4.4 of the linkage paper gives the bound m l (1 - p)^N. Deviations: exact.

use std::ops::Range;

use super::joint::Joint;
use crate::LinkageError;

/// The maximum number of steps in the computation of the exact probability.
pub const MAX_WORK: u64 = 2_000_000_000;

/// Poisson weights below this threshold are omitted.
const NEGLIGIBLE: f64 = 1e-40;

/// Failure probabilities of one release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Failure {
    /// The probability that any nonempty class has fewer than l sensitive values.
    pub ignoring_empty: f64,
    /// The probability that any class, including empty classes, has fewer than l sensitive values.
    pub counting_empty: f64,
    /// The probability that a class lacks a designated value, which invalidates composition
    /// (reading D-10).
    pub designated: f64,
}

/// Poisson weights, starting at the first weight that is not negligible.
struct Poisson {
    first: usize,
    weights: Vec<f64>,
}

impl Poisson {
    fn new(mean: f64, ln_factorials: &[f64]) -> Self {
        let weight = |j: usize| (j as f64).mul_add(mean.ln(), -mean - ln_factorials[j]).exp();
        let last = ln_factorials.len() - 1;
        let mode = (mean as usize).min(last);
        let mut first = mode;
        while first > 0 && weight(first - 1) > NEGLIGIBLE {
            first -= 1;
        }
        let mut end = mode + 1;
        while end <= last && weight(end) > NEGLIGIBLE {
            end += 1;
        }
        Self { first, weights: (first..end).map(weight).collect() }
    }

    /// Returns the weight of each number of rows, starting at 0.
    fn by_number(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.first];
        weights.extend(&self.weights);
        weights
    }

    fn entries(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.weights.iter().enumerate().map(|(at, &weight)| (self.first + at, weight))
    }
}

/// Returns the l sensitive values with the largest weights, in ascending order; among equal
/// weights, lower codes take precedence. The result is shorter if fewer than l values have a
/// positive weight.
pub(super) fn designated(weights: &[u64], l: u64) -> Vec<u32> {
    let mut values: Vec<u32> =
        (0..weights.len() as u32).filter(|&value| weights[value as usize] > 0).collect();
    values.sort_by_key(|&value| (std::cmp::Reverse(weights[value as usize]), value));
    values.truncate(usize::try_from(l).unwrap_or(usize::MAX));
    values.sort_unstable();
    values
}

/// Computes the exact failure probability of one release with `n_rows` rows and these classes
/// (ranges of positions). Rows with combinations outside all classes are ignored.
///
/// # Errors
/// Returns [`LinkageError::LBelowOne`] if l is 0, and [`LinkageError::TooMuchWork`] if the
/// computation requires too many steps.
pub fn failure(
    joint: &Joint,
    classes: &[Range<usize>],
    l: u64,
    n_rows: u64,
) -> Result<Failure, LinkageError> {
    if l == 0 {
        return Err(LinkageError::LBelowOne);
    }
    let of_class = |class: &Range<usize>| joint.weights_in(class.clone());
    let weights: Vec<Vec<u64>> = classes.iter().map(of_class).collect();
    let probability = |weight: u64| weight as f64 / joint.total() as f64;
    let mean_of = |weight: u64| probability(weight) * n_rows as f64;
    let occurring = |class: &Vec<u64>| class.iter().copied().filter(|it| *it > 0).collect();
    let cells: Vec<Vec<u64>> = weights.iter().map(occurring).collect();
    if n_rows == 0 {
        let any = f64::from(u8::from(!cells.is_empty()));
        return Ok(Failure { ignoring_empty: 0.0, counting_empty: any, designated: any });
    }
    let mut work = 0.0;
    for class in &cells {
        let size = plausible(mean_of(class.iter().sum())).min(n_rows as f64);
        work += 6.0 * size * n_rows as f64;
        for &cell in class {
            work += (l as f64 + 4.0) * size * plausible(mean_of(cell)).min(n_rows as f64);
        }
    }
    if work > MAX_WORK as f64 {
        return Err(LinkageError::TooMuchWork { work: work as u64, limit: MAX_WORK });
    }
    let n = usize::try_from(n_rows).expect("the limit on steps bounds the number of rows");
    let most_values = usize::try_from(l).unwrap_or(usize::MAX);
    let ln_factorials = ln_factorials(n);
    let mut sums = [Sums::new(n), Sums::new(n)];
    let mut covered: u64 = 0;
    for class in &cells {
        covered += class.iter().sum::<u64>();
        let poissons: Vec<Poisson> =
            class.iter().map(|&cell| Poisson::new(mean_of(cell), &ln_factorials)).collect();
        let observed = by_number_of_values(&poissons, most_values.min(poissons.len() + 1), n);
        let [mut bad, mut good] = [vec![0.0], vec![0.0]];
        for (number, weights) in observed.iter().enumerate() {
            let into = if number >= most_values { &mut good } else { &mut bad };
            into.resize(into.len().max(weights.len()), 0.0);
            for (sum, weight) in into.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        sums[0].add(&good, &bad, n);
        let empty = std::mem::take(&mut bad[0]);
        good[0] += empty;
        sums[1].add(&good, &bad, n);
    }
    if covered < joint.total() {
        let outside = Poisson::new(mean_of(joint.total() - covered), &ln_factorials).by_number();
        for sums in &mut sums {
            sums.add(&outside, &[0.0], n);
        }
    }
    let [counting_empty, ignoring_empty] = sums.map(|sums| sums.failed_at(n));
    let designated = if cells.iter().any(|class| class.len() < most_values) {
        1.0
    } else {
        let of_class = |class: &Vec<u64>| -> Vec<f64> {
            let values = designated(class, l).into_iter();
            values.map(|value| probability(class[value as usize])).collect()
        };
        of_designated(&weights.iter().flat_map(of_class).collect::<Vec<_>>(), 1, n_rows)?
    };
    Ok(Failure { ignoring_empty, counting_empty, designated })
}

/// Computes the exact probability that a designated value occurs fewer than `times` times, given
/// the probabilities of all designated values of all classes. The other sensitive values have no
/// influence.
///
/// # Errors
/// [`LinkageError::TooMuchWork`] above the limit of steps.
pub(super) fn of_designated(
    probabilities: &[f64],
    times: u64,
    n_rows: u64,
) -> Result<f64, LinkageError> {
    if n_rows == 0 {
        return Ok(f64::from(u8::from(!probabilities.is_empty())));
    }
    let mean_of = |p: f64| p * n_rows as f64;
    let size_of = |p: f64| plausible(mean_of(p)).min(n_rows as f64);
    let work = probabilities.iter().map(|&p| 3.0 * size_of(p) * n_rows as f64).sum::<f64>();
    if work > MAX_WORK as f64 {
        return Err(LinkageError::TooMuchWork { work: work as u64, limit: MAX_WORK });
    }
    let n = usize::try_from(n_rows).expect("the limit on steps bounds the number of rows");
    let ln_factorials = ln_factorials(n);
    let mut sums = Sums::new(n);
    for &p in probabilities {
        let mut good = Poisson::new(mean_of(p), &ln_factorials).by_number();
        let n_too_few = usize::try_from(times).unwrap_or(usize::MAX).min(good.len());
        let bad: Vec<f64> = good[..n_too_few].iter_mut().map(std::mem::take).collect();
        sums.add(&good, &bad, n);
    }
    let rest = 1.0 - probabilities.iter().sum::<f64>();
    if rest > 0.0 {
        sums.add(&Poisson::new(mean_of(rest), &ln_factorials).by_number(), &[0.0], n);
    }
    Ok(sums.failed_at(n))
}

/// Returns an upper bound on the row counts of a cell with non-negligible weight, given the mean.
fn plausible(mean: f64) -> f64 {
    mean + 14.0 * mean.sqrt() + 60.0
}

/// Returns ln(j!) for each j up to n.
fn ln_factorials(n: usize) -> Vec<f64> {
    let mut ln_factorials = vec![0.0; n + 1];
    for j in 1..=n {
        ln_factorials[j] = ln_factorials[j - 1] + (j as f64).ln();
    }
    ln_factorials
}

/// Returns the weight of each number of rows, by the number of sensitive values that occur, which
/// is capped at `most`.
fn by_number_of_values(cells: &[Poisson], most: usize, n: usize) -> Vec<Vec<f64>> {
    let mut observed = vec![vec![0.0]; most + 1];
    observed[0][0] = 1.0;
    for cell in cells {
        let mut after = vec![vec![0.0]; most + 1];
        for (number, weights) in observed.iter().enumerate() {
            for (rows, &weight) in weights.iter().enumerate().filter(|entry| *entry.1 > 0.0) {
                for (j, own) in cell.entries().filter(|(j, _)| rows + j <= n) {
                    let into = &mut after[(number + usize::from(j > 0)).min(most)];
                    if into.len() <= rows + j {
                        into.resize(rows + j + 1, 0.0);
                    }
                    into[rows + j] += weight * own;
                }
            }
        }
        observed = after;
    }
    observed
}

/// The accumulated weights without failed classes and with at least one failed class, for each
/// number of rows.
struct Sums {
    fine: Vec<f64>,
    failed: Vec<f64>,
}

impl Sums {
    fn new(n: usize) -> Self {
        let mut fine = vec![0.0; n + 1];
        fine[0] = 1.0;
        Self { fine, failed: vec![0.0; n + 1] }
    }

    fn add(&mut self, good: &[f64], bad: &[f64], n: usize) {
        let mut fine = vec![0.0; n + 1];
        let mut failed = vec![0.0; n + 1];
        let first = good.iter().position(|weight| *weight > 0.0).unwrap_or(0);
        for rows in 0..=n {
            let (so_fine, so_failed) = (self.fine[rows], self.failed[rows]);
            if so_fine + so_failed < NEGLIGIBLE {
                continue;
            }
            let left = n - rows;
            for (j, &weight) in good.iter().enumerate().take(left + 1).skip(first) {
                fine[rows + j] += so_fine * weight;
                failed[rows + j] += so_failed * weight;
            }
            for (j, &weight) in bad.iter().enumerate().take(left + 1) {
                failed[rows + j] += (so_fine + so_failed) * weight;
            }
        }
        (self.fine, self.failed) = (fine, failed);
    }

    fn failed_at(&self, n: usize) -> f64 {
        let all = self.fine[n] + self.failed[n];
        if all > 0.0 { self.failed[n] / all } else { 0.0 }
    }
}
