//! Tests the principles on numbers against the naive oracles, and their feasibility against all
//! partitions.

mod support;

use indistinct_core::feasibility::{Supremum, Unit, supremum};
use indistinct_core::model::{Numbers, to_f64};
use indistinct_core::principle::{Context, Missing, ParameterValue, Parameters, Principle};
use indistinct_core::{FrequencyTable, Rational, parse_decimal};
use indistinct_testkit::numeric_oracles::{self as oracle, Neighborhood, Number, SensitiveValue};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use proptest::prelude::*;
use support::*;

fn big(value: &Rational) -> Number {
    BigRational::new((*value.numer()).into(), (*value.denom()).into())
}

fn plain(sensitive_values: &[String]) -> Vec<SensitiveValue> {
    let number = |text: &String| parse_decimal(text).ok().map(|value| big(&value));
    sensitive_values.iter().map(number).collect()
}

fn principle(table: &FrequencyTable, kind: &str, given: &Parameters) -> Box<dyn Principle> {
    build(&context(table).with_missing(Missing::OwnValue), kind, given)
}

/// A principle on near sensitive values, with its oracle.
#[derive(Debug, Clone)]
enum Near {
    Absolute(u32),
    Relative(u32),
    Between(u32, u32),
    /// The distance below and, unless it is equal for all numbers, the distance above.
    Stated(Vec<(u32, (u32, u32))>, bool),
}

/// Generates neighborhoods that change at up to three numbers, symmetric and asymmetric ones.
fn stated() -> impl Strategy<Value = Near> {
    let widths = (0u32..20, 0u32..20);
    let steps = prop::collection::btree_map(0u32..30, widths, 1..4);
    (steps, any::<bool>()).prop_map(|(steps, symmetric)| {
        let same = |(from, (below, above))| (from, (below, if symmetric { below } else { above }));
        Near::Stated(steps.into_iter().map(same).collect(), symmetric)
    })
}

/// Generates parameters in units of one half, or of one hundredth for relative neighborhoods.
fn near() -> impl Strategy<Value = Near> {
    prop_oneof![
        (0u32..20).prop_map(Near::Absolute),
        (0u32..=20).prop_map(|x| Near::Relative(5 * x)),
        (0u32..20, 0u32..20).prop_map(|(a, b)| Near::Between(a, b)),
        stated(),
    ]
}

impl Near {
    fn kind(&self, m: u64) -> (&'static str, Parameters) {
        let half = |x: u32| ratio((u64::from(x), 2));
        match *self {
            Near::Stated(ref steps, symmetric) => {
                let side = |width: fn(&(u32, u32)) -> u32| {
                    let steps = steps.iter().map(move |(from, widths)| {
                        ((f64::from(*from) / 2.0).to_string(), half(width(widths)))
                    });
                    ParameterValue::Table(steps.collect())
                };
                let mut all = given(&[("neighborhoods", side(|it| it.0)), ("m", int(m))]);
                if !symmetric {
                    all.0.insert("above".to_owned(), side(|it| it.1));
                }
                ("neighborhoods-m-anonymity", all)
            }
            Near::Absolute(e) => {
                ("epsilon-m-anonymity", given(&[("epsilon", half(e)), ("m", int(m))]))
            }
            Near::Relative(e) => {
                let word = ("neighborhood", word("relative-radius"));
                let epsilon = ratio((u64::from(e), 100));
                ("epsilon-m-anonymity", given(&[("epsilon", epsilon), ("m", int(m)), word]))
            }
            Near::Between(a, b) => {
                ("e1-e2-m-anonymity", given(&[("e1", half(a)), ("e2", half(b)), ("m", int(m))]))
            }
        }
    }

    fn oracle(&self) -> Neighborhood {
        let half = |x: u32| oracle::number(i64::from(x), 2);
        match *self {
            Near::Stated(ref steps, _) => {
                let steps = steps
                    .iter()
                    .map(|&(from, (below, above))| (half(from), half(below), half(above)));
                Neighborhood::Stated(steps.collect())
            }
            Near::Absolute(e) => Neighborhood::Between(half(e), half(e)),
            Near::Relative(e) => Neighborhood::Relative(oracle::number(i64::from(e), 100)),
            Near::Between(a, b) => Neighborhood::Between(half(a), half(b)),
        }
    }
}

