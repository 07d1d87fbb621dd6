//! Tests the effects of merging and suppression on each principle. The documentation of the
//! principles names these tests.

mod support;

use std::cell::Cell;
use std::sync::Arc;

use indistinct_core::model::Population;
use indistinct_core::principle::{
    Context, DependsOn, Merging, Missing, Parameters, Principle, REGISTRY, find,
};
use indistinct_core::recoding::Generalization;
use indistinct_core::{
    ClassView, FrequencyTable, Hierarchy, Histogram, Others, Partition, Policy, Rational, Recoding,
    Requirement, SuppressionRule, claims_of,
};
use indistinct_testkit::numeric_oracles as oracle;
use proptest::prelude::*;
use support::*;

/// Returns parameters of every kind on one attribute that merging keeps, chosen such that two small
/// classes often satisfy them.
fn retained(kind: &str, a: u64, b: u64) -> Parameters {
    match kind {
        "k-anonymity" => given(&[("k", int(a))]),
        "distinct-l-diversity" => given(&[("l", int(a))]),
        "frequency-l-diversity" => given(&[("l", ratio((a + 2, 3)))]),
        "entropy-l-diversity" => {
            given(&[("l", ratio((a + 3, 4))), ("dont_care", list(&["1", "2", "3"]))])
        }
        "recursive-diversity" => given(&[
            ("c", ratio((b, 2))),
            ("l", int(a)),
            ("dont_care", list(&["1", "2"])),
            ("negative", fields(&[("values", list(&["4"])), ("c2", int(2 * b))])),
        ]),
        "alpha-k-anonymity" => given(&[("alpha", ratio((b, 8))), ("k", int(a))]),
        "c-k-safety" => given(&[("c", ratio((b + 2, 10))), ("k", int(a - 1))]),
        "k-e-anonymity" => given(&[("k", int(a)), ("e", int(b))]),
        "variance-control" => given(&[("variance", int(a))]),
        "t-closeness" => given(&[
            ("t", ratio((b, 12))),
            ("distance", word(["equal", "ordered"][a as usize % 2])),
        ]),
        "beta-likeness" => {
            given(&[("beta", ratio((b, 4))), ("gain", word(["basic", "enhanced"][a as usize % 2]))])
        }
        "delta-disclosure" => given(&[("delta", ratio((a + b, 4)))]),
        "bayes-optimal-privacy" => given(&[("difference", ratio((b, 8)))]),
        "delta-l-diversity" => {
            let reading = ("reading", word("window"));
            given(&[("delta", ratio((b, 4))), ("l", ratio((a + 2, 3))), reading])
        }
        "tau-l-diversity" if b.is_multiple_of(3) => {
            given(&[("tau", ratio((b, 8))), ("l", ratio((a + 2, 2)))])
        }
        "tau-l-diversity" => given(&[
            ("tau", ratio((b, 8))),
            ("l", int(a + 1)),
            ("psi", word(["convex", "concave"][b as usize % 2])),
        ]),
        other => panic!("no parameters are defined for {other}"),
    }
}

#[test]
fn merging_keeps() {
    for kind in REGISTRY.iter().map(|kind| kind.name) {
        let may_break = [
            "delta-presence",
            "epsilon-m-anonymity",
            "e1-e2-m-anonymity",
            "neighborhoods-m-anonymity",
            "m-invariance",
        ];
        if may_break.contains(&kind) {
            continue;
        }
        // If every class must contain every value, only few values are used.
        let top = if kind == "delta-disclosure" { 3 } else { 8 };
        let class = || prop::collection::vec((1u64..top).prop_map(|x| x.to_string()), 1..9);
        let n_declared = Cell::new(0);
        let strategy = (class(), class(), class(), 1u64..5, 1u64..8);
        check(1500, &strategy, |(first, second, rest, a, b)| {
            let union: Vec<String> = first.iter().chain(&second).cloned().collect();
            let table = two_classes(&union, &rest);
            let principle = build(&context(&table), kind, &retained(kind, a, b));
            prop_assert_eq!(principle.merging(), Merging::Keeps);
            let holds =
                |values: &[String]| level(&table, &*principle, values).meets(principle.bounds());
            if holds(&first) && holds(&second) {
                n_declared.set(n_declared.get() + 1);
                prop_assert!(holds(&union), "{}", kind);
            }
            Ok(())
        });
        assert!(n_declared.get() > 60, "{kind} was tested by only {} cases", n_declared.get());
    }
}

