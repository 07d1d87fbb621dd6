//! # What one more release does to people
//!
//! **Definition.** A candidate harms somebody if, after linking it with the releases that there are, less than required remains
//! of her sensitive value, and less than remained without it. Who was below before and is not lowered is not harmed by
//! it.
//! **Formula.** Of each combination of classes what remains with the candidate and without it ([`RemainingValues`]).
//! **Parameters.** `candidate`: its position among the releases. `candidates`: who may be a person. `options`: what should remain.
//! **Level.** The least that remains of those whom the candidate and another release cover; smaller is worse.
//! **Complexity.** As [`link`](super::link).
//! **Errors.** As [`link`](super::link).
//! **Does not protect against.** Releases that are not given.
//! **Source.** Section 2.3 of the linkage text; that there is a ledger of releases is ours.

use std::cmp::Ordering;

use indistinct_core::Rational;

use super::found::Pattern;
use super::patterns::{self, TURN};
use super::release::{PublishedRelease, Setting};
use super::remaining::{Counter, RemainingValues};
use super::{Candidates, Measure, Options, RemainingRequirement, Tally};
use crate::LinkageError;

/// What a candidate does to one sensitive attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct SensitiveEffect {
    /// The fewest sensitive values that remain for somebody whom the candidate and another release cover; `None` if
    /// nobody is.
    pub distinct_l: Option<u64>,
    /// The least total / largest.
    pub frequency_l: Option<Rational>,
    /// The least exponential of the entropy.
    pub entropy_l: Option<f64>,
    /// Whom the candidate takes below what is required, or further below.
    pub harmed: Tally,
    /// For each other release how many of the harmed people it covers, or combinations where nobody is known.
    pub harmed_with: Vec<Tally>,
    /// Who was below before, and is as she was.
    pub below_before: Tally,
    /// Classes of the candidate that are below what is required by themselves, with their rows.
    pub alone: Tally,
}

/// What a candidate does to people.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// Whom the candidate and another release cover, and for whom something remains.
    pub linked: Tally,
    /// Combinations of classes that share no sensitive value: nobody can be in all of them (reading D-11), but for those that are unclear.
    pub contradictory: Tally,
    /// Of these the combinations that somebody may be in, if her value is written in different ways: nobody knows what remains for her.
    pub unclear: Tally,
    /// Each sensitive attribute.
    pub sensitive: Vec<SensitiveEffect>,
}

impl Effect {
    /// Whether the candidate harms nobody, shows enough by itself, and it is known what remains for everybody.
    pub fn holds(&self) -> bool {
        let is_harmless =
            |it: &SensitiveEffect| it.harmed.n_patterns == 0 && it.alone.n_patterns == 0;
        self.unclear.n_patterns == 0 && self.sensitive.iter().all(is_harmless)
    }
}

/// What the release at position `candidate` does to people who are in the others.
///
/// # Errors
/// As [`link`](super::link).
///
/// # Panics
/// If there is no release at this position.
pub fn effect(
    setting: &Setting,
    releases: &[PublishedRelease],
    candidate: usize,
    candidates: Candidates<'_>,
    options: &Options<'_>,
) -> Result<Effect, LinkageError> {
    assert!(candidate < releases.len(), "the candidate is one of the releases");
    setting.check(releases)?;
    let (limits, required) = (options.limits(candidates), options.required.as_ref());
    let found =
        patterns::patterns(releases, &setting.n_codes, candidates, limits, options.observer)?;
    let mut effect = Effect {
        linked: Tally::default(),
        contradictory: Tally::default(),
        unclear: Tally::default(),
        sensitive: Vec::new(),
    };
    let mut counters: Vec<Counter<'_>> = setting.sensitive.iter().map(Counter::new).collect();
    for (sensitive, counter) in counters.iter_mut().enumerate() {
        let alone = required.map(|it| alone(&releases[candidate], counter, sensitive, it));
        effect.sensitive.push(SensitiveEffect {
            distinct_l: None,
            frequency_l: None,
            entropy_l: None,
            harmed: Tally::default(),
            harmed_with: vec![Tally::default(); releases.len()],
            below_before: Tally::default(),
            alone: alone.unwrap_or_default(),
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
    Ok(effect)
}

/// Classes that are below what is required, whoever else publishes.
fn alone(
    release: &PublishedRelease,
    counter: &mut Counter<'_>,
    sensitive: usize,
    required: &RemainingRequirement,
) -> Tally {
    let mut tally = Tally::default();
    for (class, published) in release.classes.iter().enumerate() {
        let one = [class as u32];
        let remaining = counter.remaining(std::slice::from_ref(release), |_| &one, sensitive);
        if remaining.is_some_and(|it| it.compare(required.measure, &required.l).is_lt()) {
            tally.add(published.sensitive[sensitive].iter().map(|entry| entry.1).sum());
        }
    }
    tally
}

impl SensitiveEffect {
    fn lower(&mut self, with: &RemainingValues) {
        let distinct = with.distinct_l();
        self.distinct_l = Some(self.distinct_l.map_or(distinct, |least| least.min(distinct)));
        let frequency = with.frequency_l();
        self.frequency_l = Some(self.frequency_l.map_or(frequency, |least| least.min(frequency)));
        self.entropy_l =
            Some(self.entropy_l.map_or(with.entropy_l, |least| least.min(with.entropy_l)));
    }

    /// Somebody of whom less than required remains.
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
        for (release, tally) in self.harmed_with.iter_mut().enumerate() {
            if release != candidate && !pattern.classes(release).is_empty() {
                tally.add(pattern.people());
            }
        }
    }
}

/// Two sums of logarithms may differ by so much and be the same.
const ROUNDING: f64 = 1e-9;

fn is_lower(with: &RemainingValues, before: &RemainingValues, measure: Measure) -> bool {
    match measure {
        Measure::Distinct => with.distinct_l() < before.distinct_l(),
        Measure::Frequency => with.frequency_order(before) == Ordering::Less,
        Measure::Entropy => with.entropy_l < before.entropy_l * (1.0 - ROUNDING),
    }
}
