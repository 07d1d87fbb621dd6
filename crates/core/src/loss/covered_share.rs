//! # loss
//!
//! **Definition.** The mean over rows and quasi-identifiers of the share of the attribute's other
//! values that the released value also covers.
//! **Formula.** (covered - 1) / (domain - 1), 0 for a domain of one value; 1 for a suppressed row;
//! weights apply.
//! **Parameters.** None. The domain consists of the values that the hierarchy lists, or of the
//! values that occur if it does not list its domain.
//! **Level.** A number in [0, 1]; lower is better.
//! **Monotone.** Going one level up never lowers the loss (test
//! `generalization_and_suppression_never_lower_losses`).
//! **Complexity.** O(values * levels) for each attribute.
//! **Errors.** None.
//! **Source.** The loss metric of Iyengar, KDD 2002, averaged over attributes. Deviations: weights.

use super::{CellCosts, Column, Form, Loss, SuppressionOf, rows_per_label};
use crate::Status;

pub(super) static LOSS: Loss = Loss {
    name: "loss",
    definition: "the mean share of an attribute's other values that a released value also covers; \
                 a suppressed row counts as 1",
    source: "Iyengar, KDD 2002",
    status: Status::Stable,
    form: Form::Cells(costs),
};

pub(crate) fn costs(column: &Column<'_>) -> CellCosts {
    let others = column.hierarchy.domain_size().saturating_sub(1);
    let rows = rows_per_label(column);
    let mut total = Vec::with_capacity(rows.len());
    let mut suppression = Vec::with_capacity(rows.len());
    for (at, rows) in rows.iter().enumerate() {
        let share = |covered: u64| match others {
            0 => 0.0,
            _ => (covered - 1) as f64 / others as f64,
        };
        let covered = &column.hierarchy.level(at).covered;
        total.push(covered.iter().zip(rows).map(|(&c, &n)| share(c) * n as f64).sum());
        suppression.push(covered.iter().map(|&c| 1.0 - share(c)).collect());
    }
    CellCosts { total, suppression, suppression_of: SuppressionOf::Share }
}
