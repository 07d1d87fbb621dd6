//! # Post-linkage: an adversary with several releases
//!
//! **Definition.** A person is in every release that has a matching class. The adversary knows the
//! person's quasi-identifiers, finds the matching class in each release, and retains the sensitive
//! values that all matching classes allow.
//! **Formula.** See [`RemainingValues`]. The result is equal for all people with the same
//! combination of classes, so each distinct combination is computed once.
//! **Parameters.** `candidates`: the combinations that people may have, either those in the
//! original tables or all that two releases cover. `required`: the minimum that should remain.
//! **Level.** The minimum over all people; smaller is worse.
//! **Complexity.** The domains are divided into segments, one quasi-identifier at a time. If
//! regions do not overlap within a release, the time is approximately the number of regions and
//! people times the number of quasi-identifiers. If regions overlap widely and the people are
//! unknown, there may be many combinations; the request is refused above a limit.
//! **Errors.** `TooFewReleases`, `TooManyPatterns`, `TooManyFits`, `Cancelled`.
//! **Does not protect against.** This module is an attack. The attack does not consider the
//! probabilities of sensitive values or other background knowledge.
//! **Source.** Sections 2.3 and 3 of the linkage paper. Deviations: an empty linkage represents no
//! one if the spelling of values is unambiguous (reading D-11); a person who matches several
//! classes of one release is in their union (F-2).

mod candidate;
mod locate;
mod patterns;
mod release;
mod remaining;

use std::cmp::Ordering;
use std::collections::BTreeMap;

pub use candidate::{Candidate, Effect, HarmedWith, SensitiveEffect, effect};
pub use indistinct_core::remaining::{Measure, RemainingRequirement};
use indistinct_core::{Observer, Rational, Silent};
use patterns::{Limits, Pattern, TURN};
pub use release::{Cover, PublishedClass, PublishedRelease, Region, SensitiveDomain, Setting};
use remaining::Counter;
pub use remaining::RemainingValues;
use serde::Serialize;

use crate::{LinkageError, worst_case};

/// The quasi-identifier combinations that people may have.
#[derive(Debug, Clone, Copy)]
pub enum Candidates<'a> {
    /// The combinations of the original tables.
    People {
        /// The codes, one combination after another.
        codes: &'a [u32],
        /// The number of people with each combination.
        people: &'a [u64],
    },
    /// The people are unknown, so any combination that
    /// is covered by at least two releases is possible.
    Anybody,
}

/// Options that determine the content of the report and the limits on the computation.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The requirement on each sensitive attribute, if any.
    pub required: Option<RemainingRequirement>,
    /// The number of worst combinations to list for each sensitive attribute.
    pub n_worst: usize,
    /// The maximum number of combinations of classes.
    pub max_patterns: usize,
    /// The maximum total number of classes in all combinations, which bounds time and memory if
    /// classes overlap widely.
    pub max_fits: usize,
    /// Receives progress and can cancel.
    pub observer: &'a dyn Observer,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            required: None,
            n_worst: 10,
            max_patterns: 10_000_000,
            max_fits: 50_000_000,
            observer: &Silent,
        }
    }
}

/// The maximum number of combinations of classes if the people are unknown. Additional combinations
/// rarely belong to people, and computing them would take minutes.
const MOST_OF_ANYBODY: usize = 2_000_000;

impl Options<'_> {
    fn limits(&self, candidates: Candidates<'_>) -> Limits {
        let n_patterns = match candidates {
            Candidates::People { .. } => self.max_patterns,
            Candidates::Anybody => self.max_patterns.min(MOST_OF_ANYBODY),
        };
        Limits { n_patterns, n_fits: self.max_fits }
    }
}

/// Combinations of classes, and the people in these combinations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Combinations {
    /// The number of combinations of classes, with one or more overlapping classes from each
    /// release.
    pub n_combinations: u64,
    /// The number of people whose rows are in these combinations of classes, or `None` if the
    /// people are unknown.
    pub n_people: Option<u64>,
}

impl Combinations {
    /// Creates an empty set of combinations.
    pub fn none(candidates: Candidates<'_>) -> Self {
        let is_known = matches!(candidates, Candidates::People { .. });
        Self { n_combinations: 0, n_people: is_known.then_some(0) }
    }

    fn add(&mut self, people: u64) {
        self.n_combinations += 1;
        self.n_people = self.n_people.map(|n| n + people);
    }

    /// Returns whether the number of combinations is 0.
    pub fn is_empty(&self) -> bool {
        self.n_combinations == 0
    }
}

/// A combination with the fewest remaining values.
#[derive(Debug, Clone, PartialEq)]
pub struct WorstCombination {
    /// The quasi-identifiers of one person, or of a possible person, with this combination. The
    /// caller decides whether to show them.
    pub codes: Vec<u32>,
    /// The matching classes of each release. The list is empty for releases that do not cover the
    /// combination.
    pub classes: Vec<Vec<u32>>,
    /// The number of people with this combination, or 0 if the people are unknown.
    pub n_people: u64,
    /// The remaining values.
    pub remaining: RemainingValues,
}

