//! `method = "curve"`.

use super::{Counts, Form, InLedger, MethodKind, QuasiIdentifiers, Suppresses};
use indistinct_core::Status;

/// Neighbors along a Hilbert curve.
pub static CURVE: MethodKind = MethodKind {
    name: "curve",
    summary: "Rows that are close to each other on a Hilbert curve through the quasi-identifiers form a class.",
    status: Status::Stable,
    keys: &["generalize_to"],
    ignores: &[],
    quasi_identifiers: QuasiIdentifiers::ByClass,
    form: Form::Rows,
    class_column: None,
    ledger: InLedger::Optional,
    counts: Counts::Rows,
    suppresses: Suppresses::Rows,
    check: |_| {},
};
