//! `method = "sweep"`: supports one principle on the frequencies of base values, in addition to
//! principles on the size of classes.

use indistinct_core::Status;
use indistinct_core::principle::{Merging, Subject, required_shares};

use super::{Check, MethodKind};

/// The method that forms classes with (tau, l)-diversity.
pub static SWEEP: MethodKind = MethodKind {
    name: "sweep",
    summary: "Forms one class after another to satisfy tau-l-diversity, and generalizes sensitive \
              values in the last class.",
    status: Status::Experimental {
        reason: "The method supports only the experimental principle tau-l-diversity, and only \
                 some of the published losses could be reproduced.",
    },
    keys: &["value_selection", "level_weights"],
    check,
    ..MethodKind::ROWS
};

const INSTEAD: &str = "method \"multidimensional\" supports other principles";

fn check(check: &mut Check<'_>) {
    let mut n_on_shares = 0;
    for (at, spec) in check.principles {
        let name = spec.kind.name;
        let is_on_size = spec.kind.subject == Subject::Class
            && spec.kind.merging_with(&spec.parameters) == Merging::Keeps;
        if required_shares(spec.kind, &spec.parameters).is_some() {
            n_on_shares += 1;
        } else if !is_on_size {
            let message =
                format!("'{name}' cannot be guaranteed if sensitive values are generalized");
            check.refuse(&["principles", &at.to_string(), "kind"], &message, INSTEAD);
        }
    }
    if n_on_shares != 1 {
        let message = format!(
            "exactly one principle 'tau-l-diversity' is required, but the policy has {n_on_shares}"
        );
        check.refuse(&["recoding", "method"], &message, INSTEAD);
    }
}