/// The effect of linkage on one sensitive attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct SensitiveReport {
    /// The smallest number of sensitive values in a class, for each release alone, or `None` for a
    /// release without records.
    pub l_each: Vec<Option<u64>>,
    /// The smallest number of values that remain for a person after linkage, or `None` if no one is
    /// linked.
    pub distinct_l: Option<u64>,
    /// The smallest ratio of the total count to the largest count among a person's remaining
    /// values.
    pub frequency_l: Option<Rational>,
    /// The smallest exponential of the entropy.
    pub entropy_l: Option<f64>,
    /// The length of the shortest interval that contains all of a person's remaining values, for a
    /// numeric sensitive attribute.
    pub width: Option<i128>,
    /// The smallest number of values that could remain for these `l_each`, according to Proposition
    /// 3.1 (reading D-9).
    pub worst_case: Option<u64>,
    /// The combinations and people for each number of remaining sensitive values, in ascending
    /// order.
    pub distribution: Vec<(u64, Combinations)>,
    /// The combinations below the requirement.
    pub below: Option<Combinations>,
    /// The worst combinations, sorted by the number of sensitive values (fewest first), the most
    /// frequent value, and the number of people (most first).
    pub worst: Vec<WorstCombination>,
}

/// The inferences that an adversary can draw from several releases.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkageResult {
    /// People who are covered by at least two releases
    /// and for whom at least one sensitive value remains.
    pub linked: Combinations,
    /// Combinations of classes that share no sensitive value. No person can be in all classes of
    /// such a combination (reading D-11), unless values have several spellings.
    pub contradictory: Combinations,
    /// Contradictory combinations that may include people if a value has several spellings.
    pub unclear: Combinations,
    /// The number of people who are covered by fewer than two releases.
    pub n_not_linked: u64,
    /// The result for each sensitive attribute.
    pub sensitive: Vec<SensitiveReport>,
}

/// Links releases.
///
/// # Errors
/// Returns [`LinkageError::TooFewReleases`], [`LinkageError::TooManyPatterns`],
/// [`LinkageError::TooManyFits`], or [`LinkageError::Cancelled`].
///
/// # Panics
/// Panics if the releases or the candidates do not use the domains of the setting.
pub fn link(
    setting: &Setting,
    releases: &[PublishedRelease],
    candidates: Candidates<'_>,
    options: &Options<'_>,
) -> Result<LinkageResult, LinkageError> {
    setting.check(releases)?;
    if let Candidates::People { codes, people } = candidates {
        let n_codes = people.len() * setting.n_codes.len();
        assert_eq!(codes.len(), n_codes, "each person has a code for each quasi-identifier");
    }
    let limits = options.limits(candidates);
    let found =
        patterns::patterns(releases, &setting.n_codes, candidates, limits, options.observer)?;
    let mut counters: Vec<Counter<'_>> = setting.sensitive.iter().map(Counter::new).collect();
    let none = Combinations::none(candidates);
    let mut summaries: Vec<Summary> = Vec::new();
    for (sensitive, counter) in counters.iter_mut().enumerate() {
        summaries.push(Summary::new(releases, counter, sensitive, options, none));
    }
    let (mut linked, mut contradictory, mut unclear) = (none, none, none);
    for (at, pattern) in found.iter().enumerate() {
        if at.is_multiple_of(TURN) && options.observer.is_cancelled() {
            return Err(LinkageError::Cancelled);
        }
        let Some(remaining) = remaining(&mut counters, releases, pattern) else {
            contradictory.add(pattern.people());
            if is_unclear(&mut counters, releases, pattern) {
                unclear.add(pattern.people());
            }
            continue;
        };
        linked.add(pattern.people());
        for (summary, remaining) in summaries.iter_mut().zip(remaining) {
            summary.add(pattern, releases.len(), remaining);
        }
    }
    let sensitive_columns = summaries
        .into_iter()
        .zip(&setting.sensitive)
        .map(|(summary, domain)| summary.report(u64::from(domain.n_values())))
        .collect::<Result<_, _>>()?;
    Ok(LinkageResult {
        linked,
        contradictory,
        unclear,
        n_not_linked: found.n_not_linked,
        sensitive: sensitive_columns,
    })
}