/// The return value of `fails_in_parts` is correct.
#[test]
fn parts_of_failing_classes_fail() {
    let cells = || prop::collection::vec((sensitive_value(), any::<bool>()), 1..9);
    for kind in ["k-anonymity", "distinct-l-diversity", "k-e-anonymity"] {
        let n_declared = Cell::new(0);
        check(1500, &(cells(), 1u64..5, 1u64..8), |(cells, a, b)| {
            let all: Vec<String> = cells.iter().map(|cell| cell.0.clone()).collect();
            let of_part = cells.iter().filter(|cell| cell.1);
            let part: Vec<String> = of_part.map(|cell| cell.0.clone()).collect();
            let table = one_class(&all);
            let context = context(&table).with_missing(Missing::OwnValue);
            let principle = build(&context, kind, &retained(kind, a, b));
            prop_assert!(principle.fails_in_parts());
            let holds =
                |values: &[String]| level(&table, &*principle, values).meets(principle.bounds());
            if !part.is_empty() && !holds(&all) {
                n_declared.set(n_declared.get() + 1);
                prop_assert!(!holds(&part), "{}", kind);
            }
            Ok(())
        });
        assert!(n_declared.get() > 60, "{kind} was tested by only {} cases", n_declared.get());
    }
    let table = one_class(&["1", "1", "2"]);
    let says = |kind: &&str| build(&context(&table), kind, &retained(kind, 2, 2)).fails_in_parts();
    let others =
        ["frequency-l-diversity", "entropy-l-diversity", "variance-control", "t-closeness"];
    assert!(!others.iter().any(says));
}

#[test]
fn merging_preserves_principles_with_missing_values() {
    let class = || prop::collection::vec(sensitive_value(), 1..8);
    for kind in ["k-e-anonymity", "variance-control", "t-closeness", "delta-l-diversity"] {
        check(400, &(class(), class(), 1u64..5, 1u64..8), |(first, second, a, b)| {
            let union: Vec<String> = first.iter().chain(&second).cloned().collect();
            let table = one_class(&union);
            let context = context(&table).with_missing(Missing::OwnValue);
            let principle = build(&context, kind, &retained(kind, a, b));
            let holds =
                |values: &[String]| level(&table, &*principle, values).meets(principle.bounds());
            prop_assert!(!holds(&first) || !holds(&second) || holds(&union), "{}", kind);
            Ok(())
        });
    }
}

#[test]
fn merging_preserves_presence() {
    let kind = find("delta-presence").expect("registered");
    let table = table_of(&[], 0, 0);
    let (_, population) =
        Population::join(&table, &table).expect("an empty population contains an empty table");
    let context = Context::new(&table, None).with_population(Arc::new(population));
    let class = || (0u64..6, 0u64..6).prop_map(|(rows, more)| (rows, rows + more));
    check(1000, &(class(), class(), 0u64..5, 0u64..5), |(a, b, low, high)| {
        let (min, max) = (ratio((low.min(high), 4)), ratio((low.max(high), 4)));
        let parameters = given(&[("min", min), ("max", max), ("population", word("people"))]);
        let principle = kind.build(&context, &parameters).expect("valid");
        prop_assert_eq!(principle.depends_on(), DependsOn::Population);
        let holds = |(rows, people): (u64, u64)| {
            let view = ClassView { size: rows, histograms: &[], population: Some(people) };
            principle.of_class(&view).meets(principle.bounds())
        };
        prop_assert!(!holds(a) || !holds(b) || holds((a.0 + b.0, a.1 + b.1)));
        Ok(())
    });
}

