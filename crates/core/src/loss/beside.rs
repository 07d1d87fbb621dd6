//! The losses of a release as everybody sees it, with its original beside it: the same formulas as for a certified one.

use super::holder::{HolderKnowledge, star_class};
use super::{CellCosts, CellMeasure, Column, Form, Loss, Sizes, kl_divergence, weighted_mean};
use crate::STAR;
use crate::published::ReleaseWithOriginal;

/// A loss of a release; `None` if it is not defined for such a release.
///
/// `weights` has one weight for each quasi-identifier. Agrees with [`of_release`](super::of_release) but for the last digits.
pub fn of_beside(
    loss: &Loss,
    beside: &ReleaseWithOriginal,
    known: &HolderKnowledge,
    weights: &[f64],
) -> Option<f64> {
    match loss.form {
        Form::Levels(height) => known.levels.as_deref().map(height),
        Form::Cells(cost) => {
            let totals = totals(cost, beside, known);
            Some(weighted_mean(&totals, weights, beside.original.n_rows()))
        }
        Form::Classes(of_sizes) => Some(of_sizes(&sizes(beside, known))),
        Form::Joint => kl_divergence::of_beside(beside, known),
    }
}

/// For each quasi-identifier the cost of all rows: what it would be if all were suppressed, without what released values save.
fn totals(
    cost: fn(&Column<'_>) -> CellCosts,
    beside: &ReleaseWithOriginal,
    known: &HolderKnowledge,
) -> Vec<f64> {
    let original = &beside.original;
    let star = star_class(&beside.published).filter(|_| known.n_starred > 0);
    CellMeasure::of_table(cost, original, &beside.hierarchies)
        .iter()
        .zip(original.quasi_identifiers())
        .zip(beside.published.rows.quasi_identifiers().iter().zip(&beside.cells))
        .map(|((measure, raw), (released, cells))| {
            let rows = original.marginal(raw);
            let all = (0..).zip(&rows).map(|(code, &n)| measure.suppressed_cost(code) * n as f64);
            let saved: Vec<f64> = cells.iter().map(|cell| measure.suppression(cell)).collect();
            let mut rows = beside.published.rows.marginal(released);
            if star.is_some() {
                let code = released.dictionary.code_of(STAR).expect("starred rows have stars");
                rows[code as usize] = rows[code as usize].saturating_sub(known.n_starred);
            }
            let kept = saved.iter().zip(&rows).map(|(saved, &n)| saved * n as f64);
            all.sum::<f64>() - kept.sum::<f64>()
        })
        .collect()
}

/// The class sizes without suppressed rows.
pub fn sizes(beside: &ReleaseWithOriginal, known: &HolderKnowledge) -> Sizes {
    let published = &beside.published;
    let mut kept = published.class_sizes();
    if let Some(star) = star_class(published) {
        kept[star] = kept[star].saturating_sub(known.n_starred);
    }
    Sizes {
        n_rows: beside.original.n_rows(),
        n_suppressed: (beside.original.n_rows() + known.n_starred)
            .saturating_sub(published.rows.n_rows()),
        n_classes: kept.iter().filter(|size| **size > 0).count() as u64,
        squares: kept.iter().map(|&size| u128::from(size) * u128::from(size)).sum(),
    }
}
