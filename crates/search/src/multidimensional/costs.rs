//! The cost of released values per row, by the form of the objective.
//!
//! | objective | cost of a cell per row |
//! |---|---|
//! | of cells | the cost of the loss, up to a sum that is the same for all recodings |
//! | of joint distributions | the logarithm of the number of values that it covers |
//! | of class sizes | the cost for `loss`, which groups similar tuples first |

use indistinct_core::loss::{Column, Coverage, Form, SuppressionOf};

use super::Task;

/// The cost of a range or a set, by the values that it covers.
#[derive(Debug, Clone, Copy)]
pub(super) enum PricedCover {
    /// The number of other covered values, as a fraction of the given number.
    Others(f64),
    /// The maximum saving minus the additional cost of suppressing the row.
    Saved { of: SuppressionOf, domain: u64, n_rows: u64, most: f64 },
    /// The logarithm of the number of values.
    Area,
}

impl PricedCover {
    pub fn new(problem: &Task<'_>, at: usize) -> Self {
        let hierarchy = &problem.policy.hierarchies[at];
        let n_rows = problem.table.n_rows();
        let marginal = problem.table.marginal(&problem.table.quasi_identifiers()[at]);
        match problem.objective.form {
            Form::Joint => Self::Area,
            Form::Cells(costs) => {
                let costs = costs(&Column { hierarchy, marginal: &marginal, n_rows });
                match costs.suppression_of {
                    SuppressionOf::Share => Self::Others(others(problem, at)),
                    of => {
                        let most = most_saved(&costs.suppression);
                        Self::Saved { of, domain: hierarchy.domain_size(), n_rows, most }
                    }
                }
            }
            Form::Classes(_) | Form::Levels(_) => Self::Others(others(problem, at)),
        }
    }

    /// Returns the cost of a cell that covers the given number of values; `rows` counts the covered
    /// rows if the cost depends on them.
    #[inline]
    pub fn of(self, values: u32, rows: impl FnOnce() -> u64) -> f64 {
        match self {
            Self::Others(others) => f64::from(values.saturating_sub(1)) / others,
            Self::Saved { of, domain, n_rows, most } => {
                let rows = if matches!(of, SuppressionOf::Logarithm { .. }) { rows() } else { 0 };
                most - of.cost(&Coverage { values: u64::from(values), rows }, domain, n_rows)
            }
            Self::Area => f64::from(values.max(1)).ln(),
        }
    }
}

fn others(problem: &Task<'_>, at: usize) -> f64 {
    problem.policy.hierarchies[at].domain_size().saturating_sub(1).max(1) as f64
}

/// Returns the weight of each attribute in the cost of a row.
pub(super) fn shares(problem: &Task<'_>) -> Vec<f64> {
    // A joint distribution has no weights of attributes.
    if matches!(problem.objective.form, Form::Joint) {
        return vec![1.0; problem.weights.len()];
    }
    let whole: f64 = problem.weights.iter().sum();
    let share = |weight: &f64| if whole > 0.0 { weight / whole } else { 0.0 };
    problem.weights.iter().map(share).collect()
}

/// Returns the maximum additional cost of a suppressed row compared with a row that has the
/// cheapest value.
fn most_saved(saved: &[Vec<f64>]) -> f64 {
    saved.iter().flatten().copied().fold(0.0, f64::max)
}

/// Returns the cost of each label per row.
pub(super) fn label_costs(problem: &Task<'_>, at: usize) -> Vec<Vec<f64>> {
    let hierarchy = &problem.policy.hierarchies[at];
    let by_covered = |of: &dyn Fn(u64) -> f64| -> Vec<Vec<f64>> {
        let levels = (0..hierarchy.n_levels()).map(|at| &hierarchy.level(at).covered);
        levels.map(|covered| covered.iter().map(|&covered| of(covered)).collect()).collect()
    };
    match problem.objective.form {
        Form::Cells(costs) => {
            let marginal = problem.table.marginal(&problem.table.quasi_identifiers()[at]);
            let n_rows = problem.table.n_rows();
            let saved = costs(&Column { hierarchy, marginal: &marginal, n_rows }).suppression;
            let most = most_saved(&saved);
            let of_label = |saved: &f64| most - saved;
            saved.iter().map(|level| level.iter().map(of_label).collect()).collect()
        }
        Form::Joint => by_covered(&|covered| (covered.max(1) as f64).ln()),
        Form::Classes(_) | Form::Levels(_) => {
            let others = others(problem, at);
            by_covered(&|covered| covered.saturating_sub(1) as f64 / others)
        }
    }
}

/// Returns the cost of a suppressed cell.
pub(super) fn suppressed_cost(problem: &Task<'_>, at: usize) -> f64 {
    let hierarchy = &problem.policy.hierarchies[at];
    match problem.objective.form {
        Form::Cells(costs) => {
            let marginal = problem.table.marginal(&problem.table.quasi_identifiers()[at]);
            let column = Column { hierarchy, marginal: &marginal, n_rows: problem.table.n_rows() };
            most_saved(&costs(&column).suppression)
        }
        Form::Joint => (hierarchy.domain_size().max(1) as f64).ln(),
        Form::Classes(_) | Form::Levels(_) => 1.0,
    }
}
