//! # multidimensional search
//!
//! **Definition.** Every class has its own released values: labels of the hierarchies, or bounding
//! intervals and sets. The search returns classes that satisfy all principles, with the lowest
//! objective that it finds. A class consists of the rows that an adversary cannot distinguish: rows
//! with equal released values, unless another column distinguishes classes (readings F-1, F-2).
//! **`split = "median"`.** Split-and-partition of the (epsilon, m) paper, 5.2: a region is split at
//! the lower median of the attribute that loses least, if both halves are acceptable. The rows of a
//! final region that violates a principle are then assigned to buckets in turn. The whole table is
//! tested first (reading C-8). Splits are strict: rows with equal values stay together.
//! **`split = "best"`.** The search starts with the regions of `split = "median"`. If merging
//! preserves all principles, classes are then formed record by record: all boxes of labels are
//! visited in ascending order of cost, and each box takes the unassigned tuples that it covers;
//! each remaining tuple joins the class whose loss increases least. Neighboring classes are then
//! dissolved and formed again as long as the objective falls. If the number of attributes makes the
//! boxes too numerous, classes grow one after the other within localities of similar tuples, each
//! with the tuples that increase its cost least. At the end, single tuples move or swap places
//! between neighboring classes. If merging does not preserve all principles, the table is split
//! into regions as above, with the cut that loses least. The search also tries the best node of the
//! lattice (`candidates`): if the lattice can be searched quickly, the result loses no more than
//! that of `full-domain`. Small tables are improved from several starting points, and weaker
//! principles therefore rarely lead to higher losses (tests `no_result_loses_more_than_best_node`,
//! `weaker_k_does_not_increase_loss`).
//! **Objective.** Every step is evaluated by its effect on the objective (`aim`), and the search
//! returns the proposal with the lowest objective. With `split = "best"`, the result is never worse
//! than the regions of `split = "median"`; if classes are formed record by record, the result is
//! also never worse than the result for `loss` (test
//! `objective_never_exceeds_starting_value`). Tables of more than 250,000 tuples are only
//! split into regions.
//! **Grain.** With [`Grain::Combinations`], rows with equal quasi-identifiers stay together, so
//! classes are regions for both kinds of split (test
//! `every_class_has_enough_people` of the facade).
//! **Stopping.** If a time limit or the caller stops the search, it returns the best result so far,
//! which is at least as good as `split = "median"` with the same limit (test
//! `stopped_search_is_no_worse_than_textbook_order`).
//! **Suppression.** The search suppresses the rows that must be removed for the widest classes to
//! satisfy the principles, and rows that cost their class more than their suppression does.
//! Suppressed rows that are shown as `*` form a class, which must satisfy the principles like every
//! other class. Therefore, whole classes are suppressed until this class satisfies all principles.
//! If the level bounds allow all suppressed rows to be released as an ordinary class, they are
//! released as such a class, no coarser than `*` in every quasi-identifier. If merging does not
//! preserve a principle, no row is shown as `*`. This search suppresses whole tuples; if it finds
//! no recoding, [`crate::with_single_rows`] suppresses single rows.
//! **Infeasible.** Infeasibility is proved if the widest classes fail (or cannot be generalized)
//! and no row may be suppressed, and if the whole table fails and rows are starred. In all other
//! cases, the search only reports that it found no recoding.
//! **Determinism.** The table alone determines the effort, and the results of threads are put into
//! a fixed order (test `thread_count_does_not_change_recoding`).
//! **Complexity.** Median: O(tuples * attributes^2 * depth). Best: proportional to the number of
//! boxes that cost less than the released values of the tuples; with localities, O(tuples * (size
//! of a locality + sweeps) * attributes).
//! **Source.** LeFevre et al., ICDE 2006 (Mondrian); Li, Tao, Xiao, SIGMOD 2008, 5.2; boxes as in
//! Beyer, Ramakrishnan, SIGMOD 1999; growing classes as in Byun, Kamra, Bertino, Li, DASFAA 2007
//! (k-member). Deviations: readings C-8, F-1, F-2; the whole of `split = "best"`.

mod aim;
mod ascending;
mod assignment;
mod best;
mod boxes;
mod candidates;
mod clusters;
mod costs;
pub(crate) mod judge;
mod local;
mod neighbors;
mod outcome;
mod regions;
mod resolve;
mod space;
mod split;
mod suppress;
mod textbook;

use indistinct_core::loss::Form;
use indistinct_core::{Observer, Optimality, Phase, Recoding};

pub use textbook::{TextbookPartition, split_and_partition};

use crate::stop::Stop;
use crate::{Outcome, Problem, Search, SearchError};

/// The kind of released values in classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GeneralizeTo {
    /// Labels of the hierarchies.
    #[default]
    Hierarchy,
    /// Bounding intervals of numbers, and sets of values for other attributes.
    Bounds,
}

/// How regions are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Split {
    /// Uses the cut that loses least.
    #[default]
    Best,
    /// Uses the cuts of the textbook algorithm.
    Median,
}

/// The rows that a search keeps together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grain {
    /// The rows of a tuple stay together. Rows that differ only in their sensitive values may be in
    /// different classes.
    #[default]
    Tuples,
    /// All rows with equal quasi-identifiers at the lowest permitted levels stay together: they are
    /// in one class or are suppressed together.
    Combinations,
}

/// Searches for classes with their own released values. The search rejects principles that count
/// people in a population, and objectives that are not defined for classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Multidimensional {
    /// The kind of released values.
    pub align: GeneralizeTo,
    /// How regions are split.
    pub split: Split,
    /// The rows that stay together.
    pub grain: Grain,
}

impl Search for Multidimensional {
    type Proposal = Recoding;
    type Nearest = indistinct_core::Nearest;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Recoding>, SearchError> {
        // Run the whole search on the thread pool to avoid a thread switch in each of its many
        // short parts.
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
        let space = space::Space::new(problem, self.align);
        let aim = aim::Aim::new(problem, &space, &judge);
        let (space, judge, aim, stop) = (&space, &judge, &aim, &stop);
        let context = clusters::Context { problem, options: *self, space, judge, aim, stop };
        let found = candidates::found(&context)?;
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
