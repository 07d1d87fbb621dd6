//! # rank swapping
//!
//! **Definition.** Rows are ranked by a numeric column, with ties in random order. Starting from
//! the lowest rank, each row that was not yet swapped swaps its value with a random row that was
//! not yet swapped and whose rank is higher by at most a share of all ranks.
//! **Preserves.** The frequency of each value, exactly. The relationship of the column to other
//! columns, approximately; the smaller the share, the better. Missing values do not move.
//! **Parameter.** The share of the ranks, above 0 and at most 1; at least one rank.
//! **Source.** Moore, Controlled data-swapping techniques for masking public use microdata sets, US
//! Bureau of the Census, 1996.

use super::{MaskedColumn, MaskingProblem};
use crate::model::to_f64;
use crate::recoding::random::Random;

/// Swaps values between rows with similar ranks.
pub(super) fn draw(
    columns: &[MaskedColumn<'_>],
    random: &mut Random,
) -> Result<Vec<Vec<String>>, MaskingProblem> {
    columns.iter().map(|column| swapped(column, random)).collect()
}

fn swapped(column: &MaskedColumn<'_>, random: &mut Random) -> Result<Vec<String>, MaskingProblem> {
    let missing = column.numbers()?.missing();
    // Codes are ordered by the numbers that they represent.
    let is_number = |row: &usize| Some(column.rows[*row]) != missing;
    let mut ranked: Vec<(u32, u64, usize)> = (0..column.rows.len())
        .filter(is_number)
        .map(|row| (column.rows[row], random.below(1 << 62), row))
        .collect();
    ranked.sort_unstable();
    let n = ranked.len();
    let reach = (to_f64(&column.parameter) * n as f64).floor() as usize;
    let mut codes = column.rows.clone();
    let mut has_swapped = vec![false; n];
    for at in 0..n {
        if has_swapped[at] {
            continue;
        }
        let last = at.saturating_add(reach.max(1)).min(n - 1);
        let Some(other) = open(&has_swapped, at + 1..=last, random) else { continue };
        codes.swap(ranked[at].2, ranked[other].2);
        (has_swapped[at], has_swapped[other]) = (true, true);
    }
    Ok(column.texts(&codes))
}

/// Returns a random rank that has not been swapped. All such ranks are equally likely.
fn open(
    has_swapped: &[bool],
    ranks: std::ops::RangeInclusive<usize>,
    random: &mut Random,
) -> Option<usize> {
    let (first, n) = (*ranks.start(), ranks.clone().count() as u64);
    // A few random draws usually find a rank that has not been swapped, so the ranks need not be
    // listed.
    for _ in 0..if n > 64 { 32 } else { 0 } {
        let rank = first + random.below(n) as usize;
        if !has_swapped[rank] {
            return Some(rank);
        }
    }
    let open: Vec<usize> = ranks.filter(|rank| !has_swapped[*rank]).collect();
    match open.len() as u64 {
        0 => None,
        n => Some(open[random.below(n) as usize]),
    }
}
