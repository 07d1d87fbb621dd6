//! Tests the certifier for classes that are identified only by numbers against plain rows.

mod common;

use indistinct_diagnostics::Coded;
use std::collections::BTreeMap;

use common::{
    PlainTable, class_of_counts, plain_table, require, required, row, table, to_requirement,
};
use indistinct_core::model::{InvalidTable, Population};
use indistinct_core::principle::{Context, ParameterValue, Parameters, find};
use indistinct_core::{
    Anatomy, AnatomyRelease, ClassColumn, FrequencyTable, InvalidRecoding, NotCertified, Others,
    Part, Policy, Rational, Requirement, SuppressionRule, TablesProblem, TwoTables,
    UnservedRequirement, anatomy_serves, certify_anatomy, check_rows,
};
use indistinct_testkit::principles::{RequiredPrinciple, Row, judge};
use proptest::prelude::*;

fn policy(requirements: Vec<Requirement>, limit: Rational) -> Policy {
    Policy {
        hierarchies: Vec::new(),
        requirements,
        suppression_limit: limit,
        suppressed: SuppressionRule::Dropped,
        published: ClassColumn::Absent,
    }
}

/// A table with one sensitive attribute and an arbitrary class for each row; rows without a class
/// are suppressed.
#[derive(Debug, Clone)]
struct Case {
    plain: PlainTable,
    place: Vec<Option<u32>>,
}

fn case() -> impl Strategy<Value = Case> {
    let place = prop::option::weighted(0.9, prop::sample::select(vec![3u32, 7, 8]));
    (plain_table(), prop::collection::vec(place, 25)).prop_map(|(mut plain, place)| {
        plain.n_sensitive = 1;
        plain.rows.iter_mut().for_each(|row| row.1.truncate(1));
        Case { plain, place }
    })
}

impl Case {
    fn recoding(&self, table: &FrequencyTable) -> Anatomy {
        let mut counts: BTreeMap<(u32, Option<u32>), u64> = BTreeMap::new();
        for (row, class) in self.plain.rows.iter().zip(&self.place) {
            let tuple = (0..table.n_tuples()).find(|&tuple| common::raw_row(table, tuple) == *row);
            *counts
                .entry((tuple.expect("the table contains the row") as u32, *class))
                .or_default() += 1;
        }
        Anatomy {
            parts: Some(
                counts.iter().map(|((tuple, _), &rows)| Part { tuple: *tuple, rows }).collect(),
            ),
            class_of: counts.keys().map(|(_, class)| class.unwrap_or(99)).collect(),
            suppressed: counts.keys().map(|(_, class)| class.is_none()).collect(),
        }
    }

    fn released(&self) -> impl Iterator<Item = (&Row, u32)> {
        self.plain.rows.iter().zip(&self.place).filter_map(|(row, class)| Some((row, (*class)?)))
    }

    /// Returns the rows with the class as their only label.
    fn by_class(&self) -> Vec<Row> {
        self.released().map(|(row, class)| (vec![class.to_string()], row.1.clone())).collect()
    }
}

fn on_sensitive_values() -> impl Strategy<Value = RequiredPrinciple> {
    let is_on_sensitive_values =
        |one: &RequiredPrinciple| !matches!(one, RequiredPrinciple::KAnonymity { .. });
    required(1).prop_filter("the principle concerns sensitive values", is_on_sensitive_values)
}

/// Returns the two tables of a release as they are read from files, with class numbers starting at
/// 1, in reverse order.
fn tables(release: &AnatomyRelease<'_>) -> (FrequencyTable, FrequencyTable) {
    let (rows, lines) = plain_tables(release);
    (table(&rows, rows.first().map_or(1, |row| row.0.len()), 0), table(&lines, 1, 2))
}

