//! Tests the principles and the certifier against the naive oracles of the test kit on random
//! tables.

mod common;
#[path = "support/people.rs"]
mod people;

use std::cell::Cell;

use common::{PlainTable, class_of_counts, plain_table, raw_row, recoding, required, table};
use indistinct_core::model::{Order, from_ratio};
use indistinct_core::principle::{self, Merging, Quantity};
use indistinct_core::recoding::Requirement;
use indistinct_core::{
    Claims, ClassView, Figure, Histogram, Level, NotCertified, Partition, Policy, Rational, STAR,
    SuppressionRule, certify, check_rows, claims_of,
};
use indistinct_testkit::principles::{
    self as oracle, Judgment, ReachedLevel, RequiredPrinciple, Row,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Creates a runner that always generates the same cases.
fn runner(cases: u32) -> TestRunner {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::with_cases(cases) }, rng)
}

/// The rows that a proposal suppresses.
#[derive(Debug, Clone)]
enum Suppress {
    Nobody,
    /// The rows of failing classes, as in a search.
    Failing,
    /// Arbitrary tuples, as a bit set.
    Some(u64),
}

#[derive(Debug, Clone)]
struct Case {
    table: PlainTable,
    levels: Vec<usize>,
    required: Vec<RequiredPrinciple>,
    suppress: Suppress,
    suppressed: SuppressionRule,
    limit: (u64, u64),
}

fn case() -> impl Strategy<Value = Case> {
    let suppress = prop_oneof![
        Just(Suppress::Nobody),
        Just(Suppress::Failing),
        any::<u64>().prop_map(Suppress::Some),
    ];
    let suppressed = prop_oneof![Just(SuppressionRule::Dropped), Just(SuppressionRule::Starred)];
    let limit = prop::sample::select(vec![(0, 1), (1, 10), (1, 4), (1, 2), (1, 1)]);
    plain_table().prop_flat_map(move |table| {
        let levels = prop::collection::vec(0..common::N_LEVELS, table.hierarchies.len());
        let required = prop::collection::vec(required(table.n_sensitive), 0..4);
        (Just(table), levels, required, suppress.clone(), suppressed.clone(), limit.clone())
            .prop_map(|(table, levels, required, suppress, suppressed, limit)| Case {
                table,
                levels,
                required,
                suppress,
                suppressed,
                limit,
            })
    })
}

impl Case {
    fn generalized(&self) -> Vec<Row> {
        let rows = self.table.rows.iter();
        rows.map(|row| (self.table.labels(row, &self.levels), row.1.clone())).collect()
    }

    /// Returns, for each tuple of the core's table, whether it is suppressed.
    fn marks(&self, raw: &[Row]) -> Vec<bool> {
        let judgment = oracle::judge(&self.generalized(), &self.required);
        let fails = |tuple: &Row| {
            let at = self.table.rows.iter().position(|row| row == tuple);
            !judgment.row_holds[at.expect("each tuple corresponds to a row")]
        };
        match self.suppress {
            Suppress::Nobody => vec![false; raw.len()],
            Suppress::Failing => raw.iter().map(fails).collect(),
            Suppress::Some(bits) => (0..raw.len()).map(|at| bits >> (at % 64) & 1 == 1).collect(),
        }
    }

    /// Returns the rows that would be released.
    fn released(&self, is_suppressed: impl Fn(&Row) -> bool) -> Vec<Row> {
        let mut released = Vec::new();
        for (raw, generalized) in self.table.rows.iter().zip(self.generalized()) {
            match (is_suppressed(raw), self.suppressed) {
                (false, _) => released.push(generalized),
                (true, SuppressionRule::Dropped) => {}
                (true, SuppressionRule::Starred | SuppressionRule::Cells) => {
                    released.push((vec![STAR.to_owned(); raw.0.len()], raw.1.clone()));
                }
            }
        }
        released
    }
}

