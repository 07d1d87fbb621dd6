//! Tests count queries against row-by-row counting.

mod support;

use std::collections::BTreeSet;

use indistinct_core::model::{CountedColumn, FrequencyTable};
use indistinct_core::published::{
    Attachment, PublishedRows, PublishedSensitive, ReleaseWithOriginal, cells, covered,
};
use indistinct_core::recoding::perturbation::Grid;
use indistinct_core::{Observer, Rational, Silent};
use indistinct_measure::Error;
use indistinct_measure::axes::{Axes, Span};
use indistinct_measure::queries::{Query, Term, Workload, answers, errors};
use proptest::prelude::*;
use support::{Case, LETTERS, ages, cases, column, letters};

/// A query, given by values.
struct Asked {
    ages: Option<BTreeSet<u32>>,
    letters: Option<BTreeSet<char>>,
    sensitive: Option<BTreeSet<String>>,
}

fn within<T: Clone + Ord>(sorted: &[T], span: Span) -> BTreeSet<T> {
    sorted[span.from as usize..span.to as usize].iter().cloned().collect()
}

fn share<T: Ord>(requested: Option<&BTreeSet<T>>, covered: &BTreeSet<T>) -> f64 {
    let Some(requested) = requested else { return 1.0 };
    covered.intersection(requested).count() as f64 / covered.len() as f64
}

fn sorted_sensitive_values(case: &Case) -> Vec<String> {
    let mut values: Vec<String> = case.rows.iter().map(|row| row.2.clone()).collect();
    values.sort_by(|a, b| {
        a.parse::<f64>().expect("a number").total_cmp(&b.parse().expect("a number"))
    });
    values.dedup();
    values
}

impl Asked {
    fn of(case: &Case, query: &Query) -> Self {
        let span =
            |at: usize| query.terms.iter().find(|term| term.attribute == at).map(|term| term.span);
        let occurring: BTreeSet<u32> = case.rows.iter().map(|row| row.0).collect();
        let occurring: Vec<u32> = occurring.into_iter().collect();
        let all: Vec<char> = LETTERS.chars().collect();
        Self {
            ages: span(0).map(|span| within(&occurring, span)),
            letters: span(1).map(|span| within(&all, span)),
            sensitive: span(2).map(|span| within(&sorted_sensitive_values(case), span)),
        }
    }

    fn share(&self, ages: &BTreeSet<u32>, letters: &BTreeSet<char>, value: &str) -> f64 {
        let value = BTreeSet::from([value.to_owned()]);
        share(self.ages.as_ref(), ages)
            * share(self.letters.as_ref(), letters)
            * share(self.sensitive.as_ref(), &value)
    }
}

fn text(column: &CountedColumn, tuple: usize) -> &str {
    column.dictionary.value(column.codes[tuple])
}

fn plain_actual(case: &Case, requested: &Asked) -> f64 {
    let one = |row: &(u32, char, String)| {
        requested.share(&BTreeSet::from([row.0]), &BTreeSet::from([row.1]), &row.2)
    };
    case.rows.iter().map(one).sum()
}

fn plain_estimate(case: &Case, rows: &FrequencyTable, requested: &Asked) -> f64 {
    let occurring: BTreeSet<u32> = case.rows.iter().map(|row| row.0).collect();
    (0..rows.n_tuples())
        .map(|tuple| {
            let [age, letter] = rows.quasi_identifiers() else {
                unreachable!("the table has two quasi-identifiers")
            };
            let (age, letter) = (ages(text(age, tuple), &occurring), letters(text(letter, tuple)));
            requested.share(&age, &letter, text(&rows.sensitive()[0], tuple))
                * rows.counts()[tuple] as f64
        })
        .sum()
}

