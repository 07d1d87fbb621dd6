//! `method = "full-domain"`.

use super::{Counts, Form, InLedger, MethodKind, QuasiIdentifiers, Suppresses};
use indistinct_core::Status;

/// One level for each attribute.
pub static FULL_DOMAIN: MethodKind = MethodKind {
    name: "full-domain",
    summary: "All values of an attribute are generalized to the same level of its hierarchy. The search finds the best combination of levels.",
    status: Status::Stable,
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
