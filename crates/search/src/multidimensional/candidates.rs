//! Computes several proposals and returns the one with the lowest objective.
//!
//! One of the proposals consists of the classes of the best node of the lattice. If the lattice can
//! be searched quickly, the loss is therefore at most that of `full-domain`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use indistinct_core::{Nearest, Observer, Phase, Recoding, SearchEffort, SuppressionRule, loss};
use rustc_hash::FxHashMap;

use super::assignment::Rows;
use super::best::Walks;
use super::clusters::{Cluster, Context};
use super::outcome::Least;
use super::split::Widest;
use super::suppress::Budget;
use super::{Grain, Split, aim, best, outcome, space, split};
use crate::full_domain::FullDomain;
use crate::stop::Stop;
use crate::{FoundRecoding, NotFound, Outcome, Problem, Search, SearchError};

/// Maximum number of tuples for which regions are improved; larger tables are only split into
/// regions.
const MOST_IMPROVED: usize = 250_000;
/// Maximum number of tuples for which several starting points are improved.
const MOST_STARTED_AGAIN: usize = 2_000;
/// Maximum number of tuples for which the search is repeated without suppression.
const MOST_UNSUPPRESSED: usize = 10_000;

/// The increases in the minimum class size for additional starting points. Each pair contains the
/// number of added rows and the factor.
const LARGER: [(u64, u64); 3] = [(1, 1), (0, 2), (0, 4)];

/// Finds classes, or reports that none were found.
pub(super) fn found(
    context: &Context<'_>,
) -> Result<Result<FoundRecoding<Recoding>, NotFound>, SearchError> {
    let Context { problem, judge, options, .. } = *context;
    let table = problem.table;
    let effort = SearchEffort::default();
    let treatment = problem.policy.suppressed;
    let can_suppress = match treatment {
        SuppressionRule::Dropped => !judge.depends_on_released,
        SuppressionRule::Starred | SuppressionRule::Cells => judge.merging_keeps,
    };
    let allowed = if can_suppress { problem.max_suppressed() } else { 0 };
    let widest = split::widest(context, allowed);
    let not_found = |is_proved: bool, n_failing_rows: u64| {
        let nearest = Some(Nearest::new(Vec::new(), n_failing_rows, None));
        Err(NotFound { nearest, is_proved, effort })
    };
    // Suppressed rows that are shown as `*` also form a class. If all classes satisfy the
    // principles that are preserved when classes are merged, so does the whole table.
    let whole_fails = || {
        let (tally, size) = judge.tally(&(0..table.n_tuples() as u32).collect::<Vec<u32>>());
        judge.is_ruled_out(size, &tally)
    };
    let is_proved = || match problem.max_suppressed() {
        0 => widest.is_proved,
        _ => treatment.is_released() && table.n_tuples() > 0 && whole_fails(),
    };
    if widest.n_dropped > allowed {
        return Ok(not_found(is_proved(), widest.n_failing));
    }
    let mut search = Candidates { context, widest: &widest, allowed, effort };
    let mut least = Least::new(context, allowed);
    let splits: &[Split] = match options.split {
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
        // A suppression limit must not lead to a higher loss than no suppression.
        if allowed > 0 && widest.n_dropped == 0 && table.n_tuples() <= MOST_UNSUPPRESSED {
            let mut search = Candidates { context, widest: &widest, allowed: 0, effort };
            search.improved().into_iter().for_each(|classes| least.propose(classes));
        }
    } else if options.split == Split::Best && table.n_tuples() <= MOST_IMPROVED {
        let node = of_best_node(context, allowed);
        node.into_iter().for_each(|classes| least.propose(search.rows(&classes)));
    }
    if context.stop.observer.is_cancelled() {
        return Err(SearchError::Cancelled);
    }
    if let Some(n_rows) = n_failing_rows.filter(|_| !least.is_any_proposed) {
        return Ok(not_found(false, n_rows));
    }
    let effort = search.effort;
    match least.into_best() {
        Some(best) => Ok(Ok(best.found(context, effort))),
        None => Ok(not_found(is_proved(), widest.n_failing)),
    }
}

fn tuples_of(clusters: Vec<Cluster>) -> Vec<Vec<u32>> {
    clusters.into_iter().map(|cluster| cluster.tuples).collect()
}

struct Candidates<'a> {
    context: &'a Context<'a>,
    widest: &'a Widest,
    allowed: u64,
    effort: SearchEffort,
}

