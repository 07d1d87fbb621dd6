//! Several proposals, of which the one is answered whose objective is least.

use indistinct_core::loss;
use indistinct_core::{Recoding, Suppressed};

use super::best::Walks;
use super::clusters::{Cluster, Ground};
use super::dealing::Rows;
use super::suppress::Budget;
use super::widest::Widest;
use super::{Grain, Split, Task, aim, best, outcome, space, split, starred, widest};
use crate::stop::Stop;
use crate::{Found, Nearest, NotFound, Proof, SearchError, Statistics};

/// Tables with more tuples are split into regions in one way, which are not improved.
const MOST_IMPROVED: usize = 250_000;

/// Finds classes, or says that there are none.
pub(super) fn found(
    ground: &Ground<'_>,
    problem: &Task<'_>,
    stop: &Stop<'_>,
) -> Result<Result<Found<Recoding>, NotFound>, SearchError> {
    let (judge, table) = (ground.judge, problem.table);
    let statistics = Statistics::default();
    let treatment = problem.policy.suppressed;
    let can_suppress = match treatment {
        Suppressed::Dropped => !judge.depends_on_released,
        Suppressed::Starred => judge.merging_keeps,
    };
    let allowed = if can_suppress { problem.max_suppressed } else { 0 };
    let widest = widest::widest(ground, problem, allowed);
    let not_found = |is_proved: bool, n_failing_rows: u64| {
        let (levels, n_suppressed_needed) = (Vec::new(), None);
        let nearest = Some(Nearest { levels, n_suppressed_needed, n_failing_rows });
        let proof = is_proved.then_some(Proof::AnyRows);
        Err(NotFound { nearest, proof, statistics })
    };
    // Starred rows are in a class, too: if all classes hold, so does the whole table as far as merging keeps it.
    let whole_fails = || {
        let (tally, size) = judge.tally(&(0..table.n_tuples() as u32).collect::<Vec<u32>>());
        judge.is_ruled_out(size, &tally)
    };
    let is_proved = || match problem.max_suppressed {
        0 => widest.is_proved,
        _ => treatment == Suppressed::Starred && table.n_tuples() > 0 && whole_fails(),
    };
    if widest.n_dropped > allowed {
        return Ok(not_found(is_proved(), widest.n_failing));
    }
    let mut search = Search { ground, problem, stop, widest: &widest, allowed, statistics };
    let mut proposals = Vec::new();
    let splits: &[Split] = match problem.split {
        Split::Best if search.is_improved() => &[Split::Median],
        Split::Best => &[Split::Median, Split::Best],
        Split::Median => &[Split::Median],
    };
    let mut n_failing_rows = None;
    for &split in splits {
        match search.split(split) {
            Ok(classes) => proposals.push(classes),
            Err(n_rows) => n_failing_rows = Some(n_rows),
        }
    }
    // The textbook order came first: within any limit the answer is no worse.
    if search.is_improved() {
        proposals.extend(search.improved());
    }
    if stop.observer.is_cancelled() {
        return Err(SearchError::Cancelled);
    }
    if let Some(n_rows) = n_failing_rows.filter(|_| proposals.is_empty()) {
        return Ok(not_found(false, n_rows));
    }
    let statistics = search.statistics;
    let complete = proposals
        .into_iter()
        .filter_map(|classes| starred::complete(ground, problem, classes, allowed));
    let answers = complete.map(|classes| outcome::found(ground, problem, classes, statistics));
    let least = answers.reduce(
        |best: Found<Recoding>, next| {
            if next.objective < best.objective { next } else { best }
        },
    );
    match least {
        Some(found) => Ok(Ok(found)),
        None => Ok(not_found(is_proved(), widest.n_failing)),
    }
}

struct Search<'a> {
    ground: &'a Ground<'a>,
    problem: &'a Task<'a>,
    stop: &'a Stop<'a>,
    widest: &'a Widest,
    allowed: u64,
    statistics: Statistics,
}

