//! Attacks and disclosures that a release does not prevent.

use indistinct_core::{Role, principle};
use indistinct_release::certificate::Certificate;

use super::kind::{Kind, is_by_plan};
use super::two_tables;
use crate::document::{Text, name, strong};
use crate::{text, words};

/// Lists the limits of each principle, of the kind of release, and of releases in general.
pub(super) fn limits(certificate: &Certificate) -> Vec<Text> {
    let claims = &certificate.claims.rows;
    let kind = Kind::of(certificate);
    let with_role = |role| {
        let columns = certificate.claims.columns.iter().filter(move |it| it.role == Some(role));
        columns.map(|column| column.name.as_str())
    };
    let covered = |name: &&str| {
        claims.principles.iter().any(|claim| claim.attribute.as_deref() == Some(*name))
    };
    let uncovered: Vec<Text> = match kind {
        Kind::Perturbed => Vec::new(),
        _ => {
            with_role(Role::Sensitive).filter(|it| !covered(it)).map(|it| name(it).into()).collect()
        }
    };
    let insensitive: Vec<Text> = with_role(Role::Insensitive).map(|it| name(it).into()).collect();
    let mut found: Vec<Text> = claims
        .principles
        .iter()
        .filter_map(|claim| {
            let kind = principle::find(&claim.kind)?;
            let limits = format!(" does not protect against {}.", kind.does_not_protect_against);
            Some(text!("{}{}", strong(words::claim_name(claim)), limits))
        })
        .collect();
    if kind == Kind::TwoTables {
        found.extend(two_tables::limits());
    }
    if is_by_plan(certificate) {
        found.push(
            "The protection by the plan is probabilistic: it fails with the stated probability, \
             and a failure cannot be detected. The protection does not cover other releases about \
             the same people that do not follow the plan, rows that depend on each other \
             (families, repeated visits), or a distribution other than the one that the plan \
             assumes."
                .into(),
        );
    }
    if kind == Kind::Perturbed {
        found.extend([
            text!(
                "{}The release contains the original quasi-identifiers of all rows. An adversary \
                 who knows those of a person can see whether the person is in the table and, if \
                 they are unique, the person's row. Only the sensitive value is protected.",
                strong("Membership and identity are not protected. ")
            ),
            "An adversary with a more specific expectation about a person can infer more, for \
             example if the sensitive value depends on the quasi-identifiers."
                .into(),
            "Averaging several perturbed releases of the same rows removes the perturbation."
                .into(),
        ]);
    }
    if !uncovered.is_empty() {
        found.push(text!(
            "No principle limits the disclosure of {}: all rows of a class may have the same \
             value.",
            Text::list(uncovered)
        ));
    }
    if !insensitive.is_empty() {
        let are = if insensitive.len() == 1 { " is" } else { " are" };
        found.push(text!(
            "{}{} released unchanged. An adversary who knows such a value may find the person's \
             row, regardless of the class.",
            Text::list(insensitive),
            are
        ));
    }
    found.extend([
        "An adversary who knows more about a person than the quasi-identifiers, such as a \
         diagnosis that the person does not have, may be able to rule out rows of the class."
            .into(),
        "If this release shows a property of all people with certain quasi-identifiers, it \
         discloses this property even for people who are not in the release."
            .into(),
    ]);
    if kind != Kind::TwoTables {
        found.push(
            "Adversaries may learn from other sources that a person is in the table; the release \
             does not prevent this."
                .into(),
        );
    }
    found.push(
        "Other releases about the same people can be joined with this one; this report does not \
         take other releases into account."
            .into(),
    );
    found
}
