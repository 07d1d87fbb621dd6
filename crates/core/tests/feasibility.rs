//! Tests the feasible range of a table: no recoding exceeds the bounds, and levels that are proved
//! reachable are reached.

mod support;

use indistinct_core::feasibility::{
    ReachProof, effect_of_dont_care, largest_c, reach, weakest_simple,
};
use indistinct_core::principle::{Growth, Quantity, RequiredShares, Weights, find};
use indistinct_core::{Level, Others, Relation, Requirement};
use indistinct_testkit::categorical_oracles as oracle;
use indistinct_testkit::numeric_oracles::any_partition;
use num_rational::BigRational;
use proptest::prelude::*;
use support::*;

fn requirement(
    table: &indistinct_core::FrequencyTable,
    kind: &str,
    parameters: &[(&str, indistinct_core::principle::ParameterValue)],
) -> Requirement {
    let kind = find(kind).expect("registered");
    Requirement::new(kind, &context(table), given(parameters), Others::Ignored).expect("valid")
}

#[test]
fn no_partition_exceeds_reachable_bound() {
    let values = prop::collection::vec((0u64..9).prop_map(|x| x.to_string()), 1..7);
    let one = || int(1);
    let kinds = [
        ("k-anonymity", vec![("k", one())]),
        ("distinct-l-diversity", vec![("l", one())]),
        ("frequency-l-diversity", vec![("l", one())]),
        ("entropy-l-diversity", vec![("l", one())]),
        ("recursive-diversity", vec![("c", one()), ("l", int(2))]),
        ("k-e-anonymity", vec![("k", one()), ("e", int(0))]),
        ("variance-control", vec![("variance", int(0))]),
        ("epsilon-m-anonymity", vec![("epsilon", one()), ("m", one())]),
        (
            "neighborhoods-m-anonymity",
            vec![("neighborhoods", fields(&[("0", int(2)), ("4", int(0))])), ("m", one())],
        ),
        ("delta-l-diversity", vec![("delta", num("0.5")), ("l", one())]),
        ("tau-l-diversity", vec![("tau", one()), ("l", int(3))]),
        ("m-invariance", vec![("m", int(2))]),
    ];
    check(40, &values, |values| {
        let table = one_class(&values);
        for (kind, parameters) in &kinds {
            let requirement = requirement(&table, kind, parameters);
            let principle = &*requirement.principle;
            let bounds = principle.bounds();
            let reach = reach(&table, &requirement).expect("the table has rows");
            let best =
                with_class(&table, &entries(&table, &values), |all| principle.upper_bound(all));
            let shown: Vec<&Quantity> = reach.best.iter().map(|(_, quantity)| quantity).collect();
            prop_assert_eq!(shown, best.quantities().collect::<Vec<_>>());
            let shown =
                with_class(&table, &entries(&table, &values), |all| principle.shown_reachable(all));
            let mut is_reached = false;
            any_partition(values.len(), &mut |part_of| {
                let n_parts = part_of.iter().max().map_or(0, |last| last + 1);
                let worst = (0..n_parts)
                    .map(|part| {
                        let rows = values.iter().zip(part_of).filter(|(_, at)| **at == part);
                        let part: Vec<String> = rows.map(|(row, _)| row.clone()).collect();
                        level(&table, principle, &part)
                    })
                    .reduce(|a, b| a.worst(b, bounds))
                    .expect("the partition has at least one part");
                // The sign makes larger values better.
                let sign = if bounds[0].relation == Relation::AtLeast { 1.0 } else { -1.0 };
                let first = |level: Level| match level.quantities().next() {
                    Some(Quantity::Unreachable) | None => f64::NEG_INFINITY,
                    Some(quantity) => sign * quantity.to_f64().expect("a number"),
                };
                for ((bound, found), best) in
                    bounds.iter().zip(worst.quantities()).zip(best.quantities())
                {
                    let sign = if bound.relation == Relation::AtLeast { 1.0 } else { -1.0 };
                    let number =
                        |it: &Quantity| sign * it.to_f64().unwrap_or(f64::NEG_INFINITY * sign);
                    let (found, best) = (number(found), number(best));
                    assert!(
                        found <= best + 1e-9,
                        "{kind} {} {found} {best} {part_of:?}",
                        bound.name
                    );
                }
                is_reached |= first(worst) >= first(shown) - 1e-9;
                false
            });
            prop_assert!(is_reached, "{}", kind);
        }
        Ok(())
    });
}

