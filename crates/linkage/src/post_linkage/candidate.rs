//! # The effect of an additional release on people
//!
//! **Definition.** A candidate harms a person if linking it with the existing releases leaves fewer
//! sensitive values for that person than required, and fewer than without the candidate. A person
//! who was already below the requirement is harmed only if the candidate lowers the number further.
//! **Formula.** The remaining values with and without the candidate are compared for each
//! combination of classes ([`RemainingValues`]).
//! **Parameters.** `candidate`: its index among the releases. `candidates`: the combinations that
//! people may have. `options`: the requirement.
//! **Level.** The minimum over the people whom the candidate and another release cover; smaller is
//! worse.
//! **Complexity.** The same as [`link`](super::link).
//! **Errors.** The same errors as [`link`](super::link).
//! **Does not protect against.** Releases that are not given.
//! **Source.** Section 2.3 of the linkage paper, which does not consider a ledger of releases.

use std::cmp::Ordering;

use indistinct_core::model::to_f64;
use serde::Serialize;

use super::patterns::{self, Pattern, TURN};
use super::release::{PublishedRelease, Setting};
use super::remaining::{Counter, RemainingValues};
use super::{Candidates, Combinations, Measure, Options, RemainingRequirement};
use crate::LinkageError;

/// The release to examine, with the names of all releases and attributes.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// The index of the candidate among the releases.
    pub at: usize,
    /// The names of the releases, in order. The name of the candidate is not used.
    pub releases: &'a [&'a str],
    /// The names of the sensitive attributes, in order.
    pub sensitive: &'a [&'a str],
}

/// The effect of a candidate on one sensitive attribute.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SensitiveEffect {
    /// The name of the sensitive attribute.
    pub attribute: String,
    /// The smallest number of sensitive values that remain for a person whom the candidate and
    /// another release cover, or `None` if no one is linked.
    pub distinct_l: Option<u64>,
    /// The smallest ratio of the total count to the largest count among a person's remaining
    /// values.
    pub frequency_l: Option<f64>,
    /// The minimum over all people of the exponential of the entropy of their remaining values.
    pub entropy_l: Option<f64>,
    /// People whose remaining values the candidate reduces below the requirement.
    pub harmed: Combinations,
    /// The other releases that, together with the candidate, harm people.
    pub harmed_with: Vec<HarmedWith>,
    /// People for whom the remaining values were already below the requirement, and are not reduced
    /// further by the candidate.
    pub below_before: Combinations,
    /// The number of classes of the candidate that are below the requirement even without linkage.
    pub n_classes_below: u64,
    /// The number of rows in classes of the candidate that
    /// are below the requirement even without linkage.
    pub n_rows_below: u64,
}

/// A release that, together with the candidate, harms people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct HarmedWith {
    /// The name of the release.
    pub release: String,
    /// The harmed people who are covered by this release.
    #[serde(flatten)]
    pub harmed: Combinations,
}

/// The effect on people of linking a candidate with other releases.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Effect {
    /// Whether the candidate harms no one, all its classes meet the requirement, and the remaining
    /// values of every person are known. The value is `true` if nothing is required.
    pub holds: bool,
    /// The required minimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<RemainingRequirement>,
    /// The releases that were linked with the candidate.
    pub linked_with: Vec<String>,
    /// Releases that have no quasi-identifier or no sensitive attribute in common with the other
    /// releases.
    pub nothing_in_common: Vec<String>,
    /// People whom the candidate and another release cover and for whom at least one sensitive
    /// value remains.
    pub linked: Combinations,
    /// Combinations of classes that share no sensitive value as spelled. No person can be in all
    /// classes of such a combination (reading D-11), unless values have several spellings.
    pub contradictory: Combinations,
    /// Contradictory combinations that may include people if a value has several spellings. The
    /// remaining values of such people are unknown.
    pub unclear: Combinations,
    /// The number of released labels with unknown meaning. Such labels are assumed to cover all
    /// values.
    pub n_labels_not_understood: u64,
    /// The effect on each sensitive attribute.
    pub sensitive: Vec<SensitiveEffect>,
}

impl Effect {
    /// Returns the number of people and rows for which the requirement does not hold.
    pub fn n_violations(&self) -> u64 {
        let n = |of: &Combinations| of.n_people.unwrap_or(0).max(of.n_combinations);
        let of = |it: &SensitiveEffect| n(&it.harmed) + it.n_rows_below;
        n(&self.unclear) + self.sensitive.iter().map(of).sum::<u64>()
    }

    fn is_harmless(&self) -> bool {
        let is_harmless = |it: &SensitiveEffect| it.harmed.is_empty() && it.n_classes_below == 0;
        self.unclear.is_empty() && self.sensitive.iter().all(is_harmless)
    }
}

