//! What a certificate states that the released rows cannot show.
//!
//! Invariant: no figure that depends on the original beyond the released rows; those are in the private part.

use indistinct_core::{Role, Suppressed, model};
use indistinct_report::certificate::Statement;
use indistinct_report::words;
use serde_json::json;

use crate::release::Making;

pub(crate) fn of(making: &Making<'_>) -> Vec<Statement> {
    let job = making.job;
    let mut statements = vec![
        statement(
            "people",
            "Every row of the original is about one person, and no person has several rows.".to_owned(),
            "the holder's knowledge of the table; a person with several rows is protected less than the principles say",
        ),
        statement(
            "roles",
            "The quasi-identifiers are all that an adversary can know of a person from elsewhere.".to_owned(),
            "the holder's choice of roles",
        ),
        statement(
            "adversary",
            "The adversary is assumed to know the quasi-identifiers of a person, that the person is in the table, the \
             policy and the method; no other release of the same people, and nothing else about their secrets."
                .to_owned(),
            "the definition of the principles",
        ),
        suppression(making),
        Statement {
            value: Some(json!({
                "method": making.released.recoding.method,
                "objective": making.released.recoding.objective,
                "optimal": making.released.recoding.optimal,
            })),
            ..statement(
                "recoding",
                if making.released.recoding.optimal {
                    format!(
                        "No other {} recoding that satisfies the policy has a lower {}; what was lost is in the private part.",
                        making.released.recoding.method, making.released.recoding.objective
                    )
                } else {
                    "The search was stopped by its time limit; a recoding with less loss may exist.".to_owned()
                },
                "the holder's run of the search",
            )
        },
    ];
    let untouched = job.names(Role::Insensitive);
    if !untouched.is_empty() {
        statements.push(statement(
            "insensitive",
            format!("Published as they are: {}.", words::list(&untouched)),
            "the holder's judgement that these columns neither single out people nor tell secrets",
        ));
    }
    let dropped = job.names(Role::Identifier);
    if !dropped.is_empty() {
        statements.push(statement(
            "identifiers",
            "Direct identifiers of the original are not in the release.".to_owned(),
            "the holder's choice of roles",
        ));
    }
    statements
}

fn suppression(making: &Making<'_>) -> Statement {
    let limit = making.prepared.policy.suppression_limit;
    let share = words::percent(model::to_f64(&limit));
    let text = match (model::to_f64(&limit) > 0.0, making.prepared.policy.suppressed) {
        (false, _) => "Every row of the original is in the release.".to_owned(),
        (true, Suppressed::Dropped) => {
            format!(
                "At most {share} of the original rows were left out; all others are in the release."
            )
        }
        (true, Suppressed::Starred) => format!(
            "Every row of the original is in the release; of at most {share} all quasi-identifiers were starred."
        ),
    };
    Statement {
        value: Some(json!({ "suppression_limit": model::to_f64(&limit) })),
        ..statement(
            "suppression",
            text,
            "the certifier's comparison with the original, which only the holder has",
        )
    }
}

fn statement(about: &str, text: String, rests_on: &str) -> Statement {
    Statement { about: about.to_owned(), text, value: None, rests_on: rests_on.to_owned() }
}
