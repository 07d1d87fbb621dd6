//! # information
//!
//! **Definition.** The mean over rows and quasi-identifiers of the share of a value's information that is lost: 1 minus 1 / base values that the released value covers.
//! **Formula.** 1 - 1 / covered; a suppressed row counts 1; weights apply.
//! **Parameters.** None. Base values are those of the hierarchy, or those present where it has no list.
//! **Level.** A number in [0, 1]; lower is better. The root retains 1 / base values, never 0 (reading E-11).
//! **Monotone.** Going one level up never lowers it (test `totals_never_fall`).
//! **Complexity.** O(values * levels) for each attribute.
//! **Errors.** None.
//! **Source.** The (tau, l) text, Definition 5. Deviations: it is lost, not retained, information; weights; the text also counts the
//! sensitive value, of which other recodings lose nothing: its own measure is of [`of_row`] and [`utility`].

use super::{CellCosts, Column, Form, Loss, SuppressionOf, rows_per_label};
use crate::Status;

pub(super) static LOSS: Loss = Loss {
    name: "information",
    definition: "the mean share of information lost, where a released value retains 1 / the number of values that it covers; a suppressed row loses all",
    source: "(tau, l) text, Definition 5",
    status: Status::Experimental {
        reason: "It is defined only together with tau-l-diversity, and no second implementation is available to compare with.",
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

/// What a released value retains of its information: 1 / the base values that it covers.
pub fn retained(covered: u64) -> f64 {
    1.0 / covered.max(1) as f64
}

/// The information of one row: what its values retain, together.
pub fn of_row(retained: impl IntoIterator<Item = f64>) -> f64 {
    retained.into_iter().sum()
}

/// The share of the information of the original rows that the generalized ones retain, each the sum of its rows; `None`
/// where there was none.
pub fn utility(original: f64, generalized: f64) -> Option<f64> {
    (original > 0.0).then(|| generalized / original)
}