fn agrees(claims: &Claims, judgment: &Judgment) -> Result<(), TestCaseError> {
    let sizes = &judgment.class_sizes;
    prop_assert_eq!(claims.n_released, sizes.iter().sum::<u64>());
    prop_assert_eq!(claims.n_classes, sizes.len() as u64);
    prop_assert_eq!(claims.smallest_class, sizes.first().copied());
    let listed = claims.class_sizes.iter().flat_map(|(&size, &n)| vec![size; n as usize]);
    prop_assert_eq!(&listed.collect::<Vec<_>>(), sizes);
    prop_assert_eq!(claims.principles.len(), judgment.verdicts.len());
    for (claim, verdict) in claims.principles.iter().zip(&judgment.verdicts) {
        prop_assert_eq!(claim.holds, verdict.holds, "{}", claim.kind);
        prop_assert_eq!(claim.n_failing_classes, verdict.n_failing_classes);
        prop_assert_eq!(claim.n_failing_rows, verdict.n_failing_rows);
        let figures: Option<Vec<_>> =
            claim.reached.as_ref().map(|reached| reached.values().cloned().collect());
        let reached = match figures.as_deref() {
            None => ReachedLevel::Empty,
            Some([None]) => ReachedLevel::Nothing,
            Some([Some(Figure::Count(count))]) => ReachedLevel::Value(*count as f64),
            Some([Some(Figure::Real(real))]) => ReachedLevel::Value(*real),
            other => panic!("expected one figure, got {other:?}"),
        };
        match (reached, verdict.reached) {
            (ReachedLevel::Value(a), ReachedLevel::Value(b)) => {
                prop_assert!((a - b).abs() < 1e-9 * b.max(1.0), "{}: {a} {b}", claim.kind);
            }
            (a, b) => prop_assert_eq!(a, b, "{}", claim.kind),
        }
    }
    Ok(())
}

/// The result of the certifier for a recoding equals the result for plain rows.
#[test]
fn certifier_matches_plain_rows() {
    let (released, failing, too_many) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let count = |counter: &Cell<u32>| counter.set(counter.get() + 1);
    let check = |case: Case| {
        let core_table = case.table.to_core();
        let policy = Policy {
            hierarchies: case.table.core_hierarchies(&core_table),
            requirements: case.required.iter().map(common::to_requirement).collect(),
            suppression_limit: from_ratio(case.limit.0, case.limit.1),
            suppressed: case.suppressed,
            published: indistinct_core::ClassColumn::Absent,
        };
        let raw: Vec<Row> =
            (0..core_table.n_tuples()).map(|tuple| raw_row(&core_table, tuple)).collect();
        let marks = case.marks(&raw);
        let is_suppressed = |row: &Row| {
            marks[raw.iter().position(|tuple| tuple == row).expect("the table contains the row")]
        };
        let n_suppressed = case.table.rows.iter().filter(|row| is_suppressed(row)).count() as u64;
        let rows = case.released(is_suppressed);
        let judgment = oracle::judge(&rows, &case.required);

        let proposal = recoding(&case.levels, marks.clone());
        let partition = Partition::new(&core_table, &policy, &proposal)
            .expect("the recoding matches the table");
        let claims = claims_of(&core_table, &partition, &policy.requirements).claims;
        agrees(&claims, &judgment)?;

        // The claims that `verify` computes from the released rows equal the claims of the
        // certifier.
        let read_back = table(&rows, case.table.hierarchies.len(), case.table.n_sensitive);
        prop_assert_eq!(&check_rows(&read_back, &policy.requirements).claims, &claims);

        let n_rows = case.table.rows.len() as u64;
        let allowed = n_suppressed * case.limit.1 <= case.limit.0 * n_rows;
        let first_failing = judgment.verdicts.iter().position(|verdict| !verdict.holds);
        match (certify(&core_table, &policy, &proposal), allowed, first_failing) {
            (Err(NotCertified::TooManySuppressed { n_suppressed: n, n_rows: of }), false, _) => {
                prop_assert_eq!((n, of), (n_suppressed, n_rows));
                count(&too_many);
            }
            (
                Err(NotCertified::Fails { kind, n_failing_classes, n_failing_rows }),
                true,
                Some(at),
            ) => {
                let verdict = &judgment.verdicts[at];
                prop_assert_eq!(&kind, policy.requirements[at].kind);
                prop_assert_eq!(n_failing_classes, verdict.n_failing_classes);
                prop_assert_eq!(n_failing_rows, verdict.n_failing_rows);
                count(&failing);
            }
            (Ok(release), true, None) => {
                prop_assert_eq!(release.claims(), &claims);
                prop_assert_eq!(release.n_suppressed(), n_suppressed);
                count(&released);
            }
            (outcome, _, _) => {
                prop_assert!(
                    false,
                    "unexpected outcome {outcome:?}, allowed {allowed}, failing {first_failing:?}"
                );
            }
        }
        Ok(())
    };
    runner(6_000).run(&case(), check).unwrap();
    for (counter, what) in [(released, "released"), (failing, "failing"), (too_many, "too many")] {
        assert!(counter.get() > 400, "only {} of the cases were {what}", counter.get());
    }
}

