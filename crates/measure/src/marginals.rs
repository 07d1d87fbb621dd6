//! # marginals and correlations
//!
//! **Definition.** How much the distributions of single attributes and of pairs of attributes
//! differ between the release and the original, and how the association of two attributes changes.
//! **Formula.** Total variation: half the sum of |p - q| over all values or pairs of values. Earth
//! mover's distance of numbers: the area between the cumulative distributions, divided by the range
//! of the numbers. Cramér's V: sqrt(chi2 / n / (min(r, c) - 1)), with numbers grouped into the
//! quarters of the original. Spearman's correlation, for two numeric attributes: the correlation of
//! the ranks, with mean ranks for ties.
//! **Parameters.** None. Rows are distributed evenly over the values that their released values
//! cover. Sensitive values that are attached to classes are combined with each row of their class.
//! Perturbed sensitive values are used in their released form.
//! **Level.** Distances in [0, 1]: lower is better. V is in [0, 1] and Spearman's correlation in
//! [-1, 1]: values for the release should be close to those for the original.
//! **Monotone.** No.
//! **Complexity.** O(pairs * (tuples + places of one * places of the other)).
//! **Errors.** None. Total variation and V are omitted for pairs with more than
//! [`MOST_COMBINATIONS`] values. V and Spearman's correlation are undefined for an attribute with a
//! single value.
//! **Source.** Cramér, Mathematical Methods of Statistics, 1946, chapter 21; Spearman, 1904.
//! Deviations: the earth mover's distance ignores missing numbers, and Spearman's correlation
//! assigns them the lowest rank.

use std::sync::atomic::{AtomicU64, Ordering};

use indistinct_core::model::CountedColumn;
use indistinct_core::published::{Attachment, ReleaseWithOriginal};
use indistinct_core::{Observer, Phase};
use rayon::prelude::*;
use serde::Serialize;

use crate::axes::{Axes, Axis, CoveredPlaces};

/// The maximum number of value combinations of two attributes to compare individually.
pub const MOST_COMBINATIONS: u64 = 2_000_000;

/// The distances between the distributions in the release and in the original.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Marginals {
    /// The distances for each attribute.
    pub attributes: Vec<OneWay>,
    /// The distances for each pair of attributes.
    pub pairs: Vec<TwoWay>,
}

/// The distance between the distributions of an attribute in the release and in the original.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct OneWay {
    /// The name of the attribute.
    pub attribute: String,
    /// The fraction of rows whose value would have to change to make the distributions equal.
    pub total_variation: f64,
    /// The mean change of numbers that would make the distributions equal, divided by their range.
    pub earth_mover: Option<f64>,
}

/// The distance between the joint distribution of two attributes in the release and in the
/// original.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TwoWay {
    /// The names of the attributes.
    pub attributes: [String; 2],
    /// The fraction of rows whose values would have to change to make the distributions equal.
    pub total_variation: Option<f64>,
    /// The association of the two attributes.
    pub correlation: Option<Correlation>,
}

/// The association of two attributes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Correlation {
    /// The measure of association.
    pub measure: Connection,
    /// The association in the original.
    pub original: f64,
    /// The association in the release, or `None` if the association is undefined.
    pub released: Option<f64>,
}

/// A measure of the association of two attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Connection {
    /// Cramér's V, for unordered values.
    CramersV,
    /// Spearman's rank correlation, for numbers.
    Spearman,
}

