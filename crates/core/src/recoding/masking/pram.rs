//! # post randomization (PRAM) with an invariant matrix
//!
//! **Definition.** Each row keeps its value with a probability, and otherwise gets one drawn from the column itself: each value with the
//! share of the rows that have it. So a row may get its own value that way, too.
//! **Formula.** With `p` the probability and `s` the shares, a value `i` becomes `j` with probability `p [i = j] + (1 - p) s_j`. The shares
//! are invariant: `sum_i s_i (p [i = j] + (1 - p) s_j) = s_j`, so that how often each value occurs is as it was, in expectation.
//! **Parameter.** The probability `p`, at least 0 and below 1. Exact.
//! **Source.** Gouweleeuw, Kooiman, Willenborg, de Wolf, Journal of Official Statistics 14(4), 1998; this is the simplest invariant matrix.

use indistinct_diagnostics::words;

use super::{MaskedColumn, MaskingProblem, Operation, Random};
use crate::Rational;
use crate::model::to_f64;

/// Values kept or drawn from the column.
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
            "Each row kept its value with probability p, and otherwise got one drawn from all values of the column, each as likely as it is \
             frequent: {}. How often each value occurs is as it was in expectation.",
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
