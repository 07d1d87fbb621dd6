//! Tests of microaggregation: classes are compared with exhaustive search and the textbook
//! algorithm, centers with plain arithmetic, and releases with the oracles of the principles.

use std::collections::BTreeMap;

use indistinct_core::Optimality;
use indistinct_core::recoding::{Aggregation, Center, squared_error};
use indistinct_core::{
    Cell, DROPPED, FrequencyTable, Generalization, InvalidRecoding, NotCertified, Rational,
    Recoding, Release, Silent, certify, certify_aggregated,
};
use indistinct_search::microaggregation::{Microaggregation, mdav, optimal};
use indistinct_search::{FoundRecoding, NotFound, Problem, Search, SearchError};
use indistinct_testkit::principles::{RequiredPrinciple, Row, judge};
use proptest::prelude::*;

use crate::classes_support::{Impatient, PlainTable, required, requirement};

fn error(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|x| (x - mean).powi(2)).sum()
}

fn total_error(values: &[f64], classes: &[Vec<u32>]) -> f64 {
    let of =
        |class: &Vec<u32>| error(&class.iter().map(|&at| values[at as usize]).collect::<Vec<_>>());
    classes.iter().map(of).sum()
}

/// Returns the minimum error of all partitions into classes of at least k.
fn least(values: &[f64], k: usize) -> f64 {
    fn place(values: &[f64], k: usize, at: usize, classes: &mut Vec<Vec<f64>>, best: &mut f64) {
        if at == values.len() {
            if classes.iter().all(|class| class.len() >= k) {
                *best = best.min(classes.iter().map(|class| error(class)).sum());
            }
            return;
        }
        for class in 0..=classes.len() {
            if class == classes.len() {
                classes.push(Vec::new());
            }
            classes[class].push(values[at]);
            place(values, k, at + 1, classes, best);
            classes[class].pop();
            if classes[class].is_empty() {
                classes.pop();
            }
        }
    }
    let mut best = f64::INFINITY;
    place(values, k, 0, &mut Vec::new(), &mut best);
    best
}

/// The textbook version of MDAV, with lists of points sorted by distance.
fn textbook(points: &[Vec<f64>], k: usize) -> Vec<Vec<u32>> {
    let distance =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let mean = |of: &[u32]| -> Vec<f64> {
        let of_axis = |axis: usize| {
            of.iter().map(|&at| points[at as usize][axis]).sum::<f64>() / of.len() as f64
        };
        (0..points[0].len()).map(of_axis).collect()
    };
    let sorted = |of: &[u32], from: &[f64]| {
        let mut sorted = of.to_vec();
        sorted.sort_by(|&a, &b| {
            let (a_far, b_far) =
                (distance(&points[a as usize], from), distance(&points[b as usize], from));
            a_far.total_cmp(&b_far).then(a.cmp(&b))
        });
        sorted
    };
    let farthest = |of: &[u32], from: &[f64]| {
        let mut best = of[0];
        for &at in of {
            if distance(&points[at as usize], from) > distance(&points[best as usize], from) {
                best = at;
            }
        }
        best
    };
    let mut left: Vec<u32> = (0..points.len() as u32).collect();
    let mut classes = Vec::new();
    let mut class_around = |left: &mut Vec<u32>, center: u32| {
        let mut class = sorted(left, &points[center as usize])[..k].to_vec();
        left.retain(|at| !class.contains(at));
        class.sort_unstable();
        classes.push(class);
    };
    while left.len() >= 3 * k {
        let first = farthest(&left, &mean(&left));
        class_around(&mut left, first);
        let second = farthest(&left, &points[first as usize]);
        class_around(&mut left, second);
    }
    if left.len() >= 2 * k {
        let first = farthest(&left, &mean(&left));
        class_around(&mut left, first);
    }
    if !left.is_empty() {
        classes.push(left);
    }
    classes
}

