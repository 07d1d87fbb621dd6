//! Tests (c, k)-safety against an enumeration of all guesses, and the effects of other classes,
//! merging, and suppression.

mod support;

use std::cell::Cell;

use indistinct_core::principle::{DependsOn, Parameters};
use indistinct_core::{FrequencyTable, PrincipleClaim};
use indistinct_testkit::implication_worlds::largest_belief_by_guesses;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use proptest::prelude::*;
use support::*;

/// Creates a table whose classes have these sensitive values.
fn release(classes: &[Vec<u32>]) -> FrequencyTable {
    let rows = classes.iter().enumerate().flat_map(|(class, values)| {
        values.iter().map(move |value| (vec![format!("q{class}")], vec![value.to_string()]))
    });
    table_of(&rows.collect::<Vec<_>>(), 1, 1)
}

fn safety(c: (u64, u64), k: usize) -> Parameters {
    given(&[("c", ratio(c)), ("k", int(k as u64))])
}

fn claim_of(classes: &[Vec<u32>], c: (u64, u64), k: usize) -> PrincipleClaim {
    let table = release(classes);
    claim(&context(&table), "c-k-safety", &safety(c, k))
}

/// Returns the belief that the certifier computes.
fn largest(classes: &[Vec<u32>], k: usize) -> f64 {
    reached(&claim_of(classes, (1, 1), k), "c").expect("a number")
}

/// Returns whether each class satisfies the principle if its other classes are unknown.
fn hold_separately(classes: &[Vec<u32>], c: (u64, u64), k: usize) -> bool {
    let table = release(classes);
    let principle = build(&context(&table), "c-k-safety", &safety(c, k));
    classes.iter().all(|class| {
        let values: Vec<String> = class.iter().map(u32::to_string).collect();
        level(&table, &*principle, &values).meets(principle.bounds())
    })
}

fn of_counts(counts: &[usize]) -> Vec<u32> {
    (0u32..).zip(counts).flat_map(|(value, &n)| vec![value; n]).collect()
}

fn small_class() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0u32..5, 2..7)
}

/// Classes with few frequent values, many rare values, or both.
fn larger_class() -> impl Strategy<Value = Vec<u32>> {
    let frequent = prop::collection::vec(10usize..40, 0..4);
    let rare = prop::collection::vec(1usize..5, 3..12);
    (frequent, rare).prop_map(|(frequent, rare)| of_counts(&[frequent, rare].concat()))
}

#[test]
fn safety_matches_enumeration_of_guesses() {
    let n_held = Cell::new([0; 2]);
    let classes = prop::collection::vec(small_class(), 1..4);
    check(900, &(classes, 0usize..4, 3u64..13), |(classes, k, c)| {
        let belief = largest_belief_by_guesses(&classes, k);
        let claim = claim_of(&classes, (c, 12), k);
        prop_assert_eq!(claim.holds, belief <= BigRational::new(c.into(), 12.into()));
        let found = reached(&claim, "c").expect("a number");
        prop_assert!((belief.to_f64().expect("a number") - found).abs() < 1e-12);
        let mut held = n_held.get();
        held[usize::from(claim.holds && k > 0)] += 1;
        n_held.set(held);
        Ok(())
    });
    assert!(n_held.get().iter().all(|&n| n > 60), "{:?}", n_held.get());
}

/// Beliefs of exactly c satisfy the principle, although their computation involves rounding.
#[test]
fn belief_of_exactly_c_is_safe() {
    for n_values in 3..9 {
        let classes = [of_counts(&vec![3; n_values]), of_counts(&vec![1; n_values])];
        let belief = largest_belief_by_guesses(&classes[1..], 2);
        let (c, of) = (belief.numer().to_u64(), belief.denom().to_u64());
        let c = (c.expect("a small number"), of.expect("a small number"));
        assert!(claim_of(&classes[1..], c, 2).holds, "{n_values} values");
        let below = (c.0 * 1_000_000_000_000 - 1, c.1 * 1_000_000_000_000);
        assert!(!claim_of(&classes[1..], below, 2).holds, "{n_values} values");
    }
    assert!(claim_of(&[of_counts(&[5; 4]), of_counts(&[1; 4])], (1, 2), 2).holds);
}

