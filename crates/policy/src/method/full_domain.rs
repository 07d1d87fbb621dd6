//! `method = "full-domain"`.

use super::{Counts, MethodKind, QuasiIdentifiers, Suppresses};

/// One level for each attribute.
pub static FULL_DOMAIN: MethodKind = MethodKind {
    name: "full-domain",
    summary: "Every value of an attribute goes to the same level of its hierarchy; the best combination of levels is searched for.",
    quasi_identifiers: QuasiIdentifiers::ByLevel,
    counts: Counts::RowsAndPeople,
    suppresses: Suppresses::RowsOrCells,
    ..MethodKind::ROWS
};