/// Computes the effect of a release on people who are in other releases.
///
/// # Errors
/// Returns the same errors as [`link`](super::link).
///
/// # Panics
/// Panics if the index of the candidate is out of bounds.
pub fn effect(
    setting: &Setting,
    releases: &[PublishedRelease],
    candidate: Candidate<'_>,
    candidates: Candidates<'_>,
    options: &Options<'_>,
) -> Result<Effect, LinkageError> {
    let names = candidate;
    let candidate = names.at;
    assert!(candidate < releases.len(), "the candidate is one of the releases");
    setting.check(releases)?;
    let (limits, required) = (options.limits(candidates), options.required.as_ref());
    let found =
        patterns::patterns(releases, &setting.n_codes, candidates, limits, options.observer)?;
    let none = Combinations::none(candidates);
    let others = names.releases.iter().enumerate().filter(|(at, _)| *at != candidate);
    let mut effect = Effect {
        holds: true,
        required: options.required,
        linked_with: others.map(|(_, name)| (*name).to_owned()).collect(),
        nothing_in_common: Vec::new(),
        linked: none,
        contradictory: none,
        unclear: none,
        n_labels_not_understood: 0,
        sensitive: Vec::new(),
    };
    let mut counters: Vec<Counter<'_>> = setting.sensitive.iter().map(Counter::new).collect();
    let with = |name: &&str| HarmedWith { release: (*name).to_owned(), harmed: none };
    for (sensitive, counter) in counters.iter_mut().enumerate() {
        let below = required.map(|it| classes_below(releases, candidate, counter, sensitive, it));
        let (n_classes_below, n_rows_below) = below.unwrap_or_default();
        effect.sensitive.push(SensitiveEffect {
            attribute: names.sensitive[sensitive].to_owned(),
            distinct_l: None,
            frequency_l: None,
            entropy_l: None,
            harmed: none,
            harmed_with: names.releases.iter().map(with).collect(),
            below_before: none,
            n_classes_below,
            n_rows_below,
        });
    }
    for (at, pattern) in found.iter().enumerate() {
        if at.is_multiple_of(TURN) && options.observer.is_cancelled() {
            return Err(LinkageError::Cancelled);
        }
        if pattern.classes(candidate).is_empty() {
            continue;
        }
        let Some(remaining) = super::remaining(&mut counters, releases, pattern) else {
            effect.contradictory.add(pattern.people());
            if super::is_unclear(&mut counters, releases, pattern) {
                effect.unclear.add(pattern.people());
            }
            continue;
        };
        effect.linked.add(pattern.people());
        let others = |at: usize| if at == candidate { &[][..] } else { pattern.classes(at) };
        for (sensitive, with) in remaining.into_iter().enumerate() {
            let of_sensitive = &mut effect.sensitive[sensitive];
            of_sensitive.lower(&with);
            if let Some(required) = required
                && with.compare(required.measure, &required.l).is_lt()
            {
                let before = counters[sensitive].remaining(releases, others, sensitive);
                of_sensitive.below(pattern, candidate, before.as_ref(), &with, required);
            }
        }
    }
    for sensitive in &mut effect.sensitive {
        sensitive.harmed_with.retain(|with| !with.harmed.is_empty());
    }
    effect.holds = required.is_none() || effect.is_harmless();
    Ok(effect)
}

/// Counts the classes that are below the requirement even without linkage, and their rows.
fn classes_below(
    releases: &[PublishedRelease],
    candidate: usize,
    counter: &mut Counter<'_>,
    sensitive: usize,
    required: &RemainingRequirement,
) -> (u64, u64) {
    let (mut n_classes, mut n_rows) = (0, 0);
    for (class, published) in releases[candidate].classes.iter().enumerate() {
        let one = [class as u32];
        let alone = |at: usize| if at == candidate { &one[..] } else { &[] };
        let remaining = counter.remaining(releases, alone, sensitive);
        if remaining.is_some_and(|it| it.compare(required.measure, &required.l).is_lt()) {
            n_classes += 1;
            n_rows += published.sensitive[sensitive].iter().map(|entry| entry.1).sum::<u64>();
        }
    }
    (n_classes, n_rows)
}

impl SensitiveEffect {
    fn lower(&mut self, with: &RemainingValues) {
        let distinct = with.distinct_l();
        self.distinct_l = Some(self.distinct_l.map_or(distinct, |least| least.min(distinct)));
        let frequency = to_f64(&with.frequency_l());
        self.frequency_l = Some(self.frequency_l.map_or(frequency, |least| least.min(frequency)));
        self.entropy_l =
            Some(self.entropy_l.map_or(with.entropy_l, |least| least.min(with.entropy_l)));
    }

    /// Records people whose remaining values are below the requirement.
    fn below(
        &mut self,
        pattern: Pattern<'_>,
        candidate: usize,
        before: Option<&RemainingValues>,
        with: &RemainingValues,
        required: &RemainingRequirement,
    ) {
        let was_below = before.is_some_and(|it| it.compare(required.measure, &required.l).is_lt());
        if was_below && before.is_some_and(|it| !is_lower(with, it, required.measure)) {
            self.below_before.add(pattern.people());
            return;
        }
        self.harmed.add(pattern.people());
        for (release, with) in self.harmed_with.iter_mut().enumerate() {
            if release != candidate && !pattern.classes(release).is_empty() {
                with.harmed.add(pattern.people());
            }
        }
    }
}

/// The tolerance for comparing two sums of logarithms.
const ROUNDING: f64 = 1e-9;

fn is_lower(with: &RemainingValues, before: &RemainingValues, measure: Measure) -> bool {
    match measure {
        Measure::Distinct => with.distinct_l() < before.distinct_l(),
        Measure::Frequency => with.frequency_order(before) == Ordering::Less,
        Measure::Entropy => with.entropy_l < before.entropy_l * (1.0 - ROUNDING),
    }
}
