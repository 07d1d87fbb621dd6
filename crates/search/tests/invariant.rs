//! Comparison of m-invariant versions of growing tables with a naive oracle of the definition.

mod classes_support;

use std::cell::Cell as Count;
use std::collections::BTreeMap;
use std::time::Duration;

use classes_support::{Dice, PlainRow, PlainTable, released_rows, requirement};
use indistinct_core::Optimality;
use indistinct_core::{
    ClassColumn, FrequencyTable, Generalization, Observer, Phase, Policy, Rational, Silent,
    SuppressionRule, certify,
};
use indistinct_search::invariant::{
    GeneralizeTo, Invariant, Person, Shortage, with_sensitive_values,
};
use indistinct_search::{NotFound, Outcome, Problem, Search, SearchError, invariant};
use indistinct_testkit::categorical_oracles::m_invariant;
use proptest::prelude::*;

/// The number of a person, with the quasi-identifiers and the sensitive value of the person.
type Row = (u64, PlainRow);

/// The classes of a version: people (`None` for a counterfeit) with sensitive values.
type Classes = Vec<Vec<(Option<u64>, String)>>;

/// The signatures of people from earlier versions.
type Signatures = BTreeMap<u64, Vec<String>>;

struct Version {
    table: FrequencyTable,
    policy: Policy,
    people: Vec<Person>,
    m: u64,
}

type FoundRecoding = indistinct_search::FoundRecoding<invariant::Version>;

impl Version {
    fn new(rows: &[Row], signatures: &Signatures, m: u64, limit: Rational) -> Self {
        let plain = PlainTable { rows: rows.iter().map(|row| row.1.clone()).collect() };
        let known = rows.iter().filter_map(|row| signatures.get(&row.0)).flatten();
        let table = with_sensitive_values(&plain.table(), known.map(String::as_str));
        let required = requirement(&table, "m-invariance", Some(0), None, &[("m", &m.to_string())]);
        let policy = Policy {
            published: ClassColumn::Published,
            ..plain.policy(&table, vec![required], limit)
        };
        let code = |column: &indistinct_core::model::CountedColumn, text: &str| {
            let at = column.dictionary.values().iter().position(|value| value == text);
            at.expect("it occurs") as u32
        };
        let people = rows
            .iter()
            .map(|(person, (quasi_identifiers, sensitive_values))| {
                let texts = [
                    (10 * u32::from(quasi_identifiers[0])).to_string(),
                    format!("v{}", quasi_identifiers[1]),
                    format!("s{}", sensitive_values[0]),
                ];
                let codes: Vec<u32> =
                    table.columns().zip(&texts).map(|(column, text)| code(column, text)).collect();
                let is_hers = |tuple: &usize| {
                    table.columns().zip(&codes).all(|(column, code)| column.codes[*tuple] == *code)
                };
                let signature = signatures.get(person).map(|signature| {
                    let mut codes: Vec<u32> =
                        signature.iter().map(|text| code(&table.sensitive()[0], text)).collect();
                    codes.sort_unstable();
                    codes
                });
                let tuple = (0..table.n_tuples())
                    .find(is_hers)
                    .expect("the table contains the person") as u32;
                Person { tuple, signature }
            })
            .collect();
        Self { table, policy, people, m }
    }

    fn search_with(
        &self,
        key: u8,
        align: GeneralizeTo,
        time_limit: Option<Duration>,
        observer: &dyn Observer,
    ) -> Result<Outcome<invariant::Version, Shortage>, SearchError> {
        let search = Invariant { m: self.m, people: &self.people, align, key: [key; 32] };
        let problem = Problem { time_limit, ..Problem::new(&self.table, &self.policy) };
        search.search(&problem, observer)
    }

    fn search(&self, align: GeneralizeTo) -> Result<FoundRecoding, NotFound<Shortage>> {
        self.search_with(1, align, None, &Silent).expect("an answer").found()
    }