fn class(most: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(sensitive_value(), 1..most)
}

#[test]
fn proximity_matches_definition() {
    check(400, &(class(25), near(), 1u64..6), |(values, near, m)| {
        let table = one_class(&values);
        let (kind, parameters) = near.kind(m);
        let principle = principle(&table, kind, &parameters);
        let level = level(&table, &*principle, &values);
        let counts = oracle::near(&plain(&values), &near.oracle());
        let most = *counts.iter().max().expect("the class has at least one row");
        let quantities: Vec<f64> = level.quantities().filter_map(|it| it.to_f64()).collect();
        prop_assert_eq!(quantities[0], (values.len() / most) as f64);
        prop_assert!((quantities[1] - most as f64 / values.len() as f64).abs() < 1e-12);
        let holds = oracle::proximity(&plain(&values), &near.oracle(), m as usize);
        prop_assert_eq!(level.meets(principle.bounds()), holds);
        prop_assert!(!holds || values.len() as u64 >= principle.smallest_size());
        Ok(())
    });
}

/// Table 1 of the (epsilon, m) paper: an adversary who knows that a person is in the first group
/// knows with a probability of 75% that the salary is in [1000, 1020].
#[test]
fn table_1_has_a_breach_in_its_first_group() {
    let groups: [(&str, &[&str]); 3] = [
        ("[17,24]", &["1000", "1010", "1020", "50000"]),
        ("[29,34]", &["16000", "24000"]),
        ("[39,45]", &["33000", "31000"]),
    ];
    let rows: Vec<(&str, &str)> = groups
        .iter()
        .flat_map(|(age, salaries)| salaries.iter().map(|salary| (*age, *salary)))
        .collect();
    let table = table(&rows);
    let claim = claim(
        &context(&table),
        "epsilon-m-anonymity",
        &given(&[("epsilon", int(20)), ("m", int(2))]),
    );
    assert!(!claim.holds);
    assert_eq!((claim.n_failing_classes, claim.n_failing_rows), (1, 4));
    assert_eq!((reached(&claim, "risk"), reached(&claim, "m")), (Some(0.75), Some(1.0)));
}

/// Section 8 of the (epsilon, m) paper asks for several sensitive attributes: each of them can have
/// its own requirement.
#[test]
fn each_numeric_attribute_has_its_own_requirement() {
    let rows = [("1", "5"), ("90", "6"), ("200", "30"), ("200", "5")];
    let row = |(a, b): (&str, &str)| (vec!["q".to_owned()], vec![a.to_owned(), b.to_owned()]);
    let table = table_of(&rows.map(row), 1, 2);
    let parameters = given(&[("epsilon", int(10)), ("m", int(2))]);
    let of = |at: usize| {
        let context = Context::new(&table, Some(at));
        let claim = claim(&context, "epsilon-m-anonymity", &parameters);
        (claim.holds, reached(&claim, "risk"))
    };
    assert_eq!([of(0), of(1)], [(true, Some(0.5)), (false, Some(0.75))]);
}

/// Returns whether a partition contains all rows and all of its parts satisfy the principle.
fn proves(
    table: &FrequencyTable,
    principle: &dyn Principle,
    values: &[String],
) -> Result<bool, TestCaseError> {
    let entries = entries(table, values);
    let assignment = with_class(table, &entries, |view| principle.partition(view));
    let is_ruled_out = with_class(table, &entries, |view| principle.is_ruled_out(view));
    prop_assert!(assignment.is_none() || !is_ruled_out);
    let Some(assignment) = assignment else { return Ok(false) };
    let mut sum: Vec<(u32, u64)> = Vec::new();
    for part in assignment.parts(&entries) {
        prop_assert!(!part.is_empty(), "{:?}", assignment);
        let level = with_class(table, &part, |view| principle.of_class(view));
        prop_assert!(level.meets(principle.bounds()), "{:?} {:?}", assignment, part);
        sum.extend(part);
    }
    sum.sort_unstable();
    sum.dedup_by(|next, retained| {
        let same = next.0 == retained.0;
        retained.1 += if same { next.1 } else { 0 };
        same
    });
    prop_assert_eq!(sum, entries);
    Ok(true)
}

