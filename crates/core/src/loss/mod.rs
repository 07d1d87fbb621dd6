//! Measures of the information that a recoding loses; lower is better. Each loss has its own file,
//! and [`REGISTRY`] lists all losses.

mod cells;
pub mod count_query;
pub(crate) mod covered_share;
mod entropy;
pub mod information;
pub mod kl_divergence;
mod pair;
mod sizes;

pub use cells::{CellMeasure, Coverage};
pub use pair::{of_pair, sizes as sizes_of_pair};

use crate::Hierarchy;
use crate::Status;
use crate::certify::Release;
use crate::model::{CountedColumn, FrequencyTable};
use crate::recoding::{Classes, Generalization, Policy, Recoding};

/// All losses, in the order of the documentation. To add a loss, add a file and a line in this
/// list.
pub static REGISTRY: &[&Loss] = &[
    &covered_share::LOSS,
    &sizes::DISCERNIBILITY,
    &sizes::AVERAGE_CLASS_SIZE,
    &entropy::LOSS,
    &sizes::HEIGHT,
    &kl_divergence::LOSS,
    &information::LOSS,
];

/// Returns the loss with the given name in a policy file.
pub fn find(name: &str) -> Option<&'static Loss> {
    REGISTRY.iter().copied().find(|loss| loss.name == name)
}

/// A loss, with its name and the function that computes it.
#[derive(Debug)]
pub struct Loss {
    /// Name in a policy file.
    pub name: &'static str,
    /// The definition in one sentence.
    pub definition: &'static str,
    /// The publication that defines the loss.
    pub source: &'static str,
    /// Whether the loss is stable or experimental.
    pub status: Status,
    /// The form of the loss and the function that computes it.
    pub form: Form,
}

impl PartialEq for Loss {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The data from which a loss is computed. Searches derive bounds on a loss only from its form.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// A weighted mean of a cost per cell over rows and quasi-identifiers; a suppressed row has the
    /// maximum cost.
    Cells(fn(&Column<'_>) -> CellCosts),
    /// A function of the class sizes and the number of suppressed rows.
    Classes(fn(&Sizes) -> f64),
    /// A function of the levels only. The loss is undefined if classes have their own released
    /// values.
    Levels(fn(&[usize]) -> f64),
    /// The divergence of joint distributions, from the histograms and areas of the classes
    /// ([`kl_divergence::Measure`]); undefined if sensitive values are generalized.
    Joint,
}

/// The data that determines the cost of the cells of one quasi-identifier.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// The hierarchy.
    pub hierarchy: &'a Hierarchy,
    /// The number of rows with each original value, by code.
    pub marginal: &'a [u64],
    /// The number of rows in the table.
    pub n_rows: u64,
}

/// The cost of the cells of one quasi-identifier, at each level.
#[derive(Debug, Clone, PartialEq)]
pub struct CellCosts {
    /// For each level, the sum over all rows if no row is suppressed. The sums do not decrease with
    /// the level.
    pub total: Vec<f64>,
    /// For each level and label, the additional cost of suppressing a row with this label; at least
    /// 0.
    pub suppression: Vec<Vec<f64>>,
    /// The additional cost of suppressing a row. The cost decreases with the number of values that
    /// the cell of the row covers.
    pub suppression_of: SuppressionOf,
}

/// The additional cost of suppressing a row, as a function of the values that its cell covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SuppressionOf {
    /// The fraction of the other domain values that the cell does not cover.
    Share,
    /// The reciprocal of the number of values that the cell covers.
    Inverse,
    /// The logarithm of n / rows, multiplied by a scale, where n is the number of rows of the table
    /// and rows is the number of rows that the cell covers.
    Logarithm {
        /// The scale.
        scale: f64,
    },
}

/// Statistics on the class sizes of a recoded table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// The number of rows in the table, including suppressed rows.
    pub n_rows: u64,
    /// The number of suppressed rows.
    pub n_suppressed: u64,
    /// The number of classes, excluding suppressed rows.
    pub n_classes: u64,
    /// The sum of the squared class sizes, excluding suppressed rows.
    pub squares: u128,
}

/// Facts about a release that cannot be determined from its rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HolderKnowledge {
    /// The level of each quasi-identifier, if this level is the same for all rows.
    pub levels: Option<Vec<usize>>,
    /// The number of suppressed rows that are released with `*` for every quasi-identifier.
    pub n_starred: u64,
}

