//! Rows with perturbed sensitive values, some of which are noise.
//!
//! The guarantee is a probability over the random draws, which the released rows do not show. Such
//! a release therefore does not claim to satisfy any principle. The data holder states p and the
//! risks, and only their consistency can be checked.

use std::path::Path;

use indistinct_core::model::to_f64;
use indistinct_core::principle::required_of_noise;
use indistinct_core::published::Attachment;
use indistinct_core::recoding::perturbation::{Observation, Retention};
use indistinct_core::{FrequencyTable, MISSING, figures_of, parse_decimal};
use indistinct_policy::{PolicyFile, PrincipleSpec};

use super::{Form, ReadBack};
use crate::ReleaseError;
use crate::certificate::Certificate;
use crate::check::{Check, Difference, Subject, same_number};
use crate::error::ReadProblem;
use crate::facts::BoundedFor;

/// The name of the fact about the perturbation.
const FACT: &str = "perturbation";

/// The form of perturbed releases.
pub(super) struct PerturbedRows;

impl Form for PerturbedRows {
    fn attachment(
        &self,
        directory: &Path,
        policy: &PolicyFile,
        certificate: &Certificate,
    ) -> Result<Attachment, ReleaseError> {
        let attachment = certificate.perturbation().and_then(|(_, noise)| {
            let p = parse_decimal(&noise.p.to_string()).ok()?;
            let grid = policy.recoding.domain.as_ref().map(|domain| domain.grid());
            Some(Attachment::Perturbed { p, n_domain_values: noise.n_domain_values, grid })
        });
        attachment.ok_or_else(|| ReleaseError::Unreadable {
            path: directory.to_owned(),
            reason: ReadProblem::NoPerturbation,
        })
    }

    fn shows_principles(&self) -> bool {
        false
    }

    fn rules_values_out(&self) -> bool {
        false
    }

    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        let found = differences(read.policy, read.certificate, &read.rows.by_labels);
        Some(Check::new(Subject::Perturbation, found))
    }
}

/// Returns the principles of a policy, with their required parameters and their risks.
pub fn bounded_for(policy: &PolicyFile, risks: &[[f64; 2]]) -> Vec<BoundedFor> {
    let of = |(spec, &[risk, risk_given_value]): (&PrincipleSpec, &[f64; 2])| BoundedFor {
        kind: spec.kind.name.to_owned(),
        attribute: spec.attribute.clone(),
        required: figures_of(&spec.parameters, spec.others),
        risk,
        risk_given_value,
    };
    policy.principles.iter().zip(risks).map(of).collect()
}

/// The denominator of stated risks.
pub const MILLION: f64 = 1e6;

/// Returns the maximum risk that a principle of the policy allows, which is 1/m or 1/l.
pub fn risk_allowed(spec: &PrincipleSpec) -> f64 {
    let requested = required_of_noise(spec.kind, &spec.parameters);
    requested.map_or(0.0, |requested| to_f64(&requested.m).recip())
}

/// Returns the differences between the policy, the stated facts, and the released sensitive values.
fn differences(
    policy: &PolicyFile,
    certificate: &Certificate,
    table: &FrequencyTable,
) -> Vec<Difference> {
    let Some((attribute, noise)) = certificate.perturbation() else {
        return vec![Difference::FactMissing { fact: FACT.to_owned() }];
    };
    let [sensitive] = table.sensitive() else {
        let found = table.sensitive().len() as u64;
        return vec![Difference::SensitiveAttributeCount { found }];
    };
    let mut differences = Vec::new();
    let mut expect = |holds: bool, otherwise: Difference| {
        if !holds {
            differences.push(otherwise);
        }
    };
    let p = parse_decimal(&noise.p.to_string()).ok();
    let is_probability = p.as_ref().and_then(Retention::new).is_some();
    expect(is_probability, Difference::RetentionProbability);

    let bounded = |by: &BoundedFor| match noise.given {
        Observation::Neighborhood => by.risk,
        Observation::Value => by.risk_given_value,
    };
    let is_bounded = policy
        .principles
        .iter()
        .zip(&noise.principles)
        .all(|(spec, by)| bounded(by) <= risk_allowed(spec) + 1.0 / MILLION);
    let largest = |of: fn(&BoundedFor) -> f64| noise.principles.iter().map(of).fold(0.0, f64::max);
    let is_largest = same_number(largest(|by| by.risk), noise.risk)
        && same_number(largest(|by| by.risk_given_value), noise.risk_given_value);
    expect(is_bounded, Difference::RiskAboveLimit);
    expect(is_largest, Difference::RiskNotLargest);
    let risks: Vec<[f64; 2]> =
        noise.principles.iter().map(|by| [by.risk, by.risk_given_value]).collect();
    let are_in_order = risks.iter().all(|[risk, given_value]| risk <= given_value);
    expect(are_in_order, Difference::RisksContradict);
    let in_order =
        (0.0..=1.0).contains(&noise.risk) && (noise.risk..=1.0).contains(&noise.risk_given_value);
    expect(in_order, Difference::RisksContradict);
    let same_principles = noise.principles.len() == policy.principles.len()
        && noise.principles == bounded_for(policy, &risks);
    expect(same_principles, Difference::FactOnOtherPrinciples { fact: FACT.to_owned() });
    expect(attribute == sensitive.name, Difference::FactOnOtherAttribute { fact: FACT.to_owned() });

    let grid = policy.recoding.domain.as_ref().map(|domain| domain.grid());
    let rows = table.marginal(sensitive);
    let rows_with = |is: &dyn Fn(&str) -> bool| -> u64 {
        let values = sensitive.dictionary.values().iter().zip(&rows);
        values.filter(|(value, _)| is(value)).map(|(_, rows)| rows).sum()
    };
    let Some(grid) = grid else {
        expect(false, Difference::NoDomain);
        return differences;
    };
    let n_outside = rows_with(&|value| value != MISSING && !grid.releases(value));
    expect(n_outside == 0, Difference::OutsideDomain { n_rows: n_outside });
    // If the original has missing values, the missing value counts as an additional domain value
    // even if it does not occur in the release.
    let has_missing = rows_with(&|value| value == MISSING) > 0;
    let n_values = noise.n_domain_values;
    let fits = n_values == grid.n_values() + 1 || (n_values == grid.n_values() && !has_missing);
    expect(fits, Difference::DomainSize { claimed: n_values, found: grid.n_values() });
    differences
}