/// Computes the distance between the original and released marginals, for each attribute and each
/// pair of attributes.
pub fn marginals(pair: &ReleaseWithOriginal, axes: &Axes, observer: &dyn Observer) -> Marginals {
    let one: Vec<(Vec<f64>, Vec<f64>)> = (0..axes.axes.len())
        .into_par_iter()
        .map(|at| (of_original(pair, axes, at), of_release(pair, axes, at)))
        .collect();
    let attributes = axes.axes.iter().zip(&one).map(|(axis, (original, released))| OneWay {
        attribute: axis.name.clone(),
        total_variation: total_variation(original, released),
        earth_mover: earth_mover(axis, original, released),
    });
    let pairs: Vec<(usize, usize)> =
        (0..axes.axes.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let (n_done, n_pairs) = (AtomicU64::new(0), pairs.len() as u64);
    let two_way = |(a, b)| {
        let two_way = Pair { pair, axes, a, b, one: &one }.two_way();
        let n_done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
        observer.progress(Phase::Measure, n_done, n_pairs);
        two_way
    };
    let pairs = pairs.into_par_iter().map(two_way);
    Marginals { pairs: pairs.collect(), attributes: attributes.collect() }
}

fn shares(rows: Vec<f64>) -> Vec<f64> {
    let all: f64 = rows.iter().sum();
    let share = |rows| if all > 0.0 { rows / all } else { 0.0 };
    rows.into_iter().map(share).collect()
}

fn of_original(pair: &ReleaseWithOriginal, axes: &Axes, at: usize) -> Vec<f64> {
    let axis = &axes.axes[at];
    let column = original_column(pair, at);
    let mut rows = vec![0.0; axis.n_places as usize];
    for (code, n) in pair.original.marginal(column).into_iter().enumerate() {
        rows[axis.place_of[code] as usize] += n as f64;
    }
    shares(rows)
}

fn original_column(pair: &ReleaseWithOriginal, at: usize) -> &CountedColumn {
    pair.original.columns().nth(at).expect("every axis belongs to a column")
}

fn of_release(pair: &ReleaseWithOriginal, axes: &Axes, at: usize) -> Vec<f64> {
    let (published, axis) = (&pair.published, &axes.axes[at]);
    let mut of_label = vec![0u64; axis.released.len()];
    match published.rows.columns().nth(at) {
        Some(column) => of_label = published.rows.marginal(column),
        None => {
            let sensitive = &published.sensitive[at - axes.n_quasi_identifiers];
            for &(code, n) in sensitive.histograms.iter().flatten() {
                of_label[code as usize] += n;
            }
        }
    }
    // First record the change in density at each place, and then accumulate the changes.
    let mut change = vec![0.0; axis.n_places as usize + 1];
    for (covered, n) in axis.released.iter().zip(of_label) {
        let density = n as f64 / f64::from(covered.n_places.max(1));
        for span in &covered.spans {
            change[span.from as usize] += density;
            change[span.to as usize] -= density;
        }
    }
    change.pop();
    let mut sum = 0.0;
    shares(
        change
            .into_iter()
            .map(|step| {
                sum += step;
                f64::max(sum, 0.0)
            })
            .collect(),
    )
}

fn total_variation(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
}

/// Returns the area between the cumulative distributions of the numbers, divided by their range.
fn earth_mover(axis: &Axis, original: &[f64], released: &[f64]) -> Option<f64> {
    let numbers = axis.numbers.as_ref()?;
    let known: Vec<usize> = (0..numbers.len()).filter(|&place| numbers[place].is_some()).collect();
    let of = |all: &[f64]| shares(known.iter().map(|&place| all[place]).collect());
    let (original, released) = (of(original), of(released));
    let number = |at: usize| numbers[known[at]].unwrap_or(0.0);
    let range = number(known.len().checked_sub(1)?) - number(0);
    if range <= 0.0 {
        return Some(0.0);
    }
    let mut ahead = 0.0;
    let areas = (0..known.len() - 1).map(|at| {
        ahead += original[at] - released[at];
        f64::abs(ahead) * (number(at + 1) - number(at))
    });
    Some(areas.sum::<f64>() / range)
}

/// A pair of attributes, identified by the indices of their axes in ascending order.
struct Pair<'a> {
    pair: &'a ReleaseWithOriginal,
    axes: &'a Axes,
    a: usize,
    b: usize,
    /// For each attribute, its distribution in the original and in the release.
    one: &'a [(Vec<f64>, Vec<f64>)],
}