fn workload(dimension: usize, seed: u64) -> Workload {
    Workload { dimension, volume: 0.2, n_queries: 12, seed }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn class_answers_match_evenly_spread_rows(case in cases(), dimension in 1usize..4, seed: u64) {
        case.with(|_, _, _, pair| {
            let axes = Axes::new(&pair);
            let queries = workload(dimension, seed).draw(&axes).expect("the workload is valid");
            for (query, answer) in queries.iter().zip(answers(&pair, &axes, &queries)) {
                prop_assert_eq!(query.terms.len(), dimension);
                let requested = Asked::of(&case, query);
                prop_assert_eq!(answer.actual as f64, plain_actual(&case, &requested));
                let expected = plain_estimate(&case, &pair.published.rows, &requested);
                let estimate = answer.estimate.expect("classes have an estimate");
                prop_assert!((estimate - expected).abs() < 1e-9, "{} != {}", estimate, expected);
            }
            Ok(())
        })?;
    }

    #[test]
    fn anatomy_rows_count_by_share_of_class(
        case in cases(),
        dimension in 1usize..4,
        seed: u64,
    ) {
        let (pair, class_of_row) = two_tables(&case);
        let axes = Axes::new(&pair);
        let queries = workload(dimension, seed).draw(&axes).expect("the workload is valid");
        for (query, answer) in queries.iter().zip(answers(&pair, &axes, &queries)) {
            let requested = Asked::of(&case, query);
            let mut expected = 0.0;
            for (row, class) in case.rows.iter().zip(&class_of_row) {
                let known = Asked { sensitive: None, ages: requested.ages.clone(), letters: requested.letters.clone() };
                let matches = known.share(&BTreeSet::from([row.0]), &BTreeSet::from([row.1]), "");
                let mates: Vec<&String> =
                    case.rows.iter().zip(&class_of_row).filter(|(_, other)| *other == class).map(|(row, _)| &row.2).collect();
                let there = mates.iter().filter(|value| requested.sensitive.as_ref().is_none_or(|all| all.contains(**value)));
                expected += matches * there.count() as f64 / mates.len() as f64;
            }
            prop_assert_eq!(answer.actual as f64, plain_actual(&case, &requested));
            let estimate = answer.estimate.expect("two tables have an estimate");
            prop_assert!((estimate - expected).abs() < 1e-9, "{} != {}", estimate, expected);
        }
    }
}

/// Assigns rows to arbitrary classes with separate sensitive values, as Anatomy publishes them.
fn two_tables(case: &Case) -> (ReleaseWithOriginal, Vec<usize>) {
    let class_of_row: Vec<usize> =
        (0..case.rows.len()).map(|row| (row * 7 + case.rows.len()) % 3).collect();
    let original = case.table();
    let policy = case.policy(&original);
    let texts =
        |of: &dyn Fn(usize) -> String| -> Vec<String> { (0..case.rows.len()).map(of).collect() };
    let known = vec![
        column("age", &texts(&|row| case.rows[row].0.to_string())),
        column("letter", &texts(&|row| case.rows[row].1.to_string())),
    ];
    let classes = column("class", &texts(&|row| class_of_row[row].to_string()));
    let with_class =
        FrequencyTable::new(known, vec![classes], vec![1; case.rows.len()]).expect("valid");
    let (rows, class) = with_class.split_off_sensitive();
    let cells = cells(&rows, &[false; 2], &policy.hierarchies, &original).expect("raw values");
    let covered = covered(&cells, &policy.hierarchies, &original);
    let n_classes = class.dictionary.len();
    let values = &original.sensitive()[0];
    let histogram = |class: &String| -> Vec<(u32, u64)> {
        let mut counts = vec![0; values.dictionary.len()];
        for (row, own) in case.rows.iter().zip(&class_of_row) {
            if own.to_string() == *class {
                counts[values.dictionary.code_of(&row.2).expect("it occurs") as usize] += 1;
            }
        }
        (0..).zip(counts).filter(|entry| entry.1 > 0).collect()
    };
    let value = PublishedSensitive {
        name: "sensitive".to_owned(),
        dictionary: values.dictionary.clone(),
        histograms: class.dictionary.values().iter().map(histogram).collect(),
        taxonomy: None,
    };
    let attachment = Attachment::ToClasses;
    let published = PublishedRows {
        rows,
        class_of: class.codes,
        n_classes,
        sensitive: vec![value],
        covered,
        attachment,
        generated: vec![false; 2],
    };
    (
        ReleaseWithOriginal {
            published,
            original,
            hierarchies: policy.hierarchies,
            cells,
            links: None,
            people: None,
        },
        class_of_row,
    )
}

