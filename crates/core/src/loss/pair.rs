//! The losses of a published release, computed with its original table by the same formulas as for
//! a certified release.

use super::{
    CellCosts, CellMeasure, Column, Form, HolderKnowledge, Loss, Sizes, kl_divergence,
    weighted_mean,
};
use crate::STAR;
use crate::published::ReleaseWithOriginal;

/// Returns a loss of a release, or `None` if the loss is undefined for this kind of release.
///
/// `weights` contains one weight for each quasi-identifier. The result equals that of
/// [`of_release`](super::of_release) except for rounding errors.
pub fn of_pair(
    loss: &Loss,
    pair: &ReleaseWithOriginal,
    known: &HolderKnowledge,
    weights: &[f64],
) -> Option<f64> {
    match loss.form {
        Form::Levels(height) => known.levels.as_deref().map(height),
        Form::Cells(cost) => {
            let totals = totals(cost, pair, known);
            Some(weighted_mean(&totals, weights, pair.original.n_rows()))
        }
        Form::Classes(of_sizes) => Some(of_sizes(&sizes(pair, known))),
        Form::Joint => kl_divergence::of_pair(pair, known),
    }
}

/// Returns, for each quasi-identifier, the cost of suppressing all rows minus the amount that
/// released values save.
fn totals(
    cost: fn(&Column<'_>) -> CellCosts,
    pair: &ReleaseWithOriginal,
    known: &HolderKnowledge,
) -> Vec<f64> {
    let original = &pair.original;
    let star = pair.published.star_class().filter(|_| known.n_starred > 0);
    CellMeasure::of_table(cost, original, &pair.hierarchies)
        .iter()
        .zip(original.quasi_identifiers())
        .zip(pair.published.rows.quasi_identifiers().iter().zip(&pair.cells))
        .map(|((measure, raw), (released, cells))| {
            let rows = original.marginal(raw);
            let all = (0..).zip(&rows).map(|(code, &n)| measure.suppressed_cost(code) * n as f64);
            let saved: Vec<f64> = cells.iter().map(|cell| measure.suppression(cell)).collect();
            let mut rows = pair.published.rows.marginal(released);
            if star.is_some() {
                let code = released
                    .dictionary
                    .code_of(STAR)
                    .expect("a table with suppressed rows has `*` in its dictionary");
                rows[code as usize] = rows[code as usize].saturating_sub(known.n_starred);
            }
            let retained = saved.iter().zip(&rows).map(|(saved, &n)| saved * n as f64);
            all.sum::<f64>() - retained.sum::<f64>()
        })
        .collect()
}

/// Returns statistics on the class sizes, excluding suppressed rows.
pub fn sizes(pair: &ReleaseWithOriginal, known: &HolderKnowledge) -> Sizes {
    let published = &pair.published;
    let mut retained = published.class_sizes();
    if let Some(star) = published.star_class() {
        retained[star] = retained[star].saturating_sub(known.n_starred);
    }
    Sizes {
        n_rows: pair.original.n_rows(),
        n_suppressed: (pair.original.n_rows() + known.n_starred)
            .saturating_sub(published.rows.n_rows()),
        n_classes: retained.iter().filter(|size| **size > 0).count() as u64,
        squares: retained.iter().map(|&size| u128::from(size) * u128::from(size)).sum(),
    }
}
