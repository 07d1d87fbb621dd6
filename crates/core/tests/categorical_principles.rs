//! Tests the principles on categories, distances, and populations against the naive oracles.

mod support;

use std::cmp::Ordering;
use std::sync::Arc;

use indistinct_core::model::{Population, from_ratio};
use indistinct_core::principle::{Context, ParameterValue, Principle, Quantity, adjust};
use indistinct_core::{ClassView, FrequencyTable, Level, Others, Rational, check_rows};
use indistinct_testkit::{categorical_oracles as oracle, transport};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use proptest::prelude::*;
use support::*;

fn counts() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(0u64..12, 1..7)
        .prop_filter("every class has rows", |counts| counts.iter().sum::<u64>() > 0)
}

/// Returns those of the values v0, v1, ... whose bits are set.
fn chosen(bits: u8, n: usize) -> Vec<String> {
    (0..n).filter(|at| bits >> at & 1 == 1).map(|at| format!("v{at}")).collect()
}

fn is_chosen(bits: u8, at: usize) -> bool {
    bits >> at & 1 == 1
}

fn texts(values: &[String]) -> Vec<&str> {
    values.iter().map(String::as_str).collect()
}

fn meets(level: &Level, principle: &dyn Principle) -> bool {
    level.meets(principle.bounds())
}

#[test]
fn pd_and_npd_recursive_match_elimination() {
    let strategy = (counts(), any::<u8>(), any::<u8>(), 1u64..12, 1u64..6, 0u64..60);
    check(600, &strategy, |(counts, free, needed, c, l, c2)| {
        let sensitive_values = of_counts(&counts);
        let table = one_class(&sensitive_values);
        let class: Vec<(u64, bool)> =
            counts.iter().enumerate().map(|(at, &count)| (count, is_chosen(free, at))).collect();
        let positive = oracle::pd_recursive(&class, (c, 2), l as usize);
        let dont_care = chosen(free, counts.len());
        let (c, l) = (("c", ratio((c, 2))), ("l", int(l)));
        let pd = given(&[c.clone(), l.clone(), ("dont_care", list(&texts(&dont_care)))]);
        let principle = build(&context(&table), "recursive-diversity", &pd);
        let level_of = level(&table, &*principle, &sensitive_values);
        prop_assert_eq!(meets(&level_of, &*principle), positive);
        prop_assert!(!positive || sensitive_values.len() as u64 >= principle.smallest_size());

        let values = chosen(needed, counts.len());
        let rows: Vec<u64> =
            (0..counts.len()).filter(|&at| is_chosen(needed, at)).map(|at| counts[at]).collect();
        let negative =
            oracle::no_negative_disclosure(&rows, sensitive_values.len() as u64, (c2, 1));
        let stated = fields(&[("values", list(&texts(&values))), ("c2", int(c2))]);
        let list = ("dont_care", list(&texts(&dont_care)));
        let npd = given(&[c, l, list, ("negative", stated)]);
        let principle = build(&context(&table), "recursive-diversity", &npd);
        let level = level(&table, &*principle, &sensitive_values);
        prop_assert_eq!(meets(&level, &*principle), positive && negative);
        Ok(())
    });
}

#[test]
fn adjusted_entropy_is_maximal() {
    let heights = prop::collection::vec(0.0..1.0f64, 6);
    check(400, &(counts(), any::<u8>(), heights), |(counts, free, heights)| {
        let of = |wanted: bool| -> Vec<u64> {
            let all = (0..counts.len()).filter(|&at| is_chosen(free, at) == wanted);
            all.map(|at| counts[at]).collect()
        };
        let (sensitive, dont_care) = (of(false), of(true));
        let found = adjust(&sensitive, &dont_care).diversity.ln();
        let best = oracle::adjusted_entropy(&sensitive, &dont_care);
        prop_assert!((found - best).abs() < 1e-7, "{} {}", found, best);
        let lowered = dont_care.iter().zip(&heights).map(|(&count, height)| count as f64 * height);
        let any: Vec<f64> = sensitive.iter().map(|&count| count as f64).chain(lowered).collect();
        prop_assert!(oracle::entropy(&any) <= found + 1e-9);

        // The principle with thresholds slightly below and above the level.
        let sensitive_values = of_counts(&counts);
        let table = one_class(&sensitive_values);
        let values = chosen(free, counts.len());
        for (factor, holds) in [(0.999_999, true), (1.000_001, false)] {
            let l = (found.exp() * factor).max(1.0);
            let l = ratio(((l * 1e12).round() as u64, 1_000_000_000_000));
            let parameters = given(&[("l", l), ("dont_care", list(&texts(&values)))]);
            let principle = build(&context(&table), "entropy-l-diversity", &parameters);
            let level = level(&table, &*principle, &sensitive_values);
            let expected = holds || found.exp() * factor <= 1.0;
            prop_assert_eq!(meets(&level, &*principle), expected, "{} {}", found, factor);
        }
        Ok(())
    });
}

