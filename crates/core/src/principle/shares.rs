//! The shares of sensitive values in all released rows, and in a class beside them.

use std::fmt::Debug;

use super::{Bound, DependsOn, Level, Merging, Principle, Quantity, histogram};
use crate::model::{ClassView, Histogram};

/// Released rows with each value of a sensitive attribute.
#[derive(Debug)]
pub(super) struct Shares {
    /// By code.
    pub rows: Vec<u64>,
    /// All of them.
    pub n_released: u64,
}

/// A share in a class beside that of all released rows, over a common denominator.
pub(super) struct SharePair {
    pub of_class: i128,
    pub of_all: i128,
}

/// What no class with such a value reaches.
pub(super) const OUT_OF_REACH: Level = Level::One(Quantity::Unreachable);

impl Shares {
    pub fn new(rows: Vec<u64>) -> Self {
        let n_released = rows.iter().sum();
        Self { rows, n_released }
    }

    /// The share of a value that `count` rows of a class of `size` rows have: n_s N beside N_s |C|.
    pub fn relative_to(&self, code: u32, count: u64, size: u64) -> SharePair {
        SharePair {
            of_class: i128::from(count) * i128::from(self.n_released),
            of_all: i128::from(self.rows[code as usize]) * i128::from(size),
        }
    }
}

/// How the shares in a class may differ from those of all released rows.
pub(super) trait Rule: Debug + Clone + Send + Sync + 'static {
    /// The same beside other released rows.
    fn relative_to(&self, shares: &Shares) -> Self;

    /// What a class reaches, from its rows with each value.
    fn level(&self, shares: &Shares, entries: &[(u32, u64)], size: u64, bound: &Bound) -> Level;
}

/// A principle that holds the shares of each class against those of all released rows, and nothing else.
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

    fn merging(&self) -> Merging {
        Merging::Keeps
    }

    fn depends_on(&self) -> DependsOn {
        DependsOn::ReleasedRows
    }

    fn against(&self, released: &[Histogram<'_>]) -> Option<Box<dyn Principle>> {
        let shares = Shares::new(released[self.attribute].by_code());
        Some(Box::new(Self::new(self.attribute, shares, &self.rule, self.bounds[0].clone())))
    }
}
