//! `method = "multidimensional"`.

use super::{Counts, Form, InLedger, MethodKind, QuasiIdentifiers, Suppresses};

/// Regions, or local recoding.
pub static MULTIDIMENSIONAL: MethodKind = MethodKind {
    name: "multidimensional",
    summary: "Every class has values of its own: the table is divided into regions, or record by record, where that loses least.",
    keys: &["align", "split"],
    ignores: &[],
    quasi_identifiers: QuasiIdentifiers::ByClass,
    form: Form::Rows,
    class_column: None,
    ledger: InLedger::Optional,
    counts: Counts::RowsAndPeople,
    suppresses: Suppresses::RowsOrCells,
    check: |_| {},
};
