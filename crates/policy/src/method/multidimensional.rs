//! The method `multidimensional`.

use super::{Counts, MethodKind, Suppresses};

/// Divides the table into regions, or recodes single records.
pub static MULTIDIMENSIONAL: MethodKind = MethodKind {
    name: "multidimensional",
    summary: "Every class has its own generalized values. The table is divided into regions, or \
              record by record if this loses less.",
    keys: &["generalize_to", "split"],
    counts: Counts::RowsAndPeople,
    suppresses: Suppresses::RowsOrCells,
    ..MethodKind::ROWS
};