impl Search<'_> {
    /// Whether classes are formed record by record, and improved.
    fn is_improved(&self) -> bool {
        let problem = self.problem;
        let is_small = problem.table.n_tuples() <= MOST_IMPROVED;
        problem.split == Split::Best
            && problem.grain == Grain::Tuples
            && self.ground.judge.merging_keeps
            && is_small
    }

    fn budget(&self, classes: &[Vec<u32>]) -> Budget {
        let judge = self.ground.judge;
        let before = starred::suppressed(self.ground, &self.rows(classes));
        let n_before: u64 = before.iter().map(|&tuple| judge.rows(tuple)).sum();
        let left = self.allowed.saturating_sub(n_before);
        Budget { treatment: self.problem.policy.suppressed, left, before }
    }

    fn rows(&self, classes: &[Vec<u32>]) -> Vec<Vec<Rows>> {
        let rows = |tuple: &u32| (*tuple, self.ground.judge.rows(*tuple));
        classes.iter().map(|tuples| tuples.iter().map(rows).collect()).collect()
    }

    /// What is found for the objective and, where that is another one, for `loss` and adapted from that.
    fn improved(&mut self) -> Vec<Vec<Vec<Rows>>> {
        let (mut proposals, mut of_regions) = (Vec::new(), None);
        let tuples = |clusters: Vec<Cluster>| -> Vec<Vec<u32>> {
            clusters.into_iter().map(|cluster| cluster.tuples).collect()
        };
        let budget = self.budget(&self.widest.components);
        let all = self.widest.components.concat();
        let (stop, problem) = (self.stop, self.problem);
        let mut of = |ground: &Ground<'_>, problem: &Task<'_>, walks: Walks| {
            let tuples = (all.clone(), walks);
            best::best(ground, problem, tuples, &budget, stop, &mut self.statistics)
        };
        let loss = loss::find("loss").filter(|loss| loss.name != problem.objective.name);
        // For all objectives but `loss` wide boxes cost hardly more than narrow ones.
        let walks = if loss.is_none() { Walks::Many } else { Walks::Few };
        // Where sizes alone matter, what is alike is put together first as for `loss`.
        if !self.ground.aim.is_on_sizes()
            && let Some(own) = of(self.ground, problem, walks)
        {
            proposals.push(tuples(own));
        }
        if let Some(loss) = loss {
            let for_loss = Task { objective: loss, ..problem.clone() };
            let space = space::Space::new(&for_loss);
            let aim = aim::Aim::new(&for_loss, &space, self.ground.judge);
            let ground = Ground { space: &space, judge: self.ground.judge, aim: &aim };
            if let Some(found) = of(&ground, &for_loss, Walks::Many).map(tuples) {
                let budget = self.budget(&found);
                let statistics = &mut self.statistics;
                let adapted = best::adapt(self.ground, problem, &found, &budget, stop, statistics);
                proposals.extend([tuples(adapted), found]);
            }
            // For `loss` it is among the proposals, too.
            let regions = self.regions(&ground, &for_loss, Split::Median);
            of_regions = regions.ok();
        }
        proposals.iter().map(|classes| self.rows(classes)).chain(of_regions).collect()
    }

    /// Regions of the widest classes; how many rows have none, where some have none.
    fn split(&mut self, split: Split) -> Result<Vec<Vec<Rows>>, u64> {
        let classes = self.regions(self.ground, self.problem, split)?;
        if self.statistics.n_first_classes == 0 {
            self.statistics.n_first_classes = classes.len() as u64;
        }
        Ok(classes)
    }

    fn regions(
        &self,
        ground: &Ground<'_>,
        problem: &Task<'_>,
        split: Split,
    ) -> Result<Vec<Vec<Rows>>, u64> {
        let mut classes = Vec::new();
        for tuples in &self.widest.components {
            let of_tuples = split::split_and_partition(ground, problem, tuples, split, self.stop);
            classes.extend(of_tuples.ok_or_else(|| ground.judge.tally(tuples).1)?);
        }
        Ok(classes)
    }
}
