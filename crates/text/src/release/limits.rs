//! Attacks and disclosures that a release does not prevent.

use indistinct_core::{Role, principle};
use indistinct_release::certificate::Certificate;
use indistinct_release::facts::Fact;
use serde_json::json;

use super::{Kind, is_by_plan};
use crate::document::{Text, strong};
use crate::messages::Messages;
use crate::{text, words};

/// Lists the limitations of each principle, of the kind of release, and of releases in general.
pub(super) fn limits(certificate: &Certificate) -> Vec<Text> {
    let claims = &certificate.claims.rows.principles;
    let kind = Kind::of(certificate);
    let with_role = |role| -> Vec<&str> {
        let columns = certificate.claims.columns.iter().filter(|it| it.role == Some(role));
        columns.map(|column| column.name.as_str()).collect()
    };
    let is_covered = |name: &str| claims.iter().any(|it| it.attribute.as_deref() == Some(name));
    let unchanged = certificate.facts.iter().find_map(|fact| match fact {
        Fact::UnchangedAttributes { attributes } => Some(attributes.as_slice()),
        _ => None,
    });
    let (mut uncovered, insensitive) = (with_role(Role::Sensitive), unchanged.unwrap_or_default());
    uncovered.retain(|name| kind != Kind::Perturbed && !is_covered(name));
    let of_principles = claims.iter().filter_map(|claim| {
        let limits = principle::find(&claim.kind)?.does_not_protect_against;
        let claim = strong(words::claim_name(claim));
        Some(text!("{} does not protect against {}.", claim, limits))
    });
    let (has_two_tables, is_perturbed) = (kind == Kind::TwoTables, kind == Kind::Perturbed);
    let has_labels = kind == Kind::Classes && !is_by_plan(certificate);
    let smallest = certificate.claims.rows.smallest_class;
    let lists = json!({ "uncovered": uncovered, "insensitive": insensitive, "smallest": smallest });
    Messages::about("release", &lists)
        .extend(of_principles)
        .say_if(has_two_tables, "two-tables-membership")
        .say_if(has_two_tables, "two-tables-dependence")
        .say_if(is_by_plan(certificate), "by-plan")
        .say_if(is_perturbed, "perturbed-membership")
        .say_if(is_perturbed, "perturbed-expectation")
        .say_if(is_perturbed, "perturbed-average")
        .say_if(!uncovered.is_empty(), "uncovered")
        .say_if(!insensitive.is_empty(), "insensitive")
        .say("knowledge")
        .say("property")
        .say_if(has_labels, "choice-of-labels")
        .say_if(has_labels && smallest.is_some_and(|n_rows| n_rows <= 2), "choice-in-pairs")
        .say_if(!has_two_tables, "membership")
        .say("other-releases")
        .texts()
}
