//! `method = "perturbation"`: it leaves quasi-identifiers as they are, and nothing may tell rows that keep their sensitive value
//! from rows that do not.

use indistinct_core::Role;

use super::{Check, Counts, Form, InLedger, MethodKind, QuasiIdentifiers, Suppresses};
use crate::RowOrder;

/// Noise in the place of sensitive values.
pub static PERTURBATION: MethodKind = MethodKind {
    name: "perturbation",
    summary: "For epsilon-m- and e1-e2-m-anonymity and delta-l-diversity of the only sensitive attribute: quasi-identifiers stay as they are, and sensitive values are replaced at random by noise from a domain.",
    keys: &["domain"],
    ignores: &["suppression_limit", "objective", "suppressed"],
    quasi_identifiers: QuasiIdentifiers::Untouched,
    form: Form::Noisy,
    class_column: None,
    ledger: InLedger::Refused,
    counts: Counts::Rows,
    suppresses: Suppresses::Rows,
    check,
};

fn check(check: &mut Check<'_>) {
    check.require(
        "domain",
        "say what noise is drawn from: domain = { min = 1000, max = 100000, step = 1 } in [recoding]",
    );
    check.untouched();
    let has_insensitive = check.attributes().iter().any(|it| it.role == Role::Insensitive);
    if check.output.order == RowOrder::Sorted && has_insensitive {
        // Rows that differ in insensitive columns alone would be dealt the values of their tuple in an order that anyone knows.
        let message = "'output.order' is 'sorted': with insensitive columns beside it, the order would \
                       tell which sensitive values were replaced";
        let help = "take order = \"shuffled\", or leave the insensitive columns out of the release";
        check.contradiction(&["output", "order"], message.to_owned(), help);
    }
}
