//! What every release states of its recoding, as far as it follows from the policy.

use indistinct_core::{SuppressionRule, model};
use indistinct_policy::PolicyFile;
use serde_json::json;

use crate::certificate::about;

/// What statements say that follows from the policy: about what, and the figures.
///
/// Not every method makes the loss of a policy small.
pub fn of_policy(policy: &PolicyFile) -> [(&'static str, serde_json::Value); 2] {
    let recoding = &policy.recoding;
    let suppression = json!({
        "suppression_limit": model::to_f64(&recoding.suppression_limit),
        "suppressed": match recoding.suppression {
            SuppressionRule::Dropped => "dropped",
            SuppressionRule::Starred => "starred",
            SuppressionRule::Cells => "cells",
        },
    });
    let mut method = json!({ "method": recoding.method.name });
    if !recoding.method.ignores.contains(&"objective") {
        method["objective"] = json!(recoding.objective.name);
    }
    [(about::SUPPRESSION, suppression), (about::RECODING, method)]
}
