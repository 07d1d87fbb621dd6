//! The class of suppressed rows that are shown as `*`, which must also satisfy the principles.

use super::Task;
use super::assignment::Rows;
use super::clusters::Context;
use crate::released::is_starred;

/// Returns the tuples that are in no class, in ascending order.
pub(super) fn suppressed(context: &Context<'_>, classes: &[Vec<Rows>]) -> Vec<u32> {
    let mut is_retained = vec![false; context.space.n_tuples()];
    classes.iter().flatten().for_each(|&(tuple, _)| is_retained[tuple as usize] = true);
    (0u32..)
        .zip(is_retained)
        .filter(|(_, is_retained)| !is_retained)
        .map(|(tuple, _)| tuple)
        .collect()
}

/// Returns whether a class is released as `*` in every quasi-identifier.
pub(super) fn is_class_starred(context: &Context<'_>, problem: &Task<'_>, class: &[Rows]) -> bool {
    let tuples: Vec<u32> = class.iter().map(|rows| rows.0).collect();
    is_starred(problem.policy, &context.space.cells(&context.space.cover(&tuples)))
}

/// Suppresses whole classes, the smallest first, until the class of suppressed rows satisfies the
/// principles. Returns `None` if this exceeds the number of rows that may be suppressed. Other
/// classes are unchanged and therefore still satisfy the principles.
pub(super) fn complete(
    context: &Context<'_>,
    problem: &Task<'_>,
    mut classes: Vec<Vec<Rows>>,
    allowed: u64,
) -> Option<Vec<Vec<Rows>>> {
    let judge = context.judge;
    let mut starred = suppressed(context, &classes);
    if !problem.policy.suppressed.is_released() || starred.is_empty() {
        return Some(classes);
    }
    let mut n_suppressed = judge.tally(&starred).1;
    let size = |class: &Vec<Rows>| class.iter().map(|rows| rows.1).sum::<u64>();
    let tuples = |class: &Vec<Rows>| class.iter().map(|rows| rows.0).collect::<Vec<u32>>();
    for class in classes.iter().filter(|class| is_class_starred(context, problem, class)) {
        starred.extend(tuples(class));
    }
    classes.sort_by_cached_key(|class| (size(class), tuples(class)));
    let mut n_starred = 0;
    loop {
        starred.sort_unstable();
        let (tally, size_of_all) = judge.tally(&starred);
        if judge.holds(size_of_all, &tally) {
            classes.drain(..n_starred);
            return Some(classes);
        }
        let next = classes.get(n_starred)?;
        n_starred += 1;
        if !is_class_starred(context, problem, next) {
            starred.extend(tuples(next));
        }
        n_suppressed += size(next);
        if n_suppressed > allowed {
            return None;
        }
    }
}