impl Candidates<'_> {
    /// Returns whether classes are formed record by record and then improved.
    fn is_improved(&self) -> bool {
        let Context { problem, options, .. } = self.context;
        let is_small = problem.table.n_tuples() <= MOST_IMPROVED;
        options.split == Split::Best
            && options.grain == Grain::Tuples
            && self.context.judge.merging_keeps
            && is_small
    }

    fn budget(&self, classes: &[Vec<u32>]) -> Budget {
        let judge = self.context.judge;
        let before = outcome::suppressed(self.context, &self.rows(classes));
        let n_before: u64 = before.iter().map(|&tuple| judge.rows(tuple)).sum();
        let left = self.allowed.saturating_sub(n_before);
        Budget { treatment: self.context.problem.policy.suppressed, left, before }
    }

    fn rows(&self, classes: &[Vec<u32>]) -> Vec<Vec<Rows>> {
        let rows = |tuple: &u32| (*tuple, self.context.judge.rows(*tuple));
        classes.iter().map(|tuples| tuples.iter().map(rows).collect()).collect()
    }

    /// Returns the classes found for the objective. If the objective is not `loss`, also returns
    /// the classes found for `loss` and their adaptation to the objective.
    fn improved(&mut self) -> Vec<Vec<Vec<Rows>>> {
        let (context, problem) = (self.context, self.context.problem);
        let (mut proposals, mut of_regions) = (Vec::new(), None);
        let loss = loss::find("loss").filter(|loss| loss.name != problem.objective.name);
        // For all objectives except `loss`, wide boxes cost only slightly more than narrow ones.
        let walks = if loss.is_none() { Walks::Many } else { Walks::Bounded };
        // If the objective depends only on class sizes, similar tuples are first grouped as for
        // `loss`.
        if !context.aim.is_on_sizes() {
            proposals.extend(self.formed(context, walks));
        }
        proposals.extend(self.started_elsewhere(context));
        if let Some(loss) = loss {
            let for_loss = Problem { objective: loss, ..problem.clone() };
            let space = space::Space::new(&for_loss, context.options.align);
            let aim = aim::Aim::new(&for_loss, &space, context.judge);
            let of_loss = Context { problem: &for_loss, space: &space, aim: &aim, ..*context };
            if let Some(found) = self.formed(&of_loss, Walks::Many) {
                proposals.extend([self.adapted(context, &found), found]);
            }
            proposals.extend(self.started_elsewhere(&of_loss));
            // For `loss`, the regions are already among the proposals.
            let regions = self.regions(&of_loss, Split::Median);
            of_regions = regions.ok();
        }
        proposals.iter().map(|classes| self.rows(classes)).chain(of_regions).collect()
    }

    /// Forms classes of single tuples.
    fn formed(&mut self, context: &Context<'_>, walks: Walks) -> Option<Vec<Vec<u32>>> {
        let budget = self.budget(&self.widest.components);
        let tuples = (self.widest.components.concat(), walks);
        let effort = &mut self.effort;
        best::best(context, tuples, &budget, effort).map(tuples_of)
    }

    /// Improves classes that were found in a different way.
    fn adapted(&mut self, context: &Context<'_>, classes: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let budget = self.budget(classes);
        let effort = &mut self.effort;
        tuples_of(best::adapt(context, classes, &budget, effort))
    }

    /// Returns the classes of the best node of the lattice. For small tables, also improves these
    /// classes, the textbook regions, and classes that are larger than required, because a weaker
    /// requirement must not lead to a higher loss.
    fn started_elsewhere(&mut self, context: &Context<'_>) -> Vec<Vec<Vec<u32>>> {
        let node = of_best_node(context, self.allowed);
        let mut proposals: Vec<Vec<Vec<u32>>> = node.into_iter().collect();
        if context.problem.table.n_tuples() > MOST_STARTED_AGAIN || context.aim.is_on_sizes() {
            return proposals;
        }
        let mut starts = proposals.clone();
        if let Ok(regions) = self.regions(context, Split::Median) {
            let tuples = |class: Vec<Rows>| class.into_iter().map(|rows| rows.0).collect();
            starts.push(regions.into_iter().map(tuples).collect());
        }
        let n_first_classes = self.effort.n_first_classes;
        for (more, factor) in LARGER {
            let judge = context.judge.for_larger(factor * context.judge.smallest_size + more);
            starts.extend(self.formed(&Context { judge: &judge, ..*context }, Walks::Few));
        }
        self.effort.n_first_classes = n_first_classes;
        for start in starts {
            if context.stop.is_requested() {
                break;
            }
            proposals.push(self.adapted(context, &start));
        }
        proposals
    }

    /// Splits the widest classes into regions. If some of them cannot be split, the error is the
    /// number of their rows.
    fn split(&mut self, split: Split) -> Result<Vec<Vec<Rows>>, u64> {
        let classes = self.regions(self.context, split)?;
        if self.effort.n_first_classes == 0 {
            self.effort.n_first_classes = classes.len() as u64;
        }
        Ok(classes)
    }

    fn regions(&self, context: &Context<'_>, split: Split) -> Result<Vec<Vec<Rows>>, u64> {
        let mut classes = Vec::new();
        for tuples in &self.widest.components {
            let of_tuples = split::split_and_partition(context, tuples, split);
            classes.extend(of_tuples.ok_or_else(|| context.judge.tally(tuples).1)?);
        }
        Ok(classes)
    }
}

