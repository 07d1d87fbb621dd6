//! The method `masking`, which draws values at random and therefore cannot guarantee any principle.

use super::{Check, Form, InLedger, MethodKind, QuasiIdentifiers};
use crate::Code;
use indistinct_core::Status;

/// The method that changes quasi-identifiers at random.
pub static MASKING: MethodKind = MethodKind {
    name: "masking",
    summary: "Values of quasi-identifiers are swapped between rows, shuffled, redrawn, or \
              perturbed by additive noise, as `masking` specifies for each column. The release \
              does not claim to satisfy any principle, so the policy must not require any.",
    status: Status::Experimental {
        reason: "The release does not claim to satisfy any principle, so `verify` cannot confirm any protection.",
    },
    keys: &["masking"],
    ignores: &["suppression_limit", "objective", "suppression"],
    quasi_identifiers: QuasiIdentifiers::Untouched,
    form: Form::Masked,
    ledger: InLedger::Refused,
    check,
    ..MethodKind::ROWS
};

fn check(check: &mut Check<'_>) {
    check.require(
        "masking",
        "specify the operation for each column: masking = { age = { swap = 0.05 }, income = { \
         noise = 0.1 } } in [recoding]",
    );
    check.untouched();
    for (at, spec) in check.principles {
        let text = format!(
            "'{}' cannot be claimed, because a row may have another person's values",
            spec.kind.name
        );
        let help = "remove all principles, or choose a method that can guarantee them";
        check.refuse(&["principles", &at.to_string(), "kind"], &text, help);
    }
    let columns = check.recoding.masking.iter().map(|masked| &masked.column);
    check.quasi_identifiers_alone("masking", columns, "can be masked");
    if let Some(span) = check.span(&["output", "class_column"]) {
        let message = "'output.class_column' cannot be combined with method 'masking'".to_owned();
        let help = "remove the class column, because masked rows do not form classes";
        check.wrong(Code::Contradiction, span, message, help);
    }
    check.refuse_known_order("values");
}
