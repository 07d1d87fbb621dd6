//! # multidimensional search
//!
//! **Definition.** Every class has released values of its own: labels of the hierarchies, or bounding intervals and sets. Wanted:
//! classes in which all principles hold, with the least objective. A class is what an adversary sees: rows with equal
//! released values, unless a column tells classes apart (readings F-1, F-2).
//! **`split = "median"`.** Split-and-partition of the (epsilon, m) text, 5.2: a region is split at the lower median of the
//! attribute that loses least, if both halves are acceptable; then the rows of each region are dealt to buckets in turn, if
//! it does not hold as it is. The whole table is tested first (reading C-8). Strict: rows with equal values stay together.
//! **`split = "best"`.** The regions of `split = "median"` come first. Where merging keeps all principles, classes are then formed
//! record by record: all boxes of labels in ascending cost, each given the open tuples that it covers; what is left joins the
//! class that loses least by it; then neighboring classes are taken apart and formed anew while the objective falls. With so many
//! attributes that there are too many boxes, classes grow one after the other in localities of tuples that are alike, each by the
//! tuples that cost it least. At last single tuples move or change places between neighbors. Otherwise regions as above, with
//! the cut of all that loses least. The best node of the lattice is tried, too (`levels`): where the lattice is searched soon,
//! the answer loses no more than that of `full-domain`; tables of few tuples are improved from several starts, so that less
//! strict principles hardly ever lose more (tests `no_answer_loses_more_than_the_best_node`, `who_asks_for_less_loses_no_more`).
//! **Objective.** Every step is judged by what it changes of the objective (`aim`); of several proposals the one is answered
//! whose objective is least. With `split = "best"` that is never worse than the regions of `split = "median"`; and where
//! classes are formed record by record, never worse than what is found for `loss` (test
//! `no_objective_is_worse_than_where_it_started`). Tables of more than 250,000 tuples are split into regions only.
//! **Grain.** With [`Grain::Combinations`] rows with equal quasi-identifiers stay together, so that classes are regions, split in both
//! ways (test `every_class_has_enough_people_and_not_only_rows` of the facade).
//! **Stopped.** By a time limit or by wish, the best so far: no worse than `split = "median"` with that limit (test
//! `whoever_stops_a_search_gets_no_less_than_the_textbook_order`).
//! **Suppression.** Rows without which the widest classes hold, and those that cost their class more than suppressing them
//! does. Starred rows are a class, in which the principles must hold as in any other: whole classes join them until they do.
//! Where the bounds on levels let all of them be one class like others, it is released as such, no coarser than `*`
//! everywhere. Where a principle is not kept by merging, none is starred.
//! Whole tuples are suppressed here; [`crate::with_single_rows`] suppresses single rows where that finds nothing.
//! **Infeasible.** Proved where the widest classes fail (or are not generalizable) and no row may be suppressed, and where
//! the whole table does and rows are starred; otherwise what was found is nothing.
//! **Determinism.** The effort is fixed by the table, and everything that threads do is put in order
//! (test `threads_change_nothing`).
//! **Complexity.** Median: O(tuples * attributes^2 * depth). Best: as many boxes as cost less than what tuples are released as;
//! with localities O(tuples * (size of a locality + sweeps) * attributes).
//! **Source.** LeFevre et al., ICDE 2006 (Mondrian); Li, Tao, Xiao, SIGMOD 2008, 5.2; boxes as in Beyer, Ramakrishnan,
//! SIGMOD 1999; growing classes as in Byun, Kamra, Bertino, Li, DASFAA 2007 (k-member).
//! Deviations: readings C-8, F-1, F-2; everything about `split = "best"`.

mod absorb;
mod aim;
mod ascending;
mod assignment;
mod best;
mod boxes;
mod candidates;
mod cluster;
mod clusters;
mod costs;
mod exchange;
mod improve;
pub(crate) mod judge;
mod least;
mod levels;
mod local;
mod localities;
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
mod tree;
mod widest;

use std::ops::RangeInclusive;

use indistinct_core::loss::{Form, Loss};
use indistinct_core::{FrequencyTable, Observer, Optimality, Phase, Policy, Recoding};

pub use textbook::{TextbookPartition, split_and_partition};

use crate::stop::Stop;
use crate::{Outcome, Problem, Search, SearchError};

/// What released values of a class are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GeneralizeTo {
    /// Labels of the hierarchies.
    #[default]
    Hierarchy,
    /// Bounding intervals of numbers, and sets of values of other attributes.
    Bounds,
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

/// What stays together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grain {
    /// The rows of a tuple: those with other sensitive values may be in another class.
    #[default]
    Tuples,
    /// All rows with equal quasi-identifiers, as these are at the lowest levels that are allowed: they are in one class, or suppressed
    /// together.
    Combinations,
}

/// Searches for classes with released values of their own. Refused are principles that count people of a population, and
/// objectives that are not defined for classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Multidimensional {
    /// What released values are made of.
    pub align: GeneralizeTo,
    /// How regions are split.
    pub split: Split,
    /// What stays together.
    pub grain: Grain,
}

/// A problem, and how it is to be solved.
#[derive(Debug, Clone)]
struct Task<'a> {
    table: &'a FrequencyTable,
    policy: &'a Policy,
    objective: &'static Loss,
    weights: Vec<f64>,
    bounds: Vec<RangeInclusive<usize>>,
    max_suppressed: u64,
    align: GeneralizeTo,
    split: Split,
    grain: Grain,
}

impl Search for Multidimensional {
    type Proposal = Recoding;
    type Nearest = indistinct_core::Nearest;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Recoding>, SearchError> {
        // As a whole on the pool: its many short parts then wait for nobody.
        rayon::scope(|_| self.run(problem, observer))
    }
}

impl Multidimensional {
    fn run(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Recoding>, SearchError> {
        let stop = Stop::new(observer, problem.time_limit);
        observer.progress(Phase::Search, 0, 0);
        let judge = judge::Judge::new(problem.table, &problem.policy.requirements);
        let judge = match problem.objective.form {
            Form::Joint => judge.with_joint(problem.table),
            _ => judge,
        };
        outcome::check(problem, &judge)?;
        let task = Task {
            table: problem.table,
            policy: problem.policy,
            objective: problem.objective,
            weights: problem.weights.clone(),
            bounds: problem.bounds.clone(),
            max_suppressed: problem.max_suppressed(),
            align: self.align,
            split: self.split,
            grain: self.grain,
        };
        let space = space::Space::new(&task);
        let aim = aim::Aim::new(&task, &space, &judge);
        let context = clusters::Context { space: &space, judge: &judge, aim: &aim };
        let found = candidates::found(&context, &task, &stop)?;
        Ok(match found {
            Ok(mut found) => {
                if stop.has_struck() {
                    found.optimality = Optimality::STOPPED;
                }
                Outcome::Found(Box::new(found))
            }
            Err(mut not_found) => {
                if let Some(nearest) = &mut not_found.nearest {
                    nearest.levels = problem.coarsest();
                }
                Outcome::NotFound(not_found)
            }
        })
    }
}