impl Pair<'_> {
    fn axes(&self) -> (&Axis, &Axis) {
        (&self.axes.axes[self.a], &self.axes.axes[self.b])
    }

    fn two_way(&self) -> TwoWay {
        let (a, b) = self.axes();
        let n_combinations = u64::from(a.n_places) * u64::from(b.n_places);
        let joint = (n_combinations <= MOST_COMBINATIONS)
            .then(|| (self.joint_of_original(), self.joint_of_release()));
        let correlation = match (&a.numbers, &b.numbers) {
            (Some(_), Some(_)) => self.spearman(),
            _ => joint.as_ref().and_then(|(original, released)| self.cramers_v(original, released)),
        };
        TwoWay {
            attributes: [a.name.clone(), b.name.clone()],
            total_variation: joint
                .map(|(original, released)| total_variation(&original, &released)),
            correlation,
        }
    }

    /// Calls `f` for each original tuple with the two places and the number of rows.
    fn each_original(&self, mut f: impl FnMut(usize, usize, f64)) {
        let (a, b) = self.axes();
        let (of_a, of_b) = (original_column(self.pair, self.a), original_column(self.pair, self.b));
        let codes = of_a.codes.iter().zip(&of_b.codes).zip(self.pair.original.counts());
        for ((&code_a, &code_b), &n) in codes {
            f(a.place_of[code_a as usize] as usize, b.place_of[code_b as usize] as usize, n as f64);
        }
    }

    /// Calls `f` for each released tuple with the covered places and the number of rows.
    fn each_released(&self, mut f: impl FnMut(&CoveredPlaces, &CoveredPlaces, f64)) {
        let (a, b) = self.axes();
        let published = &self.pair.published;
        let apart = published.attachment == Attachment::ToClasses;
        let column = |at: usize| {
            let is_there = !apart || self.axes.is_quasi_identifier(at);
            published.rows.columns().nth(at).filter(|_| is_there)
        };
        let sizes = if apart { published.class_sizes() } else { Vec::new() };
        let histogram = |at: usize, class: usize| {
            &published.sensitive[at - self.axes.n_quasi_identifiers].histograms[class]
        };
        // Returns the codes in a class with weights that add up to 1.
        let one = |at: usize, class: usize| {
            let size = sizes[class].max(1) as f64;
            histogram(at, class).iter().map(move |&(code, n)| (code, n as f64 / size))
        };
        let (of_a, of_b) = (column(self.a), column(self.b));
        for (tuple, &n) in published.rows.counts().iter().enumerate() {
            let (class, n) = (published.class_of[tuple] as usize, n as f64);
            match (of_a, of_b) {
                (Some(of_a), Some(of_b)) => f(
                    &a.released[of_a.codes[tuple] as usize],
                    &b.released[of_b.codes[tuple] as usize],
                    n,
                ),
                (Some(of_a), None) => {
                    for (code, share) in one(self.b, class) {
                        let own = &a.released[of_a.codes[tuple] as usize];
                        f(own, &b.released[code as usize], n * share);
                    }
                }
                // Quasi-identifiers precede sensitive values, so both attributes are attached to
                // classes here.
                (None, _) => {
                    for (code_a, share_a) in one(self.a, class) {
                        for (code_b, share_b) in one(self.b, class) {
                            let (own, other) =
                                (&a.released[code_a as usize], &b.released[code_b as usize]);
                            f(own, other, n * share_a * share_b);
                        }
                    }
                }
            }
        }
    }

    /// Returns the fraction of rows at each pair of places, ordered by the first place.
    fn joint_of_original(&self) -> Vec<f64> {
        let (a, b) = self.axes();
        let width = b.n_places as usize;
        let mut rows = vec![0.0; a.n_places as usize * width];
        self.each_original(|place_a, place_b, n| rows[place_a * width + place_b] += n);
        shares(rows)
    }

    fn joint_of_release(&self) -> Vec<f64> {
        let (a, b) = self.axes();
        let (height, width) = (a.n_places as usize, b.n_places as usize);
        // First record the change in density at each corner, and then accumulate the changes.
        let stride = width + 1;
        let mut change = vec![0.0; (height + 1) * stride];
        self.each_released(|own, other, n| {
            let density = n / (f64::from(own.n_places.max(1)) * f64::from(other.n_places.max(1)));
            for rows in &own.spans {
                let (top, bottom) = (rows.from as usize * stride, rows.to as usize * stride);
                for columns in &other.spans {
                    let (left, right) = (columns.from as usize, columns.to as usize);
                    change[top + left] += density;
                    change[top + right] -= density;
                    change[bottom + left] -= density;
                    change[bottom + right] += density;
                }
            }
        });
        let mut joint = vec![0.0; height * width];
        let mut above = vec![0.0; stride];
        for row in 0..height {
            let mut sum = 0.0;
            for column in 0..width {
                above[column] += change[row * stride + column];
                sum += above[column];
                joint[row * width + column] = f64::max(sum, 0.0);
            }
        }
        shares(joint)
    }

    fn cramers_v(&self, original: &[f64], released: &[f64]) -> Option<Correlation> {
        let (a, b) = self.axes();
        let groups = |axis: &Axis, at: usize| match axis.numbers {
            Some(_) => quarters(&self.one[at].0),
            None => (0..axis.n_places as usize).collect(),
        };
        let (of_a, of_b) = (groups(a, self.a), groups(b, self.b));
        let v = |joint: &[f64]| cramers_v(joint, &of_a, &of_b);
        let measure = Connection::CramersV;
        Some(Correlation { measure, original: v(original)?, released: v(released) })
    }

    fn spearman(&self) -> Option<Correlation> {
        let (original_a, released_a) = &self.one[self.a];
        let (original_b, released_b) = &self.one[self.b];
        let (ranks_a, ranks_b) = (ranks(original_a), ranks(original_b));
        let (mut sum, mut n_rows) = (0.0, 0.0);
        self.each_original(|place_a, place_b, n| {
            sum += (ranks_a[place_a] - 0.5) * (ranks_b[place_b] - 0.5) * n;
            n_rows += n;
        });
        let deviations = deviation(&ranks_a, original_a) * deviation(&ranks_b, original_b);
        let original = (deviations > 0.0).then(|| sum / n_rows / deviations)?;

        let (ranks_a, ranks_b) = (ranks(released_a), ranks(released_b));
        let (below_a, below_b) = (sums(&ranks_a), sums(&ranks_b));
        let (mut sum, mut n_rows) = (0.0, 0.0);
        self.each_released(|own, other, n| {
            sum += (mean(&below_a, own) - 0.5) * (mean(&below_b, other) - 0.5) * n;
            n_rows += n;
        });
        let deviations = deviation(&ranks_a, released_a) * deviation(&ranks_b, released_b);
        let released = (deviations > 0.0).then(|| sum / n_rows / deviations);
        Some(Correlation { measure: Connection::Spearman, original, released })
    }
}

