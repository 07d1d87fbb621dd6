//! The effect of an additional release on people, compared with an oracle that examines each
//! person.

use std::collections::BTreeMap;

use indistinct_core::Rational;
use indistinct_linkage::post_linkage::{
    Candidate, Candidates, Combinations, Cover, Measure, Options, PublishedClass, PublishedRelease,
    RemainingRequirement, SensitiveDomain, Setting, effect,
};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

const N_CODES: u32 = 6;
const N_SENSITIVE_VALUES: u32 = 4;

fn below(random: &mut ChaCha8Rng, n: u32) -> u32 {
    random.next_u32() % n
}

/// A release of some of the people by intervals of random widths, without a few classes.
fn release(random: &mut ChaCha8Rng, people: &[([u32; 2], u32)]) -> PublishedRelease {
    let widths = [1 + below(random, 3), 1 + below(random, 3)];
    let mut classes: BTreeMap<[u32; 2], BTreeMap<u32, u64>> = BTreeMap::new();
    for (codes, value) in people {
        if below(random, 3) > 0 {
            let class = [codes[0] / widths[0], codes[1] / widths[1]];
            *classes.entry(class).or_default().entry(*value).or_insert(0) += 1;
        }
    }
    let cover = |at: usize, part: u32| {
        let first = part * widths[at];
        Cover::Range { first, last: (first + widths[at] - 1).min(N_CODES - 1) }
    };
    let mut published = Vec::new();
    for (class, values) in classes {
        if below(random, 8) > 0 {
            published.push(PublishedClass {
                regions: vec![vec![cover(0, class[0]), cover(1, class[1])]],
                sensitive: vec![values.into_iter().collect()],
            });
        }
    }
    PublishedRelease { classes: published }
}

/// The smallest count of each sensitive value in the classes that a person matches; `None` without
/// a matching class.
fn linked(releases: &[&PublishedRelease], codes: &[u32]) -> Option<Vec<u64>> {
    let has = |cover: &Cover, code: u32| match cover {
        Cover::Range { first, last } => (*first..=*last).contains(&code),
        Cover::Codes(all) => all.contains(&code),
    };
    let mut least: Option<Vec<u64>> = None;
    for release in releases {
        let mut counts = vec![0; N_SENSITIVE_VALUES as usize];
        let mut fits = false;
        for class in &release.classes {
            if class.regions[0].iter().zip(codes).all(|(cover, code)| has(cover, *code)) {
                fits = true;
                class.sensitive[0].iter().for_each(|(value, n)| counts[*value as usize] += n);
            }
        }
        if fits {
            least = Some(match least {
                None => counts,
                Some(least) => least.iter().zip(&counts).map(|(a, b)| *a.min(b)).collect(),
            });
        }
    }
    least
}

/// Distinct l, or total and largest count.
fn level(counts: &[u64], measure: Measure) -> (u64, u64) {
    match measure {
        Measure::Distinct => (counts.iter().filter(|n| **n > 0).count() as u64, 1),
        _ => (counts.iter().sum(), counts.iter().copied().max().unwrap_or(0)),
    }
}

