//! Tests the losses against their formulas on plain rows.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{N_LEVELS, PlainTable, plain_table, raw_row, recoding};
use indistinct_core::loss::{self, CellCosts, Form, Loss, Sizes, cell_costs, of_release};
use indistinct_core::{Policy, Rational, SuppressionRule, certify};
use indistinct_testkit::principles::Row;
use proptest::prelude::*;

fn find(name: &str) -> &'static Loss {
    loss::find(name).expect("the registry contains this name")
}

fn costs(name: &str, plain: &PlainTable) -> Vec<CellCosts> {
    let Form::Cells(cost) = find(name).form else { panic!("{name} should be a mean over cells") };
    let table = plain.to_core();
    cell_costs(cost, &table, &plain.core_hierarchies(&table))
}

fn of_sizes(name: &str, sizes: &Sizes) -> f64 {
    let Form::Classes(of_sizes) = find(name).form else {
        panic!("{name} should be a loss of class sizes")
    };
    of_sizes(sizes)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// Returns the covered share of a cell by its definition.
fn covered_share(plain: &PlainTable, at: usize, level: usize, row: &Row) -> f64 {
    let hierarchy = &plain.hierarchies[at];
    let covered = hierarchy.covered(level, &hierarchy.label(level, &row.0[at]));
    match hierarchy.values.len() {
        1 => 0.0,
        domain => (covered - 1) as f64 / (domain - 1) as f64,
    }
}

/// Returns the lost information of a cell, as a share of the mean information of a value of its
/// column.
fn lost_information(plain: &PlainTable, at: usize, level: usize, row: &Row) -> f64 {
    let label = |row: &Row, level: usize| plain.hierarchies[at].label(level, &row.0[at]);
    let alike = |of: &Row, level: usize| {
        plain.rows.iter().filter(|row| label(row, level) == label(of, level)).count() as f64
    };
    let n = plain.rows.len() as f64;
    let all: f64 = plain.rows.iter().map(|row| (n / alike(row, 0)).ln()).sum::<f64>() / n;
    if all == 0.0 { 0.0 } else { (alike(row, level) / alike(row, 0)).ln() / all }
}

/// Returns the lost information of a cell based on the number of values that it covers.
fn lost_share(plain: &PlainTable, at: usize, level: usize, row: &Row) -> f64 {
    let hierarchy = &plain.hierarchies[at];
    1.0 - 1.0 / hierarchy.covered(level, &hierarchy.label(level, &row.0[at])) as f64
}

type CellLoss = fn(&PlainTable, usize, usize, &Row) -> f64;

const CELL_LOSSES: [(&str, CellLoss); 3] =
    [("loss", covered_share), ("entropy", lost_information), ("information", lost_share)];

/// Returns the cost of a suppressed cell, which equals the cost at the top level, and is always 1
/// for `loss` and `information`.
fn suppressed_cell(name: &str, plain: &PlainTable, at: usize, row: &Row) -> f64 {
    match name {
        "loss" | "information" => 1.0,
        _ => lost_information(plain, at, N_LEVELS - 1, row),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// Neither going one level up nor suppression lowers a loss of cells.
    #[test]
    fn generalization_and_suppression_never_lower_losses(plain in plain_table()) {
        for (name, _) in CELL_LOSSES {
            for costs in costs(name, &plain) {
                prop_assert_eq!(costs.total.len(), N_LEVELS);
                for pair in costs.total.windows(2) {
                    prop_assert!(pair[0] <= pair[1] + 1e-9, "{}: {:?}", name, costs.total);
                }
                prop_assert!(costs.suppression.iter().flatten().all(|more| *more >= 0.0));
            }
        }
    }

    #[test]
    fn cell_losses_match_formulas(plain in plain_table()) {
        let table = plain.to_core();
        let hierarchies = plain.core_hierarchies(&table);
        for (name, formula) in CELL_LOSSES {
            for (at, costs) in costs(name, &plain).iter().enumerate() {
                for level in 0..N_LEVELS {
                    let rows = &plain.rows;
                    let cells: Vec<f64> =
                        rows.iter().map(|row| formula(&plain, at, level, row)).collect();
                    let total: f64 = cells.iter().sum();
                    prop_assert!(close(costs.total[level], total), "{name}: {costs:?} {total}");

                    // Rows with the same label may have different losses, so their sums are
                    // compared.
                    let mut more: BTreeMap<String, (f64, f64)> = BTreeMap::new();
                    for (row, cell) in rows.iter().zip(&cells) {
                        let sum = more.entry(plain.hierarchies[at].label(level, &row.0[at]));
                        let sum = sum.or_default();
                        sum.0 += suppressed_cell(name, &plain, at, row) - cell;
                        sum.1 += 1.0;
                    }
                    let known = hierarchies[at].level(level);
                    prop_assert_eq!(more.len(), known.labels.len());
                    for (label, &got) in known.labels.iter().zip(&costs.suppression[level]) {
                        let (expected, n_rows) = more[label];
                        prop_assert!(close(got * n_rows, expected), "{name}: {got} {expected}");
                    }
                }
            }
        }
    }

    /// The loss in Section 6 of the (epsilon, m) paper is the sum over quasi-identifiers of covered
    /// values divided by values of the domain. Except for a constant sum, it equals `loss` with
    /// weights of (domain - 1) / domain, so a policy can request it by setting weights.
    #[test]
    fn epsilon_m_loss_equals_weighted_loss(plain in plain_table()) {
        for (at, costs) in costs("loss", &plain).iter().enumerate() {
            let hierarchy = &plain.hierarchies[at];
            let domain = hierarchy.values.len() as f64;
            let weight = (domain - 1.0) / domain;
            let n_rows = plain.rows.len() as f64;
            for level in 0..N_LEVELS {
                let covered =
                    |row: &Row| hierarchy.covered(level, &hierarchy.label(level, &row.0[at]));
                let printed: f64 = plain.rows.iter().map(|row| covered(row) as f64 / domain).sum();
                let ours = weight * costs.total[level] + n_rows / domain;
                prop_assert!(close(ours, printed), "{ours} {printed}");
            }
            // In both losses, a suppressed row covers the whole domain.
            let of_row = |row: &Row| {
                1.0 - hierarchy.covered(0, &hierarchy.label(0, &row.0[at])) as f64 / domain
            };
            let printed: f64 = plain.rows.iter().map(of_row).sum();
            prop_assert!(close(weight * (n_rows - costs.total[0]), printed));
        }
    }

    /// Without suppression, merging two classes never lowers a loss of classes.
    #[test]
    fn merging_never_lowers_class_losses(classes in prop::collection::vec(1..50u64, 2..12)) {
        let sizes = |classes: &[u64]| Sizes {
            n_rows: classes.iter().sum(),
            n_suppressed: 0,
            n_classes: classes.len() as u64,
            squares: classes.iter().map(|&size| u128::from(size * size)).sum(),
        };
        let mut merged = classes.clone();
        let last = merged.pop().expect("the list has at least two classes");
        merged[0] += last;
        for loss in loss::REGISTRY {
            if let Form::Classes(of_sizes) = loss.form {
                let (before, after) = (of_sizes(&sizes(&classes)), of_sizes(&sizes(&merged)));
                prop_assert!(before <= after, "{}: {before} {after}", loss.name);
            }
        }
    }

    #[test]
    fn class_losses_match_formulas(
        classes in prop::collection::vec(1..50u64, 0..12),
        n_suppressed in 0..40u64,
    ) {
        let retained: u64 = classes.iter().sum();
        let n_rows = retained + n_suppressed;
        let sizes = Sizes {
            n_rows,
            n_suppressed,
            n_classes: classes.len() as u64,
            squares: classes.iter().map(|&size| u128::from(size * size)).sum(),
        };
        // The number of rows from which each row is indistinguishable.
        let mut indistinguishable = n_suppressed * n_rows;
        for &size in &classes {
            for _ in 0..size {
                indistinguishable += size;
            }
        }
        prop_assert_eq!(of_sizes("discernibility", &sizes), indistinguishable as f64);
        let mean = if classes.is_empty() { n_rows as f64 } else { retained as f64 / classes.len() as f64 };
        prop_assert!(close(of_sizes("average-class-size", &sizes), mean));
    }

    /// The height is the sum of the levels of all attributes.
    #[test]
    fn height_is_sum_of_levels(
        levels in prop::collection::vec(0..6usize, 1..6),
        up in any::<prop::sample::Index>(),
    ) {
        let Form::Levels(height) = find("height").form else {
            panic!(
                "height should be a loss of \
                                                                          levels"
            )
        };
        let mut steps = 0.0;
        for &level in &levels {
            for _ in 0..level {
                steps += 1.0;
            }
        }
        prop_assert_eq!(height(&levels), steps);
        let mut higher = levels.clone();
        higher[up.index(levels.len())] += 1;
        prop_assert_eq!(height(&higher), steps + 1.0);
    }

    /// Tests all losses of a release, with both kinds of row suppression, against plain rows.
    #[test]
    fn release_losses_match_formulas(
        plain in plain_table(),
        picks in prop::array::uniform3(0..N_LEVELS),
        marks in any::<u64>(),
        suppressed in prop::sample::select(vec![SuppressionRule::Dropped, SuppressionRule::Starred]),
        weights in prop::array::uniform3(1..5u32),
    ) {
        let levels = &picks[..plain.hierarchies.len()];
        let weights: Vec<f64> = weights[..levels.len()].iter().map(|&w| f64::from(w)).collect();
        let table = plain.to_core();
        let policy = Policy {
            hierarchies: plain.core_hierarchies(&table),
            requirements: Vec::new(),
            suppression_limit: Rational::from_integer(1),
            suppressed, published: indistinct_core::ClassColumn::Absent,
};
        let marks: Vec<bool> = (0..table.n_tuples()).map(|at| marks >> at & 1 == 1).collect();
        let raw: Vec<Row> = (0..marks.len()).map(|tuple| raw_row(&table, tuple)).collect();
        let is_suppressed =
            |row: &Row| marks[raw.iter().position(|tuple| tuple == row).expect("the table contains \
                                                                                the row")];
        let proposal = recoding(levels, marks.clone());
        let release = certify(&table, &policy, &proposal).expect("a policy without principles \
                                                                  accepts any recoding");
        let got = |name: &str| {
            of_release(find(name), &release, &policy, &proposal, &weights).expect("every loss is \
                                                                                   defined for \
                                                                                   full-domain \
                                                                                   recoding")
        };

        let n_rows = plain.rows.len();
        for (name, formula) in CELL_LOSSES {
            let mut sum = 0.0;
            for row in &plain.rows {
                for (at, &level) in levels.iter().enumerate() {
                    let cell = match is_suppressed(row) {
                        true => suppressed_cell(name, &plain, at, row),
                        false => formula(&plain, at, level, row),
                    };
                    sum += weights[at] * cell;
                }
            }
            let expected =
                if n_rows == 0 { 0.0 } else { sum / weights.iter().sum::<f64>() / n_rows as f64 };
            prop_assert!(close(got(name), expected), "{}: {} {}", name, got(name), expected);
        }
        let retained: Vec<Vec<String>> = plain
            .rows
            .iter()
            .filter(|row| !is_suppressed(row))
            .map(|row| plain.labels(row, levels))
            .collect();
        let alike = |labels: &Vec<String>| retained.iter().filter(|other| *other == labels).count();
        let pairs: usize = retained.iter().map(alike).sum();
        let discernibility = pairs + (n_rows - retained.len()) * n_rows;
        prop_assert_eq!(got("discernibility"), discernibility as f64);
        let n_classes = retained.iter().collect::<BTreeSet<_>>().len();
        let mean = if n_classes == 0 { n_rows as f64 } else { retained.len() as f64 / n_classes as f64 };
        prop_assert!(close(got("average-class-size"), mean));
        prop_assert_eq!(got("height"), levels.iter().sum::<usize>() as f64);
        let divergence = divergence(&plain, levels, &is_suppressed);
        prop_assert!(close(got("kl-divergence"), divergence), "{} {divergence}", got("kl-divergence"));
    }
}

/// Returns the mean logarithm of the ratio of the actual frequency of a row's values to the
/// frequency estimated from the release.
fn divergence(plain: &PlainTable, levels: &[usize], is_suppressed: &dyn Fn(&Row) -> bool) -> f64 {
    let domain: f64 = plain.hierarchies.iter().map(|h| h.values.len() as f64).product();
    let occurring = (0..plain.n_sensitive)
        .map(|at| plain.rows.iter().map(|row| &row.1[at]).collect::<BTreeSet<_>>().len() as f64);
    let everything = domain * occurring.product::<f64>();
    let area = |row: &Row| -> f64 {
        let labels = plain.labels(row, levels);
        let covered = plain.hierarchies.iter().zip(levels).zip(&labels);
        covered.map(|((hierarchy, &level), label)| hierarchy.covered(level, label) as f64).product()
    };
    let of_row = |row: &Row| {
        let equal = plain.rows.iter().filter(|other| *other == row).count() as f64;
        let expected: f64 = plain
            .rows
            .iter()
            .map(|other| match is_suppressed(other) {
                true => 1.0 / everything,
                false if other.1 != row.1 => 0.0,
                false if plain.labels(other, levels) != plain.labels(row, levels) => 0.0,
                false => 1.0 / area(other),
            })
            .sum();
        (equal / expected).ln()
    };
    let sum: f64 = plain.rows.iter().map(of_row).sum();
    if plain.rows.is_empty() { 0.0 } else { sum / plain.rows.len() as f64 }
}