#[test]
fn proximity_generalizability_matches_enumeration() {
    check(150, &(class(8), near(), 1u64..5), |(values, near, m)| {
        let table = one_class(&values);
        let (kind, parameters) = near.kind(m);
        let principle = principle(&table, kind, &parameters);
        let found = proves(&table, &*principle, &values)?;
        let all = oracle::is_generalizable(&plain(&values), |part| {
            oracle::proximity(part, &near.oracle(), m as usize)
        });
        if matches!(near, Near::Stated(..)) {
            // There is a gap between the classes that are ruled out and the classes for which the
            // assignment is a valid partition.
            prop_assert!(all || !found);
            return with_class(&table, &entries(&table, &values), |view| {
                prop_assert!(!all || !principle.is_ruled_out(view));
                Ok(())
            });
        }
        prop_assert_eq!(found, all);
        Ok(())
    });
}

/// Definition 4: 0 is near only itself, and 10 is near all numbers up to a distance of 10.
/// Therefore, 10 must not be in a class with 0, but 0 may be in a class with numbers that are near
/// only 10.
#[test]
fn own_neighborhoods_may_be_undecided() {
    let kind = "neighborhoods-m-anonymity";
    let steps = fields(&[("0", int(0)), ("10", int(10))]);
    let stated = given(&[("neighborhoods", steps), ("m", int(2))]);
    let values = |all: &[u32]| all.iter().map(u32::to_string).collect::<Vec<_>>();
    let of = |all: &[u32],
              what: &dyn Fn(&dyn Principle, &indistinct_core::ClassView<'_>) -> bool| {
        let values = values(all);
        let table = one_class(&values);
        let principle = principle(&table, kind, &stated);
        with_class(&table, &entries(&table, &values), |view| what(&*principle, view))
    };
    let holds = |all: &[u32]| of(all, &|it, view| it.of_class(view).meets(it.bounds()));
    assert!(holds(&[0, 5]) && !holds(&[0, 10]) && holds(&[10, 30]) && !holds(&[10, 20]));
    // The numbers 0 to 3 may be in one class although 10 is near all of them: {0, 1}, {2, 3}, {10,
    // 40}, {11, 41}.
    let rows = [0, 1, 2, 3, 10, 11, 40, 41];
    assert!(holds(&[0, 1]) && holds(&[2, 3]) && holds(&[10, 40]) && holds(&[11, 41]));
    assert!(!of(&rows, &|it, view| it.is_ruled_out(view)));
    assert!(of(&rows, &|it, view| it.partition(view).is_none()));
    // There are too many numbers that are all near each other.
    assert!(of(&[10, 11, 12, 0], &|it, view| it.is_ruled_out(view)));
}

/// Definition 4 permits any range that contains the value: 10 is near 10 to 15, but not near 9, and
/// 15 is near only itself.
#[test]
fn neighborhoods_may_be_asymmetric() {
    let (below, above) = (fields(&[("0", int(0))]), fields(&[("0", int(5)), ("15", int(0))]));
    let stated = given(&[("neighborhoods", below), ("above", above), ("m", int(2))]);
    let holds = |all: &[u32]| {
        let values: Vec<String> = all.iter().map(u32::to_string).collect();
        let table = one_class(&values);
        let principle = principle(&table, "neighborhoods-m-anonymity", &stated);
        with_class(&table, &entries(&table, &values), |view| {
            principle.of_class(view).meets(principle.bounds())
        })
    };
    assert!(!holds(&[10, 15]) && holds(&[9, 15]) && holds(&[15, 16]) && !holds(&[9, 10]));
}