fn covers_all(classes: &[Vec<u32>], n: usize) -> bool {
    let mut all: Vec<u32> = classes.iter().flatten().copied().collect();
    all.sort_unstable();
    all == (0..n as u32).collect::<Vec<u32>>()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn univariate_partition_has_minimal_error(
        values in proptest::collection::vec(-6i32..7, 0..8),
        k in 1usize..5,
    ) {
        let values: Vec<f64> = values.into_iter().map(|x| f64::from(x) / 2.0).collect();
        let classes = optimal(&values, k);
        prop_assert!(covers_all(&classes, values.len()));
        if values.len() >= k {
            prop_assert!(classes.iter().all(|class| (k..2 * k).contains(&class.len())));
            let (got, best) = (total_error(&values, &classes), least(&values, k));
            prop_assert!((got - best).abs() < 1e-9, "the error is {}, expected {}", got, best);
        }
    }

    #[test]
    fn mdav_classes_match_reference(
        points in proptest::collection::vec(proptest::collection::vec(-4i8..5, 2), 0..30),
        k in 1usize..6,
    ) {
        let points: Vec<Vec<f64>> =
            points.iter().map(|point| point.iter().map(|&x| f64::from(x)).collect()).collect();
        let slices: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
        let classes = mdav(&slices, k, &|| false);
        prop_assert_eq!(&classes, &textbook(&points, k));
        prop_assert!(covers_all(&classes, points.len()));
        prop_assert!(points.len() < k || classes.iter().all(|class| (k..2 * k).contains(&class.len())));
        // After the time limit, the classes have the same properties.
        let hasty = mdav(&slices, k, &|| true);
        prop_assert!(covers_all(&hasty, points.len()));
        prop_assert!(points.len() < k || hasty.iter().all(|class| (k..2 * k).contains(&class.len())));
    }
}

fn search(
    problem: &Problem<'_>,
    center: Center,
    columns: &[bool],
) -> Result<FoundRecoding<Aggregation>, NotFound> {
    let search = Microaggregation { center, columns: columns.to_vec() };
    search.search(problem, &Silent).expect("an answer").found()
}

/// Returns the released rows as strings.
fn rows_of(release: &Release<'_>) -> Vec<Row> {
    let (table, partition) = (release.table(), release.partition());
    let mut rows = Vec::new();
    for (tuple, &class) in partition.class_of.iter().enumerate().filter(|it| *it.1 != DROPPED) {
        let labels = partition.classes.get(class).labels.iter().enumerate();
        let labels = labels.map(|(at, &label)| partition.labels[at][label as usize].clone());
        let values =
            table.sensitive().iter().map(|it| it.dictionary.value(it.codes[tuple]).to_owned());
        let row: Row = (labels.collect(), values.collect());
        rows.extend(std::iter::repeat_n(row, table.counts()[tuple] as usize));
    }
    rows
}