#[test]
fn adjusted_entropy_is_exact_at_integers() {
    // All counts are equal, except for larger counts of don't-care values: the adjusted entropy is
    // exactly the log of their number.
    check(
        100,
        &(1u64..2000, 1usize..8, prop::collection::vec(0u64..5000, 0..5)),
        |(n, m, more)| {
            let raised: Vec<u64> = more.iter().map(|more| n + more).collect();
            let adjusted = adjust(&vec![n; m], &raised);
            let l = Rational::from_integer((m + raised.len()) as i128);
            prop_assert_eq!(adjusted.compare(&l), Ordering::Equal);
            let above = l + Rational::new(1, 1_000_000_000_000);
            prop_assert_eq!(adjusted.compare(&above), Ordering::Less);
            let below = l - Rational::new(1, 1_000_000_000_000);
            prop_assert_eq!(adjusted.compare(&below), Ordering::Greater);
            Ok(())
        },
    );
}

#[test]
fn alpha_k_matches_definition() {
    let strategy = (counts(), any::<u8>(), any::<bool>(), 1u64..=10, 1u64..30);
    check(400, &strategy, |(counts, bits, all, alpha, k)| {
        let sensitive_values = of_counts(&counts);
        let table = one_class(&sensitive_values);
        let mut parameters = given(&[("alpha", ratio((alpha, 10))), ("k", int(k))]);
        let limited: Vec<u64> = (0..counts.len())
            .filter(|&at| all || is_chosen(bits, at))
            .map(|at| counts[at])
            .collect();
        if !all {
            let values = chosen(bits, counts.len());
            parameters.0.insert("values".to_owned(), list(&texts(&values)));
        }
        let principle = build(&context(&table), "alpha-k-anonymity", &parameters);
        let level = level(&table, &*principle, &sensitive_values);
        let holds = oracle::alpha_k(&limited, sensitive_values.len() as u64, (alpha, 10), k);
        prop_assert_eq!(meets(&level, &*principle), holds);
        prop_assert!(!holds || sensitive_values.len() as u64 >= principle.smallest_size());
        Ok(())
    });
}

const LEAVES: [&str; 5] = ["a", "b", "c", "d", "e"];
const CHAINS: [&[&str]; 5] = [
    &["a", "a", "A", "R"],
    &["b", "b", "A", "R"],
    &["c", "c", "B", "R"],
    &["d", "D", "B", "R"],
    &["e", "D", "B", "R"],
];
/// The height of the lowest common ancestor of two values; the height of the tree is 3.
const HEIGHTS: [[i64; 5]; 5] =
    [[0, 1, 3, 3, 3], [1, 0, 3, 3, 3], [3, 3, 0, 2, 2], [3, 3, 2, 0, 1], [3, 3, 2, 1, 0]];

fn t_of(table: &FrequencyTable, context: &Context<'_>, distance: &str) -> Rational {
    let parameters = given(&[("t", num("0.5")), ("distance", word(distance))]);
    let claim = claim(context, "t-closeness", &parameters);
    let shown = reached(&claim, "t").expect("a distance");
    let principle = build(context, "t-closeness", &parameters);
    let groups = table.groups();
    let worst = groups.iter().map(|tuples| {
        let mut entries: Vec<(u32, u64)> = Vec::new();
        for tuple in tuples {
            entries.push((table.sensitive()[0].codes[tuple], table.counts()[tuple]));
        }
        let level = with_class(table, &entries, |view| principle.of_class(view));
        level.quantities().next().and_then(Quantity::to_rational).expect("exact")
    });
    let worst = worst.max().expect("the table has classes");
    assert!((indistinct_core::model::to_f64(&worst) - shown).abs() < 1e-12);
    worst
}

