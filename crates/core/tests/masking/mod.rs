//! Tests masked quasi-identifiers: the properties that each operation preserves, and the columns
//! that it must not change.

use std::collections::BTreeMap;

use indistinct_core::model::{CountedColumn, to_f64};
use indistinct_core::principle::{self, Context, ParameterValue, Parameters};
use indistinct_core::recoding::Key;
use indistinct_core::recoding::masking::{self, ColumnMask, Masking, MaskingProblem};
use indistinct_core::recoding::squared_error;
use indistinct_core::{
    Cell, ClassColumn, Dictionary, FrequencyTable, Generalization, Hierarchy, InvalidRecoding,
    NotCertified, Others, Policy, Rational, Release, Requirement, SuppressionRule, certify,
    certify_masked,
};
use proptest::prelude::*;

fn column(name: &str, values: &[String]) -> CountedColumn {
    let mut distinct = values.to_vec();
    distinct.sort();
    distinct.dedup();
    let (dictionary, _) = Dictionary::from_distinct(distinct);
    let codes = values.iter().map(|it| dictionary.code_of(it).expect("it occurs")).collect();
    CountedColumn { name: name.to_owned(), dictionary, codes }
}

fn table(rows: &[[String; 3]]) -> FrequencyTable {
    let of = |at: usize| -> Vec<String> { rows.iter().map(|row| row[at].clone()).collect() };
    let known = vec![column("age", &of(0)), column("city", &of(1))];
    FrequencyTable::new(known, vec![column("disease", &of(2))], vec![1; rows.len()]).expect("valid")
}

fn policy(table: &FrequencyTable) -> Policy {
    let hierarchies = table.quasi_identifiers().iter();
    Policy {
        hierarchies: hierarchies.map(|column| Hierarchy::flat(&column.dictionary)).collect(),
        requirements: Vec::new(),
        suppression_limit: Rational::from_integer(0),
        suppressed: SuppressionRule::Dropped,
        published: ClassColumn::Absent,
    }
}

fn masked(column: &str, operation: &str, parameter: Rational) -> ColumnMask {
    let operation = masking::find(operation).expect("the registry contains the operation");
    ColumnMask { column: column.to_owned(), operation, parameter }
}

fn masking(columns: Vec<ColumnMask>, key: u8) -> Masking {
    Masking { columns, key: Key([key; 32]) }
}

/// Returns the released rows with their original rows, in the order of the table.
fn rows_of(release: &Release<'_>) -> Vec<([String; 3], [String; 3])> {
    let (rows, partition) = (release.table(), release.partition());
    let mut all = Vec::new();
    for tuple in 0..rows.n_tuples() {
        let class = partition.classes.get(partition.class_of[tuple]);
        let label = |at: usize| partition.labels[at][class.labels[at] as usize].clone();
        let [age, city] = [0, 1].map(|at| {
            let column = &rows.quasi_identifiers()[at];
            column.dictionary.value(column.codes[tuple]).to_owned()
        });
        let disease = &rows.sensitive()[0];
        let disease = disease.dictionary.value(disease.codes[tuple]).to_owned();
        let pair = ([age, city, disease.clone()], [label(0), label(1), disease]);
        all.extend(std::iter::repeat_n(pair, rows.counts()[tuple] as usize));
    }
    all
}

fn counts(values: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    counts
}

