//! The counterexamples for `docs/readings.md`: errors and ambiguities in the papers, and the chosen
//! readings.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros)] // tests read files

mod support;

use indistinct_core::belief::{Block, Prior};
use indistinct_core::feasibility::{Supremum, Unit, largest_m, supremum, tau_reach};
use indistinct_core::loss::information;
use indistinct_core::model::Numbers;
use indistinct_core::principle::proximity::{Neighborhood, Reach};
use indistinct_core::principle::{
    Growth, Parameters, Quantity, adjust, find, psi, required_shares,
};
use indistinct_core::{FrequencyTable, Level, Rational};
use num_traits::ToPrimitive;
use support::*;

fn delta_l(delta: &str, l: &str, reading: &str) -> Parameters {
    given(&[("delta", num(delta)), ("l", num(l)), ("reading", word(reading))])
}

/// Returns the levels of both readings of (delta, l)-diversity.
fn both(values: &[i64], delta: &str) -> [f64; 2] {
    let table = one_class(values);
    let claim = claim(&context(&table), "delta-l-diversity", &delta_l(delta, "1", "definition"));
    ["definition", "window"].map(|name| reached(&claim, name).expect("a number"))
}

fn near(epsilon: &str, m: u64) -> Parameters {
    given(&[("epsilon", num(epsilon)), ("m", int(m))])
}

fn numbers_hold(values: &[&str], kind: &str, parameters: &Parameters) -> bool {
    let sensitive_values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
    holds(&sensitive_values, kind, parameters)
}

fn recursive(c: &str, l: u64, dont_care: &[&str]) -> Parameters {
    given(&[("c", num(c)), ("l", int(l)), ("dont_care", list(dont_care))])
}

fn recursive_holds(counts: &[u64], c: &str, l: u64, dont_care: &[&str]) -> bool {
    holds(&of_counts(counts), "recursive-diversity", &recursive(c, l, dont_care))
}

fn first(level: &Level) -> Option<f64> {
    level.quantities().next().and_then(Quantity::to_f64)
}

fn column(table: &FrequencyTable) -> (Numbers, Vec<(u32, u64)>) {
    let column = &table.sensitive()[0];
    let entries = (0u32..).zip(table.marginal(column)).collect();
    (Numbers::from_dictionary(&column.dictionary).expect("numbers"), entries)
}

#[test]
fn a1_merging_may_break_the_definition() {
    assert_eq!(both(&[40, 80], "15")[0], 2.0);
    assert_eq!(both(&[60, 100], "15")[0], 2.0);
    assert_eq!(both(&[40, 60, 80, 100], "15")[0], 4.0 / 3.0);
}

#[test]
fn a2_algorithm_and_definition_differ() {
    assert_eq!(both(&[40, 60, 80], "10"), [1.0, 1.5]);
    let class = ["0", "20", "40", "100"];
    assert!(!numbers_hold(&class, "delta-l-diversity", &delta_l("10", "2", "definition")));
    assert!(numbers_hold(&class, "delta-l-diversity", &delta_l("10", "2", "window")));
}

#[test]
fn a3_a_single_row_has_l_1() {
    assert_eq!(both(&[5], "3"), [1.0, 1.0]);
    for reading in ["definition", "window"] {
        assert!(!numbers_hold(&["5"], "delta-l-diversity", &delta_l("3", "1000", reading)));
    }
}

#[test]
fn a4_quotients_are_real() {
    assert!(numbers_hold(&["0", "5", "100"], "delta-l-diversity", &delta_l("5", "1.25", "window")));
}

#[test]
fn a5_intermediate_value_lowers_delta_l() {
    assert_eq!(both(&[40, 60], "7.5"), [2.0, 2.0]);
    assert_eq!(both(&[40, 50, 60], "7.5"), [1.0, 1.5]);
}

#[test]
fn a7_touching_intervals_overlap() {
    assert_eq!(both(&[50, 80], "15"), [1.0, 1.0]);
    assert_eq!(both(&[50, 81], "15"), [2.0, 2.0]);
}

#[test]
fn b1_printed_example_violates_recursive_diversity() {
    assert!(!recursive_holds(&[2, 1, 1], "2", 3, &[]));
    assert!(recursive_holds(&[2, 1, 1], "2.000001", 3, &[]));
}

#[test]
fn b2_block_of_dont_care_values_is_valid() {
    assert!(recursive_holds(&[5], "0.001", 3, &["v0"]));
    assert!(!recursive_holds(&[5], "1000", 3, &[]));
}