/// Returns, for each place, the fraction of rows below it plus half of the rows at it. The mean
/// rank is 1/2.
fn ranks(shares: &[f64]) -> Vec<f64> {
    let mut below = 0.0;
    let rank = |share: &f64| {
        below += share;
        below - share / 2.0
    };
    shares.iter().map(rank).collect()
}

fn deviation(ranks: &[f64], shares: &[f64]) -> f64 {
    let squares = ranks.iter().zip(shares).map(|(rank, share)| (rank - 0.5).powi(2) * share);
    squares.sum::<f64>().sqrt()
}

/// Returns the sum of the numbers before each place, followed by the total.
fn sums(numbers: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    sums.extend(numbers.iter().scan(0.0, |sum, number| {
        *sum += number;
        Some(*sum)
    }));
    sums
}

fn mean(sums: &[f64], covered: &CoveredPlaces) -> f64 {
    let of_span = |span: &crate::axes::Span| sums[span.to as usize] - sums[span.from as usize];
    covered.spans.iter().map(of_span).sum::<f64>() / f64::from(covered.n_places.max(1))
}

/// Returns the quarter that contains the midpoint of the rows at each place.
fn quarters(shares: &[f64]) -> Vec<usize> {
    ranks(shares).into_iter().map(|rank| ((rank * 4.0) as usize).min(3)).collect()
}

/// Computes Cramér's V of a joint distribution after grouping places. Returns `None` if an
/// attribute has a single value.
fn cramers_v(joint: &[f64], of_a: &[usize], of_b: &[usize]) -> Option<f64> {
    let n = |groups: &[usize]| groups.iter().max().map_or(0, |last| last + 1);
    let (height, width) = (n(of_a), n(of_b));
    let (mut cells, mut rows, mut columns) =
        (vec![0.0; height * width], vec![0.0; height], vec![0.0; width]);
    for (at, &share) in joint.iter().enumerate() {
        let (row, column) = (of_a[at / of_b.len()], of_b[at % of_b.len()]);
        cells[row * width + column] += share;
        rows[row] += share;
        columns[column] += share;
    }
    // Tiny positive fractions are treated as 0, because rounding can cause them at places without
    // rows.
    let is_there = |share: &&f64| **share > 1e-12;
    let n_values =
        rows.iter().filter(is_there).count().min(columns.iter().filter(is_there).count());
    if n_values < 2 {
        return None;
    }
    let mut sum = 0.0;
    for (row, of_row) in rows.iter().enumerate().filter(|(_, share)| **share > 1e-12) {
        for (column, of_column) in columns.iter().enumerate().filter(|(_, share)| **share > 1e-12) {
            sum += cells[row * width + column].powi(2) / (of_row * of_column);
        }
    }
    Some((f64::max(sum - 1.0, 0.0) / (n_values - 1) as f64).sqrt().min(1.0))
}
