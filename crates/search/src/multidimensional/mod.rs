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
//! **Objective.** Every step is judged by what it changes of the objective (`aim`); of several proposals the one is answered
//! whose objective is least. With `split = "best"` that is never worse than the regions of `split = "median"`; and where
//! classes are formed record by record, never worse than what is found for `loss` (test
//! `no_objective_is_worse_than_where_it_started`). Tables of more than 250,000 tuples are split once, without a guarantee.
//! **Suppression.** Rows without which the widest classes hold, and those that cost their class more than suppressing them
//! does. Starred rows are a class, in which the principles must hold as in any other: whole classes join them until they do.
//! Where the bounds on levels let all of them be one class like others, it is released as such, no coarser than `*`
//! everywhere. Where a principle is not kept by merging, none is starred.
//! **Infeasible.** Proved where the widest classes fail (or are not generalizable) and no row may be suppressed, and where
//! the whole table does and rows are starred; otherwise what was found is nothing.
//! **Determinism.** The effort is fixed by the table, and everything that threads do is put in order
//! (test `threads_change_nothing`).
//! **Complexity.** Median: O(tuples * attributes^2 * depth). Best: as many boxes as cost less than what tuples are released as.
//! **Source.** LeFevre et al., ICDE 2006 (Mondrian); Li, Tao, Xiao, SIGMOD 2008, 5.2; boxes as in Beyer, Ramakrishnan,
//! SIGMOD 1999.
//! Deviations: readings C-8, F-1, F-2; everything about `split = "best"`.

mod absorb;
mod aim;
mod ascending;
mod best;
mod boxes;
mod candidates;
mod clusters;
mod costs;
mod dealing;
mod improve;
mod judge;
mod neighbors;
mod outcome;
mod regions;
mod resolve;
mod sizes;
mod space;
mod split;
mod starred;
mod suppress;
mod textbook;
mod widest;

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use indistinct_core::loss::{Form, Loss};
use indistinct_core::recoding::ClassColumn;
use indistinct_core::{FrequencyTable, Observer, Policy};

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

/// Searches for classes with released values of their own that satisfy the policy.
///
/// # Errors
/// [`SearchError`] if the problem is not well-formed, if a principle counts people of a population, if the objective is not
/// defined for classes, if the observer cancels, or if the time is up before any classes were found. That none were found
/// is an [`Outcome`], not an error.
pub fn multidimensional(
    problem: &Problem<'_>,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Outcome, SearchError> {
    let ends = options.deadline.and_then(|deadline| Instant::now().checked_add(deadline));
    let stop = Stop { observer, ends };
    let judge = match problem.objective.form {
        Form::Joint => {
            judge::Judge::new(problem.table, &problem.policy.requirements).with_joint(problem.table)
        }
        _ => judge::Judge::new(problem.table, &problem.policy.requirements),
    };
    outcome::check(problem, &judge)?;
    let space = space::Space::new(problem);
    let aim = aim::Aim::new(problem, &space, &judge);
    let ground = clusters::Ground { space: &space, judge: &judge, aim: &aim };
    candidates::found(&ground, problem, &stop)
}
