//! A class while it is being improved: which tuples it has, what it covers, and what it costs.

use super::judge::Tally;

/// A class, or what is to become one.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    /// Ascending.
    pub tuples: Vec<u32>,
    /// Number of rows.
    pub size: u64,
    /// The least cells that cover all tuples.
    pub cells: Vec<u32>,
    pub tally: Tally,
    /// What the cells cost each row.
    pub cost: f64,
    /// What the class adds to the objective.
    pub total: f64,
    /// Whether all principles hold.
    pub holds: bool,
}

impl Cluster {
    /// What the cells cost all rows.
    pub fn of_cells(&self) -> f64 {
        self.cost * self.size as f64
    }
}
