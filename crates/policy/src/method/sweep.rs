//! `method = "sweep"`.

use super::{Counts, Form, InLedger, MethodKind, QuasiIdentifiers};

/// Classes for (tau, l)-diversity.
pub static SWEEP: MethodKind = MethodKind {
    name: "sweep",
    summary: "For tau-l-diversity: classes are taken one after the other, and sensitive values of the last class are generalized.",
    keys: &["choice"],
    ignores: &[],
    quasi_identifiers: QuasiIdentifiers::ByClass,
    form: Form::Rows,
    class_column: None,
    ledger: InLedger::Optional,
    counts: Counts::Rows,
    check: |_| {},
};