fn plain_tables(release: &AnatomyRelease<'_>) -> (Vec<Row>, Vec<Row>) {
    let (counted, n_classes) = (release.table(), release.n_classes() as u32);
    let mut rows: Vec<Row> = Vec::new();
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (tuple, &class) in release.class_of().iter().enumerate().filter(|one| *one.1 < n_classes) {
        let (mut raw, sensitive_value) = common::raw_row(counted, tuple);
        let number = (n_classes - class).to_string();
        raw.push(number.clone());
        rows.extend((0..counted.counts()[tuple]).map(|_| (raw.clone(), Vec::new())));
        *counts.entry((number, sensitive_value[0].clone())).or_default() += counted.counts()[tuple];
    }
    let line = |((class, value), count): ((String, String), u64)| {
        (vec![class], vec![value, count.to_string()])
    };
    (rows, counts.into_iter().map(line).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn anatomy_classes_are_evaluated_by_class_number(
        case in case(),
        wanted in prop::collection::vec(on_sensitive_values(), 1..3),
    ) {
        let table = case.plain.to_core();
        let policy = policy(wanted.iter().map(to_requirement).collect(), Rational::from_integer(1));
        let by_class = case.by_class();
        let judgment = judge(&by_class, &wanted);
        let holds = judgment.verdicts.iter().all(|verdict| verdict.holds);
        match certify_anatomy(&table, &policy, &case.recoding(&table)) {
            Err(NotCertified::Fails { n_failing_rows, .. }) => {
                let failing = judgment.verdicts.iter().find(|verdict| !verdict.holds);
                prop_assert_eq!(
                    failing.map(|verdict| verdict.n_failing_rows),
                    Some(n_failing_rows)
                );
            }
            Err(other) => panic!("{other}"),
            Ok(release) => {
                prop_assert!(holds);
                prop_assert_eq!(release.n_classes(), judgment.class_sizes.len() as u64);
                prop_assert_eq!(
                    release.n_suppressed(),
                    (case.plain.rows.len() - by_class.len()) as u64
                );
                let claims = release.claims();
                let sizes = claims.class_sizes.iter();
                let sizes: Vec<u64> =
                    sizes.flat_map(|(size, n)| vec![*size; *n as usize]).collect();
                prop_assert_eq!(&sizes, &judgment.class_sizes);
                let plain = common::table(&by_class, 1, 1);
                let of_rows = check_rows(&plain, &policy.requirements).claims;
                prop_assert_eq!(&of_rows.principles, &claims.principles);

                // The risk is that of people with the same original quasi-identifiers.
                let mut people: BTreeMap<&Vec<String>, u64> = BTreeMap::new();
                case.released().for_each(|(row, _)| *people.entry(&row.0).or_default() += 1);
                let worst = people.values().min().map(|n| 1.0 / *n as f64);
                prop_assert_eq!(claims.risk.prosecutor_max, worst);
                let mean = people.len() as f64 / by_class.len() as f64;
                prop_assert_eq!(claims.risk.marketer, worst.map(|_| mean));

                // For each row, the squared distance between the actual value and the distribution
                // in the tables.
                let error: f64 = by_class
                    .iter()
                    .map(|(class, sensitive_value)| {
                        let own: Vec<_> = by_class.iter().filter(|row| row.0 == *class).collect();
                        let values: std::collections::BTreeSet<_> =
                            own.iter().map(|row| &row.1).collect();
                        let distance = |value: &Vec<String>| {
                            let n = own.iter().filter(|row| row.1 == *value).count();
                            (n as f64 / own.len() as f64
                                - f64::from(u8::from(value == sensitive_value)))
                            .powi(2)
                        };
                        values.into_iter().map(distance).sum::<f64>()
                    })
                    .sum();
                prop_assert!((release.reconstruction_error() - error).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn joined_tables_match_certified_claims(
        case in case(),
        wanted in prop::collection::vec(on_sensitive_values(), 0..3),
    ) {
        let counted = case.plain.to_core();
        let recoding = case.recoding(&counted);
        let release =
            certify_anatomy(&counted, &policy(Vec::new(), Rational::from_integer(1)), &recoding)
                .expect("a policy without principles accepts any recoding");
        let (rows, lines) = tables(&release);
        let joined = TwoTables::join(&rows, &lines, "s0").expect(
            "the tables belong to the same \
                                                                      release",
        );
        let requirements: Vec<Requirement> = wanted.iter().map(to_requirement).collect();
        let read = joined.check(&requirements).claims;
        prop_assert_eq!(joined.reconstruction_error(), release.reconstruction_error());
        let verdicts = judge(&case.by_class(), &wanted).verdicts;
        let holds = |verdict: &indistinct_testkit::principles::OracleVerdict| verdict.holds;
        prop_assert!(
            read.principles.iter().map(|claim| claim.holds).eq(verdicts.iter().map(holds))
        );
        let without = indistinct_core::Claims { principles: Vec::new(), ..read };
        prop_assert_eq!(&without, release.claims());
    }

    /// Moving one row in one of the tables is detected.
    #[test]
    fn moved_row_is_detected(
        case in case(),
        at in any::<prop::sample::Index>(),
        moved in any::<bool>(),
    ) {
        let counted = case.plain.to_core();
        let recoding = case.recoding(&counted);
        let release =
            certify_anatomy(&counted, &policy(Vec::new(), Rational::from_integer(1)), &recoding)
                .expect("a policy without principles accepts any recoding");
        prop_assume!(release.n_classes() > 1);
        let (mut rows, mut lines) = plain_tables(&release);
        if moved {
            let row = at.index(rows.len());
            let class = rows[row].0.last_mut().expect("a class");
            *class = if class == "1" { "2".to_owned() } else { "1".to_owned() };
        } else {
            let line = at.index(lines.len());
            let count: u64 = lines[line].1[1].parse().expect("a count");
            lines[line].1[1] = (count + 1).to_string();
        }
        let rows = table(&rows, case.plain.hierarchies.len() + 1, 0);
        prop_assert!(TwoTables::join(&rows, &table(&lines, 1, 2), "s0").is_err());
    }
}

fn join(rows: &[(&str, &str)], lines: &[(&str, &str, &str)]) -> Result<TwoTables, TablesProblem> {
    let rows: Vec<Row> = rows.iter().map(|(raw, class)| row(&[raw, class], &[])).collect();
    let line = |(class, value, count): &(&str, &str, &str)| row(&[class], &[value, count]);
    let lines: Vec<Row> = lines.iter().map(line).collect();
    TwoTables::join(&table(&rows, 2, 0), &table(&lines, 1, 2), "s0")
}

#[test]
fn mismatched_tables_report_distinct_problems() {
    let rows = [("a", "1"), ("b", "1"), ("a", "2")];
    let lines = [("1", "x", "1"), ("1", "y", "1"), ("2", "x", "1")];
    assert!(join(&rows, &lines).is_ok());
    let problem =
        |rows: &[_], lines: &[_]| join(rows, lines).expect_err("the tables do not belong together");
    let table = "quasi_identifiers";
    assert_eq!(
        problem(&[("a", "1"), ("b", "1"), ("a", "3")], &lines),
        TablesProblem::Numbers { table, n_classes: 2 }
    );
    assert_eq!(
        problem(&rows, &[("1", "x", "1"), ("1", "y", "1"), ("02", "x", "1")]),
        TablesProblem::Numbers { table: "sensitive", n_classes: 2 }
    );
    assert_eq!(
        problem(&rows, &lines[..2]),
        TablesProblem::Classes { quasi_identifiers: 2, sensitive: 1 }
    );
    for wrong in ["0", "-1", "1.0", "", "two", "+1"] {
        let lines = [("1", "x", "1"), ("1", "y", "1"), ("2", "x", wrong)];
        assert_eq!(problem(&rows, &lines), TablesProblem::Counts { n_lines: 1 }, "{wrong}");
    }
    let twice = [("1", "x", "1"), ("1", "x", "1"), ("2", "x", "1")];
    assert_eq!(problem(&rows, &twice), TablesProblem::Repeated { n_lines: 1 });
    let twice = [("1", "x", "1"), ("1", "x", "2"), ("2", "x", "1")];
    assert_eq!(problem(&rows, &twice), TablesProblem::Repeated { n_lines: 1 });
    assert_eq!(problem(&rows[1..], &lines), TablesProblem::Rows { n_classes: 1 });
    let more = [rows[0], rows[1], rows[2], ("c", "2")];
    assert_eq!(problem(&more, &lines), TablesProblem::Rows { n_classes: 1 });
    let three = FrequencyTable::new(Vec::new(), Vec::new(), vec![1]).expect("the table is valid");
    assert_eq!(
        TwoTables::join(&three, &three, "s0").expect_err("the tables have no class column").code(),
        "E-ANATOMY-011"
    );
}

#[test]
fn unfit_anatomy_recodings_are_rejected() {
    let rows = [class_of_counts("a", &[2, 1]), class_of_counts("b", &[1, 1])].concat();
    let counted = table(&rows, 1, 1);
    let strict = policy(
        vec![require("distinct-l-diversity", Some(0), &[("l", Rational::from_integer(2))])],
        Rational::new(1, 5),
    );
    let whole = |class_of: &[u32], suppressed: &[bool]| {
        let recoding =
            Anatomy { parts: None, class_of: class_of.to_vec(), suppressed: suppressed.to_vec() };
        certify_anatomy(&counted, &strict, &recoding).map(|release| release.n_classes())
    };
    let none = [false; 4];
    assert_eq!(whole(&[5, 5, 9, 9], &none), Ok(2));
    assert_eq!(
        whole(&[5, 5, 9, 9], &[false, false, false, true]).map_err(|e| e.to_string()),
        Err("distinct-l-diversity does not hold in 1 class with 1 row".to_owned())
    );
    let refused = |e: NotCertified| Err(e);
    assert_eq!(
        whole(&[5, 5, 5, 5], &[true, false, false, false]),
        refused(NotCertified::TooManySuppressed { n_suppressed: 2, n_rows: 5 })
    );
    let length =
        |what, got| NotCertified::Invalid(InvalidRecoding::Length { what, got, expected: 4 });
    assert_eq!(whole(&[0; 3], &none), refused(length("class numbers", 3)));
    assert_eq!(whole(&[0; 4], &none[1..]), refused(length("suppression marks", 3)));
    let lost = Anatomy {
        parts: Some((0..4).map(|tuple| Part { tuple, rows: 1 }).collect()),
        class_of: vec![0; 4],
        suppressed: none.to_vec(),
    };
    let problem = InvalidTable::Parts { tuple: 0, got: 1, expected: 2 };
    assert_eq!(
        certify_anatomy(&counted, &strict, &lost).map(|release| release.n_classes()),
        refused(NotCertified::Invalid(InvalidRecoding::Parts(problem)))
    );
}

#[test]
fn anatomy_rejects_principles_on_quasi_identifiers() {
    let rows = [class_of_counts("a", &[2, 1]), class_of_counts("b", &[1, 1])].concat();
    let counted = table(&rows, 1, 1);
    let served = |requirement: Requirement| {
        // The check of a policy file without a table must agree with the certifier.
        let kind = find(requirement.kind).expect("the registry contains this name");
        let without_table =
            UnservedRequirement::of_kind(kind, &requirement.parameters, requirement.others);
        let served =
            anatomy_serves(&counted, &policy(vec![requirement], Rational::from_integer(0)));
        assert_eq!(without_table, served);
        served
    };
    let number = |n: i128| Rational::from_integer(n);
    let kind = "k-anonymity";
    for k in 1..3 {
        let required = served(require(kind, None, &[("k", number(k))]));
        assert_eq!(required, Err(UnservedRequirement::Identity { kind }));
    }
    let kind = "alpha-k-anonymity";
    let alpha_k = |k| require(kind, Some(0), &[("alpha", number(1)), ("k", number(k))]);
    assert_eq!(served(alpha_k(1)), Ok(()));
    assert_eq!(served(alpha_k(2)), Err(UnservedRequirement::Identity { kind }));
    let kind = "frequency-l-diversity";
    let mut frequency = require(kind, Some(0), &[("l", number(3))]);
    frequency.others = Others::QuasiIdentifier;
    assert_eq!(served(frequency), Err(UnservedRequirement::Others { kind }));

    let kind = find("delta-presence").expect("the registry contains this name");
    let (joined, population) =
        Population::join(&counted, &counted).expect("the population contains the table");
    let numbers = [("min", 0), ("max", 1)]
        .map(|(name, n)| (name.to_owned(), ParameterValue::Number(number(n))));
    let file = ("population".to_owned(), ParameterValue::Text("people.csv".to_owned()));
    let parameters = Parameters(numbers.into_iter().chain([file]).collect());
    let context = Context { population: Some(population.into()), ..Context::new(&joined, None) };
    let presence = Requirement::new(kind, &context, parameters, Others::Ignored);
    let presence = presence.expect("the parameters are valid");
    assert_eq!(served(presence), Err(UnservedRequirement::Presence { kind: "delta-presence" }));

    let mut starred = policy(Vec::new(), Rational::from_integer(0));
    starred.suppressed = SuppressionRule::Starred;
    assert_eq!(anatomy_serves(&counted, &starred), Err(UnservedRequirement::Starred));
    let plain = policy(Vec::new(), Rational::from_integer(0));
    for got in [0, 2] {
        let other = table(&[], 1, got);
        let required = anatomy_serves(&other, &plain);
        assert_eq!(required, Err(UnservedRequirement::SensitiveAttributes { got }));
    }
}
