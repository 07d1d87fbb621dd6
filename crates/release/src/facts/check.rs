//! Checks whether the facts of a certificate are complete and allowed for its policy and its form.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::hierarchy::MOST_LEVELS;
use indistinct_core::principle::Merging;
use indistinct_core::{Optimality, Role, SuppressionRule, figures_of};
use indistinct_policy::method::order_of_divisions;
use indistinct_policy::{Form, PolicyFile, PrincipleSpec, QuasiIdentifiers};

use super::{Fact, of_policy, recoding};
use crate::certificate::Certificate;
use crate::check::Difference;
use crate::requirements::needs_population;

/// Returns whether the keys are quasi-identifiers and the values are valid levels, for a method
/// that assigns levels. Any level is valid for an attribute that is `*` in every row. No level is
/// stated for an attribute whose labels do not show it.
fn are_levels_of(policy: &PolicyFile, levels: &BTreeMap<String, usize>) -> bool {
    policy.recoding.method.quasi_identifiers == QuasiIdentifiers::ByLevel
        && are_quasi_identifiers(policy, levels.keys())
        && levels.values().all(|level| *level <= MOST_LEVELS)
}

fn are_quasi_identifiers<'a>(
    policy: &PolicyFile,
    mut names: impl Iterator<Item = &'a String>,
) -> bool {
    let known: BTreeSet<String> = policy.names(Role::QuasiIdentifier).into_iter().collect();
    names.all(|name| known.contains(name))
}

/// Returns whether released values may differ between classes, which is the case unless all rows
/// have the same levels.
fn is_local(policy: &PolicyFile, certificate: &Certificate) -> bool {
    let form = policy.recoding.method.form;
    matches!(form, Form::Rows | Form::Planned | Form::Versions | Form::Regions)
        && certificate.generalization_levels().is_none()
}

/// Returns whether methods that produce this form of release can reach this optimality.
fn is_of_form(form: Form, found: Optimality) -> bool {
    match found {
        Optimality::Separated => form == Form::TwoTables,
        Optimality::ByPlan => form == Form::Planned,
        Optimality::LargestRetention => form == Form::Perturbed,
        Optimality::AsRequested => form == Form::Masked,
        _ => true,
    }
}

/// Returns whether a release with this policy may contain the fact. Comparing the fact with the
/// released rows is a separate check.
fn is_admissible(policy: &PolicyFile, certificate: &Certificate, fact: &Fact) -> bool {
    let form = policy.recoding.method.form;
    let is_fraction = |share: f64| (0.0..=1.0).contains(&share);
    match fact {
        Fact::Recoding { .. } => Optimality::ALL
            .into_iter()
            .filter(|found| is_of_form(form, *found))
            .any(|found| recoding(policy, found).is_same(fact)),
        Fact::GeneralizationLevels { levels } => are_levels_of(policy, levels),
        Fact::LocalRecoding {} | Fact::OverlappingClasses { .. } => is_local(policy, certificate),
        Fact::Regions { order } => form == Form::Regions && *order == order_of_divisions(policy),
        Fact::NoisyDivisions { key_sha256 } => {
            let is_digit = |it: u8| it.is_ascii_digit() || (b'a'..=b'f').contains(&it);
            form == Form::Regions && key_sha256.len() == 64 && key_sha256.bytes().all(is_digit)
        }
        Fact::SuppressedCells { n_rows } => {
            policy.recoding.suppression == SuppressionRule::Cells
                && are_quasi_identifiers(policy, n_rows.keys())
        }
        Fact::AdversaryBelief { .. } | Fact::UniqueRows { .. } => true,
        Fact::TableRows { unchecked_attributes: unchecked, .. } => {
            let insensitive = || policy.names(Role::Insensitive);
            policy.output.table.is_some() && (unchecked.is_empty() || *unchecked == insensitive())
        }
        Fact::GeneralizedSensitiveValues { loss_fraction, .. } => is_fraction(*loss_fraction),
        Fact::RetainedInformation { fraction } => is_fraction(*fraction),
        Fact::RandomAssignment {} => form == Form::TwoTables,
        Fact::Presence { claim } => claim.holds,
        Fact::Counterfeits { .. } | Fact::TableVersion { .. } => form == Form::Versions,
        Fact::Perturbation { .. } => form == Form::Perturbed,
        Fact::Plan { .. } | Fact::DesignatedValues { .. } => form == Form::Planned,
        _ => of_policy(policy).iter().any(|required| required.is_same(fact)),
    }
}

/// Returns the names of the facts that a certificate must contain in addition to the facts from
/// [`of_policy`].
fn required(policy: &PolicyFile, certificate: &Certificate) -> Vec<&'static str> {
    let mut required = vec!["recoding", "unique-rows"];
    required.extend(match policy.recoding.method.form {
        Form::TwoTables => &["random-assignment"][..],
        Form::Versions => &["table-version", "counterfeits"],
        Form::Perturbed => &["perturbation"],
        Form::Planned => &["plan", "designated-values"],
        Form::Regions => &["regions", "noisy-divisions"],
        _ => &[],
    });
    if is_local(policy, certificate) {
        required.push("local-recoding");
        let merging = |spec: &PrincipleSpec| spec.kind.merging_with(&spec.parameters);
        if policy.principles.iter().any(|spec| merging(spec) == Merging::MayBreak) {
            required.push("overlapping-classes");
        }
    }
    if certificate.facts.iter().any(|it| matches!(it, Fact::GeneralizedSensitiveValues { .. })) {
        required.push("retained-information");
    }
    required
}

/// Returns whether there is exactly one fact for each principle that requires a population, in the
/// order of the policy.
fn has_presence(policy: &PolicyFile, certificate: &Certificate) -> bool {
    let specs = policy.principles.iter().filter(|spec| needs_population(spec));
    let wanted = specs.map(|spec| {
        let required = figures_of(&spec.parameters, spec.others);
        (spec.kind.name.to_owned(), spec.attribute.clone(), required)
    });
    let stated = certificate
        .presence()
        .map(|claim| (claim.kind.clone(), claim.attribute.clone(), claim.required.clone()));
    wanted.eq(stated)
}

/// Returns all facts that are missing, that are stated twice, or that the policy does not allow.
pub fn differences(policy: &PolicyFile, certificate: &Certificate) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut names = BTreeSet::new();
    for fact in &certificate.facts {
        if !is_admissible(policy, certificate, fact) {
            let fact = fact.name().to_owned();
            differences.push(Difference::FactNotAdmitted { fact });
        }
        if !names.insert(fact.name()) && !matches!(fact, Fact::Presence { .. }) {
            let fact = fact.name().to_owned();
            differences.push(Difference::FactRepeated { fact });
        }
    }
    let of_policy = of_policy(policy);
    let required = of_policy.iter().map(Fact::name).chain(required(policy, certificate));
    for name in required.filter(|name| !names.contains(name)) {
        differences.push(Difference::FactMissing { fact: name.to_owned() });
    }
    if !has_presence(policy, certificate) {
        differences.push(Difference::OtherPresence);
    }
    differences
}
