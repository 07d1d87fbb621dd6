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

use indistinct_diagnostics::words;

use super::{MaskedColumn, MaskingProblem, Operation, Random};
use crate::Rational;
use crate::model::to_f64;

/// Keeps each value or replaces it with a random value of the column.
#[derive(Debug)]
pub(super) struct Pram;

impl Operation for Pram {
    fn name(&self) -> &'static str {
        "pram"
    }

    fn describe(&self, columns: &[(&str, Rational)]) -> String {
        let of =
            |(name, p): &(&str, Rational)| format!("{name} (p = {})", words::number(to_f64(p)));
        let columns: Vec<String> = columns.iter().map(of).collect();
        format!(
            "Each value was retained with probability p, and otherwise replaced with a value drawn \
             from the distribution of its column: {}. The expected frequencies of the values are \
             unchanged.",
            words::list(&columns)
        )
    }

    fn draw(
        &self,
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
}