/// Computes the remaining values of each sensitive attribute for a pattern; `None` if its classes
/// contradict each other.
fn remaining(
    counters: &mut [Counter<'_>],
    releases: &[PublishedRelease],
    pattern: Pattern<'_>,
) -> Option<Vec<RemainingValues>> {
    let counted = counters.iter_mut().enumerate().map(|(sensitive, counter)| {
        counter.remaining(releases, |release| pattern.classes(release), sensitive)
    });
    counted.collect()
}

/// Returns whether a person may be in classes that contradict each other, because each sensitive
/// attribute has a common value or an alternative spelling.
fn is_unclear(
    counters: &mut [Counter<'_>],
    releases: &[PublishedRelease],
    pattern: Pattern<'_>,
) -> bool {
    counters.iter_mut().enumerate().all(|(sensitive, counter)| {
        let classes = |release| pattern.classes(release);
        counter.remaining(releases, classes, sensitive).is_some()
            || counter.may_differ_in_writing(releases, classes, sensitive)
    })
}

/// Computes the remaining values of each sensitive attribute for one person with the given
/// quasi-identifiers, in the releases that cover this person.
///
/// The result for a sensitive attribute is `None` if no values remain.
///
/// # Errors
/// Returns [`LinkageError::TooFewReleases`] if there are fewer than two releases.
///
/// # Panics
/// Panics if the releases or the codes do not use the domains of the setting.
pub fn link_person(
    setting: &Setting,
    releases: &[PublishedRelease],
    codes: &[u32],
) -> Result<Vec<Option<RemainingValues>>, LinkageError> {
    setting.check(releases)?;
    assert_eq!(codes.len(), setting.n_codes.len(), "each quasi-identifier has a code");
    let fits = |region: &Region| region.iter().zip(codes).all(|(cover, &code)| cover.has(code));
    let classes: Vec<Vec<u32>> = releases
        .iter()
        .map(|release| {
            let fitting = |class: &u32| release.classes[*class as usize].regions.iter().any(fits);
            (0..release.classes.len() as u32).filter(fitting).collect()
        })
        .collect();
    let counted = setting.sensitive.iter().enumerate().map(|(sensitive, domain)| {
        Counter::new(domain).remaining(releases, |release| &classes[release], sensitive)
    });
    Ok(counted.collect())
}

/// A report under construction.
struct Summary {
    l_each: Vec<Option<u64>>,
    required: Option<RemainingRequirement>,
    n_worst: usize,
    none: Combinations,
    below: Combinations,
    distribution: BTreeMap<u64, Combinations>,
    frequency: Option<RemainingValues>,
    entropy_l: Option<f64>,
    width: Option<i128>,
    worst: Vec<WorstCombination>,
}

impl Summary {
    fn new(
        releases: &[PublishedRelease],
        counter: &mut Counter<'_>,
        sensitive: usize,
        options: &Options<'_>,
        none: Combinations,
    ) -> Self {
        let mut fewest = |(at, release): (usize, &PublishedRelease)| {
            release
                .classes
                .iter()
                .filter_map(|class| counter.n_possible(at, &class.sensitive[sensitive]))
                .min()
        };
        Self {
            l_each: releases.iter().enumerate().map(&mut fewest).collect(),
            required: options.required,
            n_worst: options.n_worst,
            none,
            below: none,
            distribution: BTreeMap::new(),
            frequency: None,
            entropy_l: None,
            width: None,
            worst: Vec::new(),
        }
    }

    fn add(&mut self, pattern: Pattern<'_>, n_releases: usize, remaining: RemainingValues) {
        let people = pattern.people();
        self.distribution.entry(remaining.distinct_l()).or_insert(self.none).add(people);
        if let Some(RemainingRequirement { measure, l }) = &self.required
            && remaining.compare(*measure, l).is_lt()
        {
            self.below.add(people);
        }
        self.entropy_l = Some(
            self.entropy_l.map_or(remaining.entropy_l, |least| least.min(remaining.entropy_l)),
        );
        self.width = match (self.width, remaining.width) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        if self.frequency.as_ref().is_none_or(|least| remaining.frequency_order(least).is_lt()) {
            self.frequency = Some(remaining.clone());
        }
        let order = |other: &WorstCombination| -> Ordering {
            let by_distinct = other.remaining.distinct_l().cmp(&remaining.distinct_l());
            by_distinct
                .then_with(|| other.remaining.frequency_order(&remaining))
                .then_with(|| people.cmp(&other.n_people))
                .then_with(|| other.codes[..].cmp(pattern.codes()))
        };
        let at = self.worst.partition_point(|other| order(other).is_lt());
        if at < self.n_worst {
            self.worst.truncate(self.n_worst - 1);
            let classes = (0..n_releases).map(|release| pattern.classes(release).to_vec());
            let combination = WorstCombination {
                codes: pattern.codes().to_vec(),
                classes: classes.collect(),
                n_people: people,
                remaining,
            };
            self.worst.insert(at, combination);
        }
    }

    fn report(self, n_values: u64) -> Result<SensitiveReport, LinkageError> {
        let alone: Option<Vec<u64>> = self.l_each.iter().copied().collect();
        let worst_case = alone.map(|l_each| worst_case(n_values, &l_each)).transpose()?;
        Ok(SensitiveReport {
            l_each: self.l_each,
            distinct_l: self.distribution.first_key_value().map(|entry| *entry.0),
            frequency_l: self.frequency.map(|least| least.frequency_l()),
            entropy_l: self.entropy_l,
            width: self.width,
            worst_case,
            distribution: self.distribution.into_iter().collect(),
            below: self.required.map(|_| self.below),
            worst: self.worst,
        })
    }
}
