//! # information
//!
//! **Definition.** The share of information that a value loses, as a mean over rows and
//! quasi-identifiers. A released value that covers n base values loses 1 - 1/n.
//! **Formula.** 1 - 1 / covered; 1 for a suppressed row; weights apply.
//! **Parameters.** None. Base values are those that the hierarchy lists, or the values that occur
//! if it does not list its domain.
//! **Level.** A number in [0, 1]; lower is better. The root retains 1 / number of base values,
//! which is never 0 (reading E-11).
//! **Monotone.** Going up one level never lowers the loss (test
//! `generalization_and_suppression_never_lower_losses`).
//! **Complexity.** O(values * levels) for each attribute.
//! **Errors.** None.
//! **Source.** The (tau, l) paper, Definition 5. Deviations: this loss measures lost instead of
//! retained information; it has weights; the paper also counts the sensitive value, whose
//! information other recodings retain completely. [`of_row`] and [`utility`] implement the measure
//! of the paper.

use super::{CellCosts, Column, Form, Loss, SuppressionOf, rows_per_label};
use crate::Status;

pub(super) static LOSS: Loss = Loss {
    name: "information",
    definition: "the mean share of information that is lost, where a released value that covers n \
                 values retains 1/n; a suppressed row loses all information",
    source: "(tau, l) paper, Definition 5",
    status: Status::Experimental {
        reason: "The loss is defined only together with tau-l-diversity, and no other \
                 implementation is available for comparison.",
    },
    form: Form::Cells(costs),
};

fn costs(column: &Column<'_>) -> CellCosts {
    let rows = rows_per_label(column);
    let levels =
        || rows.iter().enumerate().map(|(at, rows)| (&column.hierarchy.level(at).covered, rows));
    CellCosts {
        total: levels()
            .map(|(covered, rows)| {
                let rows = covered.iter().zip(rows);
                rows.map(|(&covered, &rows)| (1.0 - retained(covered)) * rows as f64).sum()
            })
            .collect(),
        suppression: levels()
            .map(|(covered, _)| covered.iter().map(|&covered| retained(covered)).collect())
            .collect(),
        suppression_of: SuppressionOf::Inverse,
    }
}

/// Returns the retained information of a released value, which is 1 / (number of base values that
/// the released value covers).
pub fn retained(covered: u64) -> f64 {
    1.0 / covered.max(1) as f64
}

/// Returns the information of a row, which is the sum of the retained information of its values.
pub fn of_row(retained: impl IntoIterator<Item = f64>) -> f64 {
    retained.into_iter().sum()
}

/// Returns the share of the original information that generalized rows retain, given the sums over
/// all rows, or `None` if the original information is 0.
pub fn utility(original: f64, generalized: f64) -> Option<f64> {
    (original > 0.0).then(|| generalized / original)
}