/// Computes the center of each class of a proposal for the first column, with plain arithmetic.
fn plain_centers(table: &FrequencyTable, aggregation: &Aggregation) -> Vec<Option<i64>> {
    let Generalization::Classes(classes) = &aggregation.recoding.generalization else {
        panic!("classes")
    };
    let parts = classes.parts.as_ref().expect("parts");
    let column = &table.quasi_identifiers()[0];
    let mut values: Vec<Vec<i64>> = vec![Vec::new(); classes.cells.n_classes()];
    for (at, part) in
        parts.iter().enumerate().filter(|(at, _)| !aggregation.recoding.suppressed[*at])
    {
        let value = column.dictionary.value(column.codes[part.tuple as usize]);
        let of_class = &mut values[classes.class_of[at] as usize];
        of_class.extend((0..part.rows).map(|_| value.parse::<i64>().expect("a number")));
    }
    let center = |mut values: Vec<i64>| {
        values.sort_unstable();
        let n = values.len();
        let of = match aggregation.center {
            Center::Mean => values,
            Center::Median => vec![*values.get(n.checked_sub(1)? / 2)?, *values.get(n / 2)?],
        };
        let sum: i64 = of.iter().sum();
        (!of.is_empty()).then(|| (sum as f64 / of.len() as f64 + 0.5).floor() as i64)
    };
    values.into_iter().map(center).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn aggregated_result_is_certified_and_satisfies_oracle(
        rows in proptest::collection::vec(
            (proptest::collection::vec(0u8..6, 2), proptest::collection::vec(0u8..3, 1)),
            1..24,
        ),
        k in 1u64..5,
        l in 1u64..4,
        by_median in any::<bool>(),
        tenths in 0i128..6,
    ) {
        let plain = PlainTable { rows };
        let table = plain.table();
        let required_principles = [RequiredPrinciple::KAnonymity { k }, RequiredPrinciple::Distinct { attribute: 0, l }];
        let requirements = required_principles.iter().map(|it| required(&table, it)).collect();
        let policy = plain.policy(&table, requirements, Rational::new(tenths, 10));
        let problem = Problem::new(&table, &policy);
        let center = if by_median { Center::Median } else { Center::Mean };
        // Rows with equal strings in the other column that violate the principles together must be
        // suppressed.
        let mut groups: BTreeMap<u8, Vec<Row>> = BTreeMap::new();
        for (known, sensitive) in &plain.rows {
            let row: Row = (vec![String::new()], vec![sensitive[0].to_string()]);
            groups.entry(known[1]).or_default().push(row);
        }
        let fails = |rows: &&Vec<Row>| judge(rows, &required_principles).verdicts.iter().any(|it| !it.holds);
        let n_failing: usize = groups.values().filter(fails).map(Vec::len).sum();
        let is_allowed = policy.allows_suppressing(n_failing as u64, &table);
        match search(&problem, center, &[true, false]) {
            Err(not_found) => {
                prop_assert!(!is_allowed);
                let needed = not_found.nearest.and_then(|it| it.n_suppressed_needed);
                prop_assert_eq!(needed, Some(n_failing as u64));
            }
            Ok(found) => {
                prop_assert!(is_allowed);
                prop_assert_eq!(found.n_suppressed, n_failing as u64);
                prop_assert_eq!(found.optimality, Optimality::Heuristic);
                let (release, recoding) =
                    certify_aggregated(&table, &policy, &found.proposal).expect("certified");
                prop_assert_eq!(release.n_suppressed(), found.n_suppressed);
                prop_assert_eq!(release.generated(), [true, false]);
                let judgment = judge(&rows_of(&release), &required_principles);
                prop_assert!(judgment.verdicts.iter().all(|it| it.holds), "{:?}", judgment);
                let sizes: u64 = judgment.class_sizes.iter().sum();
                prop_assert_eq!(sizes + found.n_suppressed, table.n_rows());
                let Generalization::Classes(classes) = &recoding.generalization else { panic!() };
                for (cells, expected) in classes.cells.rows().zip(plain_centers(&table, &found.proposal)) {
                    let Cell::Generated { text, of } = &cells[0] else { panic!("{cells:?}") };
                    prop_assert_eq!(Some(text.clone()), expected.map(|it| it.to_string()));
                    let is_range = matches!(**of, Cell::Range { .. });
                    prop_assert!(is_range);
                }
                // The certifier rejects generated cells in a proposal.
                let refused = certify(&table, &policy, &recoding).map(drop);
                prop_assert_eq!(refused, Err(NotCertified::Invalid(InvalidRecoding::Generated)));
                // Up to rounding, class means are at least as close to the values as the overall
                // mean.
                let error = squared_error(&release, 0).expect("numbers");
                prop_assert!(by_median || error.share() <= 1.0 + table.n_rows() as f64 * 0.25 / error.of_mean.max(1.0));
            }
        }
    }
}

fn table(ages: &[&str], cities: &[&str]) -> FrequencyTable {
    let texts =
        |texts: &[&str]| -> Vec<String> { texts.iter().map(|it| (*it).to_owned()).collect() };
    let known = vec![
        crate::classes_support::column("age", &texts(ages)),
        crate::classes_support::column("city", &texts(cities)),
    ];
    FrequencyTable::new(known, Vec::new(), vec![1; ages.len()]).expect("well-formed")
}