/// With at most one implication, the classes can be evaluated separately.
#[test]
fn one_implication_is_worst_within_one_class() {
    let classes = prop::collection::vec(larger_class(), 2..4);
    check(400, &(classes, 0usize..2), |(classes, k)| {
        let alone = classes.iter().map(|class| largest(std::slice::from_ref(class), k));
        let alone = alone.fold(0.0, f64::max);
        prop_assert!((largest(&classes, k) - alone).abs() < 1e-12);
        let table = release(&classes);
        let principle = build(&context(&table), "c-k-safety", &safety((1, 2), k));
        prop_assert_eq!(principle.depends_on(), DependsOn::Class);
        prop_assert!(principle.among(&[]).is_none());
        Ok(())
    });
}

/// Of two implications, one can be about a person of another class. The two classes are safe alone,
/// but not together.
#[test]
fn worst_implications_span_several_classes() {
    let classes = [of_counts(&[45, 45, 4, 2, 2, 2]), of_counts(&[60, 8, 8, 8, 8, 8])];
    let alone: Vec<f64> =
        classes.iter().map(|class| largest(std::slice::from_ref(class), 2)).collect();
    let c = (alone[0].max(alone[1]) * 1000.0).ceil() as u64;
    assert!(classes.iter().all(|class| claim_of(std::slice::from_ref(class), (c, 1000), 2).holds));
    let both = claim_of(&classes, (c, 1000), 2);
    assert!(!both.holds && reached(&both, "c") == Some(0.9375));
    // A search does not know the other classes, so it has to reject one of them.
    assert!(!hold_separately(&classes, (c, 1000), 2));
}

#[test]
fn classes_that_hold_separately_hold_together() {
    let (n_separate, n_missed) = (Cell::new(0), Cell::new(0));
    let classes = prop::collection::vec(larger_class(), 1..5);
    check(2000, &(classes, 0usize..5, 0u64..4), |(classes, k, more)| {
        // A limit that the release barely satisfies or barely violates.
        let c = ((largest(&classes, k) * 50.0).floor() as u64 + more, 50);
        prop_assume!(c.0 > 0 && c.0 <= 50);
        let (separately, together) =
            (hold_separately(&classes, c, k), claim_of(&classes, c, k).holds);
        prop_assert!(!separately || together, "{:?} {} {}", classes, k, c.0);
        n_separate.set(n_separate.get() + u32::from(separately && k > 1));
        n_missed.set(n_missed.get() + u32::from(together && !separately));
        Ok(())
    });
    assert!(n_separate.get() > 500 && n_missed.get() > 20, "{n_separate:?} {n_missed:?}");
}

#[test]
fn merging_keeps_safety_of_release() {
    let n_held = Cell::new(0);
    let classes = prop::collection::vec(larger_class(), 2..5);
    check(1500, &(classes, 0usize..5), |(mut classes, k)| {
        let before = largest(&classes, k);
        let last = classes.pop().expect("at least two classes");
        // Suppressing a class does not help the adversary either.
        prop_assert!(largest(&classes, k) <= before + 1e-12);
        classes[0].extend(last);
        prop_assert!(largest(&classes, k) <= before + 1e-12, "{:?}", classes);
        n_held.set(n_held.get() + u32::from(before < 1.0));
        Ok(())
    });
    assert!(n_held.get() > 500, "{n_held:?}");
}

/// Excluding k values of a person, or knowing the exact values of k other people of the class, never
/// leads to a larger belief than k implications.
#[test]
fn implications_are_worse_than_exclusions_and_exact_values() {
    check(400, &(larger_class(), 0usize..5), |(class, k)| {
        let mut counts: Vec<u32> =
            (0..20).map(|value| class.iter().filter(|it| **it == value).count() as u32).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let (n_rows, top) = (class.len() as u32, counts[0]);
        let excluded: u32 = counts[1..=k].iter().sum();
        let known = (k as u32).min(n_rows - top);
        let bound = largest(&[class], k) + 1e-12;
        prop_assert!(f64::from(top) / f64::from(n_rows - excluded) <= bound);
        prop_assert!(f64::from(top) / f64::from(n_rows - known) <= bound);
        Ok(())
    });
}

/// Other knowledge about a class: exact values of some people, and rules that a further person does
/// not have the value unless the target has it, too.
struct Known<'a> {
    exact: &'a [u32],
    n_rules: usize,
}

