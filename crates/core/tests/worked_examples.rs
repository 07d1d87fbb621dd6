//! The tables and numbers in the papers, the readings at boundaries, and the published test
//! vectors.

mod common;

use common::{PlainHierarchy, PlainTable, class_of_counts, recoding, require, row, table};
use indistinct_core::recoding::Requirement;
use indistinct_core::{
    Claims, Figure, Policy, Rational, SuppressionRule, certify, check_rows, parse_decimal,
};
use indistinct_testkit::principles::Row;
use indistinct_testkit::vectors::{self, Vector};

fn claims(rows: &[Row], requirement: Requirement) -> Claims {
    let n_quasi_identifiers = rows.first().map_or(1, |row| row.0.len());
    let n_sensitive = rows.first().map_or(1, |row| row.1.len());
    check_rows(&table(rows, n_quasi_identifiers, n_sensitive), &[requirement]).claims
}

fn holds(rows: &[Row], requirement: Requirement) -> bool {
    claims(rows, requirement).principles[0].holds
}

/// Returns the level that the table reaches, or `None` if no parameter is sufficient.
fn reached(rows: &[Row], requirement: Requirement) -> Option<f64> {
    let reached =
        claims(rows, requirement).principles.remove(0).reached.expect("the table is not empty");
    match reached.into_values().next().expect("one bound") {
        None => None,
        Some(Figure::Count(count)) => Some(count as f64),
        Some(Figure::Real(real)) => Some(real),
        Some(other) => panic!("expected a number, got {other:?}"),
    }
}

fn number(text: &str) -> Rational {
    parse_decimal(text).expect("the text is a decimal number")
}

fn k(k: i128) -> Requirement {
    require("k-anonymity", None, &[("k", Rational::from_integer(k))])
}

fn l(kind: &str, l: &str) -> Requirement {
    require(kind, Some(0), &[("l", number(l))])
}

fn recursive(c: &str, l: &str) -> Requirement {
    require("recursive-diversity", Some(0), &[("c", number(c)), ("l", number(l))])
}

const ENTROPY: &str = "entropy-l-diversity";
const DISTINCT: &str = "distinct-l-diversity";

/// l-diversity, TKDD 2007, Figure 1: zip code, age, nationality; condition.
fn figure_1() -> Vec<Row> {
    [
        ("13053", "28", "Russian", "Heart Disease"),
        ("13068", "29", "American", "Heart Disease"),
        ("13068", "21", "Japanese", "Viral Infection"),
        ("13053", "23", "American", "Viral Infection"),
        ("14853", "50", "Indian", "Cancer"),
        ("14853", "55", "Russian", "Heart Disease"),
        ("14850", "47", "American", "Viral Infection"),
        ("14850", "49", "American", "Viral Infection"),
        ("13053", "31", "American", "Cancer"),
        ("13053", "37", "Indian", "Cancer"),
        ("13068", "36", "Japanese", "Cancer"),
        ("13068", "35", "American", "Cancer"),
    ]
    .map(|(zip, age, nationality, condition)| row(&[zip, age, nationality], &[condition]))
    .into()
}

/// Generalizes Figure 1 by one step, with the given labels for zip codes and ages and `*` for
/// nationality.
fn generalized(zip: fn(&str) -> &str, age: fn(u32) -> &'static str) -> (PlainTable, Vec<usize>) {
    let rows = figure_1();
    let listed = |at: usize, label: &dyn Fn(&str) -> String| {
        let mut values: Vec<String> = rows.iter().map(|row| row.0[at].clone()).collect();
        values.sort();
        values.dedup();
        let values = values.into_iter().map(|v| (v.clone(), label(&v))).collect();
        PlainHierarchy { values }
    };
    let hierarchies = vec![
        listed(0, &|v| zip(v).to_owned()),
        listed(1, &|v| age(v.parse().expect("all ages are numbers")).to_owned()),
        listed(2, &|v| v.to_owned()),
    ];
    (PlainTable { rows, hierarchies, n_sensitive: 1 }, vec![1, 1, 2])
}

fn released(table: &PlainTable, levels: &[usize]) -> Vec<Row> {
    table.rows.iter().map(|row| (table.labels(row, levels), row.1.clone())).collect()
}