fn with_policy<R>(
    table: &FrequencyTable,
    k: &str,
    f: impl FnOnce(&Problem<'_>, &indistinct_core::Policy) -> R,
) -> R {
    let hierarchies = table.quasi_identifiers().iter();
    let policy = indistinct_core::Policy {
        hierarchies: hierarchies
            .map(|it| indistinct_core::Hierarchy::flat(&it.dictionary))
            .collect(),
        requirements: vec![requirement(table, "k-anonymity", None, None, &[("k", k)])],
        suppression_limit: Rational::from_integer(0),
        suppressed: indistinct_core::SuppressionRule::Dropped,
        published: indistinct_core::ClassColumn::Absent,
    };
    f(&Problem::new(table, &policy), &policy)
}

fn labels(release: &Release<'_>) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = rows_of(release).into_iter().map(|row| row.0).collect();
    rows.sort();
    rows
}

#[test]
fn missing_value_is_not_a_number() {
    let ages = ["", "20", "21.5", "", "40", "42"];
    let table = table(&ages, &["a", "a", "a", "a", "a", "a"]);
    with_policy(&table, "2", |problem, policy| {
        let found = search(problem, Center::Mean, &[true, false])
            .expect("the search finds classes of two rows");
        let (release, _) = certify_aggregated(&table, policy, &found.proposal).expect("certified");
        let released =
            [["", "a"], ["", "a"], ["20.8", "a"], ["20.8", "a"], ["41", "a"], ["41", "a"]];
        assert_eq!(labels(&release), released.map(|row| row.map(str::to_owned).to_vec()));
        // The certifier rejects every class with both missing and present numbers.
        let mut mixed = found.proposal.clone();
        let Generalization::Classes(classes) = &mut mixed.recoding.generalization else { panic!() };
        classes.class_of = vec![0; classes.class_of.len()];
        let all = Cell::Set((0..table.quasi_identifiers()[0].dictionary.len() as u32).collect());
        classes.cells = [vec![all, Cell::Label { level: 0, label: 0 }]].into_iter().collect();
        let refused = certify_aggregated(&table, policy, &mixed).map(drop);
        assert!(
            matches!(refused, Err(NotCertified::Invalid(InvalidRecoding::Cell { .. }))),
            "{refused:?}"
        );
    });
}

#[test]
fn text_centers_and_wrong_ranges_are_rejected() {
    let table = table(&["1", "2", "3", "4"], &["a", "a", "b", "b"]);
    with_policy(&table, "2", |problem, policy| {
        let columns = vec![false, true];
        let search_texts = Microaggregation { center: Center::Mean, columns: columns.clone() };
        let error = search_texts.search(problem, &Silent).expect_err("cities");
        assert!(matches!(error, SearchError::NoNumbers { .. }), "{error:?}");

        let found = search(problem, Center::Mean, &[true, false]).expect("by city");
        let of_texts = Aggregation { columns, ..found.proposal.clone() };
        let refused = certify_aggregated(&table, policy, &of_texts).map(drop);
        assert_eq!(
            refused,
            Err(NotCertified::Invalid(InvalidRecoding::NoNumbers { attribute: 1 }))
        );

        let mut lying = found.proposal.clone();
        let Generalization::Classes(classes) = &mut lying.recoding.generalization else { panic!() };
        let mut cells: Vec<Vec<Cell>> = classes.cells.rows().collect();
        cells[0][0] = Cell::Range { low: 0, high: 0 };
        classes.cells = cells.into_iter().collect();
        let refused = certify_aggregated(&table, policy, &lying).map(drop);
        assert!(
            matches!(refused, Err(NotCertified::Invalid(InvalidRecoding::NotCovered { .. }))),
            "{refused:?}"
        );

        let by_level = Recoding {
            generalization: Generalization::of_levels(vec![1, 1]),
            suppressed: vec![false; 4],
            sensitive: None,
        };
        let by_level = Aggregation { recoding: by_level, ..found.proposal };
        let refused = certify_aggregated(&table, policy, &by_level).map(drop);
        assert_eq!(refused, Err(NotCertified::Invalid(InvalidRecoding::NoClasses)));
    });
}

/// Large groups are halved; after the time limit, there is still a release, and it is marked as
/// stopped.
#[test]
fn large_groups_are_halved_and_stop_leaves_classes() {
    let mut dice = crate::classes_support::Dice(3);
    let ages: Vec<String> = (0..21_000).map(|_| dice.below(5_000).to_string()).collect();
    let incomes: Vec<String> = (0..21_000).map(|_| dice.below(90_000).to_string()).collect();
    let ages: Vec<&str> = ages.iter().map(String::as_str).collect();
    let incomes: Vec<&str> = incomes.iter().map(String::as_str).collect();
    let table = table(&ages, &incomes);
    with_policy(&table, "300", |problem, policy| {
        let search = Microaggregation { center: Center::Mean, columns: vec![true, true] };
        for (observer, optimality) in [
            (Impatient::after(u64::MAX), Optimality::Heuristic),
            (Impatient::after(3), Optimality::STOPPED),
        ] {
            let found = search.search(problem, &observer).expect("an answer").found();
            let found = found.expect("a release");
            assert_eq!(found.optimality, optimality);
            assert!(found.n_classes >= 21_000 / 600, "{}", found.n_classes);
            let (release, _) =
                certify_aggregated(&table, policy, &found.proposal).expect("certified");
            let share = squared_error(&release, 0).expect("numbers").share();
            assert!(share < 0.9, "{share}");
        }
    });
}