#[test]
fn b3_tail_uses_original_counts() {
    assert!(recursive_holds(&[10, 4], "0.5", 2, &["v0"]));
    // Lowering the don't-care count to 4 first would give a different result.
    assert!(!recursive_holds(&[4, 4], "0.5", 2, &["v0"]));
}

#[test]
fn b4_adjusted_entropy_may_equal_log_l() {
    let table = one_class(&of_counts(&[700, 300]));
    let with = |l: &str| given(&[("l", num(l)), ("dont_care", list(&["v0"]))]);
    assert!(claim(&context(&table), "entropy-l-diversity", &with("2")).holds);
    assert!(!claim(&context(&table), "entropy-l-diversity", &with("2.000000000001")).holds);
    // With floating-point numbers, the rounding of exp and ln would determine the result.
    assert!(300f64.ln().exp() != 300.0);
}

#[test]
fn b5_valid_input_without_minimum_or_mean() {
    assert_eq!(adjust(&[9], &[1, 1]).n_lowered, 0);
    assert_eq!(adjust(&[], &[4, 1]).diversity, 2.0);
    assert_eq!(adjust(&[1, 2], &[]).lowered_to, None);
}

#[test]
fn b6_the_two_criteria_differ_on_dont_care_blocks() {
    assert!(recursive_holds(&[5], "1", 2, &["v0"]));
    let with = given(&[("l", int(2)), ("dont_care", list(&["v0"]))]);
    assert!(!holds(&of_counts(&[5]), "entropy-l-diversity", &with));
}

#[test]
fn b7_normalized_entropy_is_not_concave_in_the_counts() {
    let at = |count| adjust(&[count, 100], &[]).diversity.ln();
    assert!(at(600) < (at(400) + at(800)) / 2.0);
    assert!(at(600) > at(400).min(at(800)), "the function should be quasi-concave");
}

#[test]
fn b8_people_of_one_block_have_different_posteriors() {
    let weight = |w: i128| Rational::new(w, 100);
    let cells = [(0, 0, 15), (0, 1, 35), (1, 0, 25), (1, 1, 25)];
    let prior = Prior::new(cells.map(|(q, s, w)| (q, s, weight(w))));
    let block = Block::of_counts(&[0, 1], &[36, 16]);
    let of = |q: u32| observed(&prior, &block, q).expect("no contradiction")[&0].1;
    assert!((of(0) - 0.5912).abs() < 5e-5 && (of(1) - 27.0 / 35.0).abs() < 1e-12);
}

#[test]
fn b9_tails_are_super_additive_not_additive() {
    let values = |letters: &str| letters.chars().map(|c| c.to_string()).collect::<Vec<_>>();
    let (a, b) = (values("saaaaa"), values("sbbbbb"));
    let table = one_class(&[a.clone(), b.clone()].concat());
    let principle = build(&context(&table), "recursive-diversity", &recursive("1", 3, &["a", "b"]));
    let reached = |class: &[String]| first(&level(&table, &*principle, class));
    assert_eq!((reached(&a), reached(&b)), (None, None));
    assert_eq!(reached(&[a, b].concat()), Some(2.0 / 5.0));
}

#[test]
fn b10_degenerate_ranks_and_counts_9_and_1() {
    assert!(recursive_holds(&[5], "0.1", 1, &[]));
    assert!(!recursive_holds(&[3, 3], "1000", 3, &[]));
    assert!(!recursive_holds(&[9, 1], "9", 2, &[]));
    assert!(recursive_holds(&[9, 1], "9.001", 2, &[]));
}

#[test]
fn b11_uniform_blocks_have_exactly_log_l() {
    for l in 1..=40u64 {
        for copies in [1, 3] {
            let counts = vec![copies; l as usize];
            let parameters = given(&[("l", int(l))]);
            assert!(holds(&of_counts(&counts), "entropy-l-diversity", &parameters), "{l}");
        }
    }
    let third = 1.0 / 3.0f64;
    let sum: f64 = [third; 3].iter().map(|p| -p * p.ln()).sum();
    assert!(sum < 3f64.ln(), "the floating-point sum is too small");
}

