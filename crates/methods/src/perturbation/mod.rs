//! `method = "perturbation"`: computes the largest retention probability and the facts about it.
//!
//! The guarantee is a probability over the random draws, which the released rows do not show. Such
//! a release therefore does not claim to satisfy any principle. The data holder states p and the
//! risks, together with the principles for which they were bounded.

mod noise_alone;

use crate::MethodWords;
use indistinct_core::model::to_f64;
use indistinct_core::recoding::perturbation::{
    Breach, Domain, Observation, Perturbation, PerturbationRecord,
};
use indistinct_core::{Observer, Optimality, Quantity, Requirement, Role, figure_of, figures_of};
use indistinct_diagnostics::warning::Warning;
use indistinct_release::facts::Fact;
use indistinct_release::facts::Noise;
use indistinct_release::forms::{MILLION, bounded_for, risk_allowed};

pub use noise_alone::NoiseAlone;

use crate::answer::{OfMethod, Shortfall};
use crate::error::Error;
use crate::policy::{self, PolicyFile, PrincipleSpec};
use crate::task::{Solution, Task};
use crate::{Answer, Method, Proposal};

/// The adversary's observation that is assumed in bounding p, according to our reading of the
/// paper.
pub const GIVEN: Observation = Observation::Neighborhood;

/// Noise instead of sensitive values.
#[derive(Debug)]
pub(crate) struct PerturbationMethod;

impl Method for PerturbationMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::PERTURBATION
    }

    fn words(&self) -> MethodWords {
        MethodWords {
            done: Some(
                "The values of {attributes} were released unchanged. The sensitive value of each \
                 row was either kept or replaced at random.",
            ),
            chosen: Some(
                "The probability of keeping a sensitive value is the largest one that satisfies \
                 the policy, rounded down to millionths. A larger probability would preserve more \
                 information for research, but also disclose more about people.",
            ),
            ..MethodWords::NONE
        }
    }

    /// Finds the largest retention probability that the policy allows for the table.
    fn propose(&self, task: &Task<'_>, _observer: &dyn Observer) -> Result<Answer, Error> {
        let section = task.recoding().domain.as_ref();
        let grid = section.expect("a policy for a perturbation has a domain").grid();
        let domain = Domain::Grid(grid);
        let breach = Breach::new(task.table(), &task.policy().requirements, &domain)?;
        Ok(match breach.largest_retention(GIVEN) {
            Some(retention) => {
                let key = task.key.for_noise();
                let perturbation = Perturbation { domain, given: GIVEN, retention, key };
                Answer::found(Proposal::of_perturbation(perturbation, Optimality::LargestRetention))
            }
            None => {
                let specs = task.file().principles.iter().zip(&task.policy().requirements);
                type SpecAndRequirement<'a> = (&'a PrincipleSpec, &'a Requirement);
                let of = |((spec, requirement), largest_m): (
                    SpecAndRequirement<'_>,
                    Option<Quantity>,
                )| NoiseAlone {
                    kind: spec.kind.name,
                    attribute: spec.attribute.clone(),
                    parameter: requirement.principle.proximity().map_or("m", |it| it.letter.name()),
                    required: figures_of(&spec.parameters, spec.others),
                    largest_m: largest_m.as_ref().and_then(figure_of),
                };
                let noise_alone = specs.zip(breach.largest_m()).map(of).collect();
                Answer::because(Shortfall::Noise { noise_alone }, true)
            }
        })
    }

    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        Some(OfMethod::Noise { perturbation: noise_of(solution)? })
    }

    fn warnings(&self, solution: &Solution<'_>) -> Vec<Warning> {
        let noise = noise_of(solution);
        noise.map_or_else(Vec::new, |noise| warnings(solution.task.file(), &noise))
    }

    fn facts(&self, solution: &Solution<'_>) -> Vec<Fact> {
        let attribute = solution.task.bound.names(Role::Sensitive).into_iter().next();
        let fact = attribute.zip(noise_of(solution));
        fact.map(|(attribute, noise)| Fact::Perturbation { attribute, noise }).into_iter().collect()
    }
}

fn noise_of(solution: &Solution<'_>) -> Option<Noise> {
    solution.certified.perturbed().map(|it| noise(solution.task.file(), it))
}

/// Returns the parameters and risks that the data holder states for a perturbed release.
fn noise(policy: &PolicyFile, perturbed: &PerturbationRecord) -> Noise {
    let of_each: Vec<[f64; 2]> =
        perturbed.by_principle.iter().map(|risks| risks.map(rounded_up)).collect();
    Noise {
        p: to_f64(&perturbed.retention.p()),
        n_domain_values: perturbed.n_domain_values,
        given: perturbed.given,
        risk: rounded_up(perturbed.risk),
        risk_given_value: rounded_up(perturbed.risk_given_value),
        principles: bounded_for(policy, &of_each),
    }
}

/// Rounds up to millionths. The subtraction compensates for rounding errors of double precision.
fn rounded_up(risk: f64) -> f64 {
    ((risk * MILLION - 1e-6).ceil() / MILLION).clamp(0.0, 1.0)
}

/// Returns warnings about p and the risks for the data holder.
fn warnings(policy: &PolicyFile, noise: &Noise) -> Vec<Warning> {
    let above = policy.principles.iter().zip(&noise.principles).filter_map(|(spec, by)| {
        let (risk, limit) = (by.risk_given_value, risk_allowed(spec));
        (risk > limit + 1.0 / MILLION).then_some(Warning::RiskGivenValue { risk, limit })
    });
    (noise.p == 0.0).then_some(Warning::OnlyNoise).into_iter().chain(above).collect()
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
