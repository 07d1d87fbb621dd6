//! `method = "noise"`: it makes values by chance, and no principle can be claimed of what it makes.

use super::{Check, Form, InLedger, MethodKind, QuasiIdentifiers};
use crate::{Code, Problem};

/// Noise in quasi-identifiers.
pub static NOISE: MethodKind = MethodKind {
    name: "noise",
    summary: "Values of quasi-identifiers are swapped between rows, dealt anew, drawn again, or get noise added, as `noise` says of each column. Claims no principle: the policy must have none.",
    keys: &["noise"],
    ignores: &["suppression_limit", "objective", "suppressed"],
    quasi_identifiers: QuasiIdentifiers::Untouched,
    form: Form::Masked,
    ledger: InLedger::Refused,
    check,
    ..MethodKind::ROWS
};

fn check(check: &mut Check<'_>) {
    check.require(
        "noise",
        "say which columns get what: noise = { age = { swap = 0.05 }, income = { add = 0.1 } } in [recoding]",
    );
    check.untouched();
    for (at, spec) in check.principles {
        let text = format!(
            "'{}' cannot be claimed: a row may have the values of somebody else",
            spec.kind.name
        );
        let help = "remove all principles, or choose a method that can promise them";
        check.refuse(&["principles", &at.to_string(), "kind"], &text, help);
    }
    let columns = check.noise.iter().map(|masked| &masked.column);
    check.quasi_identifiers_alone("noise", columns, "get noise");
    if let Some(span) = check.span(&["output", "class_column"]) {
        let message = "'output.class_column' does not go with method 'noise'".to_owned();
        let help = "remove it: rows that look alike by chance are no class";
        check.report(Problem::at(Code::Contradiction, span, message).help(help));
    }
    check.refuse_known_order("values");
}