#[test]
fn b12_contradictions_to_prior_are_errors() {
    let prior = Prior::new([(0, 0, Rational::from_integer(1)), (0, 1, Rational::from_integer(0))]);
    let block = |counts: Vec<u64>| Block::of_counts(&[0], &counts);
    assert_eq!(
        observed(&prior, &block(vec![2, 0]), 0)
            .expect("a value without prior and rows has belief 0")
            .get(&1),
        None
    );
    assert!(observed(&prior, &block(vec![2, 1]), 0).is_err());
    assert!(observed(&prior, &block(vec![0, 0]), 0).is_err());
}

#[test]
fn b13_rank_ties_do_not_change_result() {
    for dont_care in [["v0"], ["v1"]] {
        for (c, expected) in [("0.5", false), ("0.8", true)] {
            assert_eq!(recursive_holds(&[3, 3, 1], c, 2, &dont_care), expected, "{dont_care:?}");
        }
    }
}

#[test]
fn b15_percentages_are_inclusive_and_absent_values_fail() {
    let with = |value: &str, c2: &str| {
        let negative = fields(&[("values", list(&[value])), ("c2", num(c2))]);
        given(&[("c", int(100)), ("l", int(2)), ("negative", negative)])
    };
    let sensitive_values = of_counts(&[9, 1]);
    assert!(holds(&sensitive_values, "recursive-diversity", &with("v1", "10")));
    assert!(!holds(&sensitive_values, "recursive-diversity", &with("v1", "10.001")));
    assert!(!holds(&sensitive_values, "recursive-diversity", &with("v7", "0.001")));
    assert!(holds(&sensitive_values, "recursive-diversity", &with("v7", "0")));
}

#[test]
fn b17_l_diversity_with_dont_care_values_is_not_l_anonymity() {
    assert!(recursive_holds(&[1], "0.001", 50, &["v0"]));
}

#[test]
fn c1_single_row_has_risk_one() {
    assert!(!numbers_hold(&["5"], "epsilon-m-anonymity", &near("0", 2)));
    assert!(numbers_hold(&["5"], "epsilon-m-anonymity", &near("0", 1)));
}

#[test]
fn c2_neighborhood_has_length_two_epsilon() {
    let evenly = |point: fn(u32) -> String| {
        let table = one_class(&(0..100).map(point).collect::<Vec<_>>());
        let (numbers, entries) = column(&table);
        let epsilon = Rational::new(1, 10);
        let reach =
            Reach::new(&numbers, &Neighborhood::Absolute { below: epsilon, above: epsilon });
        reach.nearness(&entries)
    };
    let centers = evenly(|i| format!("{}.{:03}", 0, 10 * i + 5));
    assert_eq!((centers.largest, centers.maxsize), (21, 11));
    assert_eq!(largest_m(&centers), Some(9));
}

#[test]
fn c3_c4_running_example_is_corrected() {
    let values = [1000, 1010, 1020, 16000, 24000, 31000, 33000, 50000];
    let (numbers, entries) = column(&one_class(&values));
    let below = supremum(&numbers, &entries, 3, Unit::Absolute);
    assert_eq!(below, Supremum::Below(Rational::from_integer(20)));
    assert_eq!(16000 - 1010, 14990);
}

#[test]
fn c5_relative_neighborhood_of_negative_numbers() {
    // The paper prints [-80, -120], which is empty, so every risk would be 0.
    let with = |neighborhood: &str| {
        let word = ("neighborhood", word(neighborhood));
        given(&[("epsilon", num("0.2")), ("m", int(2)), word])
    };
    assert!(!numbers_hold(&["-100", "-90"], "epsilon-m-anonymity", &with("relative-radius")));
    let table = one_class(&[-100, -90]);
    let kind = find("epsilon-m-anonymity").expect("registered");
    assert!(kind.build(&context(&table), &with("relative")).is_err());
}

#[test]
fn c6_logarithms_miss_closed_endpoints() {
    assert!(
        15f64.log2() - 12f64.log2() > 1.25f64.log2(),
        "in floating-point arithmetic, 12 is not near 15"
    );
    let with = |m: u64| {
        given(&[("epsilon", num("0.2")), ("m", int(m)), ("neighborhood", word("relative"))])
    };
    assert!(!numbers_hold(&["12", "15"], "epsilon-m-anonymity", &with(2)));
    assert!(!numbers_hold(&["80", "100"], "epsilon-m-anonymity", &with(2)));
    assert!(100f64.log2() - 80f64.log2() > 0.32, "with the printed limit 0.32, 80 is not near 100");
}

