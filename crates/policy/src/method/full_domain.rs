//! The method `full-domain`.

use super::{Counts, MethodKind, QuasiIdentifiers, Suppresses};

/// Generalizes each attribute to one level.
pub static FULL_DOMAIN: MethodKind = MethodKind {
    name: "full-domain",
    summary: "All values of an attribute are generalized to the same level of its hierarchy. The \
              search finds the best combination of levels.",
    quasi_identifiers: QuasiIdentifiers::ByLevel,
    counts: Counts::RowsAndPeople,
    suppresses: Suppresses::RowsOrCells,
    ..MethodKind::ROWS
};
