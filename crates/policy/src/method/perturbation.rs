//! `method = "perturbation"`: rejects settings that would disclose which rows keep their sensitive
//! value.

use super::{Check, Form, InLedger, MethodKind, QuasiIdentifiers};

/// The method that replaces sensitive values at random.
pub static PERTURBATION: MethodKind = MethodKind {
    name: "perturbation",
    summary: "Releases quasi-identifiers unchanged and randomly replaces sensitive values with \
              values from a domain. The method supports (epsilon, m)- and (e1, e2, m)-anonymity \
              and (delta, l)-diversity of a single sensitive attribute.",
    keys: &["domain"],
    ignores: &["suppression_limit", "objective", "suppression"],
    quasi_identifiers: QuasiIdentifiers::Untouched,
    form: Form::Perturbed,
    ledger: InLedger::Refused,
    check,
    ..MethodKind::ROWS
};

fn check(check: &mut Check<'_>) {
    check.require(
        "domain",
        "specify the domain of the replacement values: domain = { min = 1000, max = 100000, step = \
         1 } in [recoding]",
    );
    check.untouched();
    check.refuse_known_order("sensitive values");
}
