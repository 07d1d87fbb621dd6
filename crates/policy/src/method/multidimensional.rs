//! `method = "multidimensional"`.

use super::{Counts, MethodKind, Suppresses};

/// Regions, or local recoding.
pub static MULTIDIMENSIONAL: MethodKind = MethodKind {
    name: "multidimensional",
    summary: "Every class has its own generalized values. The table is divided into regions, or record by record if this loses less.",
    keys: &["generalize_to", "split"],
    counts: Counts::RowsAndPeople,
    suppresses: Suppresses::RowsOrCells,
    ..MethodKind::ROWS
};