#[test]
fn c7_not_all_reviewed_principles_are_monotone() {
    // m-invariance requires that all values of a class are distinct.
    let differ = |class: &[&str]| numbers_hold(class, "m-invariance", &given(&[("m", int(2))]));
    assert!(differ(&["a", "b"]) && !differ(&["a", "b", "a", "b"]));
}

#[test]
fn c8_non_generalizable_table_is_infeasible() {
    let table = one_class(&[0, 0, 0, 1]);
    let principle = build(&context(&table), "epsilon-m-anonymity", &near("0", 2));
    let (_, entries) = column(&table);
    with_class(&table, &entries, |all| {
        assert!(principle.is_ruled_out(all));
        assert_eq!(principle.partition(all), None);
    });
}

#[test]
fn c9_boundaries_of_m() {
    let table = one_class(&[0, 1, 10]);
    let (numbers, entries) = column(&table);
    let below = |m| supremum(&numbers, &entries, m, Unit::Absolute);
    assert_eq!(below(1), Supremum::Unbounded);
    assert_eq!(below(4), Supremum::Below(Rational::from_integer(0)));
    assert_eq!(supremum(&numbers, &[], 2, Unit::Absolute), Supremum::Undefined);
    // The supremum itself is not feasible: e = 1, m = 3, h = 1.
    assert_eq!(below(3), Supremum::Below(Rational::from_integer(1)));
    let principle = build(&context(&table), "epsilon-m-anonymity", &near("1", 3));
    with_class(&table, &entries, |all| assert!(principle.is_ruled_out(all)));
    let kind = find("epsilon-m-anonymity").expect("registered");
    assert!(kind.check(&given(&[("epsilon", int(1)), ("m", num("1.5"))])).is_err());
}

#[test]
fn c13_printed_distance_uses_ranks() {
    let table = two_classes(&[3, 5, 9], &[4, 6, 11]);
    let t = |distance: &str| {
        let parameters = given(&[("t", int(1)), ("distance", word(distance))]);
        reached(&claim(&context(&table), "t-closeness", &parameters), "t").expect("a number")
    };
    assert!((t("ordered") - 0.1).abs() < 1e-12);
    assert!((t("equal") - 0.5).abs() < 1e-12);
}

#[test]
fn e2_e4_reach_of_sensitive_value_generalization() {
    let whole = Rational::from_integer;
    let one = tau_reach(&[5], &[whole(1)], &whole(2), Growth::Linear);
    assert!(
        !one.holds_generalized(&Rational::new(9, 10)),
        "a single value cannot be generalized to two values"
    );
    let domain = tau_reach(&[5, 0], &[whole(1), whole(1)], &whole(2), Growth::Linear);
    assert!(domain.as_is == num_rational::BigRational::from_integer(1.into()));
    assert!(domain.holds_generalized(&Rational::new(1, 2)));
    let short = tau_reach(&[2, 1], &[whole(1), whole(1)], &whole(2), Growth::Linear);
    assert!(!short.holds_generalized(&Rational::new(2, 5)) && short.is_exact);
}

#[test]
fn e3_valid_table_may_have_violating_parts() {
    let weights = [("a", num("0.9")), ("b", num("0.05")), ("c", num("0.05"))];
    let parameters = given(&[("tau", num("0.4")), ("l", int(3)), ("weights", fields(&weights))]);
    let tree = taxonomy(&[&["a", "*"], &["b", "*"], &["c", "*"]]);
    let reaches = |values: &[&str]| {
        let table = one_class(values);
        claim(&context(&table).with_taxonomy(&tree), "tau-l-diversity", &parameters).holds
    };
    assert!(reaches(&["a", "b", "c"]));
    assert!(!reaches(&["a"]) && !reaches(&["*"]));
}

