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
//! secret, of which other recodings lose nothing: see [`of_row`] and [`utility`] for its own measure.

use super::{CellCosts, Column, Form, Loss, SuppressionOf, rows_per_label};
use crate::model::{Rational, Taxonomy};

pub(super) static LOSS: Loss = Loss {
    name: "information",
    definition: "the mean share of information lost, where a released value retains 1 / the number of values that it covers; a suppressed row loses all",
    source: "(tau, l) text, Definition 5",
    form: Form::Cells(costs),
};

fn costs(column: &Column<'_>) -> CellCosts {
    let rows = rows_per_label(column);
    let levels =
        || rows.iter().enumerate().map(|(at, rows)| (&column.hierarchy.level(at).covered, rows));
    let retained = |covered: u64| 1.0 / covered.max(1) as f64;
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

/// The information of one row, which its cells retain: each 1 / (base values below it); `None` if a label is not in its attribute's taxonomy.
pub fn of_row<'a>(cells: impl IntoIterator<Item = (&'a Taxonomy, &'a str)>) -> Option<Rational> {
    let zero = Rational::from_integer(0);
    cells.into_iter().try_fold(zero, |sum, (taxonomy, label)| {
        Some(sum + taxonomy.information(taxonomy.node_of(label)?))
    })
}

/// The share of the information of the original rows that the generalized ones retain; `None` for no rows.
pub fn utility(original: &[Rational], generalized: &[Rational]) -> Option<f64> {
    let sum = |rows: &[Rational]| rows.iter().map(crate::model::to_f64).sum::<f64>();
    let all = sum(original);
    (all > 0.0).then(|| sum(generalized) / all)
}