#[test]
fn t_closeness_matches_minimum_cost_transport() {
    let class = || prop::collection::vec(0usize..5, 1..7);
    check(200, &(class(), prop::collection::vec(0usize..5, 0..7)), |(a, b)| {
        let count = |class: &[usize]| {
            let mut counts = [0u64; 5];
            class.iter().for_each(|&at| counts[at] += 1);
            counts
        };
        let all: Vec<usize> = a.iter().chain(&b).copied().collect();
        let (of_a, of_b, of_all) = (count(&a), count(&b), count(&all));
        // The distance uses only values that are released.
        let present: Vec<usize> = (0..5).filter(|&at| of_all[at] > 0).collect();
        let pick = |counts: &[u64; 5]| present.iter().map(|&at| counts[at]).collect::<Vec<u64>>();
        let cost = |distance: &dyn Fn(usize, usize) -> i64| -> Vec<Vec<i64>> {
            let row = |&i: &usize| present.iter().map(|&j| distance(i, j)).collect();
            present.iter().map(row).collect()
        };
        let rank = |at: usize| present.iter().position(|&other| other == at).expect("present");
        let steps = (present.len() as i64 - 1).max(1);
        let ways: [(&str, Vec<Vec<i64>>, i64); 3] = [
            ("equal", cost(&|i, j| i64::from(i != j)), 1),
            ("ordered", cost(&|i, j| (rank(i) as i64 - rank(j) as i64).abs()), steps),
            ("hierarchical", cost(&|i, j| HEIGHTS[i][j]), 3),
        ];
        for (distance, cost, unit) in ways {
            let cell = |&at: &usize| match distance {
                "ordered" => (10 * at).to_string(),
                _ => LEAVES[at].to_owned(),
            };
            let rows = |class: &[usize]| class.iter().map(cell).collect::<Vec<String>>();
            let table = two_classes(&rows(&a), &rows(&b));
            let tree = taxonomy(&CHAINS);
            let context = context(&table).with_taxonomy(&tree);
            let expected = [&of_a, &of_b]
                .into_iter()
                .filter(|counts| counts.iter().sum::<u64>() > 0)
                .map(|counts| transport::distance(&pick(counts), &pick(&of_all), &cost, unit))
                .max()
                .expect("the first class has at least one row");
            let found = t_of(&table, &context, distance);
            let found = BigRational::new((*found.numer()).into(), (*found.denom()).into());
            prop_assert_eq!(found, expected, "{}", distance);
        }
        Ok(())
    });
}

#[test]
fn tau_l_matches_definition() {
    let values = ["a", "b", "c", "d", "e", "A", "B", "D", "R"];
    let class = prop::collection::vec(prop::sample::select(values.to_vec()), 1..10);
    let weights = prop::collection::vec(1u64..4, 5);
    let psi = prop::sample::select(vec!["linear", "convex", "concave"]);
    let strategy = (class, weights, 1u64..=20, 2u64..12, psi);
    check(600, &strategy, |(class, weights, tau, l, psi)| {
        let l = if psi == "linear" { l } else { l - l % 2 };
        let growth = |x: &BigRational| match psi {
            "convex" => x * x,
            "concave" => x + x - x * x,
            _ => x.clone(),
        };
        let sensitive_values: Vec<String> = class.iter().map(|value| (*value).to_owned()).collect();
        let table = one_class(&sensitive_values);
        let tree = taxonomy(&CHAINS);
        let (tau, l) = ((tau, 20), (l, 2));
        let stated: Vec<(&str, _)> = LEAVES
            .iter()
            .zip(&weights)
            .map(|(leaf, &weight)| (*leaf, ratio((weight, 3))))
            .collect();
        let parameters = given(&[
            ("tau", ratio(tau)),
            ("l", ratio(l)),
            ("weights", fields(&stated)),
            ("psi", word(psi)),
        ]);
        let principle =
            build(&context(&table).with_taxonomy(&tree), "tau-l-diversity", &parameters);
        let level = level(&table, &*principle, &sensitive_values);
        let paths: Vec<oracle::Path> = CHAINS
            .iter()
            .map(|chain| chain.iter().rev().map(|label| (*label).to_owned()).collect())
            .collect();
        let big = |(a, b): (u64, u64)| BigRational::new(a.into(), b.into());
        let weights: Vec<BigRational> = weights.iter().map(|&weight| big((weight, 3))).collect();
        let frequencies = oracle::induced(&sensitive_values, &paths, &weights);
        let holds = oracle::tau_l_by(&frequencies, &big(tau), &big(l), growth);
        prop_assert_eq!(meets(&level, &*principle), holds);

        // The level is the smallest tau for which the class satisfies the principle.
        let smallest = level.quantities().next().and_then(Quantity::to_f64).expect("a number");
        for (more, holds) in [(1e-9, true), (-1e-9, false)] {
            let at = BigRational::from_float(smallest + more).expect("finite");
            if smallest + more > 0.0 {
                let found = oracle::tau_l_by(&frequencies, &at, &big(l), growth);
                prop_assert_eq!(found, holds, "{}", smallest);
            }
        }
        let slack = level.quantities().nth(1).and_then(Quantity::to_f64);
        prop_assert_eq!(slack.is_none(), l.0 == 2);
        prop_assert!(slack.is_none_or(|slack| (slack >= -1e-12) == holds));
        Ok(())
    });
}

