//! `method = "perturbation"`: the largest retention probability, what is stated of it, and what of that can be checked.
//!
//! The guarantee is a probability over the draws: nothing of it shows in the released rows. So a release claims no principle; the
//! holder states p and the risks, together with the principles they were bounded for.

use std::collections::BTreeMap;

use indistinct_core::model::to_f64;
use indistinct_core::principle::ParameterValue;
use indistinct_core::recoding::perturbation::{
    Breach, Domain, Given, Perturbation, Perturbed, Retention,
};
use indistinct_core::{Figure, FrequencyTable, MISSING, Observer, Role, figures_of, parse_decimal};
use indistinct_release::certificate::about::PERTURBATION;
use indistinct_release::certificate::{Certificate, Statement};
use indistinct_report::SearchEnd;
use indistinct_report::words;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::methods::{Answer, Method, NotPossible, OfMethod, Proposal, Quality, Solution, Task};
use crate::policy::{self, PolicyFile, PrincipleSpec};

/// What the adversary is assumed to learn when p is bounded: the reading of the text.
const GIVEN: Given = Given::Neighborhood;

/// What noise alone, with p = 0, would reach of a principle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NoiseAlone {
    /// The principle.
    pub kind: &'static str,
    /// Its sensitive attribute.
    pub attribute: Option<String>,
    /// Its parameters as required.
    pub required: BTreeMap<String, Figure>,
    /// The largest m for which there would be a p; `None` for an empty table.
    pub largest_m: Option<u64>,
}

/// How secrets were perturbed: what the holder states. The risks are rounded up to millionths: all their digits would
/// tell how many rows are near each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// The probability that a row keeps its secret: a multiple of a millionth.
    pub p: f64,
    /// The number of values that noise was drawn from.
    pub n_domain_values: u64,
    /// What the adversary was assumed to learn when p was bounded: `neighborhood` or `value`.
    pub given: String,
    /// The risk of the worst row for an adversary who learns that the released secret is near the true one; at most 1/m.
    pub risk: f64,
    /// The risk of the worst row for an adversary who sees the released secret itself.
    pub risk_given_value: f64,
    /// The principles for which p was bounded.
    pub principles: Vec<BoundedFor>,
}

/// A principle of the policy, as it was required.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoundedFor {
    /// Its kind.
    pub kind: String,
    /// Its sensitive attribute.
    pub attribute: Option<String>,
    /// Its parameters.
    pub required: BTreeMap<String, Figure>,
}

/// Noise in the place of sensitive values.
#[derive(Debug)]
pub(crate) struct PerturbationMethod;

/// What is stated of the retention probability.
const LARGEST: Quality = Quality::Own {
    is_optimal: true,
    text: "Quasi-identifiers are as they were. No larger retention probability, in millionths, satisfies the policy.",
};

impl Method for PerturbationMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::PERTURBATION
    }

    /// The largest retention probability that the policy allows on the table.
    fn propose(&self, task: &Task<'_>, _observer: &dyn Observer) -> Result<Answer, Error> {
        let section = task.recoding().domain.as_ref();
        let grid = section.expect("a policy for a perturbation has a domain").grid.clone();
        let domain = Domain::Grid(grid);
        let breach = Breach::of(task.table(), &task.policy().requirements, &domain)?;
        Ok(match breach.largest_retention(GIVEN) {
            Some(retention) => {
                let key = task.key.for_noise();
                let perturbation = Perturbation { domain, given: GIVEN, retention, key };
                Answer::found(Proposal::of_perturbation(perturbation, LARGEST))
            }
            None => {
                let specs = task.file().principles.iter();
                let of = |(spec, largest_m): (&PrincipleSpec, Option<u64>)| NoiseAlone {
                    kind: spec.kind.name,
                    attribute: spec.attribute.clone(),
                    required: figures_of(&spec.parameters, spec.others),
                    largest_m,
                };
                let noise_alone = specs.zip(breach.largest_m()).map(of).collect();
                Answer::because(NotPossible::Noise { noise_alone }, true)
            }
        })
    }

    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        Some(OfMethod::Noise { perturbation: noise_of(solution)? })
    }

    fn warnings(&self, solution: &Solution<'_>) -> Vec<String> {
        let noise = noise_of(solution);
        noise.map_or_else(Vec::new, |noise| warnings(solution.task.file(), &noise))
    }

    fn statements(&self, solution: &Solution<'_>) -> Vec<Statement> {
        let names = solution.task.job.names(Role::Sensitive);
        let stated = names.first().zip(noise_of(solution));
        stated.map(|(name, noise)| statement(name, &noise)).into_iter().collect()
    }

    fn search_end(&self, solution: &Solution<'_>) -> Option<SearchEnd> {
        let n_changed = solution.certified.perturbed().map_or(0, |it| it.n_changed);
        Some(SearchEnd::LargestRetention { n_changed })
    }
}

fn noise_of(solution: &Solution<'_>) -> Option<Noise> {
    solution.certified.perturbed().map(|it| noise(solution.task.file(), it))
}

/// What the holder states of a perturbed release, in figures.
fn noise(policy: &PolicyFile, perturbed: &Perturbed) -> Noise {
    Noise {
        p: to_f64(&perturbed.retention.p()),
        n_domain_values: perturbed.n_domain_values,
        given: name_of(perturbed.given).to_owned(),
        risk: rounded_up(perturbed.risk),
        risk_given_value: rounded_up(perturbed.risk_given_value),
        principles: bounded_for(policy),
    }
}

