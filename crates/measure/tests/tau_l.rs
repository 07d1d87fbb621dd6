//! Tests information utility against row-by-row computations, and excessive protection against
//! manual computations.

mod support;

use std::collections::BTreeSet;

use indistinct_core::model::{Branch, FrequencyTable, Taxonomy};
use indistinct_core::principle::Growth;
use indistinct_core::published::{Attachment, PublishedRows, ReleaseWithOriginal};
use indistinct_core::{Cell, Rational};
use indistinct_measure::tau_l::{TauLRequirement, excessive_protection, utility};
use proptest::prelude::*;
use support::{ages, cases, column, letters};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn retained_information_is_inverse_of_coverage(case in cases()) {
        case.with(|_, _, _, pair| {
            let rows = &pair.published.rows;
            let occurring: BTreeSet<u32> = case.rows.iter().map(|row| row.0).collect();
            let (mut all, mut of_classes) = (0.0, vec![(0.0, 0.0); pair.published.n_classes]);
            for tuple in 0..rows.n_tuples() {
                let text = |at: usize| {
                    let column = &rows.quasi_identifiers()[at];
                    column.dictionary.value(column.codes[tuple])
                };
                let own = 1.0 / ages(text(0), &occurring).len() as f64 + 1.0 / letters(text(1)).len() as f64 + 1.0;
                let count = rows.counts()[tuple] as f64;
                all += own * count;
                let class = &mut of_classes[pair.published.class_of[tuple] as usize];
                *class = (class.0 + own * count, class.1 + 3.0 * count);
            }
            let found = utility(&pair);
            let expected = all / (3 * case.rows.len()) as f64;
            prop_assert!((found.retained.expect("the table is not empty") - expected).abs() < 1e-12);
            let shares: Vec<f64> = of_classes.iter().map(|(own, all)| own / all).collect();
            let min = shares.iter().copied().min_by(f64::total_cmp);
            let found = found.of_classes.map(|summary| summary.min);
            prop_assert_eq!(min.is_some(), found.is_some());
            prop_assert!((min.unwrap_or(0.0) - found.unwrap_or(0.0)).abs() < 1e-12);
            Ok(())
        })?;
    }
}

fn taxonomy() -> Taxonomy {
    let leaf = |label: &str| Branch::Leaf(label.to_owned());
    let lungs = Branch::Inner("lungs".to_owned(), vec![leaf("asthma"), leaf("flu")]);
    Taxonomy::of_tree(&Branch::Inner("*".to_owned(), vec![lungs, leaf("ulcer")]))
}

/// Creates released rows in the classes a, b, and c.
fn published(rows: &[(&str, &str, u64)]) -> PublishedRows {
    let texts = |of: &dyn for<'a> Fn(&'a (&'a str, &'a str, u64)) -> &'a str| -> Vec<String> {
        rows.iter().map(|row| of(row).to_owned()).collect()
    };
    let known = column("age", &texts(&|row| row.0));
    let value = column("disease", &texts(&|row| row.1));
    let table =
        FrequencyTable::new(vec![known], vec![value], rows.iter().map(|row| row.2).collect());
    let table = table.expect("valid");
    let class_of = table.groups().of_tuples();
    let covered = vec![vec![Some(4), Some(1), None]];
    let mut published = PublishedRows::of_rows(table, class_of, covered, Attachment::ToRows);
    published.sensitive[0].taxonomy = Some(taxonomy());
    published
}

fn required(weights: [i128; 3]) -> TauLRequirement {
    TauLRequirement {
        tau: Rational::new(1, 2),
        l: Rational::from_integer(2),
        taxonomy: taxonomy(),
        weights: weights.map(Rational::from_integer).to_vec(),
        growth: Growth::Linear,
    }
}

/// The limits of the requirement are psi = (1/2, 1, 1).
#[test]
fn excess_is_distance_from_required_level() {
    let rows = [
        ("a", "flu", 1), // F = (1/2, 1, 1): no excess
        ("a", "ulcer", 1),
        ("b", "lungs", 1), // 1/4, 1/4, 1/2: F = (1/2, 3/4, 1)
        ("b", "ulcer", 1),
        ("c", "flu", 2), // F = (1, 1, 1): a violation counts as well
    ];
    let found = excessive_protection(&published(&rows), 0, &required([1, 1, 1])).expect("classes");
    assert_eq!((found.n, found.min, found.mean, found.max), (3, 0.0, 0.25, 0.5));
    // Without asthma, flu is the only value below lungs.
    let found = excessive_protection(&published(&rows[2..4]), 0, &required([0, 1, 1]));
    assert_eq!(found.map(|found| found.max), Some(0.0));
    assert_eq!(excessive_protection(&published(&rows), 0, &required([0, 0, 1])), None);
    assert_eq!(excessive_protection(&published(&[]), 0, &required([1, 1, 1])), None);
}

#[test]
fn generalized_sensitive_values_retain_less_information() {
    let published = published(&[("a", "lungs", 2), ("b", "ulcer", 2)]);
    let texts = |texts: [&str; 4]| texts.map(str::to_owned).to_vec();
    let known = column("age", &texts(["1", "2", "3", "4"]));
    let values = column("disease", &texts(["flu", "asthma", "ulcer", "ulcer"]));
    let hierarchies = vec![indistinct_core::Hierarchy::flat(&known.dictionary)];
    let original = FrequencyTable::new(vec![known], vec![values], vec![1; 4]).expect("valid");
    let cells = vec![vec![Cell::Label { level: 1, label: 0 }, Cell::Set(vec![3])]];
    let pair =
        ReleaseWithOriginal { published, original, hierarchies, cells, links: None, people: None };
    // Each row of class a retains 1/4 + 1/2 of 2, and each row of class b retains 1 + 1.
    let found = utility(&pair);
    assert_eq!(found.retained, Some((2.0 * 0.75 + 2.0 * 2.0) / 8.0));
    let of_classes = found.of_classes.expect("two classes");
    assert_eq!((of_classes.min, of_classes.max), (0.375, 1.0));
}