    /// Checks a found version: the certifier accepts it, its cells cover its rows, and people are
    /// in the reported classes.
    fn classes(&self, rows: &[Row], found: &FoundRecoding) -> Classes {
        let n_suppressed = found.n_suppressed;
        let found = &found.proposal;
        assert_eq!(n_suppressed, found.n_suppressed());
        let (table, recoding) = found
            .with_counterfeits(&self.table, &self.people)
            .expect("the result belongs to the table");
        assert_eq!(table.n_rows(), self.table.n_rows() + found.n_counterfeits());
        let release =
            certify(&table, &self.policy, &recoding).expect("the certifier accepts the recoding");
        assert_eq!(release.n_suppressed(), found.n_suppressed());
        assert_eq!(release.claims().n_classes, found.classes.len() as u64);
        let written = released_rows(&table, &self.policy, &recoding);
        assert_eq!(written.len() as u64, table.n_rows() - found.n_suppressed());
        let value = |code: u32| table.sensitive()[0].dictionary.value(code).to_owned();
        let mut classes: Classes = vec![Vec::new(); found.classes.len()];
        for ((person, row), class) in rows.iter().zip(&found.class_of) {
            if let Some(class) = class {
                classes[*class as usize].push((Some(*person), format!("s{}", row.1[0])));
            }
        }
        for (class, found) in classes.iter_mut().zip(&found.classes) {
            class.extend(found.counterfeits.iter().map(|&code| (None, value(code))));
            class.sort_by(|a, b| a.1.cmp(&b.1));
            let mut signature: Vec<String> = found.signature.iter().map(|&at| value(at)).collect();
            signature.sort();
            assert_eq!(class.iter().map(|row| row.1.clone()).collect::<Vec<_>>(), signature);
        }
        // The certified table has the same sensitive values in each class.
        let Generalization::Classes(of) = &recoding.generalization else { panic!("classes") };
        let mut certified = vec![Vec::new(); classes.len()];
        let parts: Vec<(u32, u64)> = match &of.parts {
            Some(parts) => parts.iter().map(|part| (part.tuple, part.rows)).collect(),
            None => (0u32..).zip(table.counts().iter().copied()).collect(),
        };
        for (at, (tuple, n)) in parts.into_iter().enumerate() {
            if !recoding.suppressed[at] {
                let code = table.sensitive()[0].codes[tuple as usize];
                let values = &mut certified[of.class_of[at] as usize];
                values.extend(std::iter::repeat_n(value(code), n as usize));
            }
        }
        for (class, values) in classes.iter().zip(&mut certified) {
            values.sort();
            assert_eq!(*values, class.iter().map(|row| row.1.clone()).collect::<Vec<_>>());
        }
        classes
    }
}

fn remember(signatures: &mut Signatures, classes: &Classes) {
    for class in classes {
        let signature: Vec<String> = class.iter().map(|row| row.1.clone()).collect();
        for person in class.iter().filter_map(|row| row.0) {
            signatures.insert(person, signature.clone());
        }
    }
}

/// The people of a town, and for each version whether each person is included.
type History = (Vec<PlainRow>, Vec<Vec<bool>>);

fn history() -> impl Strategy<Value = History> {
    let row = ((0u8..6, 0u8..6), 0u8..5).prop_map(|((a, b), s)| (vec![a, b], vec![s]));
    prop::collection::vec(row, 4..24).prop_flat_map(|rows| {
        let n = rows.len();
        let there = prop::collection::vec(prop::bool::weighted(0.7), n);
        (Just(rows), prop::collection::vec(there, 1..5))
    })
}

fn rows_of(town: &[PlainRow], there: &[bool]) -> Vec<Row> {
    let people = (0u64..).zip(town).zip(there).filter(|(_, there)| **there);
    people.map(|((person, row), _)| (person, row.clone())).collect()
}