#[test]
fn e5_psi_boundary_cases() {
    let whole = Rational::from_integer;
    assert_eq!(psi(&Rational::new(1, 2), &whole(1), Growth::Linear, 2), [whole(1), whole(1)]);
    assert_eq!(
        psi(&Rational::new(1, 2), &whole(3), Growth::Linear, 4)[..],
        [Rational::new(1, 2), Rational::new(3, 4), whole(1), whole(1)]
    );
    // Other functions have the same end points (Definition 4): x = 0, 1/3, 2/3, 1.
    for (growth, between) in
        [(Growth::Convex, [(5, 9), (13, 18)]), (Growth::Concave, [(7, 9), (17, 18)])]
    {
        let [second, third] = between.map(|(a, b)| Rational::new(a, b));
        let psi = psi(&Rational::new(1, 2), &whole(4), growth, 5);
        assert_eq!(psi, [Rational::new(1, 2), second, third, whole(1), whole(1)], "{growth:?}");
    }
    let with = |tau: &str, l: u64| given(&[("tau", num(tau)), ("l", int(l))]);
    assert!(
        holds(&of_counts(&[1]), "tau-l-diversity", &with("1", 3)),
        "every class satisfies the principle for tau = 1"
    );
    assert!(
        !holds(&of_counts(&[1, 1]), "tau-l-diversity", &with("0.9", 3)),
        "the principle fails if l exceeds the number of values"
    );
    // (1/l, l)-diversity is frequency l-diversity.
    for counts in [[3, 2, 1], [2, 2, 2], [4, 1, 1]] {
        let values = of_counts(&counts);
        let frequency = holds(&values, "frequency-l-diversity", &given(&[("l", int(2))]));
        assert_eq!(holds(&values, "tau-l-diversity", &with("0.5", 2)), frequency);
    }
}

#[test]
fn e6_sums_of_fractions_are_exact() {
    let shares = [5.0, 1.0, 1.0, 1.0, 1.0].map(|count| count / 9.0);
    assert!(shares.iter().sum::<f64>() > 1.0, "in floating-point arithmetic, F(m) exceeds 1");
    let exactly = given(&[("tau", ratio((5, 9))), ("l", int(5))]);
    assert!(holds(&of_counts(&[5, 1, 1, 1, 1]), "tau-l-diversity", &exactly));
    let less = given(&[("tau", ratio((4_999_999_999, 9_000_000_000))), ("l", int(5))]);
    assert!(!holds(&of_counts(&[5, 1, 1, 1, 1]), "tau-l-diversity", &less));
}

#[test]
fn e12_printed_fractions_of_missing_figures() {
    // "A probability of 0.714" in a class of a (3, 2)-diverse table: five of seven rows. No smaller
    // integer c and no other l allows this share.
    for counts in [&[5, 2][..], &[5, 1, 1]] {
        assert!(recursive_holds(counts, "3", 2, &[]) && !recursive_holds(counts, "2", 2, &[]));
        assert!(!holds(&of_counts(counts), "frequency-l-diversity", &given(&[("l", int(2))])));
    }
    assert!(!recursive_holds(&[5, 1, 1], "3", 3, &[]));
    assert_eq!((5.0f64 / 7.0 * 1000.0).round(), 714.0);
    // "0.9 ... either hepatitis or phthisis" in a simple 2-diverse table: nine of ten rows have one
    // of two values, and the share of each value is at most one half.
    let two = of_counts(&[5, 4, 1]);
    assert!(holds(&two, "frequency-l-diversity", &given(&[("l", int(2))])));
    assert!(!holds(&two, "frequency-l-diversity", &given(&[("l", int(3))])));
    // Examples 1 to 3: the class of tuples 1, 2, 4, and 5. The frequency of hepatitis is (0.5 + 0.5
    // + 1 + 0) / 4, and F is 0.5, 0.75, 1, 1.
    let tree = taxonomy(&[
        &["hepatitis", "liver", "*"],
        &["cirrhosis", "liver", "*"],
        &["phthisis", "lung", "*"],
        &["asthma", "lung", "*"],
    ]);
    let table = one_class(&["liver", "liver", "hepatitis", "phthisis"]);
    let context = context(&table).with_taxonomy(&tree);
    let with =
        |tau: &str, l: u64| given(&[("tau", num(tau)), ("l", int(l)), ("weights", word("domain"))]);
    let at = |tau: &str, l: u64| claim(&context, "tau-l-diversity", &with(tau, l));
    assert!(at("0.5", 3).holds && !at("0.49", 3).holds && !at("0.5", 4).holds);
    assert_eq!(reached(&at("0.5", 3), "tau"), Some(0.5));
    // Example 4: the released values cover ten ages, ten zip codes, and two diseases.
    assert_eq!(information::of_row([10, 10, 2].map(information::retained)), 0.7);
    // The (c, l)-diversity of the paper requires c >= 1; this implementation accepts any c above 0.
    assert!(
        recursive_holds(&[1, 5, 5], "0.9", 2, &[]) && !recursive_holds(&[1, 5, 5], "0.8", 2, &[])
    );
}

