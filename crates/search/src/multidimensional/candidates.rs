//! Computes several proposals and returns the one with the lowest objective.

use indistinct_core::loss;
use indistinct_core::{Nearest, Recoding, SearchEffort, SuppressionRule};

use super::assignment::Rows;
use super::best::Walks;
use super::clusters::{Cluster, Context};
use super::least::Least;
use super::suppress::Budget;
use super::widest::Widest;
use super::{Grain, Split, Task, aim, best, levels, space, split, starred, widest};
use crate::stop::Stop;
use crate::{FoundRecoding, NotFound, SearchError};

/// Tables with more tuples are split into regions once, without improvement.
const MOST_IMPROVED: usize = 250_000;
/// Tables with more tuples are improved from a single starting point.
const MOST_STARTED_AGAIN: usize = 2_000;
/// The increase in the minimum class size for additional starting points: added rows and factor.
const LARGER: [(u64, u64); 3] = [(1, 1), (0, 2), (0, 4)];

/// Finds classes, or reports that none were found.
pub(super) fn found(
    context: &Context<'_>,
    problem: &Task<'_>,
    stop: &Stop<'_>,
) -> Result<Result<FoundRecoding<Recoding>, NotFound>, SearchError> {
    let (judge, table) = (context.judge, problem.table);
    let effort = SearchEffort::default();
    let treatment = problem.policy.suppressed;
    let can_suppress = match treatment {
        SuppressionRule::Dropped => !judge.depends_on_released,
        SuppressionRule::Starred | SuppressionRule::Cells => judge.merging_keeps,
    };
    let allowed = if can_suppress { problem.max_suppressed } else { 0 };
    let widest = widest::widest(context, problem, allowed);
    let not_found = |is_proved: bool, n_failing_rows: u64| {
        let nearest = Some(Nearest::new(Vec::new(), n_failing_rows, None));
        Err(NotFound { nearest, is_proved, effort })
    };
    // Suppressed rows that are shown as `*` also form a class. If all classes satisfy the
    // principles that merging preserves, so does the whole table.
    let whole_fails = || {
        let (tally, size) = judge.tally(&(0..table.n_tuples() as u32).collect::<Vec<u32>>());
        judge.is_ruled_out(size, &tally)
    };
    let is_proved = || match problem.max_suppressed {
        0 => widest.is_proved,
        _ => treatment.is_released() && table.n_tuples() > 0 && whole_fails(),
    };
    if widest.n_dropped > allowed {
        return Ok(not_found(is_proved(), widest.n_failing));
    }
    let mut search = Search { context, problem, stop, widest: &widest, allowed, effort };
    let mut least = Least::new(context, problem, allowed);
    let splits: &[Split] = match problem.split {
        Split::Best if search.is_improved() => &[Split::Median],
        Split::Best => &[Split::Median, Split::Best],
        Split::Median => &[Split::Median],
    };
    let mut n_failing_rows = None;
    for &split in splits {
        least.make_room();
        match search.split(split) {
            Ok(classes) => least.propose(classes),
            Err(n_rows) => n_failing_rows = Some(n_rows),
        }
    }
    // The textbook regions were computed first, so the result is at least as good under any time
    // limit.
    if search.is_improved() {
        search.improved().into_iter().for_each(|classes| least.propose(classes));
    } else if problem.split == Split::Best && table.n_tuples() <= MOST_IMPROVED {
        let node = levels::of_best_node(context, problem, allowed, stop);
        node.into_iter().for_each(|classes| least.propose(search.rows(&classes)));
    }
    if stop.observer.is_cancelled() {
        return Err(SearchError::Cancelled);
    }
    if let Some(n_rows) = n_failing_rows.filter(|_| !least.is_any_proposed) {
        return Ok(not_found(false, n_rows));
    }
    let effort = search.effort;
    match least.into_best() {
        Some(best) => Ok(Ok(best.found(context, problem, effort))),
        None => Ok(not_found(is_proved(), widest.n_failing)),
    }
}

fn tuples_of(clusters: Vec<Cluster>) -> Vec<Vec<u32>> {
    clusters.into_iter().map(|cluster| cluster.tuples).collect()
}

struct Search<'a> {
    context: &'a Context<'a>,
    problem: &'a Task<'a>,
    stop: &'a Stop<'a>,
    widest: &'a Widest,
    allowed: u64,
    effort: SearchEffort,
}