#[test]
fn every_history_is_m_invariant() {
    let n = Count::new([0u64; 4]);
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = (history(), 2u64..4, prop::bool::ANY, 0i128..2);
    let run = |((town, versions), m, by_values, limit): (History, u64, bool, i128)| {
        let align = if by_values { GeneralizeTo::Bounds } else { GeneralizeTo::Hierarchy };
        let (mut signatures, mut all) = (Signatures::new(), Vec::new());
        for there in &versions {
            let rows = rows_of(&town, there);
            if rows.is_empty() {
                continue;
            }
            let version = Version::new(&rows, &signatures, m, Rational::new(limit, 5));
            let [mut found, mut counterfeits, mut suppressed, mut infeasible] = n.get();
            match version.search(align) {
                Ok(it) => {
                    let classes = version.classes(&rows, &it);
                    remember(&mut signatures, &classes);
                    all.push(classes);
                    found += 1;
                    counterfeits += u64::from(it.proposal.n_counterfeits() > 0);
                    suppressed += u64::from(it.n_suppressed > 0);
                }
                Err(it) => {
                    let shortage = it.nearest.expect("the result states the shortage");
                    prop_assert!(shortage.largest_m < m && shortage.n_short == 0);
                    infeasible += 1;
                }
            }
            n.set([found, counterfeits, suppressed, infeasible]);
        }
        prop_assert!(m_invariant(&all, m));
        Ok(())
    };
    runner.run(&strategy, run).expect("all histories are m-invariant");
    assert!(n.get().iter().all(|n| *n > 20), "{:?}", n.get());
}

#[test]
fn first_version_exists_iff_rows_are_eligible() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let run = |((town, _), m): (History, u64)| {
        let rows = rows_of(&town, &vec![true; town.len()]);
        let of = |s: u8| rows.iter().filter(|row| row.1.1[0] == s).count() as u64;
        let most = (0..5).map(of).max().unwrap_or(0);
        let version = Version::new(&rows, &Signatures::new(), m, Rational::from_integer(0));
        match version.search(GeneralizeTo::Hierarchy) {
            Ok(found) => {
                prop_assert!(m * most <= rows.len() as u64 && found.proposal.n_counterfeits() == 0);
            }
            Err(infeasible) => {
                prop_assert!(m * most > rows.len() as u64 && infeasible.is_proved);
                prop_assert_eq!(
                    infeasible.nearest.map(|it| it.largest_m),
                    Some(rows.len() as u64 / most)
                );
            }
        }
        Ok(())
    };
    runner.run(&(history(), 2u64..5), run).expect("the results agree with m-eligibility");
}

fn person(person: u64, age: u8, value: u8) -> Row {
    (person, (vec![age, 0], vec![value]))
}

/// Returns the sensitive values that are in all classes of a person.
fn in_common(versions: &[Classes], person: u64) -> Vec<String> {
    let hers =
        versions.iter().flatten().filter(|class| class.iter().any(|row| row.0 == Some(person)));
    let values = hers.map(|class| class.iter().map(|row| row.1.clone()).collect::<Vec<_>>());
    values
        .reduce(|a, b| a.into_iter().filter(|value| b.contains(value)).collect())
        .expect("the person is in at least one version")
}

#[test]
fn m_invariance_prevents_disclosure_by_republication() {
    // The people with sensitive value 1 leave, and a person with sensitive value 2 joins.
    let first = [person(0, 0, 0), person(1, 0, 1), person(3, 4, 0), person(4, 4, 1)];
    let second = [person(0, 0, 0), person(2, 0, 2), person(3, 4, 0), person(5, 4, 1)];
    let publish = |republish: bool| {
        let (mut signatures, mut all) = (Signatures::new(), Vec::new());
        for rows in [&first, &second] {
            let version = Version::new(rows, &signatures, 2, Rational::from_integer(0));
            let found = version.search(GeneralizeTo::Hierarchy).expect("the search finds classes");
            let classes = version.classes(rows, &found);
            if republish {
                remember(&mut signatures, &classes);
            }
            all.push(classes);
        }
        all
    };
    let naive = publish(false);
    assert!(naive.iter().all(|version| m_invariant(std::slice::from_ref(version), 2)));
    assert!(!m_invariant(&naive, 2));
    let is_revealed = |person: &u64| in_common(&naive, *person).len() == 1;
    assert_eq!([0, 3].iter().filter(|person| is_revealed(person)).count(), 1, "{naive:?}");
    let retained = publish(true);
    assert!(m_invariant(&retained, 2));
    assert!((0..6).all(|person| in_common(&retained, person).len() == 2), "{retained:?}");
    let n_counterfeits = retained[1].iter().flatten().filter(|row| row.0.is_none()).count();
    assert_eq!(n_counterfeits, 2, "each of the two new rows requires a counterfeit");
}

