//! Compares the shares of sensitive values in a class with their shares in all released rows.

use std::fmt::Debug;

use super::*;

/// The number of released rows with each value of a sensitive attribute.
#[derive(Debug)]
pub(super) struct Shares {
    /// The number of rows with each code.
    pub rows: Vec<u64>,
    /// The number of all released rows.
    pub n_released: u64,
}

/// The share of a value in a class and its share in all released rows, as numerators over a common
/// denominator.
pub(super) struct SharePair {
    pub of_class: i128,
    pub of_all: i128,
}

/// The level of a class that contains a value for which no parameter is sufficient.
pub(super) const OUT_OF_REACH: Level = Level::One(Quantity::Unreachable);

impl Shares {
    pub fn new(rows: Vec<u64>) -> Self {
        let n_released = rows.iter().sum();
        Self { rows, n_released }
    }

    /// Returns the two shares of a value with `count` rows in a class of `size` rows: n_s N and N_s
    /// |C|.
    pub fn relative_to(&self, code: u32, count: u64, size: u64) -> SharePair {
        SharePair {
            of_class: i128::from(count) * i128::from(self.n_released),
            of_all: i128::from(self.rows[code as usize]) * i128::from(size),
        }
    }
}

/// A rule that limits the difference between the shares in a class and the shares in all released
/// rows.
pub(super) trait Rule: Debug + Clone + Send + Sync + 'static {
    /// Returns a copy of this rule for different released rows.
    fn relative_to(&self, shares: &Shares) -> Self;

    /// Returns the level of a class, given the number of rows with each value.
    fn level(&self, shares: &Shares, entries: &[(u32, u64)], size: u64, bound: &Bound) -> Level;
}

/// A principle that compares the shares in each class with those in all released rows, and requires
/// nothing else.
#[derive(Debug)]
pub(super) struct Likeness<R> {
    attribute: usize,
    shares: Shares,
    rule: R,
    bounds: [Bound; 1],
}

impl<R: Rule> Likeness<R> {
    pub fn new(attribute: usize, shares: Shares, rule: &R, bound: Bound) -> Self {
        Self { attribute, rule: rule.relative_to(&shares), shares, bounds: [bound] }
    }
}

impl<R: Rule> Principle for Likeness<R> {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let entries = histogram(class, self.attribute).entries;
        self.rule.level(&self.shares, entries, class.size, &self.bounds[0])
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn depends_on(&self) -> DependsOn {
        DependsOn::ReleasedRows
    }

    fn against(&self, released: &[Histogram<'_>]) -> Option<Box<dyn Principle>> {
        let shares = Shares::new(released[self.attribute].by_code());
        Some(Box::new(Self::new(self.attribute, shares, &self.rule, self.bounds[0].clone())))
    }
}