#[test]
fn long_weights_are_exact() {
    let values = ["R", "a", "d"].map(str::to_owned);
    let table = one_class(&values);
    let tree = taxonomy(&CHAINS);
    let primes = ["1.000000000000000003", "1.000000000000000007", "2.000000000000000001", "1", "3"];
    let stated: Vec<(&str, _)> =
        LEAVES.iter().zip(primes).map(|(leaf, weight)| (*leaf, num(weight))).collect();
    let parameters = given(&[("tau", num("0.9")), ("l", num("1.5")), ("weights", fields(&stated))]);
    let principle = build(&context(&table).with_taxonomy(&tree), "tau-l-diversity", &parameters);
    let level = level(&table, &*principle, &values);
    let tau = level.quantities().next().and_then(Quantity::to_f64).expect("a number");
    assert!((tau - (1.0 / 8.0 + 1.0) / 3.0).abs() < 1e-12, "{tau}");
}

#[test]
fn other_sensitive_attributes_can_divide_classes() {
    let row = ("[xy]", "[abc]", "[uvw]");
    check(300, &(prop::collection::vec(row, 1..14), 2u64..6), |(rows, halves)| {
        let l = (halves, 2);
        let rows: Vec<(Vec<String>, Vec<String>)> =
            rows.into_iter().map(|(q, s, v)| (vec![q], vec![s, v])).collect();
        let table = table_of(&rows, 1, 2);
        let context = Context::new(&table, Some(0));
        let parameters = given(&[("l", ratio(l))]);
        let found =
            claim_with(&context, "frequency-l-diversity", &parameters, Others::QuasiIdentifier);
        let mut worst = f64::INFINITY;
        let mut failing: Vec<&String> = Vec::new();
        for (q, s) in &rows {
            let class: Vec<_> = rows.iter().filter(|row| row.0 == *q && row.1[1] == s[1]).collect();
            let same = class.iter().filter(|row| row.1[0] == s[0]).count();
            worst = worst.min(class.len() as f64 / same as f64);
            if same as u64 * l.0 > class.len() as u64 * l.1 {
                failing.push(&q[0]);
            }
        }
        let failing_rows = rows.iter().filter(|row| failing.contains(&&row.0[0])).count();
        failing.sort();
        failing.dedup();
        prop_assert_eq!(found.n_failing_rows, failing_rows as u64);
        prop_assert_eq!(found.n_failing_classes, failing.len() as u64);
        prop_assert_eq!(found.holds, failing.is_empty());
        prop_assert!((reached(&found, "l").expect("a number") - worst).abs() < 1e-12);
        prop_assert!(found.required.contains_key("other_sensitive"));
        Ok(())
    });
}

fn people(rows: &[String]) -> FrequencyTable {
    let rows: Vec<_> = rows.iter().map(|q| (vec![q.clone()], Vec::new())).collect();
    table_of(&rows, 1, 0)
}

#[test]
fn delta_presence_matches_population_counts() {
    let rows = prop::collection::vec("[abc]", 0..8);
    let more = prop::collection::vec("[abcd]", 1..8);
    check(300, &(rows, more, 0u64..=4, 0u64..=4), |(rows, more, low, high)| {
        let (low, high) = (low.min(high), low.max(high));
        let all_people: Vec<String> = rows.iter().chain(&more).cloned().collect();
        let (table, population) =
            Population::join(&people(&rows), &people(&all_people)).expect("contained");
        let context = Context::new(&table, None).with_population(Arc::new(population));
        let (min, max) = (ratio((low, 4)), ratio((high, 4)));
        let parameters = given(&[("min", min), ("max", max), ("population", word("people"))]);
        let claim = claim(&context, "delta-presence", &parameters);
        let count = |rows: &[String], q: &String| rows.iter().filter(|other| *other == q).count();
        let share = |q: &String| from_ratio(count(&rows, q) as u64, count(&all_people, q) as u64);
        let shares: Vec<Rational> = all_people.iter().map(share).collect();
        let (least, most) = (shares.iter().min(), shares.iter().max());
        let (least, most) = (least.expect("people"), most.expect("people"));
        let holds = *least >= from_ratio(low, 4) && *most <= from_ratio(high, 4);
        prop_assert_eq!(claim.holds, holds);
        let to_f64 = indistinct_core::model::to_f64;
        prop_assert_eq!(reached(&claim, "min"), Some(to_f64(least)));
        prop_assert_eq!(reached(&claim, "max"), Some(to_f64(most)));
        Ok(())
    });
}