#[test]
fn partitions_of_larger_classes_are_valid() {
    check(150, &(class(120), near(), 1u64..8), |(values, near, m)| {
        let table = one_class(&values);
        let (kind, parameters) = near.kind(m);
        proves(&table, &*principle(&table, kind, &parameters), &values)?;
        Ok(())
    });
}

fn delta_l(delta: u32, l: (u64, u64), reading: &str) -> Parameters {
    let delta = ("delta", ratio((u64::from(delta), 4)));
    given(&[delta, ("l", ratio(l)), ("reading", word(reading))])
}

fn l() -> impl Strategy<Value = (u64, u64)> {
    (2u64..8).prop_map(|halves| (halves, 2))
}

#[test]
fn delta_l_matches_both_readings() {
    check(300, &(class(20), 0u32..30, l()), |(values, delta, l)| {
        let table = one_class(&values);
        let width = oracle::number(i64::from(delta), 4);
        let by_definition = oracle::delta_l_definition(&plain(&values), &width);
        let by_window = oracle::delta_l_window(&plain(&values), &width);
        let required = oracle::number(l.0 as i64, l.1 as i64);
        for (reading, reached) in [("definition", &by_definition), ("window", &by_window)] {
            let principle = principle(&table, "delta-l-diversity", &delta_l(delta, l, reading));
            let level = level(&table, &*principle, &values);
            let both: Vec<Rational> =
                level.quantities().filter_map(|it| it.to_rational()).collect();
            prop_assert_eq!(big(&both[0]), by_definition.clone());
            prop_assert_eq!(big(&both[1]), by_window.clone());
            prop_assert_eq!(level.meets(principle.bounds()), *reached >= required);
        }
        prop_assert!(by_definition <= by_window);
        prop_assert!(by_window < by_definition * BigRational::from_integer(2.into()));
        Ok(())
    });
}

#[test]
fn delta_l_generalizability_matches_enumeration() {
    check(120, &(class(8), 0u32..30, 1u64..4), |(values, delta, l)| {
        let table = one_class(&values);
        let width = oracle::number(i64::from(delta), 4);
        let required = oracle::number(l as i64, 1);
        for reading in ["definition", "window"] {
            let principle =
                principle(&table, "delta-l-diversity", &delta_l(delta, (l, 1), reading));
            let found = proves(&table, &*principle, &values)?;
            let all = oracle::is_generalizable(&plain(&values), |part| match reading {
                "window" => oracle::delta_l_window(part, &width) >= required,
                _ => oracle::delta_l_definition(part, &width) >= required,
            });
            prop_assert_eq!(found, all, "{}", reading);
        }
        Ok(())
    });
}

#[test]
fn fractional_l_is_excluded_only_by_proof() {
    // The classes {0, 1, 4} and {0, 2, 5} satisfy the principle, but the assignment of all six rows
    // to buckets does not prove this.
    let values: Vec<String> = [0, 1, 4, 0, 2, 5].map(|x: u32| x.to_string()).to_vec();
    let table = one_class(&values);
    let principle = principle(&table, "delta-l-diversity", &delta_l(4, (3, 2), "definition"));
    for part in [&values[..3], &values[3..]] {
        assert!(level(&table, &*principle, part).meets(principle.bounds()));
    }
    with_class(&table, &entries(&table, &values), |all| {
        assert!(!principle.is_ruled_out(all) && principle.partition(all).is_none());
    });
}

#[test]
fn fractional_l_partitions_are_valid() {
    check(150, &(class(12), 0u32..30, l()), |(values, delta, l)| {
        let table = one_class(&values);
        let principle = principle(&table, "delta-l-diversity", &delta_l(delta, l, "definition"));
        proves(&table, &*principle, &values)?;
        Ok(())
    });
}

