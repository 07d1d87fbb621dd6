//! # shuffling
//!
//! **Definition.** The values of a column are randomly permuted among the rows; all permutations
//! are equally likely.
//! **Preserves.** The frequency of each value, exactly. The relationship to other columns is lost;
//! rank swapping preserves it approximately.
//! **Parameter.** None (1).
//! **Source.** The limiting case of rank swapping over all ranks. Data shuffling by Muralidhar and
//! Sarathy is a different operation, which models the relationship between columns.

use super::{MaskedColumn, MaskingProblem};
use crate::recoding::random::Random;

/// Randomly permutes the values of a column.
pub(super) fn draw(
    columns: &[MaskedColumn<'_>],
    random: &mut Random,
) -> Result<Vec<Vec<String>>, MaskingProblem> {
    let of = |column: &MaskedColumn<'_>| {
        let mut codes = column.rows.clone();
        random.shuffle(&mut codes);
        column.texts(&codes)
    };
    Ok(columns.iter().map(of).collect())
}