fn is_less(a: (u64, u64), b: (u64, u64)) -> bool {
    a.0 * b.1 < b.0 * a.1
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn harm_matches_oracle(
        seed in any::<u64>(),
        n_people in 1usize..30,
        n_releases in 2usize..5,
        l in 2u64..4,
        by_frequency in any::<bool>(),
    ) {
        let random = &mut ChaCha8Rng::seed_from_u64(seed);
        let people: Vec<([u32; 2], u32)> = (0..n_people)
            .map(|_| ([below(random, N_CODES), below(random, N_CODES)], below(random, N_SENSITIVE_VALUES)))
            .collect();
        let releases: Vec<PublishedRelease> =
            (0..n_releases).map(|_| release(random, &people)).collect();
        let candidate = below(random, n_releases as u32) as usize;
        let measure = if by_frequency { Measure::Frequency } else { Measure::Distinct };
        let required = RemainingRequirement { measure, l: Rational::from_integer(i128::from(l)) };

        let mut counted: BTreeMap<[u32; 2], u64> = BTreeMap::new();
        people.iter().for_each(|(codes, _)| *counted.entry(*codes).or_insert(0) += 1);
        let codes: Vec<u32> = counted.keys().flatten().copied().collect();
        let counts: Vec<u64> = counted.values().copied().collect();
        let setting = Setting {
            n_codes: vec![N_CODES; 2],
            sensitive: vec![SensitiveDomain::flat(N_SENSITIVE_VALUES)],
        };
        let candidates = Candidates::People { codes: &codes, people: &counts };
        let options = Options { required: Some(required), ..Options::default() };
        let names: Vec<String> = (0..n_releases).map(|at| at.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let called = Candidate { at: candidate, releases: &names, sensitive: &["disease"] };
        let found = effect(&setting, &releases, called, candidates, &options)
            .expect("the releases can be linked");

        let (mut harmed, mut before_below, mut n_linked, mut contradictory) = (0, 0, 0, 0);
        let mut with = vec![0; n_releases];
        let mut least: Option<u64> = None;
        for (codes, n) in &counted {
            let others: Vec<&PublishedRelease> =
                (0..n_releases).filter(|at| *at != candidate).map(|at| &releases[at]).collect();
            let (own, before) = (linked(&[&releases[candidate]], codes), linked(&others, codes));
            let (Some(_), Some(before)) = (own, before) else { continue };
            let all: Vec<&PublishedRelease> = releases.iter().collect();
            let after = linked(&all, codes).expect("the releases cover the person");
            if after.iter().all(|n| *n == 0) {
                contradictory += n;
                continue;
            }
            n_linked += n;
            let distinct = level(&after, Measure::Distinct).0;
            least = Some(least.map_or(distinct, |least: u64| least.min(distinct)));
            let (after, before) = (level(&after, measure), level(&before, measure));
            if is_less(after, (l, 1)) {
                if is_less(before, (l, 1)) && !is_less(after, before) {
                    before_below += n;
                } else {
                    harmed += n;
                    for (at, release) in releases.iter().enumerate().filter(|it| it.0 != candidate) {
                        with[at] += if linked(&[release], codes).is_some() { *n } else { 0 };
                    }
                }
            }
        }
        let value = &found.sensitive[0];
        prop_assert_eq!(found.linked.n_people, Some(n_linked));
        prop_assert_eq!(found.contradictory.n_people, Some(contradictory));
        prop_assert_eq!(value.harmed.n_people, Some(harmed));
        prop_assert_eq!(value.below_before.n_people, Some(before_below));
        prop_assert_eq!(value.distinct_l, least);
        let found_with: Vec<(&str, u64)> = value
            .harmed_with
            .iter()
            .map(|with| {
                let n_people = with.harmed.n_people.expect("the number of people is known");
                (with.release.as_str(), n_people)
            })
            .collect();
        let with = names.iter().copied().zip(with).filter(|with| with.1 > 0);
        prop_assert_eq!(found_with, with.collect::<Vec<_>>());
        let mut alone = (0, 0);
        for class in &releases[candidate].classes {
            let mut own = vec![0; N_SENSITIVE_VALUES as usize];
            class.sensitive[0].iter().for_each(|(value, n)| own[*value as usize] = *n);
            if is_less(level(&own, measure), (l, 1)) {
                alone = (alone.0 + 1, alone.1 + own.iter().sum::<u64>());
            }
        }
        prop_assert_eq!((value.n_classes_below, value.n_rows_below), alone);
        prop_assert_eq!(found.holds, harmed == 0 && alone.0 == 0);
    }
}

/// Two classes of one release by one quasi-identifier, each with the given sensitive values.
fn halves(first: &[u32], second: &[u32]) -> PublishedRelease {
    let class = |from: u32, to: u32, values: &[u32]| PublishedClass {
        regions: vec![vec![Cover::Range { first: from, last: to }]],
        sensitive: vec![values.iter().map(|value| (*value, 1)).collect()],
    };
    PublishedRelease { classes: vec![class(0, 1, first), class(2, 3, second)] }
}

#[test]
fn person_below_minimum_needs_new_loss_for_harm() {
    let setting = Setting { n_codes: vec![4], sensitive: vec![SensitiveDomain::flat(4)] };
    let (codes, people) = ([0, 2], [1, 1]);
    let candidates = Candidates::People { codes: &codes, people: &people };
    let required =
        RemainingRequirement { measure: Measure::Distinct, l: Rational::from_integer(3) };
    let harmed = |candidate: PublishedRelease| {
        let releases = [halves(&[0, 1], &[0, 1, 2, 3]), candidate];
        let options = Options { required: Some(required), ..Options::default() };
        let called = Candidate { at: 1, releases: &["a", "b"], sensitive: &["disease"] };
        let found = effect(&setting, &releases, called, candidates, &options).expect("linked");
        let value = &found.sensitive[0];
        let n = |of: Combinations| of.n_people.expect("the number of people is known");
        (n(value.harmed), n(value.below_before), found.holds)
    };
    // The first person had 2 of 3 values before.
    assert_eq!(harmed(halves(&[0, 1, 2], &[1, 2, 3])), (0, 1, true));
    assert_eq!(harmed(halves(&[1, 2, 3], &[1, 2, 3])), (1, 0, false));
    assert_eq!(harmed(halves(&[0, 1, 2], &[1, 3])), (1, 1, false));
}
