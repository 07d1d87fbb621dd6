//! What a certificate states that the released rows cannot show.
//!
//! Invariant: no figure that depends on the original beyond the released rows; those are in the private part.

use std::collections::BTreeMap;

use indistinct_core::principle::Merging;
use indistinct_core::{PrincipleClaim, Requirement, Role, Suppressed, model};
use indistinct_linkage::post_linkage::Required;
use indistinct_methods::Quality;
use indistinct_release::certificate::Statement;
use indistinct_release::certificate::about::{self, LEVELS, PRESENCE, RECODING, SUPPRESSION};
use indistinct_release::forms::statements::of_policy;
use indistinct_report::words;
use serde_json::{Value, json};

use super::{GeneralizedValues, ReleaseParts};

/// All statements of a release; `presence` are the claims that rest on a population table.
pub(crate) fn of(
    making: &ReleaseParts<'_>,
    levels: Option<&BTreeMap<String, usize>>,
    presence: &[PrincipleClaim],
) -> Vec<Statement> {
    let job = making.job;
    let [(_, suppressed), (_, mut recoding)] = of_policy(job.policy());
    recoding["optimal"] = json!(making.released.recoding.optimal);
    let mut statements = vec![
        statement(
            about::PEOPLE,
            "Every row of the original is about one person, and no person has several rows.".to_owned(),
            "the holder's knowledge of the table; a person with several rows is protected less than the principles say",
        ),
        statement(
            about::ROLES,
            "The quasi-identifiers are all that an adversary can know of a person from elsewhere.".to_owned(),
            "the holder's choice of roles",
        ),
        statement(
            about::ADVERSARY,
            format!(
                "The adversary is assumed to know the quasi-identifiers of a person, that the person is in the table, the \
                 policy and the method; no other release of the same people{}, and nothing else about their sensitive values.",
                if job.bound().plan.is_some() { " but those by the same plan" } else { "" }
            ),
            "the definition of the principles",
        ),
        suppression(making, suppressed),
        Statement {
            value: Some(recoding),
            ..statement(
                RECODING,
                match making.proposal.quality {
                    Quality::Optimal => format!(
                        "No other {} recoding that satisfies the policy has a lower {}; what was lost is in the private part.",
                        making.released.recoding.method, making.released.recoding.objective
                    ),
                    Quality::TimeLimit => {
                        "The search was stopped by its time limit; a recoding with less loss may exist.".to_owned()
                    }
                    Quality::Linked => {
                        "A recoding with less loss satisfies the policy by itself. This one was taken since more remains after linking \
                         with earlier releases."
                            .to_owned()
                    }
                    Quality::Heuristic => {
                        "The method does not try all recodings; one with less loss may exist.".to_owned()
                    }
                    Quality::Own { text, .. } => text.to_owned(),
                },
                "the holder's run of the search",
            )
        },
    ];
    statements.extend(levels.map(of_levels));
    statements.extend(classes(making));
    statements.extend(job.method().statements(&making.solution()));
    let generalized = making.released.generalized_values.as_ref();
    statements.extend(generalized.map(GeneralizedValues::statement));
    statements.extend(job.policy().linkage.minimum.as_ref().map(linkage));
    statements.extend(presence.iter().map(presence_in_population));
    let untouched = job.bound().names(Role::Insensitive);
    if !untouched.is_empty() {
        statements.push(statement(
            about::INSENSITIVE,
            format!("Published as they are: {}.", words::list(&untouched)),
            "the holder's judgement that these columns neither single out people nor tell sensitive values",
        ));
    }
    let dropped = job.bound().names(Role::Identifier);
    if !dropped.is_empty() {
        statements.push(statement(
            about::IDENTIFIERS,
            "Direct identifiers of the original are not in the release.".to_owned(),
            "the holder's choice of roles",
        ));
    }
    statements
}

fn of_levels(levels: &BTreeMap<String, usize>) -> Statement {
    Statement {
        value: Some(json!(levels)),
        ..statement(
            LEVELS,
            "Every row has the same level of an attribute's hierarchy; level 0 is the original value.".to_owned(),
            "the holder's hierarchies, of which the release has the released labels and what is above them",
        )
    }
}

/// What goes with classes that have released values of their own.
fn classes(making: &ReleaseParts<'_>) -> Vec<Statement> {
    let proposal = making.proposal;
    let Some((release, recoding)) = making.rows() else { return Vec::new() };
    if proposal.levels().is_some() || release.perturbed().is_some() {
        return Vec::new();
    }
    let mut statements = vec![statement(
        about::CLASSES,
        "Rows with equal released quasi-identifiers have original values that the released ones cover; rows with the same \
         original values may be released with different ones."
            .to_owned(),
        "the certifier's comparison with the original, which only the holder has",
    )];
    let policy = &making.prepared.policy;
    let may_break =
        |requirement: &Requirement| requirement.principle.merging() == Merging::MayBreak;
    if policy.requirements.iter().any(may_break) {
        let n_pairs = release.n_overlapping_pairs(policy, recoding);
        let text = match n_pairs {
            0 => "No two classes cover the same quasi-identifiers.".to_owned(),
            _ => format!(
                "{} pairs of classes cover some of the same quasi-identifiers: whoever cannot tell which of the two a person is in \
                 faces their union, in which a principle may fail.",
                words::thousands(n_pairs)
            ),
        };
        statements.push(Statement {
            value: Some(json!({ "n_overlapping_pairs": n_pairs })),
            ..statement(about::OVERLAP, text, "the released values and the holder's hierarchies")
        });
    }
    statements.extend(proposal.assumes.map(|assumption| {
        statement(
            about::GENERALIZED,
            format!("Some sensitive values are generalized; the guarantee assumes that an adversary's belief is {assumption}."),
            "the definition of (tau, l)-diversity; somebody who knows the method may conclude more (reading E-13)",
        )
    }));
    statements
}

/// What remains after linking; without a ledger there is no release by such a policy.
fn linkage(minimum: &Required) -> Statement {
    let (l, measure) = (model::to_f64(&minimum.l), minimum.measure.name());
    Statement {
        value: Some(json!({ "l": l, "measure": measure })),
        ..statement(
            about::LINKAGE,
            format!(
                "Linked with the earlier releases that the holder has recorded, at least {} sensitive values, by the measure {measure}, remain for \
                 everybody in the table; for who had fewer before, as many as before.",
                words::number(l)
            ),
            "the holder's ledger of earlier releases, in which others may be missing; a person is assumed to be in every release that has a \
             class for her, with the same sensitive values",
        )
    }
}

fn presence_in_population(claim: &PrincipleClaim) -> Statement {
    Statement {
        value: Some(serde_json::to_value(claim).expect("a claim is plain data")),
        ..statement(
            PRESENCE,
            words::claim(claim),
            "the population table, which is not part of the release; `verify --population` computes it again",
        )
    }
}

fn suppression(making: &ReleaseParts<'_>, figures: Value) -> Statement {
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
        value: Some(figures),
        ..statement(
            SUPPRESSION,
            text,
            "the certifier's comparison with the original, which only the holder has",
        )
    }
}

fn statement(about: &str, text: String, rests_on: &str) -> Statement {
    Statement { about: about.to_owned(), text, value: None, rests_on: rests_on.to_owned() }
}