/// Maximum number of tuples multiplied by evaluated nodes, which takes about one second on one
/// core. The lattices of most policies need less.
const MOST_EFFORT: u64 = 40_000_000;
/// Maximum number of nodes, independent of the size of the table.
const MOST_NODES: u64 = 2_000;
/// Maximum number of checks whether the search may continue. Between two checks, the search
/// examines parts of the lattice without evaluating a node. All checks happen on one thread at
/// deterministic points.
const MOST_TRIED: u64 = 128;

/// An observer that ends the search after a number of nodes, or when the enclosing search ends.
struct LimitedObserver<'a> {
    stop: &'a Stop<'a>,
    most_evaluated: u64,
    n_evaluated: AtomicU64,
    n_tried: AtomicU64,
}

impl Observer for LimitedObserver<'_> {
    fn progress(&self, _: Phase, n_evaluated: u64, _: u64) {
        self.n_evaluated.store(n_evaluated, Ordering::Relaxed);
    }

    fn wants_best_so_far(&self) -> bool {
        let n_tried = self.n_tried.fetch_add(1, Ordering::Relaxed);
        let n_evaluated = self.n_evaluated.load(Ordering::Relaxed);
        n_tried >= MOST_TRIED || n_evaluated >= self.most_evaluated || self.stop.is_over()
    }

    fn is_cancelled(&self) -> bool {
        self.stop.observer.is_cancelled()
    }
}

/// Returns the tuples of each class. Returns `None` if no node was found, or if the classes violate
/// a principle when they have their own released values.
pub(super) fn of_best_node(context: &Context<'_>, allowed: u64) -> Option<Vec<Vec<u32>>> {
    let Context { problem, stop, .. } = *context;
    let table = problem.table;
    let most_suppressed = Some(allowed);
    let of_node = Problem { time_limit: None, most_suppressed, ..problem.clone() };
    let most_evaluated = MOST_NODES.min(MOST_EFFORT / table.n_tuples().max(1) as u64);
    let (n_evaluated, n_tried) = (AtomicU64::new(0), AtomicU64::new(0));
    let limited = LimitedObserver { stop, most_evaluated, n_evaluated, n_tried };
    let Ok(Outcome::Found(found)) = FullDomain::default().search(&of_node, &limited) else {
        return None;
    };
    let node = found.proposal;
    let columns = table.quasi_identifiers();
    // Tuples with equal released values form one class, even if their labels differ.
    let texts: Vec<Vec<u32>> = columns
        .iter()
        .zip(&problem.policy.hierarchies)
        .zip(&node.levels)
        .map(|((column, hierarchy), &level)| {
            let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
            let number = |code: u32| {
                let next = numbers.len() as u32;
                *numbers.entry(hierarchy.label(level, code)).or_insert(next)
            };
            (0..column.dictionary.len() as u32).map(number).collect()
        })
        .collect();
    let mut classes: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    let retained =
        node.recoding.suppressed.iter().zip(0u32..).filter(|(suppressed, _)| !**suppressed);
    for (_, tuple) in retained {
        let key = columns.iter().zip(&texts).map(|(it, texts)| {
            let code = it.codes[tuple as usize];
            texts[code as usize]
        });
        classes.entry(key.collect()).or_default().push(tuple);
    }
    let classes: Vec<Vec<u32>> = classes.into_values().collect();
    hold(context, &classes).then_some(classes)
}

/// Returns whether all classes satisfy the principles when they are released with the narrowest
/// values that cover them.
fn hold(context: &Context<'_>, classes: &[Vec<u32>]) -> bool {
    let (space, judge) = (context.space, context.judge);
    let mut released: FxHashMap<Vec<u32>, Vec<u32>> = FxHashMap::default();
    for tuples in classes {
        let cover = space.cover(tuples);
        if !space.cost(&cover).is_finite() {
            return false;
        }
        released.entry(space.released(&cover)).or_default().extend(tuples);
    }
    released.into_values().all(|mut tuples| {
        tuples.sort_unstable();
        let (tally, size) = judge.tally(&tuples);
        judge.holds(size, &tally)
    })
}