fn cells() -> impl Strategy<Value = Vec<[String; 3]>> {
    let row = (
        prop_oneof![9 => (0i32..40).prop_map(|n| n.to_string()), 1 => Just(String::new())],
        0u8..4,
        0u8..3,
    );
    let row = row.prop_map(|(age, city, disease)| [age, format!("c{city}"), format!("d{disease}")]);
    proptest::collection::vec(row, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn swapping_and_shuffling_preserve_value_counts(
        rows in cells(),
        percent in 1i128..60,
        key in any::<u8>(),
    ) {
        let table = table(&rows);
        let policy = policy(&table);
        let share = Rational::new(percent, 100);
        let required = masking(vec![masked("city", "shuffle", share), masked("age", "swap", share)], key);
        let (release, recoding) = certify_masked(&table, &policy, &required).expect("noise");
        prop_assert!(release.claims().principles.is_empty() && release.n_suppressed() == 0);
        prop_assert_eq!(release.generated(), [true, true]);
        let all = rows_of(&release);
        prop_assert_eq!(all.len(), rows.len());
        for at in 0..2 {
            let before = counts(rows.iter().map(|row| row[at].clone()));
            prop_assert_eq!(before, counts(all.iter().map(|(_, after)| after[at].clone())));
        }
        // The original rows are those of the table, with their sensitive values; missing ages
        // remain missing.
        let raw = counts(rows.iter().map(|row| row.join("|")));
        prop_assert_eq!(raw, counts(all.iter().map(|(before, _)| before.join("|"))));
        prop_assert!(all.iter().all(|(before, after)| before[0].is_empty() == after[0].is_empty()));
        // A value moves by at most the given share of the ranks, which limits the number of values
        // strictly between the two values.
        let mut ages: Vec<i32> = rows.iter().filter_map(|row| row[0].parse().ok()).collect();
        ages.sort_unstable();
        let reach = (to_f64(&share) * ages.len() as f64).floor().max(1.0) as usize;
        for (before, after) in &all {
            let (Ok(a), Ok(b)) = (before[0].parse::<i32>(), after[0].parse::<i32>()) else { continue };
            let between = ages.iter().filter(|age| (a.min(b) + 1..a.max(b)).contains(age)).count();
            prop_assert!(between < reach, "{} and {}: {} of {}", a, b, between, reach);
        }
        // Only the certifier may generate synthetic values.
        let refused = certify(&table, &policy, &recoding).map(drop);
        prop_assert_eq!(refused, Err(NotCertified::Invalid(InvalidRecoding::Generated)));
        // The same key results in the same draws, and additional columns do not affect this column.
        let alone = masking(vec![masked("age", "swap", share)], key);
        let (alone, _) = certify_masked(&table, &policy, &alone).expect("noise");
        prop_assert_eq!(alone.generated(), [true, false]);
        let ages = |rows: Vec<([String; 3], [String; 3])>| {
            counts(rows.into_iter().map(|(before, after)| format!("{before:?} {}", after[0])))
        };
        let released = rows_of(&alone);
        prop_assert!(released.iter().all(|(before, after)| before[1] == after[1]));
        prop_assert_eq!(ages(all), ages(released));
    }

    #[test]
    fn pram_draws_from_column_and_noise_yields_numbers(
        rows in cells(),
        tenths in 0i128..10,
        key in any::<u8>(),
    ) {
        let table = table(&rows);
        let required = masking(
            vec![
                masked("city", "pram", Rational::new(tenths, 10)),
                masked("age", "noise", Rational::new(tenths + 1, 10)),
            ],
            key,
        );
        let (release, recoding) = certify_masked(&table, &policy(&table), &required).expect("noise");
        let cities = counts(rows.iter().map(|row| row[1].clone()));
        for (before, after) in rows_of(&release) {
            prop_assert!(cities.contains_key(&after[1]));
            prop_assert_eq!(before[0].is_empty(), after[0].is_empty());
            prop_assert!(after[0].is_empty() || after[0].parse::<i64>().is_ok());
        }
        // Every released string represents the original values of its rows.
        let Generalization::Classes(classes) = &recoding.generalization else { panic!("classes") };
        let is_generated = |cell: &Cell| matches!(cell, Cell::Generated { .. });
        prop_assert!(classes.cells.attributes().iter().all(|cells| cells.distinct().iter().all(is_generated)));
    }
}

/// Creates 4,000 rows of two correlated numbers and a category.
fn many() -> Vec<[String; 3]> {
    let mut state = 9u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let row = |_| {
        let age = 1_000 + below(4_000);
        let income = 3 * age + below(2_000);
        [age.to_string(), income.to_string(), format!("d{}", below(10).min(6))]
    };
    (0..4_000).map(row).collect()
}

struct Moments {
    means: [f64; 2],
    covariances: [[f64; 2]; 2],
}

fn moments(rows: impl Iterator<Item = [f64; 2]> + Clone) -> Moments {
    let n = rows.clone().count() as f64;
    let means = [0, 1].map(|at| rows.clone().map(|row| row[at]).sum::<f64>() / n);
    let of = |i: usize, j: usize| {
        rows.clone().map(|row| (row[i] - means[i]) * (row[j] - means[j])).sum::<f64>() / n
    };
    Moments { means, covariances: [0, 1].map(|i| [0, 1].map(|j| of(i, j))) }
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

/// Means must be within five standard errors. Covariances must be within a tenth, because the error
/// for 4,000 rows is a few hundredths.
#[test]
fn noise_preserves_means_and_scales_covariances() {
    let rows = many();
    let table = table(&rows);
    let share = Rational::new(1, 4);
    let required = masking(vec![masked("age", "noise", share), masked("city", "noise", share)], 3);
    let (release, _) = certify_masked(&table, &policy(&table), &required).expect("noise");
    let released = rows_of(&release);
    let pairs = |after: bool| {
        released.iter().map(move |(raw, generated)| {
            let row = if after { generated } else { raw };
            [number(&row[0]), number(&row[1])]
        })
    };
    let (before, after) = (moments(pairs(false)), moments(pairs(true)));
    for at in 0..2 {
        let standard_error = (before.covariances[at][at] * 0.25 / 4_000.0).sqrt();
        let off = (after.means[at] - before.means[at]).abs();
        assert!(off < 5.0 * standard_error, "{off} {standard_error}");
        for other in 0..2 {
            let ratio = after.covariances[at][other] / before.covariances[at][other];
            assert!((ratio - 1.25).abs() < 0.1, "{at} {other}: {ratio}");
        }
        let lost = squared_error(&release, at).expect("numbers").share();
        assert!((lost - 0.25).abs() < 0.03, "{lost}");
    }
}

/// The number of rows that keep their value may differ from its expectation by at most five
/// standard deviations.
#[test]
fn pram_preserves_expected_counts_and_stated_probability() {
    let rows: Vec<[String; 3]> =
        many().into_iter().map(|[age, _, disease]| [age, disease, "d".to_owned()]).collect();
    let table = table(&rows);
    let required = masking(vec![masked("city", "pram", Rational::new(3, 5))], 4);
    let (release, _) = certify_masked(&table, &policy(&table), &required).expect("noise");
    let released = rows_of(&release);
    let (before, after) = (
        counts(released.iter().map(|(raw, _)| raw[1].clone())),
        counts(released.iter().map(|(_, generated)| generated[1].clone())),
    );
    let n = rows.len() as f64;
    let shares: Vec<f64> = before.values().map(|&rows| rows as f64 / n).collect();
    for (value, &rows) in &before {
        let off = (after[value] as f64 - rows as f64).abs();
        assert!(off < 5.0 * (rows as f64).sqrt(), "{value}: {off}");
    }
    let n_changed =
        released.iter().filter(|(raw, generated)| raw[1] != generated[1]).count() as f64;
    let expected = n * 0.4 * (1.0 - shares.iter().map(|share| share * share).sum::<f64>());
    assert!((n_changed - expected).abs() < 5.0 * expected.sqrt(), "{n_changed} {expected}");
    assert!(released.iter().all(|(raw, generated)| raw[0] == generated[0]));
}

/// The shares are exactly a fixed point of the matrix `p [i = j] + (1 - p) s_j` for various shares
/// and probabilities.
#[test]
fn pram_matrix_is_invariant() {
    for rows in [vec![1u32, 2, 3], vec![5, 5], vec![1, 0, 7, 4]] {
        let n: u32 = rows.iter().sum();
        let shares: Vec<Rational> =
            rows.iter().map(|&it| Rational::new(it.into(), n.into())).collect();
        for p in [Rational::new(0, 1), Rational::new(1, 3), Rational::new(9, 10)] {
            let one = Rational::from_integer(1);
            let becomes = |i: usize, j: usize| {
                let retained = if i == j { p } else { Rational::from_integer(0) };
                retained + (one - p) * shares[j]
            };
            for (j, share) in shares.iter().enumerate() {
                let after: Rational = (0..shares.len()).map(|i| shares[i] * becomes(i, j)).sum();
                assert_eq!(after, *share);
            }
        }
    }
}

#[test]
fn masking_claims_no_principles_and_rejects_invalid_input() {
    let rows = many();
    let table = table(&rows[..50]);
    let mut policy = policy(&table);
    let problem = |required: Vec<ColumnMask>, policy: &Policy| match certify_masked(
        &table,
        policy,
        &masking(required, 1),
    ) {
        Err(NotCertified::Masking(problem)) => problem,
        other => panic!("{:?}", other.map(drop)),
    };
    let half = Rational::new(1, 2);
    let unknown = problem(vec![masked("disease", "shuffle", half)], &policy);
    assert!(matches!(unknown, MaskingProblem::Column { .. }));
    let twice = vec![masked("age", "shuffle", half), masked("age", "pram", half)];
    assert!(matches!(problem(twice, &policy), MaskingProblem::Column { .. }));
    let kind = principle::find("k-anonymity").expect("the registry contains this name");
    let numbers = [("k".to_owned(), ParameterValue::Number(Rational::from_integer(1)))];
    let k = Requirement::new(
        kind,
        &Context::new(&table, None),
        Parameters(numbers.into()),
        Others::Ignored,
    );
    policy.requirements.push(k.expect("valid"));
    let refused = problem(vec![masked("age", "swap", half)], &policy);
    assert_eq!(refused, MaskingProblem::Principle { kind: "k-anonymity" });
    let texts: Vec<[String; 3]> =
        (0..4).map(|n| [format!("v{n}"), "c".into(), "d".into()]).collect();
    let texts = self::table(&texts);
    for operation in ["swap", "noise"] {
        let required = masking(vec![masked("age", operation, half)], 1);
        let refused = certify_masked(&texts, &self::policy(&texts), &required).map(drop);
        let is_numbers =
            matches!(refused, Err(NotCertified::Masking(MaskingProblem::Numbers { .. })));
        assert!(is_numbers, "{refused:?}");
    }
}
