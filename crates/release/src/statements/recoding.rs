//! By which method, and how good the recoding is: as far as that may be told.

use indistinct_core::{Optimality, SuppressionRule, model};
use indistinct_policy::{PolicyFile, QuasiIdentifiers};
use serde_json::json;

use super::statement;
use crate::certificate::Statement;
use crate::certificate::about::RECODING;
use crate::forms::statements::of_policy;

/// Whether how good a recoding is would tell of rows that are not in the release: where levels are searched for, that is proved unless
/// single rows were taken out, and these are taken out because of their sensitive values.
fn tells_of_suppressed_rows(policy: &PolicyFile) -> bool {
    let recoding = &policy.recoding;
    recoding.method.quasi_identifiers == QuasiIdentifiers::ByLevel
        && recoding.suppression == SuppressionRule::Dropped
        && model::to_f64(&recoding.suppression_limit) > 0.0
        && policy.principles.iter().any(|spec| spec.attribute.is_some())
}

/// By which method, and how good the recoding is. Inputs that give the same rows by the same policy get the same statement.
pub fn recoding(policy: &PolicyFile, found: Optimality) -> Statement {
    let [_, (_, mut figures)] = of_policy(policy);
    let (method, objective) = (policy.recoding.method.name, policy.recoding.objective.name);
    let (is_optimal, text) = match found {
        Optimality::Separated => (
            Some(false),
            "Quasi-identifiers are as they were. The method makes many small classes but does not try all divisions into classes."
                .to_owned(),
        ),
        Optimality::ByPlan => (
            Some(false),
            "The classes are those of the plan; no other division was looked for.".to_owned(),
        ),
        Optimality::LargestRetention => (
            Some(true),
            "Quasi-identifiers are as they were. No larger retention probability, in millionths, satisfies the policy."
                .to_owned(),
        ),
        Optimality::AsRequested => (
            Some(false),
            "What was done to which column the policy says; nothing was searched for.".to_owned(),
        ),
        _ if tells_of_suppressed_rows(policy) => (
            None,
            format!(
                "Whether another {method} recoding that satisfies the policy has a lower {objective} is not told: that would tell of rows that \
                 are not in the release."
            ),
        ),
        Optimality::Proved => (
            Some(true),
            format!(
                "No other {method} recoding that satisfies the policy has a lower {objective}; what was lost is in the private part."
            ),
        ),
        Optimality::ProvedForLevels => {
            let starred = match policy.recoding.suppression {
                SuppressionRule::Dropped => "",
                SuppressionRule::Starred | SuppressionRule::Cells => {
                    ", and the smallest others with them as long as the starred rows fail"
                }
            };
            (
                Some(false),
                format!(
                    "No other levels have a lower {objective} where the classes that fail are suppressed whole{starred}; what was lost is in the private part."
                ),
            )
        }
        Optimality::Stopped { .. } => (
            Some(false),
            "The search was stopped before it had tried all; a recoding with less loss may exist.".to_owned(),
        ),
        Optimality::CoarsenedForLinkage => (
            Some(false),
            "A recoding with less loss satisfies the policy by itself. This one was taken since more remains after linking \
             with earlier releases."
                .to_owned(),
        ),
        Optimality::Heuristic => (
            Some(false),
            "The method does not try all recodings; one with less loss may exist.".to_owned(),
        ),
    };
    if let Some(is_optimal) = is_optimal {
        figures["optimal"] = json!(is_optimal);
    }
    let rests_on = "the holder's run of the search";
    Statement { value: Some(figures), ..statement(RECODING, text, rests_on) }
}
