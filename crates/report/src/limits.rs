//! What a release does not protect against.

use indistinct_core::{Role, principle};
use indistinct_release::certificate::Certificate;
use indistinct_release::facts::Fact;
use maud::{Markup, html};

use crate::parts::{is_separated, perturbation};
use crate::{separation_page, words};

fn with_role(certificate: &Certificate, role: Role) -> Vec<String> {
    let columns = certificate.claims.columns.iter();
    columns
        .filter(|column| column.role == Some(role))
        .map(|column| words::label(&column.name))
        .collect()
}

/// A list of it: of each principle, of the form, and of any release.
pub(crate) fn limits(certificate: &Certificate) -> Markup {
    let claims = &certificate.claims.rows;
    let is_perturbed = perturbation(certificate).is_some();
    let sensitive = match is_perturbed {
        true => Vec::new(),
        false => with_role(certificate, Role::Sensitive),
    };
    let uncovered: Vec<&String> = sensitive
        .iter()
        .filter(|name| {
            !claims
                .principles
                .iter()
                .any(|claim| claim.attribute.as_deref().map(words::label).as_ref() == Some(name))
        })
        .collect();
    let insensitive = with_role(certificate, Role::Insensitive);
    html! {
        ul {
            @for claim in &claims.principles {
                @if let Some(kind) = principle::find(&claim.kind) {
                    li {
                        strong { (words::claim_name(claim)) }
                        " does not protect against " (kind.does_not_protect_against) "."
                    }
                }
            }
            @if is_separated(certificate) { (separation_page::limits()) }
            @if certificate.facts.iter().any(|fact| matches!(fact, Fact::Plan { .. })) {
                li {
                    "What the plan promises is about chance: with the probability that it names it fails, and nobody is told. Other releases of "
                    "the same people that are not by this plan, rows that depend on each other (families, repeated visits), and a distribution "
                    "that is not the one it was made for are not covered."
                }
            }
            @if is_perturbed {
                li {
                    strong { "Membership and identity are not protected. " }
                    "Quasi-identifiers are the true ones and no row is left out: whoever knows those of a person sees whether the person is in "
                    "the table and, where they are unique, which row is the person's. Only the sensitive value is protected."
                }
                li {
                    "Somebody who expects of a person something else than of the whole table, such as who knows how the sensitive value depends on the "
                    "quasi-identifiers, can conclude more."
                }
                li { "Several perturbed releases of the same rows can be averaged, which takes the noise out." }
            }
            @if !uncovered.is_empty() {
                li {
                    "No principle limits what can be learned about "
                    (words::list(&uncovered)) ": all rows of a class may share one value."
                }
            }
            @if !insensitive.is_empty() {
                li {
                    (words::list(&insensitive)) " " (if insensitive.len() == 1 { "is" } else { "are" })
                    " published unchanged. Somebody who knows such a value of a person may find the row by it, whatever the class."
                }
            }
            li {
                "Somebody who knows more of a person than the quasi-identifiers, such as a diagnosis that the person "
                "certainly does not have, may rule out rows of the class."
            }
            li {
                "What holds for everybody with certain quasi-identifiers can be learned about a person from this release, even "
                "if the person's own row is not in it."
            }
            @if !is_separated(certificate) {
                li { "It does not hide that somebody is in the table from those who can tell by other means." }
            }
            li { "Another release about the same people may be joined with this one; this report knows nothing of others." }
        }
    }
}