fn counts() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(prop_oneof![0..4u64, 0..30u64], 1..7)
}

fn judged(requirement: &Requirement, counts: &[u64]) -> (Level, bool) {
    let entries: Vec<(u32, u64)> =
        (0..).zip(counts.iter().copied()).filter(|entry| entry.1 > 0).collect();
    let values = (0..counts.len()).map(|at| format!("v{at}")).collect();
    let (dictionary, _) = indistinct_core::Dictionary::from_distinct(values);
    assert_eq!(dictionary.order(), Order::Text);
    let histograms = [Histogram { entries: &entries, dictionary: &dictionary }];
    let class = ClassView::new(counts.iter().sum(), &histograms);
    let level = requirement.principle.of_class(&class);
    (level, level.meets(requirement.principle.bounds()))
}

#[test]
fn principles_match_oracles_on_one_class() {
    let held = Cell::new(0);
    runner(20_000)
        .run(&(counts(), required(1)), |(counts, required)| {
            prop_assume!(counts.iter().sum::<u64>() > 0);
            let requirement = common::to_requirement(&required);
            let occurring: Vec<u64> = counts.iter().copied().filter(|n| *n > 0).collect();
            let (_, holds) = judged(&requirement, &counts);
            prop_assert_eq!(holds, required.holds(&occurring));
            if holds {
                held.set(held.get() + 1);
                let size = counts.iter().sum::<u64>();
                prop_assert!(requirement.principle.smallest_size() <= size);
            }
            Ok(())
        })
        .unwrap();
    assert!((2_000..18_000).contains(&held.get()), "{} held", held.get());
}

/// Returns the strictest requirement of a kind that a class with these counts meets.
///
/// Every kind that merging keeps must be listed here with the threshold for its level; otherwise,
/// the test fails.
fn strictest(kind: &str, counts: &[u64], rank: u64) -> Option<Requirement> {
    let one = Rational::from_integer(1);
    let rank = Rational::from_integer(rank.into());
    let with = |threshold: Rational| match kind {
        "k-anonymity" => common::require(kind, None, &[("k", threshold)]),
        "recursive-diversity" => common::require(kind, Some(0), &[("c", threshold), ("l", rank)]),
        "distinct-l-diversity" | "frequency-l-diversity" | "entropy-l-diversity" => {
            common::require(kind, Some(0), &[("l", threshold)])
        }
        _ => panic!("no threshold is defined for {kind}"),
    };
    let (Level::One(reached), _) = judged(&with(one), counts) else {
        panic!("{kind} should have one bound");
    };
    let threshold = match reached {
        Quantity::Count(count) => Rational::from_integer(count.into()),
        // The requirement must exceed the level, so a small number is added.
        Quantity::Ratio { numerator, denominator } if kind == "recursive-diversity" => {
            from_ratio(numerator, denominator) + Rational::new(1, 1_000_000)
        }
        Quantity::Ratio { numerator, denominator } => from_ratio(numerator, denominator),
        Quantity::Real { value, .. } => Rational::new((value * 1e6).floor() as i128, 1_000_000),
        Quantity::Exact(value) => value,
        Quantity::Unreachable | Quantity::Undefined => return None,
    };
    Some(with(threshold.max(Rational::new(1, 1_000_000))))
}

