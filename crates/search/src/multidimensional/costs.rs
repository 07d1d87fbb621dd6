//! What released values cost a row, by the form of the objective.
//!
//! | objective | a cell costs a row |
//! |---|---|
//! | of cells | what the loss says, up to a sum that is the same for all recodings |
//! | of joint distributions | the logarithm of the number of values that it covers |
//! | of class sizes | as `loss` says: what is alike is put together first |

use indistinct_core::loss::{Column, Coverage, Form, SuppressionOf};

use super::Task;

/// The cost of a range or a set, by what it covers.
#[derive(Debug, Clone, Copy)]
pub(super) enum PricedCover {
    /// The share of so many other values.
    Others(f64),
    /// What suppressing the row would cost more, taken from the most that it can be.
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

    /// The cost of a cell that covers so many values, and rows that are counted where it matters.
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

/// The share of each attribute in the cost of a row.
pub(super) fn shares(problem: &Task<'_>) -> Vec<f64> {
    // Of a joint distribution there are no parts to weigh.
    if matches!(problem.objective.form, Form::Joint) {
        return vec![1.0; problem.weights.len()];
    }
    let whole: f64 = problem.weights.iter().sum();
    let share = |weight: &f64| if whole > 0.0 { weight / whole } else { 0.0 };
    problem.weights.iter().map(share).collect()
}

/// What a suppressed row costs more than a row whose value costs least.
fn most_saved(saved: &[Vec<f64>]) -> f64 {
    saved.iter().flatten().copied().fold(0.0, f64::max)
}

/// What each label costs a row.
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

/// What a suppressed cell costs.
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