#[test]
fn merging_may_break_proximity() {
    let (a, b) = (["40", "80"].map(str::to_owned), ["60", "100"].map(str::to_owned));
    let union = [a.clone(), b.clone()].concat();
    let cases = [
        ("epsilon-m-anonymity", given(&[("epsilon", int(30)), ("m", int(2))])),
        ("e1-e2-m-anonymity", given(&[("e1", int(30)), ("e2", int(20)), ("m", int(2))])),
        ("delta-l-diversity", given(&[("delta", int(15)), ("l", int(2))])),
        (
            "neighborhoods-m-anonymity",
            given(&[("neighborhoods", fields(&[("0", int(30)), ("100", int(1))])), ("m", int(2))]),
        ),
    ];
    for (kind, parameters) in cases {
        let table = one_class(&union);
        let principle = build(&context(&table), kind, &parameters);
        assert_eq!(principle.merging(), Merging::MayBreak, "{kind}");
        let holds =
            |values: &[String]| level(&table, &*principle, values).meets(principle.bounds());
        assert!(holds(&a) && holds(&b) && !holds(&union), "{kind}");
    }
    // The same counterexample by the definition, without the core.
    let plain =
        |class: &[i64]| class.iter().map(|&x| Some(oracle::number(x, 1))).collect::<Vec<_>>();
    let near = oracle::Neighborhood::Between(oracle::number(30, 1), oracle::number(30, 1));
    assert!(oracle::proximity(&plain(&[40, 80]), &near, 2));
    assert!(!oracle::proximity(&plain(&[40, 60, 80, 100]), &near, 2));
}

#[test]
fn sample_variance_is_not_monotone() {
    let plain =
        |class: &[i64]| class.iter().map(|&x| Some(oracle::number(x, 1))).collect::<Vec<_>>();
    assert_eq!(oracle::sample_variance(&plain(&[0, 2])), oracle::number(2, 1));
    assert_eq!(oracle::sample_variance(&plain(&[0, 2, 0, 2])), oracle::number(4, 3));
    let values = ["0", "2"].map(str::to_owned);
    assert!(holds(&values, "variance-control", &given(&[("variance", int(1))])));
    assert!(!holds(&values, "variance-control", &given(&[("variance", num("1.1"))])));
}

fn policy(table: &FrequencyTable, requirement: Requirement) -> Policy {
    Policy {
        hierarchies: table
            .quasi_identifiers()
            .iter()
            .map(|column| Hierarchy::flat(&column.dictionary))
            .collect(),
        requirements: vec![requirement],
        suppression_limit: Rational::from_integer(1),
        suppressed: SuppressionRule::Dropped,
        published: indistinct_core::ClassColumn::Absent,
    }
}

/// Returns the claim at a level of one flat quasi-identifier, with the tuples of one value
/// suppressed.
fn without(
    table: &FrequencyTable,
    policy: &Policy,
    level: usize,
    dropped: Option<&str>,
) -> indistinct_core::PrincipleClaim {
    let column = &table.quasi_identifiers()[0];
    let suppressed =
        column.codes.iter().map(|&code| Some(column.dictionary.value(code)) == dropped);
    let recoding = Recoding {
        generalization: Generalization::of_levels(vec![level]),
        suppressed: suppressed.collect(),
        sensitive: None,
    };
    let partition =
        Partition::new(table, policy, &recoding).expect("the recoding matches the table");
    claims_of(table, &partition, &policy.requirements).claims.principles.remove(0)
}

#[test]
fn suppression_changes_reference_distribution() {
    let rows = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"), ("c", "y"), ("c", "y")];
    let table = table(&rows);
    let kind = find("t-closeness").expect("registered");
    let parameters = given(&[("t", num("0.2"))]);
    let requirement = Requirement::new(kind, &context(&table), parameters, Others::Ignored);
    let requirement = requirement.expect("valid");
    assert_eq!(requirement.principle.depends_on(), DependsOn::ReleasedRows);
    let policy = policy(&table, requirement);
    // The distance of class a from all rows is 1/6; without c, the distributions are equal.
    let all = without(&table, &policy, 0, None);
    assert!((reached(&all, "t").expect("a number") - 1.0 / 3.0).abs() < 1e-12 && !all.holds);
    let fewer = without(&table, &policy, 0, Some("c"));
    assert!(reached(&fewer, "t") == Some(0.0) && fewer.holds);
    // The opposite effect: a table that satisfies the principle may violate it after rows of
    // another class are suppressed.
    let other = without(&table, &policy, 0, Some("a"));
    assert!(reached(&other, "t").expect("a number") > 1.0 / 6.0 && !other.holds);
}

