//! `method = "multidimensional"`.

use super::{Counts, MethodKind, Suppresses};

/// Regions, or local recoding.
pub static MULTIDIMENSIONAL: MethodKind = MethodKind {
    name: "multidimensional",
    summary: "Every class has values of its own: the table is divided into regions, or record by record, where that loses least.",
    keys: &["align", "split"],
    counts: Counts::RowsAndPeople,
    suppresses: Suppresses::RowsOrCells,
    ..MethodKind::ROWS
};
