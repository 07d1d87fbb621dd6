//! # multidimensional search
//!
//! **Definition.** Every class has released values of its own: labels of the hierarchies, or bounding intervals and sets. Wanted:
//! classes in which all principles hold, with the least objective. A class is what an adversary sees: rows with equal
//! released values, unless a column tells classes apart (readings F-1, F-2).
//! **`split = "median"`.** Split-and-partition of the (epsilon, m) text, 5.2: a region is split at the lower median of the
//! attribute that loses least, if both halves are acceptable; then the rows of each region are dealt to buckets in turn, if
//! it does not hold as it is. The whole table is tested first (reading C-8). Strict: rows with equal values stay together.
//! **`split = "best"`.** Where merging keeps all principles, classes are formed record by record: all boxes of labels in
//! ascending cost, each given the open tuples that it covers; what is left joins the class that loses least by it; then
//! neighboring classes are taken apart and formed anew while the objective falls. Otherwise regions as above, with the cut
//! of all that loses least.
//! **Suppression.** Only dropped rows: those without which the widest classes hold, and those that cost their class more than
//! suppressing them does. Where suppressed rows are starred, none is suppressed: a class may be `*` everywhere.
//! **Infeasible.** Proved where the widest classes fail (or are not generalizable) and no row may be suppressed; otherwise
//! what was found is nothing.
//! **Determinism.** The effort is fixed by the table, and everything that threads do is put in order
//! (test `threads_change_nothing`).
//! **Complexity.** Median: O(tuples * attributes^2 * depth). Best: as many boxes as cost less than what tuples are released as.
//! **Source.** LeFevre et al., ICDE 2006 (Mondrian); Li, Tao, Xiao, SIGMOD 2008, 5.2; boxes as in Beyer, Ramakrishnan,
//! SIGMOD 1999.
//! Deviations: readings C-8, F-1, F-2; everything about `split = "best"`.

mod absorb;
mod ascending;
mod best;
mod boxes;
mod clusters;
mod dealing;
mod improve;
mod judge;
mod neighbors;
mod outcome;
mod regions;
mod resolve;
mod space;
mod split;
mod textbook;
mod widest;

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use indistinct_core::loss::Loss;
use indistinct_core::recoding::ClassColumn;
use indistinct_core::{FrequencyTable, Observer, Policy, Suppressed};

pub use outcome::{Found, Infeasible, NoRecoding, Outcome, Statistics};
pub use textbook::{Partitioned, split_and_partition};

use crate::SearchError;

/// What released values of a class are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    /// Labels of the hierarchies.
    #[default]
    Hierarchy,
    /// Bounding intervals of numbers, and sets of values of other attributes.
    Values,
}

/// How regions are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Split {
    /// Whatever loses least.
    #[default]
    Best,
    /// The textbook order.
    Median,
}

/// What is searched for.
#[derive(Debug, Clone)]
pub struct Problem<'a> {
    /// The counted table.
    pub table: &'a FrequencyTable,
    /// What a release must meet.
    pub policy: &'a Policy,
    /// What is to be least.
    pub objective: &'static Loss,
    /// The weight of each quasi-identifier, at least 0.
    pub weights: Vec<f64>,
    /// For each quasi-identifier its lowest and highest level.
    pub bounds: Vec<RangeInclusive<usize>>,
    /// What released values are made of.
    pub align: Align,
    /// How regions are split.
    pub split: Split,
    /// Whether the release tells its classes apart by a column.
    pub classes: ClassColumn,
}

/// When to stop.
pub(crate) struct Stop<'a> {
    observer: &'a dyn Observer,
    ends: Option<Instant>,
}

impl Stop<'_> {
    fn asked(&self) -> bool {
        self.observer.is_cancelled() || self.ends.is_some_and(|ends| Instant::now() >= ends)
    }
}

/// How to search. The number of threads is that of the current rayon pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// How long to search; then the best found so far is returned.
    pub deadline: Option<Duration>,
}

/// Tables with more tuples are split into regions, which are not improved.
const MOST_IMPROVED: usize = 250_000;

/// Searches for classes with released values of their own that satisfy the policy.
///
/// # Errors
/// [`SearchError`] if the problem is not well-formed, if a principle counts people of a population, if the observer
/// cancels, or if the time is up before any classes were found. That none were found is an [`Outcome`], not an error.
pub fn multidimensional(
    problem: &Problem<'_>,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Outcome, SearchError> {
    let ends = options.deadline.and_then(|deadline| Instant::now().checked_add(deadline));
    let stop = Stop { observer, ends };
    let judge = judge::Judge::new(problem.table, &problem.policy.requirements);
    outcome::check(problem, &judge)?;
    let space = space::Space::new(problem);
    let ground = clusters::Ground { space: &space, judge: &judge };
    let mut statistics =
        Statistics { n_tuples: problem.table.n_tuples() as u64, ..Statistics::default() };
    let can_suppress =
        problem.policy.suppressed == Suppressed::Dropped && !judge.depends_on_released;
    let allowed = if can_suppress { problem.policy.max_suppressed(problem.table) } else { 0 };
    let widest = widest::widest(&ground, problem, allowed);
    if widest.n_dropped > allowed {
        let no_row = problem.policy.max_suppressed(problem.table) == 0
            || problem.policy.suppressed == Suppressed::Starred;
        return Ok(Outcome::Infeasible(Infeasible {
            proof: match no_row && widest.is_proved {
                true => NoRecoding::Proved,
                false => NoRecoding::NotFound,
            },
            n_failing_rows: widest.n_failing,
            n_suppressed_allowed: allowed,
            statistics,
        }));
    }
    let mut lists: Vec<Vec<dealing::Rows>> = Vec::new();
    let rows = |tuples: &[u32]| tuples.iter().map(|&tuple| (tuple, judge.rows(tuple))).collect();
    let is_small = problem.table.n_tuples() <= MOST_IMPROVED;
    if problem.split == Split::Best && judge.merging_keeps && is_small {
        let tuples = widest.components.concat();
        let left = allowed - widest.n_dropped;
        let best = best::best(&ground, problem, tuples, left, &stop, &mut statistics);
        if observer.is_cancelled() {
            return Err(SearchError::Cancelled);
        }
        match best {
            Some(clusters) => lists.extend(clusters.iter().map(|cluster| rows(&cluster.tuples))),
            // The time was up: the widest classes hold.
            None => lists.extend(widest.components.iter().map(|tuples| rows(tuples))),
        }
    } else {
        for tuples in &widest.components {
            let classes =
                split::split_and_partition(&ground, problem, tuples, problem.split, &stop);
            if observer.is_cancelled() {
                return Err(SearchError::Cancelled);
            }
            let Some(classes) = classes else {
                return Ok(Outcome::Infeasible(Infeasible {
                    proof: NoRecoding::NotFound,
                    n_failing_rows: judge.tally(tuples).1,
                    n_suppressed_allowed: allowed,
                    statistics,
                }));
            };
            lists.extend(classes);
        }
        statistics.n_first_classes = lists.len() as u64;
    }
    Ok(Outcome::Found(outcome::found(&ground, problem, lists, statistics)))
}
