//! # entropy (non-uniform)
//!
//! **Definition.** The mean over rows and quasi-identifiers of the information that generalization
//! removes, as a share of the total information.
//! **Formula.** sum over rows of log(n_g / n_v) / sum over rows of log(n / n_v), where n_v rows
//! have the original value and n_g rows have its released label; 0 if all rows have one value. A
//! suppressed row counts as generalized to the whole table: log(n / n_v). Weights apply.
//! **Parameters.** None.
//! **Level.** A number in [0, 1]; lower is better.
//! **Monotone.** Going one level up never lowers the loss (test
//! `generalization_and_suppression_never_lower_losses`).
//! **Complexity.** O(values * levels) for each attribute.
//! **Errors.** None.
//! **Source.** Gionis and Tassa, TKDE 2009 (non-uniform entropy), normalized to [0, 1] for each
//! attribute. Deviations: weights.

use super::{CellCosts, Column, Form, Loss, SuppressionOf, rows_per_label};
use crate::Status;

pub(super) static LOSS: Loss = Loss {
    name: "entropy",
    definition: "the share of each attribute's information that generalization removes, given the \
                 frequencies of its values; a suppressed row loses all information",
    source: "Gionis and Tassa, IEEE TKDE 2009",
    status: Status::Stable,
    form: Form::Cells(costs),
};

fn costs(column: &Column<'_>) -> CellCosts {
    let n = column.n_rows as f64;
    let nats = |of: u64, within: f64| if of == 0 { 0.0 } else { (within / of as f64).ln() };
    let all: f64 = column.marginal.iter().map(|&rows| rows as f64 * nats(rows, n)).sum();
    let rows = rows_per_label(column);
    let scale = if all > 0.0 { n / all } else { 0.0 };
    let retained = |rows: &[u64]| rows.iter().map(|&g| g as f64 * nats(g, n)).sum::<f64>();
    CellCosts {
        total: rows.iter().map(|rows| ((all - retained(rows)) * scale).max(0.0)).collect(),
        suppression: rows
            .iter()
            .map(|rows| rows.iter().map(|&g| nats(g, n) * scale).collect())
            .collect(),
        suppression_of: SuppressionOf::Logarithm { scale },
    }
}
