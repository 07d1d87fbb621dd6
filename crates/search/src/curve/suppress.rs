//! Chooses the rows to suppress in a table that violates the principles.
//!
//! A block consists of the rows that may be generalized to the same values. Because merging
//! preserves the principles, a block has a partition into satisfying classes if and only if it
//! satisfies the principles as one class. Therefore, it is sufficient to find rows whose removal
//! makes each block satisfy the principles. Each step removes a row of the sensitive value whose
//! removal brings the block closest to satisfying the principles; among equally good values, the
//! most frequent one is chosen. For principles that depend only on the frequencies of sensitive
//! values and treat all values alike, the most frequent value is always the best choice, and no
//! other set of the same size does better (the remaining counts are majorized by all others). For
//! principles on numbers, the best choice is the value with the most rows nearby.

use super::judge::{Counts, Judge};

/// The suppressed rows of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BlockSuppression {
    /// The number of suppressed rows for each sensitive value.
    Rows(Vec<u64>),
    /// The whole block is suppressed.
    All,
}

/// Maximum number of values that are examined for each removed row.
const MOST_VALUES: usize = 256;

/// Returns at most `most` rows (or all rows) whose removal makes the block satisfy the principles.
/// Returns `None` if more rows are required.
pub(crate) fn choose(
    judge: &Judge<'_>,
    values: &[Vec<u32>],
    of_value: &[u64],
    most: u64,
) -> Option<BlockSuppression> {
    choose_in_crowds(judge, values, (of_value, most), <[u64]>::to_vec, || false)
}

/// Like [`choose`], where `crowds` maps the remaining rows of each value to the size of its
/// neighborhood, including rows with nearby numbers if the principle defines a neighborhood. Also
/// returns `None` if `is_over` requests a stop.
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
        // Try the most frequent value first: among values that are equally good in this step, it is
        // the best choice in the long run.
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