fn figure_2() -> (PlainTable, Vec<usize>) {
    generalized(
        |zip| if zip.starts_with("130") { "130**" } else { "1485*" },
        |age| match age {
            0..30 => "< 30",
            30..40 => "3*",
            _ => ">= 40",
        },
    )
}

fn figure_4() -> (PlainTable, Vec<usize>) {
    generalized(
        |zip| match &zip[..4] {
            "1305" => "1305*",
            "1306" => "1306*",
            _ => "1485*",
        },
        |age| if age <= 40 { "<= 40" } else { "> 40" },
    )
}

#[test]
fn figure_1_has_only_unique_rows() {
    let claims = claims(&figure_1(), k(2));
    assert_eq!(claims.n_classes, 12);
    assert_eq!(claims.smallest_class, Some(1));
    assert_eq!(claims.risk.unique_fraction, Some(1.0));
    assert!(!claims.principles[0].holds);
}

#[test]
fn figure_2_is_4_anonymous_with_homogeneous_class() {
    let (table, levels) = figure_2();
    let rows = released(&table, &levels);
    assert!(holds(&rows, k(4)) && !holds(&rows, k(5)));
    assert_eq!(reached(&rows, k(1)), Some(4.0));
    let diversity = claims(&rows, l(DISTINCT, "2")).principles.remove(0);
    assert!(!diversity.holds);
    assert_eq!((diversity.n_failing_classes, diversity.n_failing_rows), (1, 4));
    assert_eq!(reached(&rows, l(ENTROPY, "1")), Some(1.0));
    assert_eq!(reached(&rows, recursive("3", "2")), None);
}

#[test]
fn figure_4_reaches_entropy_l_2_828() {
    let (table, levels) = figure_4();
    let rows = released(&table, &levels);
    assert!(holds(&rows, k(4)) && holds(&rows, l(DISTINCT, "3")));
    let entropy = reached(&rows, l(ENTROPY, "2")).expect("the table reaches a finite level");
    assert!((entropy - 8f64.sqrt()).abs() < 1e-12, "{entropy}");
    assert!(holds(&rows, l(ENTROPY, "2.8284")) && !holds(&rows, l(ENTROPY, "2.8285")));
    // The counts are 2, 1, 1: the most frequent value occurs twice as often as the third value.
    assert_eq!(reached(&rows, recursive("1", "3")), Some(2.0));
}

#[test]
fn figures_2_and_4_follow_from_figure_1() {
    for ((plain, levels), reaches_diversity) in [(figure_2(), false), (figure_4(), true)] {
        let core_table = plain.to_core();
        let mut policy = Policy {
            hierarchies: plain.core_hierarchies(&core_table),
            requirements: vec![k(4)],
            suppression_limit: number("0"),
            suppressed: SuppressionRule::Dropped,
            published: indistinct_core::ClassColumn::Absent,
        };
        let proposal = recoding(&levels, vec![false; core_table.n_tuples()]);
        let release =
            certify(&core_table, &policy, &proposal).expect("both releases are 4-anonymous");
        assert_eq!(release.claims().class_sizes, [(4, 3)].into());
        policy.requirements.push(l(ENTROPY, "2.8284"));
        assert_eq!(certify(&core_table, &policy, &proposal).is_ok(), reaches_diversity);
    }
}

#[test]
fn reading_b_1_recursive_comparison_is_strict() {
    let rows = class_of_counts("q", &[2, 1, 1]);
    assert!(!holds(&rows, recursive("2", "3")) && holds(&rows, recursive("2.000001", "3")));
    let rows = class_of_counts("q", &[9, 1]);
    assert!(!holds(&rows, recursive("9", "2")) && holds(&rows, recursive("9.000001", "2")));
    assert_eq!(reached(&rows, recursive("1", "2")), Some(9.0));
}

#[test]
fn reading_b_10_degenerate_l() {
    let rows = class_of_counts("q", &[5]);
    assert!(holds(&rows, recursive("0.1", "1")));
    assert_eq!(reached(&rows, recursive("0.1", "1")), Some(0.0));
    assert!(!holds(&rows, recursive("1000000", "2")));
    assert_eq!(reached(&rows, recursive("1000000", "2")), None);
}

