//! A class during improvement, with its tuples, its cover, and its cost.

use super::judge::Tally;

/// A class, or a candidate for a class.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    /// Tuples in ascending order.
    pub tuples: Vec<u32>,
    /// Number of rows.
    pub size: u64,
    /// The narrowest cells that cover all tuples.
    pub cells: Vec<u32>,
    pub tally: Tally,
    /// The cost of the cells per row.
    pub cost: f64,
    /// The contribution of the class to the objective.
    pub total: f64,
    /// Whether the class satisfies all principles.
    pub holds: bool,
}

impl Cluster {
    /// Returns the cost of the cells for all rows.
    pub fn of_cells(&self) -> f64 {
        self.cost * self.size as f64
    }
}
