//! `method = "curve"`.

use super::{Counts, Form, InLedger, MethodKind, QuasiIdentifiers, Suppresses};

/// Neighbors along a Hilbert curve.
pub static CURVE: MethodKind = MethodKind {
    name: "curve",
    summary: "Rows that are near each other along a Hilbert curve through the quasi-identifiers form a class.",
    keys: &["align"],
    ignores: &[],
    quasi_identifiers: QuasiIdentifiers::ByClass,
    form: Form::Rows,
    class_column: None,
    ledger: InLedger::Optional,
    counts: Counts::Rows,
    suppresses: Suppresses::Rows,
    check: |_| {},
};