#[test]
fn similar_rows_share_classes() {
    let rows: Vec<Row> = (0..24).map(|at| person(at, (at / 4) as u8, (at % 2) as u8)).collect();
    let version = Version::new(&rows, &Signatures::new(), 2, Rational::from_integer(0));
    let found = version.search(GeneralizeTo::Hierarchy).expect("the search finds classes");
    let classes = version.classes(&rows, &found);
    assert_eq!(classes.len(), 12);
    let age = |row: &(Option<u64>, String)| row.0.expect("there are no counterfeits") / 4;
    assert!(classes.iter().all(|class| age(&class[0]) == age(&class[1])), "{classes:?}");
}

#[test]
fn unsupported_versions_are_rejected() {
    let rows = [person(0, 0, 0), person(1, 0, 1)];
    let refused = |version: &Version| {
        version
            .search_with(0, GeneralizeTo::Hierarchy, None, &Silent)
            .expect_err("the search rejects the version")
    };
    let zero = Rational::from_integer(0);
    let changed = Signatures::from([(0, vec!["s1".to_owned(), "s2".to_owned()])]);
    let error = refused(&Version::new(&rows, &changed, 2, zero));
    assert_eq!(error, SearchError::ValueChanged { n_people: 1 });
    let mut starred = Version::new(&rows, &Signatures::new(), 2, zero);
    starred.policy.suppressed = SuppressionRule::Starred;
    assert_eq!(refused(&starred), SearchError::Starred);
    let mut fewer = Version::new(&rows, &Signatures::new(), 2, zero);
    fewer.people.pop();
    assert_eq!(refused(&fewer), SearchError::People { got: 1, expected: 2 });
    // If a signature is too short for a larger m, the result is infeasible and reports the largest
    // feasible m.
    let short = Signatures::from([(0, vec!["s0".to_owned(), "s1".to_owned()])]);
    let version = Version::new(&rows, &short, 3, zero);
    let infeasible = version.search(GeneralizeTo::Hierarchy).expect_err("m = 3 > 2");
    let shortage = infeasible.nearest.expect("the result states the shortage");
    assert_eq!((shortage.n_short, shortage.n_new), (1, 1));
    assert!(!infeasible.is_proved || shortage.largest_m < 3);
    struct Cancels;
    impl Observer for Cancels {
        fn progress(&self, _: Phase, _: u64, _: u64) {}
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let rows: Vec<Row> = (0..8).map(|at| person(at, 0, (at % 2) as u8)).collect();
    let version = Version::new(&rows, &Signatures::new(), 2, zero);
    let answer = version.search_with(0, GeneralizeTo::Hierarchy, None, &Cancels);
    assert_eq!(answer, Err(SearchError::Cancelled));
}

#[test]
fn time_limit_only_stops_halving() {
    let mut dice = Dice(5);
    let rows: Vec<Row> = (0..3000)
        .map(|at| (at, (vec![dice.below(6) as u8, dice.below(6) as u8], vec![(at % 3) as u8])))
        .collect();
    let version = Version::new(&rows, &Signatures::new(), 3, Rational::from_integer(0));
    let answer = version.search_with(3, GeneralizeTo::Hierarchy, Some(Duration::ZERO), &Silent);
    let found = answer.expect("an answer").found().expect("the search finds classes");
    assert_eq!(found.optimality, Optimality::STOPPED);
    let classes = version.classes(&rows, &found);
    assert!(m_invariant(&[classes], 3));
}
