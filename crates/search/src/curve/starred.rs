//! The class of suppressed rows that are shown as `*`, which must also satisfy the principles.

use indistinct_core::Cell;

use super::judge::{Counts, Judge};
use crate::Problem;
use crate::released::is_starred;

/// A tuple, its class (`None` if the rows are suppressed), and the number of rows.
pub(super) type PlacedTuple = (u32, Option<u32>, u64);

/// Suppresses whole classes, the smallest first, until the suppressed rows satisfy the principles
/// as one class.
///
/// # Errors
/// The number of rows that would have to be suppressed, if it exceeds the limit.
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