/// Creates eight rows with the ages 1 to 8, half of them with sensitive value 1, and then replaces
/// some sensitive values.
fn perturbed(p: Rational) -> ReleaseWithOriginal {
    let row = |(age, value): (u32, &str)| (age, 'a', value.to_owned());
    let original = ["1", "1", "1", "1", "2", "2", "3", "4"];
    let case = Case {
        rows: (1..).zip(original).map(row).collect(),
        how: support::How::Levels([0, 0]),
        suppressed: vec![false; 8],
        becomes: indistinct_core::SuppressionRule::Dropped,
    };
    case.with(|_, _, _, mut pair| {
        // Noise is formatted differently from the sensitive values.
        let released = ["1.0", "3.0", "1.0", "1.0", "2.0", "4.0", "3.0", "4.0"].map(str::to_owned);
        let known = pair.published.rows.quasi_identifiers().to_vec();
        let rows = FrequencyTable::new(known, vec![column("sensitive", &released)], vec![1; 8])
            .expect("valid");
        let class_of = rows.groups().of_tuples();
        let attachment = Attachment::Perturbed { p, n_domain_values: 4, grid: None };
        pair.published = PublishedRows::of_rows(rows, class_of, pair.published.covered, attachment);
        pair
    })
}

#[test]
fn perturbed_sensitive_values_are_reconstructed() {
    let pair = perturbed(Rational::new(1, 2));
    let axes = Axes::new(&pair);
    assert_eq!(axes.axes[2].n_places, 4);
    let term = |attribute, from, to| Term { attribute, span: Span { from, to } };
    let ask = |terms: Vec<Term>| answers(&pair, &axes, &[Query { terms }])[0];
    // Ages 1 to 6 with sensitive value 1: three of six released rows have the value, and 6 * 1/2 *
    // 1/4 are noise: (3 - 3/4) / (1/2).
    let answer = ask(vec![term(0, 0, 6), term(2, 0, 1)]);
    assert_eq!((answer.actual, answer.estimate), (4, Some(4.5)));
    // Sensitive values 3 and 4 in all rows: four released rows have one of them, and 8 * 1/2 * 2/4
    // are noise.
    assert_eq!(ask(vec![term(2, 2, 4)]).estimate, Some(4.0));
    // Quasi-identifiers are unchanged.
    assert_eq!(ask(vec![term(0, 2, 5)]).estimate, Some(3.0));
    let noise = perturbed(Rational::from_integer(0));
    let answer = answers(&noise, &axes, &[Query { terms: vec![term(2, 0, 1)] }])[0];
    assert_eq!((answer.actual, answer.estimate), (4, None));
}

/// Reading C-12: noise is distributed over the whole domain, including values that do not occur in
/// the original.
#[test]
fn query_noise_is_proportional_to_domain_share() {
    let mut pair = perturbed(Rational::new(1, 2));
    let known = pair.original.quasi_identifiers().to_vec();
    // Half of each group of four rows keep their value, and each value from 0 to 3 occurs once as
    // noise.
    let [original, released] =
        [["0", "0", "0", "0", "3", "3", "3", "3"], ["0", "0", "0", "1", "2", "3", "3", "3"]]
            .map(|values| vec![column("sensitive", &values.map(str::to_owned))]);
    pair.original = FrequencyTable::new(known, original, vec![1; 8]).expect("valid");
    let known = pair.published.rows.quasi_identifiers().to_vec();
    let rows = FrequencyTable::new(known, released, vec![1; 8]).expect("valid");
    let class_of = rows.groups().of_tuples();
    let [low, high, step] = [0, 3, 1].map(Rational::from_integer);
    let grid = Some(Grid::new(low, high, step).expect("whole steps"));
    let attachment = Attachment::Perturbed { p: Rational::new(1, 2), n_domain_values: 4, grid };
    pair.published = PublishedRows::of_rows(rows, class_of, pair.published.covered, attachment);
    let axes = Axes::new(&pair).of_original(&pair);
    assert_eq!(axes.axes[2].n_places, 2, "the places do not depend on the drawn noise");
    let ask = |from, to| {
        let terms = vec![Term { attribute: 2, span: Span { from, to } }];
        answers(&pair, &axes, &[Query { terms }])[0]
    };
    for (from, to, rows) in [(0, 1, 4), (1, 2, 4), (0, 2, 8)] {
        let answer = ask(from, to);
        assert_eq!((answer.actual, answer.estimate), (rows, Some(rows as f64)), "{from}..{to}");
    }
}

