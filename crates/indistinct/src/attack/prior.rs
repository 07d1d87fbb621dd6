//! A population from elsewhere, from which an adversary knows how sensitive values go with quasi-identifiers.

use std::path::Path;

use indistinct_attack::prior::{ATTACK, Population, attack};
use indistinct_attack::{Figures, Finding, Fits};
use indistinct_core::published::{Attachment, Published, ReleaseWithOriginal};
use indistinct_core::{FrequencyTable, MISSING, Observer, Rational, Role, parse_decimal};
use indistinct_engine::{CountRequest, Engine};
use indistinct_release::View;

use super::labels::{Labels, open};
use super::{Asked, Found, Prior};
use crate::error::Error;
use crate::job::engine;

/// A population, and what its people fit.
pub(super) struct Known {
    people: FrequencyTable,
    weights: Vec<Rational>,
    fits: Fits,
    pub(super) labels: Labels,
}

/// Reads a prior, with the settings and hierarchies of the holder's policy where that is at hand.
pub(super) fn read(
    prior: Prior<'_>,
    opened: &View,
    policy: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Known, Error> {
    let (input, rules) = open(prior.table, opened, policy)?;
    let has = |name: &str| input.columns().iter().any(|column| column.name == name);
    let quasi_identifiers = opened.policy.names(Role::QuasiIdentifier);
    let published = opened.published.sensitive.iter();
    let weight = prior.weight.map(str::to_owned);
    let mut sensitive: Vec<String> = published
        .map(|it| it.name.clone())
        .filter(|name| has(name) && Some(name) != weight.as_ref())
        .collect();
    // A quasi-identifier is no weight.
    let own = weight.iter().filter(|name| !has(name) || quasi_identifiers.contains(name));
    let mut missing: Vec<String> =
        quasi_identifiers.iter().filter(|name| !has(name)).chain(own).cloned().collect();
    if sensitive.is_empty() {
        missing.extend(opened.published.sensitive.iter().map(|it| it.name.clone()));
    }
    if !missing.is_empty() {
        return Err(Error::PriorColumns { missing });
    }
    sensitive.extend(weight);
    let request = CountRequest { quasi_identifiers, sensitive, ..CountRequest::default() };
    let people = engine().count(&input, &request, observer)?.table;
    let weights = weights(&people, prior.weight)?;
    let labels = Labels::read(&people, opened, &rules)?;
    let fits = labels.fits(&people, &opened.published);
    Ok(Known { people, weights, fits, labels })
}

/// The largest number that a line may have, and the parts of 1 that it may have.
const LARGEST: i128 = 1_000_000_000_000;

/// How frequent each tuple is.
fn weights(people: &FrequencyTable, column: Option<&str>) -> Result<Vec<Rational>, Error> {
    let times = |tuple: usize| Rational::from_integer(i128::from(people.counts()[tuple]));
    let Some(name) = column else { return Ok((0..people.n_tuples()).map(times).collect()) };
    // It was counted as the last of the sensitive attributes.
    let column = people.sensitive().last().expect("the column of weights");
    let largest = Rational::from_integer(LARGEST);
    let parsed: Vec<Option<Rational>> = column
        .dictionary
        .values()
        .iter()
        .map(|text| {
            let number = parse_decimal(text).ok().filter(|_| text != MISSING)?;
            let is_one = (Rational::from_integer(0)..=largest).contains(&number);
            (is_one && *number.denom() <= LARGEST).then_some(number)
        })
        .collect();
    let of = |tuple: usize| parsed[column.codes[tuple] as usize].map(|it| it * times(tuple));
    let weights: Vec<Option<Rational>> = (0..people.n_tuples()).map(of).collect();
    let counts = weights.iter().zip(people.counts());
    let n_rows: u64 = counts.filter(|(it, _)| it.is_none()).map(|(_, rows)| *rows).sum();
    let all: Option<Vec<Rational>> = weights.into_iter().collect();
    // Sums of these stay far below what a fraction can hold.
    let sum = all.iter().flatten().map(|it| it / largest).try_fold(0i128, |sum, it| {
        sum.checked_add(it.ceil().to_integer()).filter(|sum| *sum <= LARGEST)
    });
    match (all, sum) {
        (Some(all), Some(1..)) => Ok(all),
        _ => Err(Error::PriorWeights { column: name.to_owned(), n_rows }),
    }
}

impl Known {
    /// Tries the attack on each sensitive attribute that the population has.
    pub(super) fn attack(
        &self,
        opened: &View,
        beside: Option<&ReleaseWithOriginal>,
        asked: &Asked<'_>,
        found: &mut Found,
    ) {
        let published = &opened.published;
        for (at, sensitive) in published.sensitive.iter().enumerate() {
            let name = Some(sensitive.name.as_str());
            let place = self.people.sensitive_index(&sensitive.name);
            match (why_not(opened, published), place) {
                (Some(why), _) => found.not_tried(&ATTACK, name, why),
                (None, None) => found.not_tried(&ATTACK, name, "the prior has no such column"),
                (None, Some(attribute)) => {
                    let Self { people, weights, fits, .. } = self;
                    let population = Population { people, attribute, weights, fits };
                    let limits = &asked.limits.beliefs;
                    let figures = attack(published, at, &population, beside, limits);
                    found.findings.push(Finding::new(name, Figures::Prior(figures)));
                }
            }
        }
    }
}

/// Why Theorem 3.1 says nothing about a release, where it does not.
fn why_not(opened: &View, published: &Published) -> Option<&'static str> {
    match published.attachment {
        Attachment::Perturbed { .. } => Some(
            "the released sensitive values are noise for some rows, which Theorem 3.1 is not about",
        ),
        Attachment::ToClasses => Some(
            "the released quasi-identifiers are raw, so that it is known who is in a class, which Theorem 3.1 is not about",
        ),
        Attachment::ToRows if opened.policy.recoding.method.reads("choice") => {
            Some("some sensitive values are generalized, which Theorem 3.1 is not about")
        }
        Attachment::ToRows if opened.n_counterfeits() > 0 => {
            Some("some released rows are counterfeits, which Theorem 3.1 is not about")
        }
        Attachment::ToRows => None,
    }
}
