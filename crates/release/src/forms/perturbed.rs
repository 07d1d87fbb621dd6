//! Rows whose sensitive values are noise for some of them.
//!
//! The guarantee is a probability over the draws: nothing of it shows in the released rows. So a release claims no principle; the
//! holder states p and the risks, and only whether these go together can be checked.

use std::collections::BTreeMap;
use std::path::Path;

use indistinct_core::model::to_f64;
use indistinct_core::principle::proximity::Letter;
use indistinct_core::principle::required_of_noise;
use indistinct_core::published::Attachment;
use indistinct_core::recoding::perturbation::{Observation, Retention};
use indistinct_core::{Figure, FrequencyTable, MISSING, figures_of, parse_decimal};
use indistinct_policy::{PolicyFile, PrincipleSpec};
use serde::{Deserialize, Serialize};

use super::{Form, ReadBack};
use crate::ReleaseError;
use crate::certificate::about::PERTURBATION;
use crate::certificate::{Certificate, Statement};
use crate::check::{Check, same_number};
use crate::files::SensitiveValuesOf;
use crate::words;

/// The form of perturbed releases.
pub(super) struct PerturbedRows;

impl Form for PerturbedRows {
    fn name(&self) -> &'static str {
        "noisy rows"
    }

    fn attachment(
        &self,
        directory: &Path,
        policy: &PolicyFile,
        certificate: &Certificate,
    ) -> Result<Attachment, ReleaseError> {
        let value = certificate.figures(PERTURBATION).cloned().unwrap_or_default();
        let noise = serde_json::from_value::<Noise>(value).ok();
        let attachment = noise.and_then(|noise| {
            let p = parse_decimal(&noise.p.to_string()).ok()?;
            let grid = policy.recoding.domain.as_ref().map(|domain| domain.grid());
            Some(Attachment::Perturbed { p, n_domain_values: noise.n_domain_values, grid })
        });
        attachment.ok_or_else(|| ReleaseError::Unreadable {
            path: directory.to_owned(),
            reason: "the statement on the perturbation lacks figures".to_owned(),
        })
    }

    fn shows_principles(&self) -> bool {
        false
    }

    fn rules_values_out(&self) -> bool {
        false
    }

    fn sensitive_values_of(&self) -> SensitiveValuesOf {
        SensitiveValuesOf::Perturbed
    }

    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        let found = differences(read.policy, read.certificate, &read.rows.by_labels);
        Some(Check::new("perturbation", found))
    }
}

/// How sensitive values were perturbed: what the holder states. The risks are rounded up to millionths: all their
/// digits would tell how many rows are near each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Noise {
    /// The probability that a row keeps its sensitive value: a multiple of a millionth.
    pub p: f64,
    /// The number of values that noise was drawn from.
    pub n_domain_values: u64,
    /// What the adversary was assumed to learn when p was bounded: `neighborhood` or `value`.
    pub given: String,
    /// The risk of the worst row for an adversary who learns that the released sensitive value is near the true one; at
    /// most 1/m.
    pub risk: f64,
    /// The risk of the worst row for an adversary who sees the released sensitive value itself.
    pub risk_given_value: f64,
    /// The principles for which p was bounded.
    pub principles: Vec<BoundedFor>,
}

/// A principle of the policy, as it was required.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BoundedFor {
    /// Its kind.
    pub kind: String,
    /// Its sensitive attribute.
    pub attribute: Option<String>,
    /// Its parameters.
    pub required: BTreeMap<String, Figure>,
    /// As in [`Noise`], by this principle's neighborhood: at most 1/m.
    pub risk: f64,
    /// As in [`Noise`], by this principle's neighborhood.
    pub risk_given_value: f64,
}

/// What the adversary is assumed to learn, in a word.
pub fn name_of_given(given: Observation) -> &'static str {
    match given {
        Observation::Neighborhood => "neighborhood",
        Observation::Value => "value",
    }
}

/// The principles of a policy, as they were required, with the risks by each of them.
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

/// Risks are stated in so many parts.
pub const MILLION: f64 = 1e6;

/// The statement of the holder.
pub fn statement(attribute: &str, noise: &Noise) -> Statement {
    let mut text = format!(
        "With probability {p} a row has its true {attribute}; otherwise one of {n} by chance, each as likely as any \
         other. Quasi-identifiers are true, and no row is left out: who is in the table, and whose row is which, is not \
         protected. To whoever learns no more than that a released value is near the true one, the risk that the true one is \
         there is at most {risk} for every row. That bound averages over the values near it: to somebody who sees the \
         released value itself, the risk is up to {given_value}.",
        p = noise.p,
        n = indistinct_diagnostics::words::count(noise.n_domain_values, "value"),
        risk = noise.risk,
        given_value = noise.risk_given_value,
    );
    // One risk for all of them would be that of none.
    if noise.principles.len() > 1 {
        for bounded in &noise.principles {
            let name = words::principle_name(&bounded.kind, bounded.attribute.as_deref());
            let letters = [Letter::M, Letter::L].map(Letter::name);
            let required = letters.iter().find_map(|letter| {
                let required = bounded.required.get(*letter)?;
                Some(format!("{letter} = {}", words::figure(required)))
            });
            text += &format!(
                " By the neighborhood of {name} with {} the two are {} and {}.",
                required.unwrap_or_default(),
                bounded.risk,
                bounded.risk_given_value
            );
        }
    }
    Statement {
        about: PERTURBATION.to_owned(),
        text,
        value: Some(serde_json::to_value(noise).expect("figures are plain data")),
        rests_on: "the holder's draws, and an adversary who expects of everybody what holds of the whole table; nothing of \
                   it shows in the rows"
            .to_owned(),
    }
}

