//! An external population that tells an adversary how sensitive values relate to quasi-identifiers.

use std::path::Path;
use std::slice::from_ref;

use indistinct_attack::prior::{ATTACK, Population, attack, weights};
use indistinct_attack::{AttackError, Figures, Finding, WhyUntried};
use indistinct_core::published::{Attachment, PublishedRows, ReleaseWithOriginal};
use indistinct_core::{Observer, Rational};
use indistinct_engine::Input;
use indistinct_release::View;

use super::people::{People, missing};
use super::{AttackRequest, Findings, Prior, goes_on};
use crate::error::Error;
use crate::session::Session;

/// A population with the weight of each person.
pub(super) struct KnownPopulation {
    pub(super) people: People,
    weights: Vec<Rational>,
}

/// Reads a prior, with the settings and hierarchies of the data holder's policy if available.
pub(super) fn read(
    session: &Session,
    prior: Prior<'_>,
    opened: &View,
    policy: Option<&Path>,
) -> Result<KnownPopulation, Error> {
    let sensitive = |input: &Input, quasi_identifiers: &[String]| {
        let weight = prior.weight.map(str::to_owned);
        let names = opened.published.sensitive.iter().map(|it| it.name.clone());
        let wanted: Vec<String> = names.filter(|name| Some(name) != weight.as_ref()).collect();
        let absent = missing(input, &wanted);
        let mut lacks = missing(input, quasi_identifiers);
        // The weight column cannot be a quasi-identifier.
        let is_none = |name: &&String| {
            quasi_identifiers.contains(name) || !missing(input, from_ref(name)).is_empty()
        };
        lacks.extend(weight.iter().filter(is_none).cloned());
        if absent.len() == wanted.len() {
            lacks.extend(opened.published.sensitive.iter().map(|it| it.name.clone()));
        }
        if !lacks.is_empty() {
            return Err(AttackError::PriorColumns { missing: lacks }.into());
        }
        let known = wanted.into_iter().filter(|name| !absent.contains(name));
        Ok(known.chain(weight).collect())
    };
    let people = People::read(session, prior.table, opened, policy, sensitive)?;
    let weights = weights(&people.table, prior.weight)?;
    Ok(KnownPopulation { people, weights })
}

impl KnownPopulation {
    /// Runs the attack on each sensitive attribute that the population table contains.
    pub(super) fn attack(
        &self,
        opened: &View,
        pair: Option<&ReleaseWithOriginal>,
        request: &AttackRequest<'_>,
        found: &mut Findings,
        observer: &dyn Observer,
    ) -> Result<(), Error> {
        let published = &opened.published;
        for (at, sensitive) in published.sensitive.iter().enumerate() {
            let name = Some(sensitive.name.as_str());
            let place = self.people.table.sensitive_index(&sensitive.name);
            match (why_not(opened, published), place) {
                (Some(why), _) => found.not_tried(&ATTACK, name, why),
                (None, None) => found.not_tried(&ATTACK, name, WhyUntried::NotInPopulation),
                (None, Some(attribute)) => {
                    let People { table: people, fits, .. } = &self.people;
                    let population = Population { people, attribute, weights: &self.weights, fits };
                    let limits = &request.limits.beliefs;
                    let figures = attack(published, at, &population, pair, limits, observer);
                    found.findings.push(Finding::new(name, Figures::Prior(figures)));
                    goes_on(observer)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the reason why Theorem 3.1 does not apply to a release, if it does not.
fn why_not(opened: &View, published: &PublishedRows) -> Option<WhyUntried> {
    match published.attachment {
        Attachment::Perturbed { .. } => Some(WhyUntried::Noise),
        Attachment::ToClasses => Some(WhyUntried::OriginalQuasiIdentifiers),
        Attachment::ToRows if opened.policy.recoding.method.generalizes_sensitive_values() => {
            Some(WhyUntried::GeneralizedSensitiveValues)
        }
        Attachment::ToRows if opened.n_counterfeits() > 0 => Some(WhyUntried::Counterfeits),
        Attachment::ToRows => None,
    }
}
