//! Each sentence of a certificate, derived again from the policy and from the statement's own figures.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::hierarchy::MOST_LEVELS;
use indistinct_core::principle::Merging;
use indistinct_core::{Optimality, PrincipleClaim, Role, figures_of};
use indistinct_policy::{Form, PolicyFile, PrincipleSpec, QuasiIdentifiers};
use serde_json::Value;

use super::{
    ASSUMPTION, GeneralizedValues, adversary, centers, classes, counterfeits, generalized,
    identifiers, insensitive, levels, linkage, looks_like_identifiers, noise, overlap, people,
    presence, recoding, roles, separation, spreadsheets, starred_cells, suppression, version,
};
use crate::certificate::about::{self, RECODING};
use crate::certificate::{Certificate, Statement};
use crate::requirements::needs_population;

/// What a policy makes every release state.
fn required(policy: &PolicyFile) -> Vec<Statement> {
    let of_policy = [people(policy), roles(), adversary(policy), suppression(policy)];
    let linked = policy.linkage.minimum.as_ref().map(linkage);
    let columns = [
        centers(policy),
        noise(policy),
        insensitive(policy),
        looks_like_identifiers(policy),
        identifiers(policy),
        spreadsheets(policy),
    ];
    of_policy.into_iter().chain(linked).chain(columns.into_iter().flatten()).collect()
}

/// Whether these are levels of quasi-identifiers, by a method that gives them one. Where no row keeps its values, the level is the
/// holder's word, whatever the policy allows; a mask whose released labels do not tell its level has none.
fn are_levels_of(policy: &PolicyFile, levels: &BTreeMap<String, usize>) -> bool {
    let known: BTreeSet<String> = policy.names(Role::QuasiIdentifier).into_iter().collect();
    policy.recoding.method.quasi_identifiers == QuasiIdentifiers::ByLevel
        && levels.keys().all(|name| known.contains(name))
        && levels.values().all(|level| *level <= MOST_LEVELS)
}

/// All that a statement may say about its subject, given the policy and its own figures; `None` where a form says it.
fn admissible(
    policy: &PolicyFile,
    certificate: &Certificate,
    stated: &Statement,
) -> Option<Vec<Statement>> {
    let figures = || stated.value.clone().unwrap_or_default();
    let figure = |name: &str| stated.value.as_ref().and_then(|value| value.get(name)?.as_u64());
    Some(match stated.about.as_str() {
        about::RECODING => {
            Optimality::ALL.into_iter().map(|found| recoding(policy, found)).collect()
        }
        about::LEVELS => {
            let stated = serde_json::from_value::<BTreeMap<String, usize>>(figures());
            let of_all = stated.ok().filter(|levels| are_levels_of(policy, levels));
            of_all.iter().map(|of_all| levels(policy, of_all)).collect()
        }
        about::CLASSES => vec![classes()],
        about::CELLS => {
            let known: BTreeSet<String> = policy.names(Role::QuasiIdentifier).into_iter().collect();
            let stated = serde_json::from_value::<BTreeMap<String, u64>>(figures()).ok();
            let stated = stated.filter(|it| it.keys().all(|name| known.contains(name)));
            stated.iter().map(starred_cells).collect()
        }
        about::OVERLAP => figure("n_overlapping_pairs").map(overlap).into_iter().collect(),
        about::GENERALIZED => vec![generalized(ASSUMPTION)],
        about::GENERALIZED_VALUES => {
            let is_share = |share: f64| (0.0..=1.0).contains(&share);
            let stated = serde_json::from_value::<GeneralizedValues>(figures()).ok();
            let stated = stated.filter(|it| is_share(it.loss) && it.utility.is_none_or(is_share));
            stated.iter().map(GeneralizedValues::statement).collect()
        }
        about::SEPARATION => vec![separation()],
        about::PRESENCE => {
            let claim = serde_json::from_value::<PrincipleClaim>(figures());
            claim.ok().filter(|claim| claim.holds).iter().map(presence).collect()
        }
        about::COUNTERFEITS => {
            let of_class = figures().get("of_class").cloned().unwrap_or_default();
            let of_class = serde_json::from_value::<BTreeMap<u64, u64>>(of_class).ok();
            let n_released = certificate.claims.rows.n_released;
            let stated = figure("n_counterfeits").zip(of_class);
            stated.map(|(n, of_class)| counterfeits(n_released, n, &of_class)).into_iter().collect()
        }
        about::VERSIONS => figure("version").map(version).into_iter().collect(),
        about::PERTURBATION | about::PLAN | about::DESIGNATED => return None,
        _ => required(policy).into_iter().filter(|it| it.about == stated.about).collect(),
    })
}