/// Counts the assignments of values to the target, if any, and to the people in `known`: those in
/// which the target has the value, and those in which neither the target nor a person of a rule has
/// it. The target does not have the excluded values.
fn assignments(
    values: &[u32],
    target: Option<&[u32]>,
    known: &Known<'_>,
    value: u32,
) -> (u64, u64) {
    fn others(rest: &mut Vec<u32>, exact: &[u32], n_rules: usize, excluded: Option<u32>) -> u64 {
        let is_allowed = |it: u32| exact.first().map_or(excluded != Some(it), |own| *own == it);
        if exact.is_empty() && n_rules == 0 {
            return 1;
        }
        let (exact, n_rules) = match exact {
            [_, exact @ ..] => (exact, n_rules),
            [] => (exact, n_rules - 1),
        };
        let mut n = 0;
        for at in 0..rest.len() {
            if is_allowed(rest[at]) {
                let own = rest.swap_remove(at);
                n += others(rest, exact, n_rules, excluded);
                rest.push(own);
                let last = rest.len() - 1;
                rest.swap(at, last);
            }
        }
        n
    }
    let Some(excluded) = target else {
        let mut rest = values.to_vec();
        let all = others(&mut rest, known.exact, known.n_rules, None);
        return (all, others(&mut rest, known.exact, known.n_rules, Some(value)));
    };
    let (mut with, mut without) = (0, 0);
    for (at, own) in values.iter().enumerate().filter(|(_, own)| !excluded.contains(own)) {
        let mut rest = values.to_vec();
        rest.remove(at);
        match *own == value {
            true => with += others(&mut rest, known.exact, known.n_rules, None),
            false => without += others(&mut rest, known.exact, known.n_rules, Some(value)),
        }
    }
    (with, without)
}

/// Knowledge of several types together (reading G-5): l values that the target does not have, the
/// exact values of k other people, and m rules "if this person has the value, the target has it",
/// about people whose values are unknown. It discloses no more than l + k + m implications.
#[test]
fn combined_knowledge_discloses_no_more_than_as_many_implications() {
    let (n_equal, n_cases) = (Cell::new(0), Cell::new(0));
    let classes = (prop::collection::vec(0u32..4, 2..7), prop::collection::vec(0u32..4, 2..6));
    let knowledge = (0usize..3, prop::collection::vec(0u32..4, 0..3), 0usize..3);
    let elsewhere = (prop::collection::vec(0u32..4, 0..2), 0usize..2);
    let excluded = prop::collection::btree_set(0u32..4, 0..3);
    check(
        3000,
        &(classes, excluded, knowledge, elsewhere),
        |(classes, excluded, of, elsewhere)| {
            let (own, other) = classes;
            let (value, exact, n_rules) = (of.0 as u32, of.1, of.2);
            let has_people = 1 + exact.len() + n_rules <= own.len()
                && elsewhere.0.len() + elsewhere.1 <= other.len();
            if excluded.contains(&value) || !has_people {
                return Ok(());
            }
            let excluded: Vec<u32> = excluded.into_iter().collect();
            let known = Known { exact: &exact, n_rules };
            let (with, without) = assignments(&own, Some(&excluded), &known, value);
            let known = Known { exact: &elsewhere.0, n_rules: elsewhere.1 };
            let (all, wrong) = assignments(&other, None, &known, value);
            if all == 0 || with == 0 {
                return Ok(());
            }
            let belief = (with * all) as f64 / (with * all + without * wrong) as f64;
            let k = excluded.len() + exact.len() + n_rules + elsewhere.0.len() + elsewhere.1;
            let implied = largest(&[own, other], k);
            prop_assert!(belief <= implied + 1e-12, "{} above {}", belief, implied);
            n_cases.set(n_cases.get() + 1);
            n_equal
                .set(n_equal.get() + u32::from(belief < 1.0 && (belief - implied).abs() < 1e-12));
            Ok(())
        },
    );
    assert!(n_cases.get() > 500 && n_equal.get() > 0, "{n_cases:?} {n_equal:?}");
    // If the rule is about a person whose value is known, two pieces disclose the value with
    // certainty in every release, and no limit on both types could be met.
    let class = of_counts(&[2; 10]);
    assert!(largest(std::slice::from_ref(&class), 2) < 0.2);
}

/// Suppressing single rows of a class can violate the principle.
#[test]
fn suppressing_single_rows_may_increase_belief() {
    assert!(largest(&[of_counts(&[2, 2, 2, 2])], 1) < largest(&[of_counts(&[2, 2, 2])], 1));
}