/// Rows of two classes; each row has one of five sensitive values.
type TwoClasses = (Vec<usize>, Vec<usize>);

/// Returns the counts of each class and of their union for all occurring values.
fn counted((a, b): &TwoClasses) -> (Vec<Vec<u64>>, Vec<u64>) {
    let count = |rows: &[usize], at: usize| rows.iter().filter(|&&it| it == at).count() as u64;
    let present: Vec<usize> = (0..5).filter(|&at| count(a, at) + count(b, at) > 0).collect();
    let of = |rows: &Vec<usize>| present.iter().map(|&at| count(rows, at)).collect::<Vec<u64>>();
    let classes: Vec<Vec<u64>> = [a, b].into_iter().filter(|it| !it.is_empty()).map(of).collect();
    let all = present.iter().map(|&at| count(a, at) + count(b, at)).collect();
    (classes, all)
}

fn texts_of(rows: &[usize]) -> Vec<String> {
    rows.iter().map(|&at| LEAVES[at].to_owned()).collect()
}

#[test]
fn beta_likeness_matches_largest_gain() {
    let class = |least| prop::collection::vec(0usize..5, least..12);
    let n_held = std::cell::Cell::new([0; 4]);
    check(1500, &((class(1), class(0)), 1u64..20, any::<bool>()), |(rows, beta, enhanced)| {
        let table = two_classes(&texts_of(&rows.0), &texts_of(&rows.1));
        let (classes, all) = counted(&rows);
        let gain = if enhanced { "enhanced" } else { "basic" };
        let parameters = given(&[("beta", ratio((beta, 4))), ("gain", word(gain))]);
        let claim = claim(&context(&table), "beta-likeness", &parameters);
        let holds = classes.iter().all(|class| match enhanced {
            false => oracle::basic_beta(class, &all, (beta, 4)),
            true => oracle::enhanced_beta(class, &all, (beta, 4)),
        });
        prop_assert_eq!(claim.holds, holds);
        let mut reported = n_held.get();
        reported[usize::from(enhanced) * 2 + usize::from(holds)] += 1;
        n_held.set(reported);
        if let (true, Some(reached)) = (holds, reached(&claim, "beta")) {
            let largest = classes.iter().map(|class| oracle::largest_gain(class, &all));
            prop_assert!((largest.fold(0.0, f64::max) - reached).abs() < 1e-9);
        }
        Ok(())
    });
    assert!(n_held.get().iter().all(|&n| n > 60), "{:?}", n_held.get());
}

#[test]
fn bayes_optimal_privacy_matches_largest_change() {
    let class = |least| prop::collection::vec(0usize..5, least..12);
    let n_held = std::cell::Cell::new([0; 2]);
    check(1500, &((class(1), class(0)), 0u64..12), |(rows, difference)| {
        let table = two_classes(&texts_of(&rows.0), &texts_of(&rows.1));
        let (classes, all) = counted(&rows);
        let parameters = given(&[("difference", ratio((difference, 12)))]);
        let claim = claim(&context(&table), "bayes-optimal-privacy", &parameters);
        let changes = classes.iter().map(|class| oracle::largest_change(class, &all));
        let largest = changes.max().expect("the table has a class");
        let limit = BigRational::new(difference.into(), 12.into());
        prop_assert_eq!(claim.holds, largest <= limit);
        let mut reported = n_held.get();
        reported[usize::from(claim.holds)] += 1;
        n_held.set(reported);
        let reached = reached(&claim, "difference").expect("the level is a number");
        prop_assert!((largest.to_f64().expect("a number") - reached).abs() < 1e-12);
        Ok(())
    });
    assert!(n_held.get().iter().all(|&n| n > 60), "{:?}", n_held.get());
}