/// What the rows of a release by this policy make it state, whose figures only they show: about what.
fn required_of_rows(policy: &PolicyFile, certificate: &Certificate) -> Vec<&'static str> {
    let of_form: &[&str] = match policy.recoding.method.form {
        Form::TwoTables => &[about::SEPARATION],
        Form::Versions => &[about::VERSIONS],
        _ => &[],
    };
    let mut required = of_form.to_vec();
    // Classes have released values of their own, unless every row has the same levels.
    let by_class =
        matches!(policy.recoding.method.form, Form::Rows | Form::Planned | Form::Versions);
    if by_class && certificate.about(about::LEVELS).next().is_none() {
        required.push(about::CLASSES);
        let merging = |spec: &PrincipleSpec| spec.kind.merging_with(&spec.parameters);
        if policy.principles.iter().any(|spec| merging(spec) == Merging::MayBreak) {
            required.push(about::OVERLAP);
        }
    }
    required
}

/// What a certificate states that does not follow from its policy and from its own figures, and what it leaves unsaid. A subject
/// that no release has is not among these.
pub fn differences(policy: &PolicyFile, certificate: &Certificate) -> Vec<String> {
    let mut differences = Vec::new();
    for stated in certificate.statements.iter().filter(|it| about::ALL.contains(&&*it.about)) {
        let admissible = admissible(policy, certificate, stated);
        if admissible.is_some_and(|all| !all.iter().any(|it| is_same(it, stated))) {
            differences.push(format!(
                "the statement on the {} is not what the policy and its figures say",
                stated.about
            ));
        }
    }
    let must = required(policy).into_iter().map(|it| it.about);
    let of_rows = required_of_rows(policy, certificate).into_iter().chain([RECODING]);
    for about in must
        .chain(of_rows.map(str::to_owned))
        .filter(|about| certificate.about(about).next().is_none())
    {
        differences.push(format!("the certificate does not state the {about}"));
    }
    if !states_presence(policy, certificate) {
        differences.push(format!(
            "the statements on the {} are not those of the policy's principles",
            about::PRESENCE
        ));
    }
    differences
}

/// Whether each principle that rests on a population is stated, and no other: it is none of the claims.
fn states_presence(policy: &PolicyFile, certificate: &Certificate) -> bool {
    let specs = policy.principles.iter().filter(|spec| needs_population(spec));
    let wanted = specs.map(|spec| {
        let required = figures_of(&spec.parameters, spec.others);
        Some((spec.kind.name.to_owned(), spec.attribute.clone(), required))
    });
    let stated = certificate.about(about::PRESENCE).map(|stated| {
        let claim = serde_json::from_value::<PrincipleClaim>(stated.value.clone()?).ok()?;
        Some((claim.kind, claim.attribute, claim.required))
    });
    wanted.eq(stated)
}

/// Equal up to what a number's way through a text may differ by.
fn is_same(a: &Statement, b: &Statement) -> bool {
    let texts = |it: &Statement| (it.about.clone(), it.text.clone(), it.rests_on.clone());
    texts(a) == texts(b)
        && match (&a.value, &b.value) {
            (Some(a), Some(b)) => same_value(a, b),
            (a, b) => a == b,
        }
}

fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => crate::check::same_number(a, b),
            _ => a == b,
        },
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, a): (&String, &Value)| b.get(key).is_some_and(|b| same_value(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        (a, b) => a == b,
    }
}