/// Returns the weighted mean of `total / n_rows` over quasi-identifiers.
///
/// `totals` contains one sum over all rows for each quasi-identifier. The result is 0 for an empty
/// table or if all weights are 0.
pub fn weighted_mean(totals: &[f64], weights: &[f64], n_rows: u64) -> f64 {
    let weight: f64 = weights.iter().sum();
    if n_rows == 0 || weight == 0.0 {
        return 0.0;
    }
    let sum: f64 = totals.iter().zip(weights).map(|(total, weight)| total * weight).sum();
    sum / (weight * n_rows as f64)
}

/// Returns the number of rows with each label of each level.
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

/// Returns the cell costs of each quasi-identifier of a table.
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

/// Returns the `loss` of one quasi-identifier at a level if no row is suppressed, as a number in
/// [0, 1].
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

/// Returns a loss of a certified recoding, or `None` if the loss is undefined for this kind of
/// recoding.
///
/// `weights` contains one weight for each quasi-identifier. Rows that are shown as `*` count as
/// suppressed.
pub fn of_release(
    loss: &Loss,
    release: &Release<'_>,
    policy: &Policy,
    recoding: &Recoding,
    weights: &[f64],
) -> Option<f64> {
    let n_rows = release.table().n_rows();
    match (loss.form, &recoding.generalization) {
        (Form::Levels(height), Generalization::FullDomain { levels, .. }) => Some(height(levels)),
        (Form::Levels(_), Generalization::Classes(_)) => None,
        (Form::Cells(cost), _) => {
            let totals = totals(cost, release.table(), policy, recoding);
            Some(weighted_mean(&totals, weights, n_rows))
        }
        (Form::Classes(of_sizes), _) => Some(of_sizes(&sizes(release, recoding))),
        (Form::Joint, _) => {
            kl_divergence::of_release(release, policy, recoding, kl_divergence::Boxes::Covering)
        }
    }
}

/// Returns the loss of each quasi-identifier separately, or `None` if the loss is not based on
/// cells.
pub fn of_attributes(
    loss: &Loss,
    release: &Release<'_>,
    policy: &Policy,
    recoding: &Recoding,
) -> Option<Vec<f64>> {
    let Form::Cells(cost) = loss.form else { return None };
    let table = release.table();
    let totals = totals(cost, table, policy, recoding);
    let mean = |total| weighted_mean(&[total], &[1.0], table.n_rows());
    Some(totals.into_iter().map(mean).collect())
}

/// Returns the cost of each quasi-identifier, summed over the rows.
fn totals(
    cost: fn(&Column<'_>) -> CellCosts,
    table: &FrequencyTable,
    policy: &Policy,
    recoding: &Recoding,
) -> Vec<f64> {
    match &recoding.generalization {
        Generalization::FullDomain { levels, .. } => {
            totals_of_levels(cost, table, policy, levels, recoding)
        }
        Generalization::Classes(classes) => totals_of_cells(cost, table, policy, classes, recoding),
    }
}

fn totals_of_levels(
    cost: fn(&Column<'_>) -> CellCosts,
    table: &FrequencyTable,
    policy: &Policy,
    levels: &[usize],
    recoding: &Recoding,
) -> Vec<f64> {
    let costs = cell_costs(cost, table, &policy.hierarchies);
    let columns = table.quasi_identifiers();
    columns
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
        .collect()
}

fn totals_of_cells(
    cost: fn(&Column<'_>) -> CellCosts,
    table: &FrequencyTable,
    policy: &Policy,
    classes: &Classes,
    recoding: &Recoding,
) -> Vec<f64> {
    CellMeasure::of_table(cost, table, &policy.hierarchies)
        .iter()
        .zip(table.quasi_identifiers())
        .enumerate()
        .map(|(attribute, (measure, column))| {
            // The costs are summed in the order of the tuples.
            let cells = classes.cells.of_attribute(attribute);
            let saved: Vec<f64> =
                cells.distinct().iter().map(|cell| measure.suppression(cell)).collect();
            let cell_of = cells.of_classes();
            let rows = table.counts().iter().zip(&column.codes).enumerate();
            rows.map(|(tuple, (&count, &code))| {
                let saved = match recoding.suppressed[tuple] {
                    true => 0.0,
                    false => saved[cell_of[classes.class_of[tuple] as usize] as usize],
                };
                (measure.suppressed_cost(code) - saved) * count as f64
            })
            .sum()
        })
        .collect()
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
    let mut retained = partition.classes.sizes().to_vec();
    for (tuple, count) in suppressed_tuples(release.table(), recoding) {
        if let Some(size) = retained.get_mut(partition.class_of[tuple] as usize) {
            *size -= count;
        }
    }
    Sizes {
        n_rows: release.table().n_rows(),
        n_suppressed: release.n_suppressed(),
        n_classes: retained.iter().filter(|size| **size > 0).count() as u64,
        squares: retained.iter().map(|&size| u128::from(size) * u128::from(size)).sum(),
    }
}