/// For every kind on a sensitive attribute that merging may break and for random parameters: a
/// class that is ruled out has no valid partition, and a known partition is valid. The test
/// compares with all partitions of the class.
#[test]
fn excluded_class_has_no_valid_partition() {
    let values = prop::collection::vec((0u64..9).prop_map(|x| x.to_string()), 1..8);
    let strategy = (values, 0u64..9, 1u64..4, (4u64..14).prop_map(|x| (x, 4)));
    check(250, &strategy, |(values, near, m, l)| {
        let half = ratio((near, 2));
        let delta = |reading| {
            vec![("delta", ratio((near, 4))), ("l", ratio(l)), ("reading", word(reading))]
        };
        let kinds = [
            ("epsilon-m-anonymity", vec![("epsilon", half.clone()), ("m", int(m))]),
            ("e1-e2-m-anonymity", vec![("e1", half.clone()), ("e2", int(1)), ("m", int(m))]),
            (
                "neighborhoods-m-anonymity",
                vec![
                    ("neighborhoods", fields(&[("0", half.clone()), ("4", int(1))])),
                    ("m", int(m)),
                ],
            ),
            (
                "neighborhoods-m-anonymity",
                vec![
                    ("neighborhoods", fields(&[("0", int(1)), ("3", int(0))])),
                    ("above", fields(&[("0", half.clone()), ("4", int(2))])),
                    ("m", int(m)),
                ],
            ),
            ("m-invariance", vec![("m", int(m + 1))]),
            ("delta-l-diversity", delta("definition")),
            ("delta-l-diversity", delta("window")),
            ("frequency-l-diversity", vec![("l", ratio(l))]),
            ("variance-control", vec![("variance", half.clone())]),
        ];
        let table = one_class(&values);
        for (kind, parameters) in &kinds {
            let principle = build(&context(&table), kind, &given(parameters));
            let exists = any_partition(values.len(), &mut |part_of| {
                let n_parts = part_of.iter().max().map_or(0, |last| last + 1);
                (0..n_parts).all(|part| {
                    let rows = values.iter().zip(part_of).filter(|(_, at)| **at == part);
                    let part: Vec<String> = rows.map(|(row, _)| row.clone()).collect();
                    level(&table, &*principle, &part).meets(principle.bounds())
                })
            });
            with_class(&table, &entries(&table, &values), |all| {
                prop_assert!(!(exists && principle.is_ruled_out(all)), "{}", kind);
                prop_assert!(exists || principle.partition(all).is_none(), "{}", kind);
                let shown = principle.shown_reachable(all).meets(principle.bounds());
                prop_assert!(!shown || exists, "{}", kind);
                Ok(())
            })?;
        }
        Ok(())
    });
}

#[test]
fn assignment_proof_requires_class_column() {
    // Reading F-1: {0, 2, 4, 6}, epsilon = 2, m = 2.
    let table = one_class(&[0, 2, 4, 6]);
    let near =
        |m| requirement(&table, "epsilon-m-anonymity", &[("epsilon", int(2)), ("m", int(m))]);
    let two = reach(&table, &near(2)).expect("rows");
    assert_eq!((two.proof, two.is_within), (ReachProof::WithClassColumn, true));
    assert_eq!(two.best[0], ("m", Quantity::Count(2)));
    assert!(!reach(&table, &near(3)).expect("rows").is_within);
    // If values are far apart, one class of all rows is sufficient with and without a class column.
    let far = one_class(&[0, 20, 40, 60]);
    let requirement =
        requirement(&far, "epsilon-m-anonymity", &[("epsilon", int(2)), ("m", int(4))]);
    assert_eq!(reach(&far, &requirement).expect("rows").proof, ReachProof::OneClass);
}

#[test]
fn obstacle_is_reported_with_its_frequency() {
    let table = one_class(&of_counts(&[9, 1]));
    let requirement = requirement(&table, "recursive-diversity", &[("c", int(9)), ("l", int(2))]);
    let reach = reach(&table, &requirement).expect("rows");
    assert_eq!(reach.most_frequent, Some((9, 10)));
    assert!(!reach.is_within);
    assert_eq!(reach.proof, ReachProof::OneClass);
    let empty = one_class::<String>(&[]);
    let kind = find("k-anonymity").expect("registered");
    let k = Requirement::new(kind, &context(&empty), given(&[("k", int(2))]), Others::Ignored);
    assert_eq!(indistinct_core::feasibility::reach(&empty, &k.expect("valid")), None);
}

