//! Which rows are suppressed where the table does not hold as it is.
//!
//! A block (rows that may be generalized to the same values) has a partition in which all classes hold iff it holds as one
//! class, since merging keeps the principles. So it is enough to find rows without which each block holds. One row after the
//! other is taken from the sensitive value whose absence brings the block nearest to holding, the most frequent one if
//! several do; for principles that ask only how often sensitive values occur, and treat all alike, that is always the most
//! frequent one, and no set of as many rows does better (what is left is majorized by all else). For principles on numbers
//! it is the one with the most rows near it.

use super::judge::{Counts, Judge};

/// What is suppressed of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BlockSuppression {
    /// So many rows of each sensitive value.
    Rows(Vec<u64>),
    /// The block.
    All,
}

/// Values that are looked at for each row.
const MOST_VALUES: usize = 256;

/// Rows to suppress so that the block holds: at most `most` of them, or all. `None` if it takes more.
pub(crate) fn choose(
    judge: &Judge<'_>,
    values: &[Vec<u32>],
    of_value: &[u64],
    most: u64,
) -> Option<BlockSuppression> {
    choose_in_crowds(judge, values, (of_value, most), <[u64]>::to_vec, || false)
}

/// The same where `crowds` says of the rows that are left of each value how crowded it is there: these rows, or all with a number
/// near it. `None` as well if it is to stop.
pub(crate) fn choose_in_crowds(
    judge: &Judge<'_>,
    values: &[Vec<u32>],
    (of_value, most): (&[u64], u64),
    crowds: impl Fn(&[u64]) -> Vec<u64>,
    is_over: impl Fn() -> bool,
) -> Option<BlockSuppression> {
    let mut counts = Counts::new(judge.attributes.len());
    for (codes, &rows) in values.iter().zip(of_value).filter(|(_, rows)| **rows > 0) {
        counts.add(codes, rows);
    }
    let whole = (counts.size <= most).then_some(BlockSuppression::All);
    let mut left = of_value.to_vec();
    for _ in 0..=most {
        if judge.holds(&counts) {
            let taken = of_value.iter().zip(&left).map(|(all, left)| all - left);
            return Some(BlockSuppression::Rows(taken.collect()));
        }
        if counts.size <= judge.smallest_size {
            return whole;
        }
        if is_over() {
            return None;
        }
        let mut best: Option<(usize, Counts)> = None;
        // The most frequent first: of several that do as well for now, it is the one that does best in the end.
        let mut open: Vec<usize> = (0..values.len()).filter(|&at| left[at] > 0).collect();
        let crowds = crowds(&left);
        open.sort_by_key(|&at| std::cmp::Reverse((crowds[at], left[at])));
        open.truncate(MOST_VALUES);
        for value in open {
            let codes = &values[value];
            let mut without = counts.clone();
            without.remove(codes, 1);
            if best.as_ref().is_none_or(|(_, best)| judge.is_better(&without, best)) {
                best = Some((value, without));
            }
        }
        let Some((value, without)) = best else { return whole };
        left[value] -= 1;
        counts = without;
    }
    whole
}
