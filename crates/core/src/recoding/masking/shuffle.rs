//! # shuffling
//!
//! **Definition.** The values of a column are randomly permuted among the rows; all permutations
//! are equally likely.
//! **Preserves.** The frequency of each value, exactly. The relationship to other columns is lost;
//! rank swapping preserves it approximately.
//! **Parameter.** None (1).
//! **Source.** The limiting case of rank swapping over all ranks. This is not the data shuffling of
//! Muralidhar and Sarathy, which models the relationship between columns.

use indistinct_diagnostics::words;

use super::{MaskedColumn, MaskingProblem, Operation, Random};
use crate::Rational;

/// Randomly permutes the values of a column.
#[derive(Debug)]
pub(super) struct Shuffle;

impl Operation for Shuffle {
    fn name(&self) -> &'static str {
        "shuffle"
    }

    fn describe(&self, columns: &[(&str, Rational)]) -> String {
        let names: Vec<&str> = columns.iter().map(|column| column.0).collect();
        format!(
            "The values of {} were randomly permuted: their frequencies are unchanged, but their \
             relation to the rest of the row is lost.",
            words::list(&names)
        )
    }

    fn draw(
        &self,
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
}
