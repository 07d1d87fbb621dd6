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
//!
//! If suppressed rows are shown as `*`, they form a class, which must also satisfy the principles.

use indistinct_core::Cell;

use super::judge::{Counts, Judge};
use crate::Problem;
use crate::released::is_starred;

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

/// Selects at most `most` rows (or all rows) whose suppression makes the block satisfy the
/// principles. Returns `None` if more rows are required.
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

/// A tuple, its class (`None` if the rows are suppressed), and the number of rows.
pub(super) type PlacedTuple = (u32, Option<u32>, u64);

/// Suppresses whole classes, the smallest first, until the suppressed rows satisfy the principles
/// as one class.
///
/// # Errors
/// The number of rows that would have to be suppressed, if this number exceeds the limit.
pub(super) fn star(
    problem: &Problem<'_>,
    judge: &Judge<'_>,
    cells: &[Vec<Cell>],
    placed: &mut [PlacedTuple],
) -> Result<(), u64> {
    let codes = |tuple: u32| -> Vec<u32> {
        let of = |&at: &usize| problem.table.sensitive()[at].codes[tuple as usize];
        judge.attributes.iter().map(of).collect()
    };
    let n_classes = cells.len();
    let mut starred = Counts::new(judge.attributes.len());
    let mut classes = vec![Counts::new(judge.attributes.len()); n_classes];
    let mut n_suppressed = 0;
    for &(tuple, class, rows) in placed.iter() {
        match class {
            Some(class) => classes[class as usize].add(&codes(tuple), rows),
            None => {
                n_suppressed += rows;
                starred.add(&codes(tuple), rows);
            }
        }
    }
    if n_suppressed == 0 {
        return Ok(());
    }
    let n_failing_rows = n_suppressed;
    for (own, cells) in classes.iter().zip(cells) {
        if is_starred(problem.policy, cells) {
            starred.add_all(own);
        }
    }
    let mut others: Vec<usize> =
        (0..n_classes).filter(|&class| !is_starred(problem.policy, &cells[class])).collect();
    others.sort_by_key(|&class| (classes[class].size, class));
    let mut others = others.into_iter();
    let mut to_star = vec![false; n_classes];
    while !judge.holds(&starred) {
        let Some(class) = others.next() else {
            return Err(n_failing_rows);
        };
        n_suppressed += classes[class].size;
        if !problem.policy.allows_suppressing(n_suppressed, problem.table) {
            return Err(n_failing_rows);
        }
        starred.add_all(&classes[class]);
        to_star[class] = true;
    }
    for placed in placed.iter_mut() {
        if placed.1.is_some_and(|class| to_star[class as usize]) {
            placed.1 = None;
        }
    }
    Ok(())
}
