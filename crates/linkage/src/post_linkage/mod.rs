//! # Post-linkage: the adversary who holds several releases
//!
//! **Definition.** A person takes part in every release that has a class for her. The adversary knows her quasi-identifiers, finds
//! her class in each release, and keeps the sensitive values that all of them allow.
//! **Formula.** See [`RemainingValues`]. Everybody with the same combination of classes is in the same position, so each distinct
//! combination is computed once.
//! **Parameters.** `candidates`: who may be a person, the combinations of the originals, or any that two releases cover.
//! `required`: what should remain at least.
//! **Level.** The least that remains, over everybody; smaller is worse.
//! **Complexity.** By segments of the domains, quasi-identifier by quasi-identifier: about the number of regions and people times the
//! number of quasi-identifiers where regions do not overlap within a release. Where they overlap widely and nobody is
//! known, the combinations can be many: refused above a limit.
//! **Errors.** `TooFewReleases`, `Length`, `UnknownCode`, `NotAscending`, `People`, `TooManyPatterns`,
//! `TooManyFits`, `Cancelled`.
//! **Does not protect against.** It is an attack. It does not weigh how likely sensitive values are, and knows nothing
//! else.
//! **Source.** Sections 2.3 and 3 of the linkage text. Deviations: an empty linkage is nobody (reading D-11), if it is clear how values are written; who fits several classes
//! of one release is in their union (F-2).

mod candidate;
mod found;
mod locate;
mod patterns;
mod regions;
mod release;
mod remaining;

use std::cmp::Ordering;
use std::collections::BTreeMap;

pub use candidate::{Candidate, Effect, HarmedWith, SensitiveEffect, effect};
use found::{Limits, Pattern};
pub use indistinct_core::remaining::{Measure, RemainingRequirement};
use indistinct_core::{Observer, Rational, Silent};
use patterns::TURN;
pub use release::{Cover, PublishedClass, PublishedRelease, Region, SensitiveDomain, Setting};
use remaining::Counter;
pub use remaining::RemainingValues;
use serde::Serialize;

use crate::{LinkageError, worst_case};

/// Who may be a person.
#[derive(Debug, Clone, Copy)]
pub enum Candidates<'a> {
    /// The combinations of the originals.
    People {
        /// The codes, combination after combination.
        codes: &'a [u32],
        /// How many people have each combination.
        people: &'a [u64],
    },
    /// Any combination that at least two releases cover.
    Anybody,
}

/// What to report, and how long to look.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What is required of each sensitive attribute, if anything.
    pub required: Option<RemainingRequirement>,
    /// How many of the worst combinations are listed for each sensitive attribute.
    pub n_worst: usize,
    /// How many combinations of classes are computed at most.
    pub max_patterns: usize,
    /// How many classes these have together at most: what takes time and memory where classes overlap widely.
    pub max_fits: usize,
    /// Hears of progress, and can cancel.
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

/// Where nobody is known, so many combinations of classes are looked at: more are seldom of people, and take minutes.
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

/// Combinations of classes, and the people in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Combinations {
    /// Combinations of classes, of each release one or more that overlap.
    pub n_combinations: u64,
    /// The people in them; `None` if it is not known who the people are.
    pub n_people: Option<u64>,
}

impl Combinations {
    /// No combinations.
    pub fn none(candidates: Candidates<'_>) -> Self {
        let is_known = matches!(candidates, Candidates::People { .. });
        Self { n_combinations: 0, n_people: is_known.then_some(0) }
    }

    fn add(&mut self, people: u64) {
        self.n_combinations += 1;
        self.n_people = self.n_people.map(|n| n + people);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.n_combinations == 0
    }
}

/// People in the worst position.
#[derive(Debug, Clone, PartialEq)]
pub struct WorstCombination {
    /// The quasi-identifiers of one of them, or of somebody who would be; whether to show them is for the caller to decide.
    pub codes: Vec<u32>,
    /// Their classes in each release; none where a release does not cover them.
    pub classes: Vec<Vec<u32>>,
    /// How many they are; 0 where nobody is known.
    pub n_people: u64,
    /// What remains.
    pub remaining: RemainingValues,
}

/// What linkage does to one sensitive attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct SensitiveReport {
    /// The fewest sensitive values in a class, for each release alone; `None` for one without records.
    pub l_each: Vec<Option<u64>>,
    /// The fewest that remain after linkage; `None` if nobody is linked.
    pub distinct_l: Option<u64>,
    /// The least total / largest.
    pub frequency_l: Option<Rational>,
    /// The least exponential of the entropy.
    pub entropy_l: Option<f64>,
    /// The length of the shortest interval to which a numeric sensitive attribute is narrowed.
    pub width: Option<i128>,
    /// The fewest that could remain with these `l_each`, by Proposition 3.1 (reading D-9).
    pub worst_case: Option<u64>,
    /// How many combinations and people have how many sensitive values left, ascending.
    pub distribution: Vec<(u64, Combinations)>,
    /// Who is below what is required.
    pub below: Option<Combinations>,
    /// The worst combinations: the fewest sensitive values first, then the most frequent one, then the most people.
    pub worst: Vec<WorstCombination>,
}

/// What an adversary learns from several releases.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkageResult {
    /// Whom at least two releases cover, and for whom something remains.
    pub linked: Combinations,
    /// Combinations of classes that share no sensitive value: nobody can be in all of them (reading D-11), but for those that are unclear.
    pub contradictory: Combinations,
    /// Of these the combinations that somebody may be in, if her value is written in different ways.
    pub unclear: Combinations,
    /// People whom fewer than two releases cover.
    pub n_not_linked: u64,
    /// Each sensitive attribute.
    pub sensitive: Vec<SensitiveReport>,
}

/// Links releases.
///
/// # Errors
/// [`LinkageError::TooFewReleases`], [`LinkageError::Length`], [`LinkageError::UnknownCode`],
/// [`LinkageError::NotAscending`], [`LinkageError::People`], [`LinkageError::TooManyPatterns`],
/// [`LinkageError::TooManyFits`], [`LinkageError::Cancelled`].
pub fn link(
    setting: &Setting,
    releases: &[PublishedRelease],
    candidates: Candidates<'_>,
    options: &Options<'_>,
) -> Result<LinkageResult, LinkageError> {
    setting.check(releases)?;
    if let Candidates::People { codes, people } = candidates {
        let (got, expected) = (codes.len(), people.len() * setting.n_codes.len());
        if got != expected {
            return Err(LinkageError::People { got, expected });
        }
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

/// What the classes of a pattern leave of each sensitive attribute; `None` if they contradict each other.
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

/// Whether somebody may be in classes that contradict each other: no sensitive attribute rules it out, however it is written.
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

/// What remains for one person with the given quasi-identifiers: of each sensitive value, in the releases that cover
/// her.
///
/// `None` for a sensitive attribute of which nothing remains.
///
/// # Errors
/// As [`link`].
pub fn link_person(
    setting: &Setting,
    releases: &[PublishedRelease],
    codes: &[u32],
) -> Result<Vec<Option<RemainingValues>>, LinkageError> {
    setting.check(releases)?;
    let (got, expected) = (codes.len(), setting.n_codes.len());
    if got != expected {
        return Err(LinkageError::People { got, expected });
    }
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

/// A report in the making.
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
        let mut fewest = |release: &PublishedRelease| {
            release
                .classes
                .iter()
                .filter_map(|class| counter.n_possible(&class.sensitive[sensitive]))
                .min()
        };
        Self {
            l_each: releases.iter().map(&mut fewest).collect(),
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