/// What a principle of the policy allows: 1/m, or 1/l.
pub fn risk_allowed(spec: &PrincipleSpec) -> f64 {
    let requested = required_of_noise(spec.kind, &spec.parameters);
    requested.map_or(0.0, |requested| to_f64(&requested.m).recip())
}

/// What does not fit together of the policy, the statement and the released sensitive values.
fn differences(
    policy: &PolicyFile,
    certificate: &Certificate,
    table: &FrequencyTable,
) -> Vec<String> {
    let stated: Vec<&Statement> = certificate.about(PERTURBATION).collect();
    let [stated] = stated.as_slice() else {
        return vec!["there is not one statement on the perturbation".to_owned()];
    };
    let value = stated.value.clone().unwrap_or_default();
    let Ok(noise) = serde_json::from_value::<Noise>(value) else {
        return vec!["the statement on the perturbation lacks figures".to_owned()];
    };
    let [sensitive] = table.sensitive() else {
        return vec!["there is not one sensitive attribute".to_owned()];
    };
    let mut differences = Vec::new();
    let mut expect = |holds: bool, otherwise: String| {
        if !holds {
            differences.push(otherwise);
        }
    };
    let p = parse_decimal(&noise.p.to_string()).ok();
    let is_probability = p.as_ref().and_then(Retention::new).is_some();
    expect(is_probability, "p is no probability in millionths".to_owned());

    let given = [Observation::Neighborhood, Observation::Value]
        .into_iter()
        .find(|it| name_of_given(*it) == noise.given);
    let bounded = |by: &BoundedFor| match given {
        Some(Observation::Neighborhood) => by.risk,
        Some(Observation::Value) => by.risk_given_value,
        None => f64::INFINITY,
    };
    let is_bounded = policy
        .principles
        .iter()
        .zip(&noise.principles)
        .all(|(spec, by)| bounded(by) <= risk_allowed(spec) + 1.0 / MILLION);
    let largest = |of: fn(&BoundedFor) -> f64| noise.principles.iter().map(of).fold(0.0, f64::max);
    let is_largest = same_number(largest(|by| by.risk), noise.risk)
        && same_number(largest(|by| by.risk_given_value), noise.risk_given_value);
    expect(given.is_some(), "it is not known what the adversary is assumed to learn".to_owned());
    expect(is_bounded, "a stated risk is above 1/m".to_owned());
    expect(is_largest, "the stated risk is not the largest of the principles".to_owned());
    let risks: Vec<[f64; 2]> =
        noise.principles.iter().map(|by| [by.risk, by.risk_given_value]).collect();
    let are_in_order = risks.iter().all(|[risk, given_value]| risk <= given_value);
    expect(are_in_order, "the stated risks of a principle contradict each other".to_owned());
    let in_order =
        (0.0..=1.0).contains(&noise.risk) && (noise.risk..=1.0).contains(&noise.risk_given_value);
    expect(in_order, "the stated risks contradict each other".to_owned());
    let same_principles = noise.principles.len() == policy.principles.len()
        && noise.principles == bounded_for(policy, &risks);
    expect(same_principles, "the statement names other principles than the policy".to_owned());
    expect(
        *stated == &statement(&sensitive.name, &noise),
        "the statement is not what its figures say".to_owned(),
    );

    let grid = policy.recoding.domain.as_ref().map(|domain| domain.grid());
    let rows = table.marginal(sensitive);
    let rows_with = |is: &dyn Fn(&str) -> bool| -> u64 {
        let values = sensitive.dictionary.values().iter().zip(&rows);
        values.filter(|(value, _)| is(value)).map(|(_, rows)| rows).sum()
    };
    let Some(grid) = grid else {
        expect(false, "the policy has no domain".to_owned());
        return differences;
    };
    let n_outside = rows_with(&|value| value != MISSING && !grid.releases(value));
    let outside =
        format!("the sensitive values of {} are not in the domain", words::rows(n_outside));
    expect(n_outside == 0, outside);
    // A missing value is one more where the original has any; the release may then have none.
    let has_missing = rows_with(&|value| value == MISSING) > 0;
    let n_values = noise.n_domain_values;
    let fits = n_values == grid.n_values() + 1 || (n_values == grid.n_values() && !has_missing);
    expect(
        fits,
        "the number of values that noise was drawn from is not that of the domain".to_owned(),
    );
    differences
}