#[test]
fn delta_disclosure_matches_largest_logarithm() {
    let class = |least| prop::collection::vec(0usize..4, least..14);
    let n_held = std::cell::Cell::new([0; 2]);
    check(1500, &((class(1), class(0)), 1u64..9), |(rows, delta)| {
        let table = two_classes(&texts_of(&rows.0), &texts_of(&rows.1));
        let (classes, all) = counted(&rows);
        let parameters = given(&[("delta", ratio((delta, 4)))]);
        let claim = claim(&context(&table), "delta-disclosure", &parameters);
        let logarithms: Vec<f64> =
            classes.iter().map(|class| oracle::largest_logarithm(class, &all)).collect();
        let largest = logarithms.iter().copied().fold(0.0, f64::max);
        let holds = largest < delta as f64 / 4.0;
        prop_assert_eq!(claim.holds, holds);
        let mut reported = n_held.get();
        reported[usize::from(holds)] += 1;
        n_held.set(reported);
        match reached(&claim, "delta_exceeds") {
            Some(reached) => prop_assert!((largest - reached).abs() < 1e-9),
            None => prop_assert!(largest.is_infinite()),
        }
        Ok(())
    });
    assert!(n_held.get().iter().all(|&n| n > 60), "{:?}", n_held.get());
}

#[test]
fn gains_and_logarithms_are_exact_at_boundaries() {
    // The shares of a are 3/4 and 1/4 in the classes and 1/2 in the union: a gain of exactly 1/2,
    // and a factor of exactly 2 in the other direction.
    let table = two_classes(&["a", "a", "a", "b"], &["a", "b", "b", "b"]);
    let of = |kind: &str, parameters: &[(&str, ParameterValue)]| {
        claim(&context(&table), kind, &given(parameters))
    };
    assert!(of("beta-likeness", &[("beta", num("0.5"))]).holds);
    assert!(!of("beta-likeness", &[("beta", num("0.499999999999"))]).holds);
    // The cap -ln(1/2) = 0.693... is above the gain.
    assert!(of("beta-likeness", &[("beta", num("0.5")), ("gain", word("enhanced"))]).holds);
    // The exact value is ln 2 = 0.69314718055994530...
    assert!(!of("delta-disclosure", &[("delta", num("0.6931471805599453"))]).holds);
    assert!(of("delta-disclosure", &[("delta", num("0.6931471806"))]).holds);
    // Equal shares in both classes satisfy every delta.
    let same = two_classes(&["a", "b"], &["a", "b"]);
    let claim = claim(
        &context(&same),
        "delta-disclosure",
        &given(&[("delta", num("0.000000000000000001"))]),
    );
    assert!(claim.holds && reached(&claim, "delta_exceeds") == Some(0.0));
}

#[test]
fn empty_table_satisfies_every_principle() {
    let table = one_class::<String>(&[]);
    let context = context(&table);
    let all = [
        ("k-anonymity", given(&[("k", int(3))])),
        ("recursive-diversity", given(&[("c", int(1)), ("l", int(3))])),
        ("c-k-safety", given(&[("c", num("0.5")), ("k", int(3))])),
        ("k-e-anonymity", given(&[("k", int(3)), ("e", int(3))])),
        ("variance-control", given(&[("variance", int(3))])),
        ("t-closeness", given(&[("t", int(0)), ("distance", word("ordered"))])),
        ("beta-likeness", given(&[("beta", int(1)), ("gain", word("enhanced"))])),
        ("delta-disclosure", given(&[("delta", int(1))])),
        ("bayes-optimal-privacy", given(&[("difference", int(0))])),
        ("epsilon-m-anonymity", given(&[("epsilon", int(1)), ("m", int(3))])),
        (
            "neighborhoods-m-anonymity",
            given(&[("neighborhoods", fields(&[("0", int(1))])), ("m", int(3))]),
        ),
        ("delta-l-diversity", given(&[("delta", int(1)), ("l", int(3))])),
        ("tau-l-diversity", given(&[("tau", num("0.1")), ("l", int(3))])),
        ("m-invariance", given(&[("m", int(3))])),
    ];
    for (kind, parameters) in all {
        let claim = claim(&context, kind, &parameters);
        assert!(claim.holds && claim.reached.is_none(), "{kind}");
    }
    let nothing: ClassView<'_> = ClassView::new(0, &[]);
    assert_eq!(nothing.population, None);
    assert!(check_rows(&table, &[]).class_holds.is_empty());
}
