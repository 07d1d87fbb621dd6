//! The method `multidimensional`.

use super::{Counts, MethodKind, Suppresses};

/// Divides the table into regions or recodes single records.
pub static MULTIDIMENSIONAL: MethodKind = MethodKind {
    name: "multidimensional",
    summary: "Every class has its own generalized values. Classes are regions of the table, or are \
              formed record by record if this has a lower loss.",
    keys: &["generalize_to", "split"],
    counts: Counts::RowsAndPeople,
    suppresses: Suppresses::RowsOrCells,
    ..MethodKind::ROWS
};