#[test]
fn dont_care_values_improve_diversity() {
    let table = one_class(&of_counts(&[90, 4, 3, 3]));
    let kind = find("recursive-diversity").expect("registered");
    let parameters = given(&[("c", int(2)), ("l", int(2))]);
    let steps = effect_of_dont_care(kind, &context(&table), &parameters, 2).expect("valid");
    let c = |at: usize| {
        let level: Level = steps[at].best;
        level.quantities().next().and_then(Quantity::to_f64).expect("a number")
    };
    assert_eq!(
        steps.iter().map(|step| (step.n_values, step.n_rows)).collect::<Vec<_>>(),
        [(0, 0), (1, 90), (2, 94)]
    );
    assert_eq!(c(0), 9.0);
    assert!((c(1) - 4.0 / 96.0).abs() < 1e-12 && (c(2) - 3.0 / 97.0).abs() < 1e-12);
    let k = find("k-anonymity").expect("registered");
    assert!(effect_of_dont_care(k, &context(&table), &given(&[("k", int(2))]), 1).is_err());
}

/// Section IV-C of the (tau, l) paper: tests the guarantee on all classes of at most four values
/// with up to six rows each, and that a slightly weaker requirement is not sufficient.
#[test]
fn simple_guarantees_imply_tau_l_diversity() {
    let mut classes = vec![Vec::new()];
    for _ in 0..4 {
        let more = |class: &Vec<u64>| {
            let most = class.last().copied().unwrap_or(6);
            (0..=most).map(|count| [class.as_slice(), &[count]].concat()).collect::<Vec<_>>()
        };
        classes = classes.iter().flat_map(more).collect();
    }
    classes.retain(|class: &Vec<u64>| class[0] > 0);
    let big =
        |numerator: u64, denominator: u64| BigRational::new(numerator.into(), denominator.into());
    let (mut weaker_simple, mut weaker_c) = (0, 0);
    for growth in Growth::ALL {
        for (tenths, l) in [(1, 2u64), (3, 3), (4, 4), (5, 3), (6, 2), (7, 2), (8, 4), (9, 3)] {
            let tau = indistinct_core::Rational::new(tenths, 10);
            let whole = indistinct_core::Rational::from_integer(i128::from(l));
            let required = RequiredShares { tau, l: whole, weights: Weights::Occurring, growth };
            let simple = weakest_simple(&required).expect("the parameters impose a requirement");
            let c = largest_c(&required).expect("the parameters impose a requirement");
            for class in &classes {
                let n: u64 = class.iter().sum();
                let shares: Vec<BigRational> = class.iter().map(|&rows| big(rows, n)).collect();
                let by = |x: &BigRational| match growth {
                    Growth::Linear => x.clone(),
                    Growth::Convex => x * x,
                    Growth::Concave => x + x - x * x,
                };
                let holds = oracle::tau_l_by(&shares, &big(tenths as u64, 10), &big(l, 1), by);
                let is_simple = |l: &BigRational| big(class[0], 1) * l <= big(n, 1);
                let tail: u64 = class.iter().skip(l as usize - 1).sum();
                let is_recursive = |c: &BigRational| big(class[0], 1) < c * big(tail, 1);
                assert!(holds || !is_simple(&simple), "{class:?} {tau} {l} {growth:?}");
                assert!(holds || !is_recursive(&c), "{class:?} {tau} {l} {growth:?}");
                weaker_simple += u32::from(!holds && is_simple(&(&simple * big(7, 10))));
                weaker_c += u32::from(!holds && is_recursive(&(&c / big(7, 10))));
            }
        }
    }
    assert!(weaker_simple > 0 && weaker_c > 0, "no weaker parameters guarantee the principle");
    let one = indistinct_core::Rational::from_integer(1);
    for (tau, l) in [(one, one + one), (indistinct_core::Rational::new(1, 2), one)] {
        let required =
            RequiredShares { tau, l, weights: Weights::Occurring, growth: Growth::Linear };
        assert!(weakest_simple(&required).is_none() && largest_c(&required).is_none());
    }
}
