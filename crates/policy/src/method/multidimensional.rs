//! `method = "multidimensional"`.

use super::{Counts, Form, InLedger, MethodKind, QuasiIdentifiers, Suppresses};
use indistinct_core::Status;

/// Regions, or local recoding.
pub static MULTIDIMENSIONAL: MethodKind = MethodKind {
    name: "multidimensional",
    summary: "Every class has its own generalized values. The table is divided into regions, or record by record if this loses less.",
    status: Status::Stable,
    keys: &["generalize_to", "split"],
    ignores: &[],
    quasi_identifiers: QuasiIdentifiers::ByClass,
    form: Form::Rows,
    class_column: None,
    ledger: InLedger::Optional,
    counts: Counts::RowsAndPeople,
    suppresses: Suppresses::RowsOrCells,
    check: |_| {},
};
