//! A generator of small random problems for full-domain searches.

use proptest::prelude::*;
use proptest::sample::select;

use crate::lattice_oracle::{
    PlainHierarchy, PlainLevel, PlainObjective, PlainPrinciple, PlainProblem, PlainRow,
    PlainSuppression,
};

/// Generates a hierarchy over `n_values` values with up to four levels. A level may equal the one
/// below, the top level is `*` or another label, `*` occasionally occurs below the top level, and
/// the domain may be larger than the set of values.
fn hierarchy(n_values: usize) -> impl Strategy<Value = PlainHierarchy> {
    let merges = proptest::collection::vec(proptest::collection::vec(0..3usize, n_values), 0..=2);
    (merges, 0..3u64, select(vec!["*", "*", "*", "any"]), 0..4usize).prop_map(
        move |(merges, extra, top, star_below)| {
            let mut levels = vec![PlainLevel {
                label_of: (0..n_values).collect(),
                labels: (0..n_values).map(|value| format!("v{value}")).collect(),
                covered: vec![1; n_values],
            }];
            for merge in merges {
                let below = &levels[levels.len() - 1];
                let depth = levels.len();
                // Labels retain their numbers, and some labels may cover no values.
                let label_of: Vec<usize> =
                    below.label_of.iter().map(|&label| merge[label % n_values]).collect();
                let labels: Vec<String> = (0..3)
                    .map(|label| match (star_below, label) {
                        (0, 0) => "*".to_owned(),
                        _ => format!("level {depth}, {label}"),
                    })
                    .collect();
                let covered = (0..labels.len())
                    .map(|label| label_of.iter().filter(|other| **other == label).count() as u64)
                    .collect();
                levels.push(PlainLevel { label_of, labels, covered });
            }
            let domain_size = n_values as u64 + extra;
            levels.push(PlainLevel {
                label_of: vec![0; n_values],
                labels: vec![top.to_owned()],
                covered: vec![domain_size],
            });
            PlainHierarchy { levels, domain_size }
        },
    )
}

fn principle(n_sensitive: usize) -> impl Strategy<Value = PlainPrinciple> {
    let on = 0..n_sensitive;
    let l = select(vec![(1, 1), (3, 2), (2, 1), (5, 2), (3, 1)]);
    let c = select(vec![(1, 2), (1, 1), (3, 2), (2, 1), (3, 1)]);
    (0..5usize, 1..6u64, on, 1..4u64, l, c).prop_map(|(kind, k, on, whole, l, c)| match kind {
        0 => PlainPrinciple::KAnonymity(k),
        1 => PlainPrinciple::Distinct { on, l: whole },
        2 => PlainPrinciple::Frequency { on, l },
        3 => PlainPrinciple::Entropy { on, l },
        _ => PlainPrinciple::Recursive { on, c, l: whole },
    })
}

fn row(domains: Vec<usize>, n_sensitive: usize) -> impl Strategy<Value = PlainRow> {
    let codes: Vec<_> = domains.into_iter().map(|n| 0..n).collect();
    let sensitive = proptest::collection::vec(0..3usize, n_sensitive);
    (codes, sensitive, 1..4u64).prop_map(|(quasi_identifiers, sensitive, count)| PlainRow {
        quasi_identifiers,
        sensitive,
        count,
    })
}

/// Generates the settings of a policy.
fn policy() -> impl Strategy<Value = ((u64, u64), PlainSuppression, PlainObjective)> {
    (
        select(vec![(0, 1), (1, 20), (1, 10), (1, 4), (1, 2), (1, 1)]),
        select(vec![PlainSuppression::Dropped, PlainSuppression::Starred]),
        select(vec![
            PlainObjective::Loss,
            PlainObjective::Discernibility,
            PlainObjective::AverageClassSize,
            PlainObjective::Entropy,
            PlainObjective::Height,
            PlainObjective::Information,
            PlainObjective::KlDivergence,
            PlainObjective::KlDivergence,
        ]),
    )
}

/// Generates problems with up to four quasi-identifiers, two sensitive attributes, and three
/// principles.
pub fn problems() -> impl Strategy<Value = PlainProblem> {
    (proptest::collection::vec(1..5usize, 1..=4), 1..=2usize).prop_flat_map(
        |(domains, n_sensitive)| {
            let hierarchies: Vec<_> = domains.iter().map(|n| hierarchy(*n)).collect();
            let n_attributes = domains.len();
            let rows = proptest::collection::vec(row(domains, n_sensitive), 0..16);
            let weights = proptest::collection::vec(select(vec![0.0, 0.5, 1.0, 1.0]), n_attributes);
            let cuts = proptest::collection::vec((0..8usize, 0..8usize), n_attributes);
            let principles = proptest::collection::vec(principle(n_sensitive), 1..=3);
            (hierarchies, rows, weights, cuts, principles, policy()).prop_map(
                |(hierarchies, rows, weights, cuts, principles, policy)| PlainProblem {
                    bounds: hierarchies
                        .iter()
                        .zip(cuts)
                        .map(|(hierarchy, (low, high))| {
                            let top = hierarchy.levels.len() - 1;
                            // Most attributes allow all levels.
                            let min = if low < 6 { 0 } else { (low - 5).min(top) };
                            let max = if high < 6 { top } else { top.saturating_sub(high - 5) };
                            (min, max.max(min))
                        })
                        .collect(),
                    rows,
                    hierarchies,
                    principles,
                    limit: policy.0,
                    suppressed: policy.1,
                    objective: policy.2,
                    weights,
                },
            )
        },
    )
}