#[test]
fn spread_principles_match_definitions() {
    check(400, &(class(20), 1u64..8, 0u64..40, 0u64..80), |(sensitive_values, k, e, variance)| {
        let table = one_class(&sensitive_values);
        let (e, variance) = ((e, 2), (variance, 3));
        let plain = plain(&sensitive_values);
        let k_e = principle(&table, "k-e-anonymity", &given(&[("k", int(k)), ("e", ratio(e))]));
        let level_of = level(&table, &*k_e, &sensitive_values);
        let reached: Vec<Rational> =
            level_of.quantities().filter_map(|it| it.to_rational()).collect();
        let (different, range) = (oracle::different(&plain), oracle::range(&plain));
        prop_assert_eq!(reached[0], Rational::from_integer(different as i128));
        prop_assert_eq!(big(&reached[1]), range.clone());
        let holds = different as u64 >= k && range >= oracle::number(e.0 as i64, e.1 as i64);
        prop_assert_eq!(level_of.meets(k_e.bounds()), holds);
        prop_assert!(!holds || sensitive_values.len() as u64 >= k_e.smallest_size());

        let control =
            principle(&table, "variance-control", &given(&[("variance", ratio(variance))]));
        let level = level(&table, &*control, &sensitive_values);
        let exact = oracle::variance(&plain);
        let value = level.quantities().next().and_then(|it| it.to_f64()).expect("a number");
        let expected = exact.to_f64().expect("a double");
        prop_assert!((value - expected).abs() < 1e-9 * expected.max(1.0));
        let holds = exact >= oracle::number(variance.0 as i64, variance.1 as i64);
        prop_assert_eq!(level.meets(control.bounds()), holds);
        prop_assert!(!holds || sensitive_values.len() as u64 >= control.smallest_size());
        Ok(())
    });
}

#[test]
fn variance_comparison_is_exact() {
    let sensitive_values =
        |values: &[&str]| values.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>();
    let thirds = sensitive_values(&["0", "0", "1"]);
    assert!(holds(&thirds, "variance-control", &given(&[("variance", ratio((2, 9)))])));
    let above = ratio((2_000_000_000_001, 9_000_000_000_000));
    assert!(!holds(&thirds, "variance-control", &given(&[("variance", above)])));
    // The intermediate value (10^20 / 2)^2 requires more than 128 bits.
    let long = sensitive_values(&["0", "100000000000000000000"]);
    let table = one_class(&long);
    let claim = claim(&context(&table), "variance-control", &given(&[("variance", num("1"))]));
    assert!((reached(&claim, "variance").expect("a number") / 2.5e39 - 1.0).abs() < 1e-12);
}

#[test]
fn epsilon_supremum_matches_partition_enumeration() {
    let values = prop::collection::vec((1i32..40).prop_map(|x| x.to_string()), 1..8);
    check(120, &(values, 1u64..5, any::<bool>()), |(sensitive_values, m, relative)| {
        let table = one_class(&sensitive_values);
        let numbers = Numbers::from_dictionary(&table.sensitive()[0].dictionary).expect("numbers");
        let unit = if relative { Unit::Relative } else { Unit::Absolute };
        let feasible = |epsilon: Number| {
            let neighborhood = match unit {
                Unit::Relative => Neighborhood::Relative(epsilon),
                Unit::Absolute => Neighborhood::Between(epsilon.clone(), epsilon),
            };
            oracle::is_generalizable(&plain(&sensitive_values), |part| {
                oracle::proximity(part, &neighborhood, m as usize)
            })
        };
        let tiny = oracle::number(1, 1_000_000);
        match supremum(&numbers, &entries(&table, &sensitive_values), m, unit) {
            Supremum::Unbounded => prop_assert!(feasible(oracle::number(1000, 1))),
            Supremum::Below(value) if to_f64(&value) == 0.0 => {
                prop_assert!(!feasible(oracle::number(0, 1)));
            }
            Supremum::Below(value) => {
                prop_assert!(feasible(big(&value) - tiny));
                let whole = relative && m == 1;
                prop_assert_eq!(
                    feasible(big(&value)),
                    whole,
                    "the supremum is attained only for m = 1"
                );
            }
            Supremum::Undefined => {
                prop_assert!(false, "the supremum is defined for positive numbers")
            }
        }
        Ok(())
    });
}
