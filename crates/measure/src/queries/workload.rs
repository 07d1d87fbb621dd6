//! Generates random queries.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::Error;
use crate::axes::{Axes, Span};

/// The parameters of randomly drawn queries.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Workload {
    /// The number of attributes in each query, including the sensitive attribute.
    pub dimension: usize,
    /// The approximate fraction of all value combinations that a query selects.
    pub volume: f64,
    /// The number of queries.
    pub n_queries: usize,
    /// The seed of the random choices.
    pub seed: u64,
}

/// One condition of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// The index of the axis of the attribute.
    pub attribute: usize,
    /// The selected values.
    pub span: Span,
}

/// A query for the number of rows that satisfy all conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The conditions, each on a different attribute, in ascending order with quasi-identifiers
    /// first.
    pub terms: Vec<Term>,
}

impl Query {
    /// Returns the conditions on quasi-identifiers and the conditions on sensitive attributes.
    pub fn parts(&self, axes: &Axes) -> (&[Term], &[Term]) {
        let at = self.terms.partition_point(|term| axes.is_quasi_identifier(term.attribute));
        self.terms.split_at(at)
    }
}

impl Default for Workload {
    /// Returns the central setting of the experiments in the paper: 1,000 queries on three
    /// attributes with a volume of 10%.
    fn default() -> Self {
        Self { dimension: 3, volume: 0.1, n_queries: 1000, seed: 0 }
    }
}

impl Workload {
    /// Returns the maximum number of attributes in a query.
    pub fn largest_dimension(axes: &Axes) -> usize {
        axes.n_quasi_identifiers + usize::from(axes.axes.len() > axes.n_quasi_identifiers)
    }

    /// Draws the queries.
    ///
    /// # Errors
    /// Returns [`Error::Dimension`] if there are too few attributes, and [`Error::Volume`] if the
    /// volume is not a valid fraction.
    pub fn draw(&self, axes: &Axes) -> Result<Vec<Query>, Error> {
        let most = Self::largest_dimension(axes);
        if !(1..=most).contains(&self.dimension) {
            return Err(Error::Dimension { got: self.dimension, most });
        }
        if !(self.volume > 0.0 && self.volume <= 1.0) {
            return Err(Error::Volume { got: self.volume });
        }
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        Ok((0..self.n_queries).map(|_| self.query(axes, &mut random)).collect())
    }

    fn query(&self, axes: &Axes, random: &mut ChaCha8Rng) -> Query {
        let n_sensitive = axes.axes.len() - axes.n_quasi_identifiers;
        let n_known = self.dimension - usize::from(n_sensitive > 0);
        let mut attributes =
            rand::seq::index::sample(random, axes.n_quasi_identifiers, n_known).into_vec();
        attributes.sort_unstable();
        if n_sensitive > 0 {
            attributes.push(axes.n_quasi_identifiers + random.random_range(0..n_sensitive));
        }
        let mut term = |attribute: usize| {
            let n_places = axes.axes[attribute].n_places;
            let length = self.length(n_places);
            let from = random.random_range(0..=n_places - length);
            Term { attribute, span: Span { from, to: from + length } }
        };
        Query { terms: attributes.into_iter().map(&mut term).collect() }
    }

    /// Returns the number of values that a condition selects. A product that differs from an
    /// integer only by rounding counts as this integer.
    fn length(&self, n_places: u32) -> u32 {
        let share = self.volume.powf(1.0 / self.dimension as f64);
        let length = (f64::from(n_places) * share + 1e-9).floor() as u32;
        length.max(1).min(n_places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(n_places: u32, volume: f64, dimension: usize) -> u32 {
        Workload { dimension, volume, ..Workload::default() }.length(n_places)
    }

    #[test]
    fn range_lengths_follow_definition() {
        assert_eq!(length(78, 0.1, 3), 36); // 78 * 0.46416
        assert_eq!(length(100, 0.01, 2), 10);
        assert_eq!(length(1000, 0.001, 3), 100);
        assert_eq!(length(2, 0.1, 3), 1);
        assert_eq!(length(983, 1.0, 4), 983);
        assert_eq!(length(0, 0.5, 1), 0);
    }
}