#[test]
fn invalid_workload_is_rejected() {
    let pair = perturbed(Rational::new(1, 2));
    let axes = Axes::new(&pair);
    let refused = |workload: Workload| match errors(&pair, &axes, &workload, &Silent) {
        Err(Error::OutOfRange { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(workload(0, 1)), "dimension");
    assert_eq!(refused(workload(4, 1)), "dimension");
    for volume in [0.0, -0.5, 1.5, f64::NAN] {
        assert_eq!(refused(Workload { volume, ..workload(2, 1) }), "volume");
    }
}

#[test]
fn relative_errors_exclude_queries_without_rows() {
    let pair = perturbed(Rational::new(1, 2));
    let axes = Axes::new(&pair);
    let found =
        errors(&pair, &axes, &Workload { volume: 0.02, ..workload(2, 3) }, &Silent).expect("valid");
    let relative = found.relative.expect("some queries have rows");
    assert!(found.n_without_rows > 0 && relative.n + found.n_without_rows == 12);
    assert_eq!(found.absolute.expect("all queries have estimates").n, 12);
    assert_eq!(
        errors(&pair, &axes, &Workload { volume: 0.02, ..workload(2, 3) }, &Silent),
        Ok(found)
    );
}

/// Uses enough tuples for several blocks, with counts of several digits.
#[test]
fn block_counts_match_naive_counts() {
    let n = 70_000usize;
    let known = column("age", &(0..n).map(|row| (row % 977).to_string()).collect::<Vec<_>>());
    let other = column("zip", &(0..n).map(|row| (row / 977).to_string()).collect::<Vec<_>>());
    let value =
        column("sensitive", &(0..n).map(|row| (row * row % 31).to_string()).collect::<Vec<_>>());
    let counts: Vec<u64> = (0..n).map(|row| (row * 13 % 1000) as u64 + 1).collect();
    let table = FrequencyTable::new(vec![known, other], vec![value], counts).expect("valid");
    let hierarchies: Vec<_> = table
        .quasi_identifiers()
        .iter()
        .map(|column| indistinct_core::Hierarchy::flat(&column.dictionary))
        .collect();
    let cells =
        cells(&table, &vec![false; hierarchies.len()], &hierarchies, &table).expect("raw values");
    let class_of = table.groups().of_tuples();
    let covered = covered(&cells, &hierarchies, &table);
    let published = PublishedRows::of_rows(table.clone(), class_of, covered, Attachment::ToRows);
    let pair = ReleaseWithOriginal {
        published,
        original: table,
        hierarchies,
        cells,
        links: None,
        people: None,
    };
    let axes = Axes::new(&pair);
    let queries =
        Workload { dimension: 3, volume: 0.05, n_queries: 40, seed: 1 }.draw(&axes).expect("valid");
    for (query, answer) in queries.iter().zip(answers(&pair, &axes, &queries)) {
        let columns: Vec<&CountedColumn> = pair.original.columns().collect();
        let matches = |tuple: &usize| {
            // Codes are in numeric order.
            query.terms.iter().all(|term| {
                (term.span.from..term.span.to).contains(&columns[term.attribute].codes[*tuple])
            })
        };
        let expected: u64 = (0..n).filter(matches).map(|tuple| pair.original.counts()[tuple]).sum();
        assert_eq!(answer.actual, expected);
        assert_eq!(answer.estimate, Some(expected as f64));
    }
}

/// An observer that cancels after this many checks.
struct Stops(std::sync::atomic::AtomicUsize);

impl Observer for Stops {
    fn is_cancelled(&self) -> bool {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 2
    }
}

#[test]
fn long_query_evaluation_is_cancellable() {
    let pair = perturbed(Rational::new(1, 2));
    let axes = Axes::new(&pair);
    let many = |n_queries| Workload { n_queries, ..workload(2, 1) };
    let requested = |n_queries| errors(&pair, &axes, &many(n_queries), &Stops(0.into()));
    assert!(requested(2000).is_ok());
    assert_eq!(requested(1_000_000), Err(Error::Cancelled));
    let (few, all) = (&workload(1, 2), &Workload { n_queries: 2500, ..workload(1, 2) });
    let n =
        |it: &Workload| errors(&pair, &axes, it, &Silent).expect("valid").absolute.map(|it| it.n);
    assert_eq!((n(few), n(all)), (Some(few.n_queries), Some(2500)));
}