#[test]
fn reading_b_11_uniform_classes_are_entropy_diverse() {
    for n_values in 2..=10u64 {
        for n_rows_a_value in 1..=30 {
            let rows = class_of_counts("q", &vec![n_rows_a_value; n_values as usize]);
            let required = n_values.to_string();
            assert!(holds(&rows, l(ENTROPY, &required)), "{n_values} x {n_rows_a_value}");
            assert!(!holds(&rows, l(ENTROPY, &format!("{required}.000000000001"))));
        }
    }
}

#[test]
fn entropy_detects_one_row_off_boundary() {
    // With one additional row of one value, the class is not uniform, regardless of its size.
    let rows = class_of_counts("q", &[1000, 1000, 1000, 1001]);
    assert!(!holds(&rows, l(ENTROPY, "4")));
    // The class reaches 3.999999625: the entropy is lower by half the chi-squared distance, 0.75 *
    // 4 / 4001^2 / 2.
    assert!(!holds(&rows, l(ENTROPY, "3.9999997")) && holds(&rows, l(ENTROPY, "3.9999996")));
}

#[test]
fn worst_class_determines_result() {
    let rows = [class_of_counts("a", &[3, 1]), class_of_counts("b", &[1, 1, 1, 1])].concat();
    assert_eq!(reached(&rows, recursive("1", "2")), Some(3.0));
    assert!(!holds(&rows, recursive("3", "2")) && holds(&rows, recursive("3.0001", "2")));
    assert_eq!(reached(&rows, l("frequency-l-diversity", "1")), Some(4.0 / 3.0));
    let rows = class_of_counts("a", &[3, 1]);
    let entropy = reached(&rows, l(ENTROPY, "1")).expect("the table reaches a finite level");
    assert!((entropy - 1.754_765_350_6).abs() < 1e-9, "{entropy}");
}

#[test]
fn frequency_thresholds_are_exact() {
    // For 3 of 10 rows, 1/l = 0.3 is met with l = 10/3, which is not a decimal number; 3.3333333333
    // is below it, and 3.3333333334 above it.
    let rows = class_of_counts("q", &[3, 3, 3, 1]);
    assert!(holds(&rows, l("frequency-l-diversity", "3.3333333333")));
    assert!(!holds(&rows, l("frequency-l-diversity", "3.3333333334")));
    assert!(holds(&class_of_counts("q", &[1; 10]), l("frequency-l-diversity", "10")));
}

#[test]
fn missing_value_is_distinct_value() {
    let rows = [row(&["", "x"], &["1"]), row(&["", "x"], &[""]), row(&["a", "x"], &["1"])];
    let claims = claims(&rows, l(DISTINCT, "2"));
    assert_eq!(claims.class_sizes, [(1, 1), (2, 1)].into());
    // The class of the missing value has the values 1 and missing; the other class has one value.
    assert_eq!(claims.principles[0].n_failing_rows, 1);
}

#[test]
fn empty_table_satisfies_all_principles() {
    for requirement in [k(5), l(ENTROPY, "4"), recursive("1", "3")] {
        let claim = claims(&[], requirement).principles.remove(0);
        assert!(claim.holds);
        assert_eq!((claim.reached, claim.worst_class_size), (None, None));
    }
}

/// Returns the rows of each class, in the order of their first rows.
fn classes(rows: &[Row]) -> Vec<Vec<Row>> {
    let mut classes: Vec<Vec<Row>> = Vec::new();
    for row in rows {
        match classes.iter_mut().find(|class| class[0].0 == row.0) {
            Some(class) => class.push(row.clone()),
            None => classes.push(vec![row.clone()]),
        }
    }
    classes
}

/// Returns the requirement of a test vector on the first sensitive attribute, if it is one of the
/// five kinds.
fn requirement_of(vector: &Vector) -> Option<Requirement> {
    let text = |name: &str| vector.params[name].to_string();
    match vector.params["criterion"].as_str()? {
        "distinct" => Some(l(DISTINCT, &text("l"))),
        "frequency" => Some(l("frequency-l-diversity", &text("l"))),
        "entropy" => Some(l(ENTROPY, &text("l"))),
        "recursive" => Some(recursive(&text("c"), &text("l"))),
        _ => None,
    }
}

