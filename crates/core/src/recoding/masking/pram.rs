//! # post-randomization (PRAM) with an invariant matrix
//!
//! **Definition.** Each row keeps its value with probability p, and otherwise gets a random value
//! of the column. The probability of each value is its share of the rows, so a row may draw its own
//! value.
//! **Formula.** With the probability `p` and the shares `s`, a value `i` becomes `j` with
//! probability `p [i = j] + (1 - p) s_j`. The shares are invariant: `sum_i s_i (p [i = j] + (1 - p)
//! s_j) = s_j`, so the expected frequency of each value does not change.
//! **Parameter.** The probability `p`, at least 0 and below 1. Exact.
//! **Source.** Gouweleeuw, Kooiman, Willenborg, de Wolf, Journal of Official Statistics 14(4),
//! 1998; this is the simplest invariant matrix.

use super::{MaskedColumn, MaskingProblem};
use crate::recoding::random::Random;

/// Retains each value or replaces it with a random value of the column.
pub(super) fn draw(
    columns: &[MaskedColumn<'_>],
    random: &mut Random,
) -> Result<Vec<Vec<String>>, MaskingProblem> {
    let of = |column: &MaskedColumn<'_>| {
        let n = column.rows.len() as u64;
        let row = |&own: &u32| match random.happens(&column.parameter) {
            true => own,
            false => column.rows[random.below(n) as usize],
        };
        let codes: Vec<u32> = column.rows.iter().map(row).collect();
        column.texts(&codes)
    };
    Ok(columns.iter().map(of).collect())
}