#[test]
fn e13_generalization_rule_discloses_sensitive_value() {
    let leaf = |value: &str| vec![value.to_owned()];
    let tree = taxonomy(&[&["a", "*"], &["b", "*"], &["c", "*"], &["d", "*"]]);
    let rows = [leaf("a"), leaf("a"), leaf("b"), leaf("c"), leaf("d"), vec!["*".to_owned(); 4]];
    let table = one_class(&rows.concat());
    let parameters = given(&[("tau", num("0.5")), ("l", int(4)), ("weights", word("domain"))]);
    let claim = claim(&context(&table).with_taxonomy(&tree), "tau-l-diversity", &parameters);
    // Six of nine rows have the value a, which an adversary can infer from the fact that only a was
    // generalized.
    assert!(claim.holds);
    let induced = (2.0 + 4.0 / 4.0) / 9.0;
    assert!(reached(&claim, "tau").is_some_and(|tau| tau <= 0.5) && induced < 6.0 / 9.0);
}

#[test]
fn effective_weights_are_recorded_for_verification() {
    let table = one_class(&["a", "a", "b"]);
    let tree = taxonomy(&[&["a", "*"], &["b", "*"], &["c", "*"]]);
    let stated = given(&[("tau", num("0.7")), ("l", int(2))]);
    let context = context(&table).with_taxonomy(&tree);
    let principle = build(&context, "tau-l-diversity", &stated);
    let written = principle.effective_parameters(&stated);
    assert_eq!(written.0["weights"], fields(&[("a", int(1)), ("b", int(1)), ("c", int(0))]));
    let generalized = one_class(&["a", "*", "*"]);
    let later = support::context(&generalized).with_taxonomy(&tree);
    // A principle that is built from the published parameters has the published requirement;
    // attacks use its weights.
    let published = required_shares(find("tau-l-diversity").expect("known"), &written);
    assert!(
        published.is_some() && build(&later, "tau-l-diversity", &written).shares() == published
    );
    assert_eq!(principle.shares(), published);
    let tau = |parameters: &Parameters| {
        reached(&claim(&later, "tau-l-diversity", parameters), "tau").expect("a number")
    };
    assert!((tau(&written) - 2.0 / 3.0).abs() < 1e-12);
    let from_release =
        first(&level(&generalized, &*build(&later, "tau-l-diversity", &stated), &["*".to_owned()]));
    assert_eq!(
        from_release,
        Some(1.0),
        "the generalized table does not contain the occurring value b"
    );
}

#[test]
fn f1_assignment_requires_class_column() {
    let values = ["0", "2", "4", "6"];
    assert!(!numbers_hold(&values, "epsilon-m-anonymity", &near("2", 2)));
    let table = one_class(&values);
    let principle = build(&context(&table), "epsilon-m-anonymity", &near("2", 2));
    let (_, entries) = column(&table);
    with_class(&table, &entries, |all| {
        assert!(principle.partition(all).is_some(), "Theorem 1 guarantees a partition");
        assert_eq!(
            principle.of_class(all).quantities().nth(1).and_then(Quantity::to_f64),
            Some(0.75)
        );
    });
}

#[test]
fn f2_matching_two_classes_increases_risk() {
    let risk = |values: &[i64]| {
        let table = one_class(values);
        let claim = claim(&context(&table), "epsilon-m-anonymity", &near("30", 2));
        reached(&claim, "risk").expect("a number")
    };
    assert_eq!((risk(&[40, 80]), risk(&[60, 100])), (0.5, 0.5));
    assert_eq!(risk(&[40, 60, 80, 100]), 0.75);
}

#[test]
fn f3_padded_levels_do_not_increase_depth() {
    // An unbalanced tree as a table of levels, in which x is repeated.
    let tree = taxonomy(&[&["x", "x", "A", "*"], &["y", "B", "A", "*"], &["z", "B", "A", "*"]]);
    let node = |label| tree.node_of(label).expect("known");
    assert_eq!((tree.depth(node("x")), tree.depth(node("y"))), (2, 3));
    let table = one_class(&["A", "x", "B"]);
    let parameters = given(&[("tau", num("0.5")), ("l", int(3)), ("weights", word("domain"))]);
    let claim = claim(&context(&table).with_taxonomy(&tree), "tau-l-diversity", &parameters);
    // The sums are 1/3 + 1 for x, and 1/3 + 1/2 for y and z, divided by 3.
    let tau = reached(&claim, "tau").expect("a number");
    assert!((tau - 4.0 / 9.0).abs() < 1e-12, "{tau}");
    assert_eq!(tree.information(node("A")).to_f64(), Some(1.0 / 3.0));
}

