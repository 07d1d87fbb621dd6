//! The shares of sensitive values in all released rows, and in a class beside them.

use super::{Level, Quantity};
use crate::model::Histogram;

/// Released rows with each value of a sensitive attribute.
#[derive(Debug)]
pub(super) struct Shares {
    /// By code.
    pub rows: Vec<u64>,
    /// All of them.
    pub n_released: u64,
}

/// A share in a class beside that of all released rows, over a common denominator.
pub(super) struct Beside {
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

    /// Those of other released rows.
    pub fn of_released(released: &[Histogram<'_>], attribute: usize) -> Self {
        Self::new(released[attribute].by_code())
    }

    /// The share of a value that `count` rows of a class of `size` rows have: n_s N beside N_s |C|.
    pub fn beside(&self, code: u32, count: u64, size: u64) -> Beside {
        Beside {
            of_class: i128::from(count) * i128::from(self.n_released),
            of_all: i128::from(self.rows[code as usize]) * i128::from(size),
        }
    }
}
