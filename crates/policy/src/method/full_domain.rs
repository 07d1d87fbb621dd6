//! `method = "full-domain"`.

use super::{Counts, Form, InLedger, MethodKind, QuasiIdentifiers, Suppresses};

/// One level for each attribute.
pub static FULL_DOMAIN: MethodKind = MethodKind {
    name: "full-domain",
    summary: "Every value of an attribute goes to the same level of its hierarchy; the best combination of levels is searched for.",
    keys: &[],
    ignores: &[],
    quasi_identifiers: QuasiIdentifiers::ByLevel,
    form: Form::Rows,
    class_column: None,
    ledger: InLedger::Optional,
    counts: Counts::RowsAndPeople,
    suppresses: Suppresses::RowsOrCells,
    check: |_| {},
};
