//! The joint distribution of the original values that the released labels suggest.
//!
//! **Model.** Each row belongs to one of a few components. Given the component, its values in
//! different columns are independent. With one component, these are the marginal distributions.
//! **Computation.** Expectation maximization on the labels of the classes: a label stands for the
//! values that it covers, in proportion to their current probabilities. The first distributions are
//! the marginal ones with random changes, which depend on a fixed seed.
//! **Complexity.** O(steps * components * (classes * columns + covered values)).

use indistinct_core::Observer;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::covers::Covers;

/// The number of components of larger tables.
const N_COMPONENTS: usize = 8;

/// A table with fewer rows for each component has one component.
const FEWEST_ROWS: u64 = 250;

/// A table with more covered values, added up over all labels and columns, has one component.
const MOST_COVERED: usize = 1_000_000;

/// The number of steps of expectation maximization.
const N_STEPS: usize = 30;

/// The number of rows with the marginal distribution that are added to each component.
const ADDED: f64 = 10.0;

/// The labels of a class, and its number of rows.
pub(crate) type ClassRows = (Vec<u32>, u64);

/// A component of the distribution.
struct Component {
    weight: f64,
    columns: Vec<Column>,
}

struct Column {
    /// The probability of each value.
    values: Vec<f64>,
    /// For each label, the probability of the values that it covers.
    labels: Vec<f64>,
    /// The logarithms of these probabilities.
    logs: Vec<f64>,
}

/// A distribution of combinations of values.
pub(crate) struct Mixture<'a> {
    covers: Vec<&'a Covers>,
    components: Vec<Component>,
}

/// A component of the distribution of the values in one class.
pub(crate) struct Part {
    /// The share of the component.
    pub share: f64,
    /// For each column, the probability of each covered value.
    pub columns: Vec<Vec<f64>>,
}

impl<'a> Mixture<'a> {
    /// Estimates the distribution from the labels of the classes. `marginals` contains the
    /// distribution of each column.
    pub fn fit(
        covers: Vec<&'a Covers>,
        marginals: &[&[f64]],
        classes: &[ClassRows],
        observer: &dyn Observer,
    ) -> Self {
        let n_covered: usize = covers.iter().flat_map(|it| &it.values).map(Vec::len).sum();
        let n_rows: u64 = classes.iter().map(|(_, rows)| rows).sum();
        let is_large = n_rows >= FEWEST_ROWS * N_COMPONENTS as u64 && n_covered <= MOST_COVERED;
        let n_components = if is_large { N_COMPONENTS } else { 1 };
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let components = (0..n_components).map(|_| {
            let of_column = |(covers, marginal): (&&Covers, &&[f64])| {
                let mut change = || match n_components {
                    1 => 1.0,
                    _ => 0.5 + f64::from(random.next_u32()) / f64::from(u32::MAX),
                };
                Column::new(covers, marginal.iter().map(|p| p * change()).collect())
            };
            let columns = covers.iter().zip(marginals).map(of_column).collect();
            Component { weight: 1.0 / n_components as f64, columns }
        });
        let components = components.collect();
        let mut found = Self { covers, components };
        if n_components > 1 {
            for _ in (0..N_STEPS).take_while(|_| !observer.is_cancelled()) {
                found.step(marginals, classes);
            }
        }
        found
    }

    pub fn n_components(&self) -> usize {
        self.components.len()
    }

    /// One step of expectation maximization.
    fn step(&mut self, marginals: &[&[f64]], classes: &[ClassRows]) {
        // For each component, column, and label, the expected number of rows.
        let none = |column: &Column| vec![0.0; column.labels.len()];
        let mut rows: Vec<Vec<Vec<f64>>> =
            self.components.iter().map(|it| it.columns.iter().map(none).collect()).collect();
        let mut n_rows = vec![0.0; self.components.len()];
        for (labels, n) in classes {
            for (at, share) in self.shares(labels).into_iter().enumerate() {
                let expected = share * *n as f64;
                n_rows[at] += expected;
                for (rows, label) in rows[at].iter_mut().zip(labels) {
                    rows[*label as usize] += expected;
                }
            }
        }
        let all: f64 = n_rows.iter().sum::<f64>() + ADDED * n_rows.len() as f64;
        for ((component, rows), n_rows) in self.components.iter_mut().zip(rows).zip(n_rows) {
            component.weight = (n_rows + ADDED) / all;
            for (at, rows) in rows.iter().enumerate() {
                let (covers, old) = (self.covers[at], &component.columns[at]);
                let mut expected: Vec<f64> = marginals[at].iter().map(|p| p * ADDED).collect();
                for ((values, rows), sum) in covers.values.iter().zip(rows).zip(&old.labels) {
                    for &value in values.iter().filter(|_| *rows > 0.0) {
                        expected[value as usize] += rows * old.values[value as usize] / sum;
                    }
                }
                component.columns[at] = Column::new(covers, expected);
            }
        }
    }

    /// Returns the share of each component among the rows with these labels.
    fn shares(&self, labels: &[u32]) -> Vec<f64> {
        let log = |it: &Component| {
            let of_label = |(column, label): (&Column, &u32)| column.logs[*label as usize];
            it.weight.ln() + it.columns.iter().zip(labels).map(of_label).sum::<f64>()
        };
        let logs: Vec<f64> = self.components.iter().map(log).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        shares(logs.into_iter().map(|log| (log - most).exp()).collect())
    }

    /// Returns the distribution of the values that these labels cover, by component. Each label
    /// must cover a value.
    pub fn within(&self, labels: &[u32]) -> Vec<Part> {
        let of_component = |(component, share): (&Component, f64)| {
            let columns = component.columns.iter().zip(labels).zip(&self.covers);
            let values = columns.map(|((column, label), covers)| {
                let values = &covers.values[*label as usize];
                shares(values.iter().map(|&it| column.values[it as usize]).collect())
            });
            Part { share, columns: values.collect() }
        };
        self.components.iter().zip(self.shares(labels)).map(of_component).collect()
    }
}

impl Column {
    fn new(covers: &Covers, weights: Vec<f64>) -> Self {
        let values = shares(weights);
        let sum = |covered: &Vec<u32>| covered.iter().map(|&it| values[it as usize]).sum();
        let labels: Vec<f64> = covers.values.iter().map(sum).collect();
        let logs = labels.iter().map(|p| p.ln()).collect();
        Self { values, labels, logs }
    }
}

/// Divides the weights by their sum.
pub(crate) fn shares(mut weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// Returns the distribution of one column in a class.
pub(crate) fn of_column(parts: &[Part], at: usize) -> Vec<f64> {
    let mut all = vec![0.0; parts[0].columns[at].len()];
    for part in parts {
        for (all, p) in all.iter_mut().zip(&part.columns[at]) {
            *all += part.share * p;
        }
    }
    all
}