fn check(vector: &Vector) -> bool {
    let Some(requirement) = requirement_of(vector) else { return false };
    let id = &vector.id;
    assert_eq!(
        Some(holds(&vector.rows, requirement)),
        vector.expect["satisfied"].as_bool(),
        "{id}"
    );
    let classes = classes(&vector.rows);
    let expected = vector.expect["classes"].as_array().expect("the expected classes are a list");
    assert_eq!(classes.len(), expected.len(), "{id}");
    for (class, expected) in classes.iter().zip(expected) {
        assert_eq!(Some(class.len() as u64), expected["size"].as_u64(), "{id}");
        let requirement = requirement_of(vector).expect("the vector has a requirement of the list");
        assert_eq!(Some(holds(class, requirement)), expected["satisfied"].as_bool(), "{id}");
    }
    true
}

fn measure(vector: &Vector) -> bool {
    let rank = vector.params["l"].to_string();
    let measures = [
        ("distinct", l(DISTINCT, "1")),
        ("frequency_l", l("frequency-l-diversity", "1")),
        ("entropy_l", l(ENTROPY, "1")),
        ("recursive_min_c", recursive("1", &rank)),
    ];
    let classes = classes(&vector.rows);
    let expected = vector.expect["classes"].as_array().expect("the expected classes are a list");
    assert_eq!(classes.len(), expected.len());
    for (name, requirement) in &measures {
        let level = |rows: &[Row]| {
            let parameters: Vec<(&str, Rational)> = requirement
                .parameters
                .0
                .iter()
                .map(|(name, value)| match value {
                    indistinct_core::principle::ParameterValue::Number(number) => {
                        (name.as_str(), *number)
                    }
                    other => panic!("expected a number, got {other}"),
                })
                .collect();
            reached(rows, require(requirement.kind, Some(0), &parameters))
        };
        for (class, expected) in classes.iter().zip(expected) {
            match (level(class), expected[name].as_f64()) {
                (Some(got), Some(expected)) => {
                    assert!(vector.agrees(got, expected), "{} {name}: {got}", vector.id);
                }
                (got, expected) => assert_eq!(got, expected, "{} {name}", vector.id),
            }
        }
        if let Some(expected) = vector.expect["table"][name].as_f64() {
            let got = level(&vector.rows).expect("the table reaches a finite level");
            assert!(vector.agrees(got, expected), "{} {name}: {got}", vector.id);
        }
    }
    true
}

/// Checks each sensitive attribute, with the other sensitive attributes as quasi-identifiers.
fn multi(vector: &Vector) -> bool {
    let n_sensitive = vector.rows.first().map_or(0, |row| row.1.len());
    let of_attribute = |at: usize| {
        let rows: Vec<Row> = vector
            .rows
            .iter()
            .map(|(labels, values)| {
                let mut labels = labels.clone();
                let mut values = values.clone();
                let value = values.remove(at);
                labels.append(&mut values);
                (labels, vec![value])
            })
            .collect();
        requirement_of(vector).map(|requirement| holds(&rows, requirement))
    };
    let verdicts: Option<Vec<bool>> = (0..n_sensitive).map(of_attribute).collect();
    let Some(verdicts) = verdicts else { return false };
    let satisfied = verdicts.iter().all(|holds| *holds);
    assert_eq!(Some(satisfied), vector.expect["satisfied"].as_bool(), "{}", vector.id);
    true
}

/// Tests all vectors of the family for these principles; other tests use the remaining vectors.
#[test]
fn published_vectors_match_certifier() {
    let (mut n_checked, mut n_measured, mut n_multi) = (0, 0, 0);
    for vector in vectors::ldiv() {
        match vector.op.as_str() {
            "ldiv.check" => n_checked += u32::from(check(&vector)),
            "ldiv.measure" => n_measured += u32::from(measure(&vector)),
            "ldiv.multi" => n_multi += u32::from(multi(&vector)),
            _ => {}
        }
    }
    assert_eq!((n_checked, n_measured, n_multi), (24, 6, 5));
}