/// If one of two classes barely meets a requirement and the other class meets it too, their union
/// meets it.
#[test]
fn merging_keeps() {
    // The kinds with a single bound on counts; `merging.rs` tests the other kinds.
    let kinds = [
        "k-anonymity",
        "distinct-l-diversity",
        "frequency-l-diversity",
        "entropy-l-diversity",
        "recursive-diversity",
    ];
    for kind in kinds.map(|name| principle::find(name).expect("the registry contains this name")) {
        assert_eq!(kind.merging, Merging::Keeps);
        let both = Cell::new(0);
        runner(4_000)
            .run(&(counts(), counts(), 1..4u64), |(one, other, rank)| {
                prop_assume!(one.iter().sum::<u64>() > 0 && other.iter().sum::<u64>() > 0);
                for (just, second) in [(&one, &other), (&other, &one)] {
                    let Some(requirement) = strictest(kind.name, just, rank) else { continue };
                    prop_assert_eq!(requirement.principle.merging(), Merging::Keeps);
                    prop_assert!(judged(&requirement, just).1, "{:?}", requirement);
                    if judged(&requirement, second).1 {
                        both.set(both.get() + 1);
                        let n = one.len().max(other.len());
                        let at = |counts: &[u64], i: usize| counts.get(i).copied().unwrap_or(0);
                        let union: Vec<u64> = (0..n).map(|i| at(&one, i) + at(&other, i)).collect();
                        prop_assert!(judged(&requirement, &union).1, "{:?}", requirement);
                    }
                }
                Ok(())
            })
            .unwrap();
        assert!(
            both.get() > 2_000,
            "{}: both classes satisfied the principle in only {} cases",
            kind.name,
            both.get()
        );
    }
}

#[test]
fn failing_class_is_never_released() {
    let rows = [class_of_counts("a", &[2, 2]), class_of_counts("b", &[4])].concat();
    let core_table = table(&rows, 1, 1);
    let policy = Policy {
        hierarchies: vec![indistinct_core::Hierarchy::flat(
            &core_table.quasi_identifiers()[0].dictionary,
        )],
        requirements: vec![common::to_requirement(&RequiredPrinciple::Distinct {
            attribute: 0,
            l: 2,
        })],
        suppression_limit: Rational::new(1, 2),
        suppressed: SuppressionRule::Dropped,
        published: indistinct_core::ClassColumn::Absent,
    };
    let refusal = certify(&core_table, &policy, &recoding(&[0], vec![false; 3])).unwrap_err();
    let expected = NotCertified::Fails {
        kind: "distinct-l-diversity".to_owned(),
        n_failing_classes: 1,
        n_failing_rows: 4,
    };
    assert_eq!(refusal, expected);
    // The failing class is suppressed. This is exactly half of the rows, which is allowed, but
    // suppressing all rows is not.
    let release = certify(&core_table, &policy, &recoding(&[0], vec![false, false, true]));
    assert_eq!(release.unwrap().n_suppressed(), 4);
    let refusal = certify(&core_table, &policy, &recoding(&[0], vec![true; 3])).unwrap_err();
    assert_eq!(refusal, NotCertified::TooManySuppressed { n_suppressed: 8, n_rows: 8 });
}

#[test]
fn unfit_recoding_is_rejected() {
    let core_table = table(&class_of_counts("a", &[1, 1]), 1, 1);
    let policy = Policy {
        hierarchies: vec![indistinct_core::Hierarchy::flat(
            &core_table.quasi_identifiers()[0].dictionary,
        )],
        requirements: Vec::new(),
        suppression_limit: Rational::from_integer(1),
        suppressed: SuppressionRule::Starred,
        published: indistinct_core::ClassColumn::Absent,
    };
    for (levels, marks) in [(vec![2], 2), (vec![0, 0], 2), (vec![], 2), (vec![0], 1), (vec![0], 3)]
    {
        let outcome = certify(&core_table, &policy, &recoding(&levels, vec![false; marks]));
        assert!(matches!(outcome, Err(NotCertified::Invalid(_))), "{levels:?} {marks}");
    }
    assert!(certify(&core_table, &policy, &recoding(&[1], vec![true; 2])).is_ok());
}
