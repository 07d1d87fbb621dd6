//! What a recoding loses: lower is better. One file each; [`REGISTRY`] lists them.

mod average_class_size;
mod covered_share;
mod discernibility;
mod entropy;
mod height;
pub mod information;

use crate::certify::Release;
use crate::model::{CountedColumn, FrequencyTable};
use crate::recoding::{Generalization, Policy, Recoding};
use crate::{Hierarchy, Rational};

/// All losses, in the order of the documentation. A new loss is one file and one line here.
pub static REGISTRY: &[&Loss] = &[
    &covered_share::LOSS,
    &discernibility::LOSS,
    &average_class_size::LOSS,
    &entropy::LOSS,
    &height::LOSS,
];

/// The loss with the given name in a policy file.
pub fn find(name: &str) -> Option<&'static Loss> {
    REGISTRY.iter().copied().find(|loss| loss.name == name)
}

/// One loss: its name and how it is computed for a full-domain recoding.
#[derive(Debug)]
pub struct Loss {
    /// Name in a policy file.
    pub name: &'static str,
    /// The definition in one sentence.
    pub definition: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// What it is computed from.
    pub form: Form,
}

/// What a loss is computed from. A search derives its bounds from the form alone.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// A weighted mean over rows and quasi-identifiers of a cost per cell; a suppressed row costs the most there is.
    Cells(fn(&Column<'_>) -> CellCosts),
    /// A function of the sizes of the classes and of the number of suppressed rows.
    Classes(fn(&Sizes) -> f64),
    /// A function of the levels alone.
    Levels(fn(&[usize]) -> f64),
}

/// What the cost of the cells of one quasi-identifier depends on.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// The hierarchy.
    pub hierarchy: &'a Hierarchy,
    /// The number of rows with each raw value, by code.
    pub marginal: &'a [u64],
    /// Number of rows of the table.
    pub n_rows: u64,
}

/// The cost of the cells of one quasi-identifier, at each level.
#[derive(Debug, Clone, PartialEq)]
pub struct CellCosts {
    /// For each level the sum over all rows, if none is suppressed. Does not fall from one level to the next.
    pub total: Vec<f64>,
    /// For each level and label, what a row with this label costs more if it is suppressed; at least 0.
    pub suppression: Vec<Vec<f64>>,
}

/// Class sizes of a recoded table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Number of rows of the table, suppressed ones included.
    pub n_rows: u64,
    /// Number of suppressed rows.
    pub n_suppressed: u64,
    /// Number of classes of the rows that are not suppressed.
    pub n_classes: u64,
    /// Sum of the squares of the sizes of these classes.
    pub squares: u128,
}

/// The weighted mean over quasi-identifiers of `total / n_rows`.
///
/// `totals` has one sum over all rows for each quasi-identifier. 0 for an empty table or weights that are all 0.
pub fn weighted_mean(totals: &[f64], weights: &[f64], n_rows: u64) -> f64 {
    let weight: f64 = weights.iter().sum();
    if n_rows == 0 || weight == 0.0 {
        return 0.0;
    }
    let sum: f64 = totals.iter().zip(weights).map(|(total, weight)| total * weight).sum();
    sum / (weight * n_rows as f64)
}

/// The number of rows with each label of each level.
pub(crate) fn rows_per_label(column: &Column<'_>) -> Vec<Vec<u64>> {
    (0..column.hierarchy.n_levels())
        .map(|at| {
            let level = column.hierarchy.level(at);
            let mut rows = vec![0; level.labels.len()];
            for (&label, &count) in level.map.iter().zip(column.marginal) {
                rows[label as usize] += count;
            }
            rows
        })
        .collect()
}

/// The cost inputs of all quasi-identifiers of a table.
pub fn cell_costs(
    cost: fn(&Column<'_>) -> CellCosts,
    table: &FrequencyTable,
    hierarchies: &[Hierarchy],
) -> Vec<CellCosts> {
    table
        .quasi_identifiers()
        .iter()
        .zip(hierarchies)
        .map(|(column, hierarchy)| {
            let marginal = table.marginal(column);
            cost(&Column { hierarchy, marginal: &marginal, n_rows: table.n_rows() })
        })
        .collect()
}

/// The `loss` of one quasi-identifier at a level, in [0, 1], if no row is suppressed.
pub fn of_column(
    table: &FrequencyTable,
    column: &CountedColumn,
    hierarchy: &Hierarchy,
    level: usize,
) -> f64 {
    let marginal = table.marginal(column);
    let costs =
        covered_share::costs(&Column { hierarchy, marginal: &marginal, n_rows: table.n_rows() });
    weighted_mean(&[costs.total[level]], &[1.0], table.n_rows())
}

/// A weight as a double.
pub fn weight_to_f64(weight: &Rational) -> f64 {
    crate::model::to_f64(weight)
}

/// A loss of a recoding that the certifier has laid over its table.
///
/// `weights` has one weight for each quasi-identifier. Starred rows count as suppressed ones.
pub fn of_release(
    loss: &Loss,
    release: &Release<'_>,
    policy: &Policy,
    recoding: &Recoding,
    weights: &[f64],
) -> f64 {
    let table = release.table();
    let Generalization::FullDomain { levels } = &recoding.generalization;
    match loss.form {
        Form::Levels(height) => height(levels),
        Form::Cells(cost) => {
            let costs = cell_costs(cost, table, &policy.hierarchies);
            let columns = table.quasi_identifiers();
            let totals: Vec<f64> = columns
                .iter()
                .zip(&costs)
                .zip(levels.iter().zip(&policy.hierarchies))
                .map(|((column, costs), (&level, hierarchy))| {
                    let label_of = &hierarchy.level(level).map;
                    let more: f64 = suppressed_tuples(table, recoding)
                        .map(|(tuple, count)| {
                            let label = label_of[column.codes[tuple] as usize];
                            costs.suppression[level][label as usize] * count as f64
                        })
                        .sum();
                    costs.total[level] + more
                })
                .collect();
            weighted_mean(&totals, weights, table.n_rows())
        }
        Form::Classes(of_sizes) => of_sizes(&sizes(release, recoding)),
    }
}

fn suppressed_tuples<'a>(
    table: &'a FrequencyTable,
    recoding: &'a Recoding,
) -> impl Iterator<Item = (usize, u64)> + 'a {
    let counts = table.counts().iter().copied();
    counts.enumerate().filter(|(tuple, _)| recoding.suppressed[*tuple])
}

fn sizes(release: &Release<'_>, recoding: &Recoding) -> Sizes {
    let partition = release.partition();
    let mut kept: Vec<u64> = partition.classes.iter().map(|class| class.size).collect();
    for (tuple, count) in suppressed_tuples(release.table(), recoding) {
        if let Some(size) = kept.get_mut(partition.class_of[tuple] as usize) {
            *size -= count;
        }
    }
    Sizes {
        n_rows: release.table().n_rows(),
        n_suppressed: release.n_suppressed(),
        n_classes: kept.iter().filter(|size| **size > 0).count() as u64,
        squares: kept.iter().map(|&size| u128::from(size) * u128::from(size)).sum(),
    }
}