#[test]
fn tests_named_in_document_exist() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read =
        |path: std::path::PathBuf| std::fs::read_to_string(path).expect("the file is readable");
    let mut sources = String::new();
    let mut folders = vec![root.join("..")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources.push_str(&read(path));
            }
        }
    }
    let document = read(root.join("../../docs/readings.md"));
    let mut n_named = 0;
    for quoted in document.split('`').skip(1).step_by(2) {
        let name = quoted.rsplit(": ").next().expect("some text");
        let is_test =
            name.matches('_').count() >= 2 && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_test {
            n_named += 1;
            assert!(sources.contains(&format!("fn {name}(")), "the test {name} does not exist");
        }
    }
    assert!(n_named > 40, "the document names only {n_named} tests");
}

/// Two marginals with the sensitive attribute, each with diverse classes, may together determine
/// all sensitive values. Several marginals disclose more than each marginal separately.
#[test]
fn f4_valid_marginals_may_jointly_disclose_all_values() {
    // Six people with two quasi-identifiers and a sensitive value each.
    let people = [(0, 0, 'a'), (0, 1, 'b'), (1, 1, 'c'), (1, 2, 'a'), (2, 2, 'b'), (2, 0, 'c')];
    let counted = |world: &[char], key: &dyn Fn(usize) -> i32| {
        let mut cells: Vec<(i32, char)> = (0..6).map(|at| (key(at), world[at])).collect();
        cells.sort_unstable();
        cells
    };
    let by: [&dyn Fn(usize) -> i32; 2] = [&|at| people[at].0, &|at| people[at].1];
    let own: Vec<char> = people.iter().map(|it| it.2).collect();
    for key in by {
        for class in 0..3 {
            let of_class = (0..6).filter(|&at| key(at) == class).map(|at| own[at].to_string());
            let values: Vec<String> = of_class.collect();
            assert!(holds(&values, "distinct-l-diversity", &given(&[("l", int(2))])));
            assert!(holds(&values, "frequency-l-diversity", &given(&[("l", int(2))])));
        }
    }
    // All possible worlds: each of six people may have each of three values.
    let worlds = (0..3usize.pow(6)).map(|world| -> Vec<char> {
        (0..6).map(|at| ['a', 'b', 'c'][world / 3usize.pow(at) % 3]).collect()
    });
    let agree = |world: &Vec<char>, by: &[&dyn Fn(usize) -> i32]| {
        by.iter().all(|key| counted(world, key) == counted(&own, key))
    };
    let worlds: Vec<Vec<char>> = worlds.collect();
    for key in by {
        assert_eq!(
            worlds.iter().filter(|world| agree(world, &[key])).count(),
            8,
            "each of the three classes leaves two possibilities"
        );
    }
    let both: Vec<&Vec<char>> = worlds.iter().filter(|world| agree(world, &by)).collect();
    assert_eq!(both, [&own], "both releases together determine the values of all people");
}

/// Every reading names the test that computes it, except for readings that are marked as errors in
/// the paper only.
#[test]
fn every_reading_names_its_test() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/readings.md");
    let document = std::fs::read_to_string(path).expect("the file is readable");
    let entries: Vec<&str> = document.split("\n**").skip(1).collect();
    let title = |entry: &str| entry.split("**").next().expect("a title").to_owned();
    let titles: Vec<String> = entries.iter().map(|entry| title(entry)).collect();
    for (text, last) in [("A", 7), ("B", 18), ("C", 15), ("D", 13), ("E", 13)] {
        for at in 1..=last {
            let wanted = format!("{text}-{at}");
            let is_it =
                |title: &String| title.split([',', '.', ' ', '(']).any(|word| word == wanted);
            assert!(titles.iter().any(is_it), "the title {wanted} is not among {titles:?}");
        }
    }
    let names_a_test = |entry: &&&str| {
        entry.split('`').skip(1).step_by(2).any(|quoted| quoted.matches('_').count() >= 2)
    };
    let without = entries.iter().filter(|it| !names_a_test(it)).filter(|it| !it.contains("lip"));
    let without: Vec<String> = without.map(|entry| title(entry)).collect();
    assert!(without.is_empty(), "no tests are named for {without:?}");
}