fn name_of(given: Given) -> &'static str {
    match given {
        Given::Neighborhood => "neighborhood",
        Given::Value => "value",
    }
}

fn bounded_for(policy: &PolicyFile) -> Vec<BoundedFor> {
    let of = |spec: &PrincipleSpec| BoundedFor {
        kind: spec.kind.name.to_owned(),
        attribute: spec.attribute.clone(),
        required: figures_of(&spec.parameters, spec.others),
    };
    policy.principles.iter().map(of).collect()
}

const MILLION: f64 = 1e6;

/// To millionths. What lies above one by less than doubles can tell is that one.
fn rounded_up(risk: f64) -> f64 {
    ((risk * MILLION - 1e-6).ceil() / MILLION).clamp(0.0, 1.0)
}

/// The statement of the holder.
fn statement(attribute: &str, noise: &Noise) -> Statement {
    let text = format!(
        "With probability {p} a row has its true {attribute}; otherwise one of {n} values by chance, each as likely as any \
         other. Quasi-identifiers are true, and no row is left out: who is in the table, and which row is whose, is not \
         protected. To whoever learns no more than that a released value is near the true one, the risk that the true one is \
         there is at most {risk} for every row. That bound averages over the values near it: to somebody who sees the \
         released value itself, the risk is up to {given_value}.",
        p = noise.p,
        n = words::thousands(noise.n_domain_values),
        risk = noise.risk,
        given_value = noise.risk_given_value,
    );
    Statement {
        about: PERTURBATION.to_owned(),
        text,
        value: Some(serde_json::to_value(noise).expect("figures are plain data")),
        rests_on: "the holder's draws, and an adversary who expects of everybody what holds of the whole table; nothing of \
                   it shows in the rows"
            .to_owned(),
    }
}

/// What the holder should know of p and the risks.
fn warnings(policy: &PolicyFile, noise: &Noise) -> Vec<String> {
    let mut warnings = Vec::new();
    if noise.p == 0.0 {
        warnings.push(
            "the largest retention probability, rounded down, is 0: all secrets of the release are noise"
                .to_owned(),
        );
    }
    let limit = largest_risk(policy);
    if noise.risk_given_value > limit + 1.0 / MILLION {
        warnings.push(format!(
            "to somebody who sees the released value itself the risk is up to {}, not {} (reading C-15): some values are far more frequent than \
             those near them",
            words::number(noise.risk_given_value),
            words::number(limit)
        ));
    }
    warnings
}

/// 1/m, for the smallest m of the principles.
fn largest_risk(policy: &PolicyFile) -> f64 {
    let m = |spec: &PrincipleSpec| match spec.parameters.0.get("m") {
        Some(ParameterValue::Number(m)) => Some(to_f64(m)),
        _ => None,
    };
    policy.principles.iter().filter_map(m).map(f64::recip).fold(0.0, f64::max)
}

/// What does not fit together of the policy, the statement and the released secrets.
pub(crate) fn differences(
    policy: &PolicyFile,
    certificate: &Certificate,
    table: &FrequencyTable,
) -> Vec<String> {
    let stated: Vec<&Statement> =
        certificate.statements.iter().filter(|statement| statement.about == PERTURBATION).collect();
    let [stated] = stated.as_slice() else {
        return vec!["there is not one statement on the perturbation".to_owned()];
    };
    let value = stated.value.clone().unwrap_or_default();
    let Ok(noise) = serde_json::from_value::<Noise>(value) else {
        return vec!["the statement on the perturbation lacks figures".to_owned()];
    };
    let [secrets] = table.sensitive() else {
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

    let given =
        [Given::Neighborhood, Given::Value].into_iter().find(|it| name_of(*it) == noise.given);
    let bounded = match given {
        Some(Given::Neighborhood) => noise.risk,
        Some(Given::Value) => noise.risk_given_value,
        None => f64::INFINITY,
    };
    let limit = largest_risk(policy) + 1.0 / MILLION;
    expect(given.is_some(), "it is not known what the adversary is assumed to learn".to_owned());
    expect(bounded <= limit, "the stated risk is above 1/m".to_owned());
    let in_order =
        (0.0..=1.0).contains(&noise.risk) && (noise.risk..=1.0).contains(&noise.risk_given_value);
    expect(in_order, "the stated risks contradict each other".to_owned());
    let same_principles = noise.principles == bounded_for(policy);
    expect(same_principles, "the statement names other principles than the policy".to_owned());
    expect(
        *stated == &statement(&secrets.name, &noise),
        "the statement is not what its figures say".to_owned(),
    );

    let grid = policy.recoding.domain.as_ref().map(|domain| &domain.grid);
    let rows = table.marginal(secrets);
    let rows_with = |is: &dyn Fn(&str) -> bool| -> u64 {
        let values = secrets.dictionary.values().iter().zip(&rows);
        values.filter(|(value, _)| is(value)).map(|(_, rows)| rows).sum()
    };
    let Some(grid) = grid else {
        expect(false, "the policy has no domain".to_owned());
        return differences;
    };
    let n_outside = rows_with(&|value| value != MISSING && !grid.releases(value));
    let outside = format!("the secrets of {} are not in the domain", words::rows(n_outside));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risks_are_rounded_up_to_millionths() {
        for exact in [0.25, 0.2, 0.1, 0.3, 0.7, 0.000001, 0.0, 1.0] {
            assert_eq!(rounded_up(exact), exact);
        }
        assert_eq!(rounded_up(1.0 / 3.0), 0.333334);
        assert_eq!(rounded_up(0.2499991), 0.25);
    }
}