impl Search<'_> {
    /// Returns whether classes are formed record by record and improved.
    fn is_improved(&self) -> bool {
        let problem = self.problem;
        let is_small = problem.table.n_tuples() <= MOST_IMPROVED;
        problem.split == Split::Best
            && problem.grain == Grain::Tuples
            && self.context.judge.merging_keeps
            && is_small
    }

    fn budget(&self, classes: &[Vec<u32>]) -> Budget {
        let judge = self.context.judge;
        let before = starred::suppressed(self.context, &self.rows(classes));
        let n_before: u64 = before.iter().map(|&tuple| judge.rows(tuple)).sum();
        let left = self.allowed.saturating_sub(n_before);
        Budget { treatment: self.problem.policy.suppressed, left, before }
    }

    fn rows(&self, classes: &[Vec<u32>]) -> Vec<Vec<Rows>> {
        let rows = |tuple: &u32| (*tuple, self.context.judge.rows(*tuple));
        classes.iter().map(|tuples| tuples.iter().map(rows).collect()).collect()
    }

    /// Returns the classes found for the objective. If the objective is not `loss`, also returns
    /// the classes found for `loss` and their adaptation to the objective.
    fn improved(&mut self) -> Vec<Vec<Vec<Rows>>> {
        let (context, problem) = (self.context, self.problem);
        let (mut proposals, mut of_regions) = (Vec::new(), None);
        let loss = loss::find("loss").filter(|loss| loss.name != problem.objective.name);
        // For all objectives except `loss`, wide boxes cost only slightly more than narrow ones.
        let walks = if loss.is_none() { Walks::Many } else { Walks::Bounded };
        // If only sizes matter, similar tuples are first grouped as for `loss`.
        if !context.aim.is_on_sizes() {
            proposals.extend(self.formed(context, problem, walks));
        }
        proposals.extend(self.started_elsewhere(context, problem));
        if let Some(loss) = loss {
            let for_loss = Task { objective: loss, ..problem.clone() };
            let space = space::Space::new(&for_loss);
            let aim = aim::Aim::new(&for_loss, &space, context.judge);
            let of_loss = Context { space: &space, judge: context.judge, aim: &aim };
            if let Some(found) = self.formed(&of_loss, &for_loss, Walks::Many) {
                proposals.extend([self.adapted(context, problem, &found), found]);
            }
            proposals.extend(self.started_elsewhere(&of_loss, &for_loss));
            // For `loss`, the regions are already among the proposals.
            let regions = self.regions(&of_loss, &for_loss, Split::Median);
            of_regions = regions.ok();
        }
        proposals.iter().map(|classes| self.rows(classes)).chain(of_regions).collect()
    }

    /// Forms classes of single tuples.
    fn formed(
        &mut self,
        context: &Context<'_>,
        problem: &Task<'_>,
        walks: Walks,
    ) -> Option<Vec<Vec<u32>>> {
        let budget = self.budget(&self.widest.components);
        let tuples = (self.widest.components.concat(), walks);
        let effort = &mut self.effort;
        best::best(context, problem, tuples, &budget, self.stop, effort).map(tuples_of)
    }

    /// Improves classes that were found in a different way.
    fn adapted(
        &mut self,
        context: &Context<'_>,
        problem: &Task<'_>,
        classes: &[Vec<u32>],
    ) -> Vec<Vec<u32>> {
        let budget = self.budget(classes);
        let effort = &mut self.effort;
        tuples_of(best::adapt(context, problem, classes, &budget, self.stop, effort))
    }

    /// Returns the classes of the best node of the lattice. For small tables, also improves these
    /// classes, the textbook regions, and classes that are larger than required, because a weaker
    /// requirement must not lead to a higher loss.
    fn started_elsewhere(
        &mut self,
        context: &Context<'_>,
        problem: &Task<'_>,
    ) -> Vec<Vec<Vec<u32>>> {
        let node = levels::of_best_node(context, problem, self.allowed, self.stop);
        let mut proposals: Vec<Vec<Vec<u32>>> = node.into_iter().collect();
        if problem.table.n_tuples() > MOST_STARTED_AGAIN || context.aim.is_on_sizes() {
            return proposals;
        }
        let mut starts = proposals.clone();
        if let Ok(regions) = self.regions(context, problem, Split::Median) {
            let tuples = |class: Vec<Rows>| class.into_iter().map(|rows| rows.0).collect();
            starts.push(regions.into_iter().map(tuples).collect());
        }
        let n_first_classes = self.effort.n_first_classes;
        for (more, factor) in LARGER {
            let judge = context.judge.for_larger(factor * context.judge.smallest_size + more);
            starts.extend(self.formed(&Context { judge: &judge, ..*context }, problem, Walks::Few));
        }
        self.effort.n_first_classes = n_first_classes;
        for start in starts {
            if self.stop.is_requested() {
                break;
            }
            proposals.push(self.adapted(context, problem, &start));
        }
        proposals
    }

    /// Splits the widest classes into regions. If some of them cannot be split, the error is the
    /// number of their rows.
    fn split(&mut self, split: Split) -> Result<Vec<Vec<Rows>>, u64> {
        let classes = self.regions(self.context, self.problem, split)?;
        if self.effort.n_first_classes == 0 {
            self.effort.n_first_classes = classes.len() as u64;
        }
        Ok(classes)
    }

    fn regions(
        &self,
        context: &Context<'_>,
        problem: &Task<'_>,
        split: Split,
    ) -> Result<Vec<Vec<Rows>>, u64> {
        let mut classes = Vec::new();
        for tuples in &self.widest.components {
            let of_tuples = split::split_and_partition(context, problem, tuples, split, self.stop);
            classes.extend(of_tuples.ok_or_else(|| context.judge.tally(tuples).1)?);
        }
        Ok(classes)
    }
}