/// Half of all rows have the value x, so no change exceeds 1/4. Without class b, 7/12 of the rows
/// have the value x, and the change in the unchanged class a is 1/3.
#[test]
fn suppression_may_increase_change_in_belief() {
    let mut rows = Vec::new();
    for (class, values) in [("a", "xyyy"), ("b", "xyyy"), ("c", "xxxy"), ("d", "xxxy")] {
        rows.extend(values.split("").filter(|it| !it.is_empty()).map(|value| (class, value)));
    }
    let table = table(&rows);
    let kind = find("bayes-optimal-privacy").expect("registered");
    let parameters = given(&[("difference", num("0.25"))]);
    let requirement = Requirement::new(kind, &context(&table), parameters, Others::Ignored);
    let requirement = requirement.expect("valid");
    assert_eq!(requirement.principle.depends_on(), DependsOn::ReleasedRows);
    let policy = policy(&table, requirement);
    let all = without(&table, &policy, 0, None);
    assert_eq!((reached(&all, "difference"), all.holds), (Some(0.25), true));
    let fewer = without(&table, &policy, 0, Some("b"));
    assert!(!fewer.holds);
    assert!((reached(&fewer, "difference").expect("a number") - 1.0 / 3.0).abs() < 1e-12);
}

#[test]
fn reference_distribution_uses_released_rows() {
    let table = one_class(&["1", "2", "2"]);
    let principle = build(&context(&table), "t-closeness", &given(&[("t", int(0))]));
    let dictionary = &table.sensitive()[0].dictionary;
    let entries = [(1, 2)];
    let against = principle
        .against(&[Histogram { entries: &entries, dictionary }])
        .expect("the principle depends on the released rows");
    let same = level(&table, &*against, &["2".to_owned()]);
    assert!(same.meets(against.bounds()));
    let k = build(&context(&table), "k-anonymity", &given(&[("k", int(1))]));
    assert!(k.against(&[]).is_none());
}

#[test]
fn suppression_lowers_presence() {
    let rows = |names: &[&str]| {
        let rows: Vec<_> = names.iter().map(|q| (vec![(*q).to_owned()], Vec::new())).collect();
        table_of(&rows, 1, 0)
    };
    let people = rows(&["a", "a", "b", "b", "c"]);
    let (table, population) = Population::join(&rows(&["a", "b"]), &people).expect("contained");
    let context = Context::new(&table, None).with_population(Arc::new(population));
    let kind = find("delta-presence").expect("registered");
    let least = ("min", num("0.4"));
    let parameters = given(&[least, ("max", num("0.5")), ("population", word("people"))]);
    let requirement = Requirement::new(kind, &context, parameters, Others::Ignored).expect("valid");
    let policy = policy(&table, requirement);
    // At level 0, c is not in any class, so the probability of being in the table is 0.
    let raw = without(&table, &policy, 0, None);
    assert_eq!((reached(&raw, "min"), reached(&raw, "max")), (Some(0.0), Some(0.5)));
    assert!(!raw.holds && raw.n_failing_classes == 1 && raw.n_failing_rows == 0);
    let top = without(&table, &policy, 1, None);
    assert_eq!((reached(&top, "min"), top.holds), (Some(0.4), true));
    let suppressed = without(&table, &policy, 1, Some("b"));
    assert_eq!((reached(&suppressed, "min"), suppressed.holds), (Some(0.2), false));
}

#[test]
fn kinds_and_principles_agree_on_merging() {
    let table = one_class(&["1", "2"]);
    for (kind, parameters) in [
        ("epsilon-m-anonymity", given(&[("epsilon", int(1)), ("m", int(1))])),
        ("delta-l-diversity", given(&[("delta", int(1)), ("l", int(1))])),
        (
            "delta-l-diversity",
            given(&[("delta", int(1)), ("l", int(1)), ("reading", word("window"))]),
        ),
        ("variance-control", given(&[("variance", int(1))])),
    ] {
        let principle: Box<dyn Principle> = build(&context(&table), kind, &parameters);
        let kind = find(kind).expect("registered");
        assert_eq!(principle.merging(), kind.merging_with(&parameters), "{}", kind.name);
    }
}
