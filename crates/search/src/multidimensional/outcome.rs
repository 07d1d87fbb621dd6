//! The result of a search for regions.
//!
//! If suppressed rows are shown as `*`, they form a class, which must also satisfy the principles.
//!
//! While the search continues, the proposal with the lowest objective is stored in a compact form.

use indistinct_core::loss::{
    CellCosts, CellMeasure, Column, Form, Sizes, kl_divergence, weighted_mean,
};
use indistinct_core::recoding::{ClassColumn, Classes, Part};
use indistinct_core::{Generalization, Optimality, Recoding, SearchEffort};
use rayon::prelude::*;

use super::assignment::Rows;
use super::clusters::Context;
use super::judge::Judge;
use crate::released::is_starred;
use crate::{FoundRecoding, Problem, SearchError};

/// Checks whether the search supports the problem.
///
/// # Errors
/// [`SearchError`] if the problem is invalid or unsupported.
pub(super) fn check(problem: &Problem<'_>, judge: &Judge<'_>) -> Result<(), SearchError> {
    let columns = problem.table.quasi_identifiers();
    problem.check()?;
    if columns.len() > super::regions::MOST_ATTRIBUTES {
        return Err(SearchError::TooManyAttributes { n_attributes: columns.len() });
    }
    if matches!(problem.objective.form, Form::Levels(_)) {
        return Err(SearchError::NoObjectiveOfClasses { objective: problem.objective.name });
    }
    match judge.on_population {
        Some(kind) => Err(SearchError::CountsPopulation { kind }),
        None => Ok(()),
    }
}

/// A proposal and its objective.
pub(super) struct EvaluatedProposal {
    /// The rows of each class, as tuples with row counts.
    lists: Vec<Vec<Rows>>,
    /// The narrowest cells that cover each class, as words of the space, one class after another.
    words: Vec<u32>,
    pub objective: f64,
    n_suppressed: u64,
    n_classes: u64,
}

/// Evaluates classes, each given as a list of tuples with row counts. Tuples that are in no class
/// are suppressed.
pub(super) fn evaluated(context: &Context<'_>, mut lists: Vec<Vec<Rows>>) -> EvaluatedProposal {
    let problem = context.problem;
    lists.par_iter_mut().for_each(|list| list.sort_unstable());
    // Number the classes by their first tuples, so the numbers do not depend on the order in
    // which classes were found.
    lists.par_sort_unstable();
    let words = covers(context, &lists);
    let placed = PlacedTuples::new(problem, &lists);
    let n_suppressed = placed.n_suppressed(problem);
    let sizes = visible_sizes(context, &lists, words.clone());
    let n_classes = sizes.len() as u64;
    let objective = match problem.objective.form {
        Form::Cells(cost) => cells_objective(context, cost, (&words, lists.len()), &placed),
        // The function `check` rejects objectives of this form.
        Form::Levels(_) => f64::NAN,
        Form::Joint => joint_objective(context, (&words, lists.len()), placed),
        Form::Classes(of_sizes) => of_sizes(&Sizes {
            n_rows: problem.table.n_rows(),
            n_suppressed,
            n_classes,
            squares: sizes.iter().map(|&size| u128::from(size) * u128::from(size)).sum(),
        }),
    };
    // Suppressed rows that are shown as `*` form a class, which may also contain rows that are not
    // suppressed.
    let is_starred = |class: &Vec<Rows>| is_class_starred(context, class);
    let is_one_more = problem.policy.suppressed.is_released()
        && n_suppressed > 0
        && (problem.policy.published == ClassColumn::Published || !lists.iter().any(is_starred));
    let n_classes = n_classes + u64::from(is_one_more);
    EvaluatedProposal { lists, words, objective, n_suppressed, n_classes }
}

impl EvaluatedProposal {
    /// Returns the classes.
    pub fn lists(&self) -> &[Vec<Rows>] {
        &self.lists
    }

    /// Converts the proposal into a found recoding.
    pub fn found(self, context: &Context<'_>, effort: SearchEffort) -> FoundRecoding<Recoding> {
        let Self { lists, words, objective, n_suppressed, n_classes } = self;
        let PlacedTuples { parts, class_of, suppressed } =
            PlacedTuples::new(context.problem, &lists);
        let n_lists = lists.len();
        drop(lists);
        let cells = context.space.cells_of_classes(n_lists, &words);
        let classes = Classes { parts, class_of, cells, highest: None };
        let generalization = Generalization::Classes(classes);
        FoundRecoding {
            proposal: Recoding { generalization, suppressed, sensitive: None },
            optimality: Optimality::Heuristic,
            objective: Some(objective),
            n_suppressed,
            n_classes,
            effort,
        }
    }
}

/// Returns the narrowest cells that cover each class, as words.
fn covers(context: &Context<'_>, lists: &[Vec<Rows>]) -> Vec<u32> {
    let n_words = context.space.n_words;
    let mut words = vec![0; n_words * lists.len()];
    if n_words > 0 {
        words.par_chunks_exact_mut(n_words).zip(lists).for_each(|(words, list)| {
            context.space.cover_each(list.iter().map(|rows| rows.0), words);
        });
    }
    words
}

/// The class of each tuple, or of each part of a tuple if some tuples are divided.
struct PlacedTuples {
    parts: Option<Vec<Part>>,
    class_of: Vec<u32>,
    suppressed: Vec<bool>,
}

impl PlacedTuples {
    fn new(problem: &Problem<'_>, lists: &[Vec<Rows>]) -> Self {
        const NONE: u32 = u32::MAX;
        let mut class_of = vec![NONE; problem.table.n_tuples()];
        let mut is_whole = true;
        for (list, class) in lists.iter().zip(0u32..) {
            for &(tuple, _) in list {
                is_whole &= class_of[tuple as usize] == NONE;
                class_of[tuple as usize] = class;
            }
        }
        if !is_whole {
            return Self::of_parts(problem, lists);
        }
        let suppressed: Vec<bool> = class_of.iter().map(|class| *class == NONE).collect();
        for (class, _) in class_of.iter_mut().zip(&suppressed).filter(|it| *it.1) {
            *class = 0;
        }
        Self { parts: None, class_of, suppressed }
    }

    fn of_parts(problem: &Problem<'_>, lists: &[Vec<Rows>]) -> Self {
        let mut placed: Vec<(u32, u32, u64)> = lists
            .iter()
            .zip(0u32..)
            .flat_map(|(list, class)| list.iter().map(move |&(tuple, rows)| (tuple, class, rows)))
            .collect();
        placed.par_sort_unstable();
        let (mut parts, mut class_of, mut suppressed) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = 0;
        for (tuple, &count) in (0u32..).zip(problem.table.counts()) {
            let first = at;
            while at < placed.len() && placed[at].0 == tuple {
                class_of.push(placed[at].1);
                suppressed.push(false);
                parts.push(Part { tuple, rows: placed[at].2 });
                at += 1;
            }
            if first == at {
                class_of.push(0);
                suppressed.push(true);
                parts.push(Part { tuple, rows: count });
            }
        }
        Self { parts: Some(parts), class_of, suppressed }
    }

    /// Iterates over tuples or parts: the tuple, its number of rows, and its class if it is not
    /// suppressed.
    fn each(&self, problem: &Problem<'_>) -> impl Iterator<Item = (usize, u64, Option<usize>)> {
        let counts = problem.table.counts();
        self.class_of.iter().zip(&self.suppressed).enumerate().map(
            move |(at, (&class, &is_suppressed))| {
                let class = (!is_suppressed).then_some(class as usize);
                match &self.parts {
                    Some(parts) => (parts[at].tuple as usize, parts[at].rows, class),
                    None => (at, counts[at], class),
                }
            },
        )
    }

    fn n_suppressed(&self, problem: &Problem<'_>) -> u64 {
        self.each(problem).filter(|it| it.2.is_none()).map(|it| it.1).sum()
    }
}

/// Returns the sizes of the classes that an adversary distinguishes.
fn visible_sizes(context: &Context<'_>, lists: &[Vec<Rows>], mut words: Vec<u32>) -> Vec<u64> {
    let size = |list: &Vec<Rows>| list.iter().map(|rows| rows.1).sum::<u64>();
    if context.problem.policy.published == ClassColumn::Published {
        return lists.iter().map(size).collect();
    }
    let n_words = context.space.n_words;
    if n_words > 0 {
        words.par_chunks_exact_mut(n_words).for_each(|words| context.space.release(words));
    }
    let text = |class: u32| &words[class as usize * n_words..][..n_words];
    let mut in_order: Vec<u32> = (0..lists.len() as u32).collect();
    in_order.par_sort_unstable_by(|&a, &b| text(a).cmp(text(b)));
    let same = in_order.chunk_by(|&a, &b| text(a) == text(b));
    same.map(|same| same.iter().map(|&class| size(&lists[class as usize])).sum()).collect()
}

fn joint_objective(
    context: &Context<'_>,
    (words, n_lists): (&[u32], usize),
    placed: PlacedTuples,
) -> f64 {
    let (problem, PlacedTuples { parts, class_of, suppressed }) = (context.problem, placed);
    let divided = parts.as_ref().map(|parts| {
        problem.table.divided(parts).expect("the parts of a tuple have as many rows as the tuple")
    });
    let table = divided.as_ref().unwrap_or(problem.table);
    let cells = context.space.cells_of_classes(n_lists, words);
    let classes = Classes { parts, class_of, cells, highest: None };
    kl_divergence::of_classes(table, problem.policy, &classes, &suppressed)
}

fn cells_objective(
    context: &Context<'_>,
    cost: fn(&Column<'_>) -> CellCosts,
    (words, n_lists): (&[u32], usize),
    placed: &PlacedTuples,
) -> f64 {
    let (problem, table) = (context.problem, context.problem.table);
    let measures = CellMeasure::of_table(cost, table, &problem.policy.hierarchies);
    let total = |(at, measure): (usize, &CellMeasure)| -> f64 {
        let cells = context.space.cells_of_attribute(at, n_lists, words);
        let saved: Vec<f64> =
            cells.distinct().iter().map(|cell| measure.suppression(cell)).collect();
        let codes = &table.quasi_identifiers()[at].codes;
        let costs = placed.each(problem).map(|(tuple, rows, class)| {
            let saved = class.map_or(0.0, |class| saved[cells.of_classes()[class] as usize]);
            (measure.suppressed_cost(codes[tuple]) - saved) * rows as f64
        });
        costs.sum()
    };
    let totals: Vec<f64> = measures.par_iter().enumerate().map(total).collect();
    weighted_mean(&totals, &problem.weights, table.n_rows())
}

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
pub(super) fn is_class_starred(context: &Context<'_>, class: &[Rows]) -> bool {
    let tuples: Vec<u32> = class.iter().map(|rows| rows.0).collect();
    is_starred(context.problem.policy, &context.space.cells(&context.space.cover(&tuples)))
}

/// Suppresses whole classes, the smallest first, until the class of suppressed rows satisfies the
/// principles. Returns `None` if this exceeds the number of rows that may be suppressed. Other
/// classes are unchanged and therefore still satisfy the principles.
pub(super) fn complete(
    context: &Context<'_>,
    mut classes: Vec<Vec<Rows>>,
    allowed: u64,
) -> Option<Vec<Vec<Rows>>> {
    let judge = context.judge;
    let mut starred = suppressed(context, &classes);
    if !context.problem.policy.suppressed.is_released() || starred.is_empty() {
        return Some(classes);
    }
    let mut n_suppressed = judge.tally(&starred).1;
    let size = |class: &Vec<Rows>| class.iter().map(|rows| rows.1).sum::<u64>();
    let tuples = |class: &Vec<Rows>| class.iter().map(|rows| rows.0).collect::<Vec<u32>>();
    for class in classes.iter().filter(|class| is_class_starred(context, class)) {
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
        if !is_class_starred(context, next) {
            starred.extend(tuples(next));
        }
        n_suppressed += size(next);
        if n_suppressed > allowed {
            return None;
        }
    }
}

/// The class number of a tuple without a class.
const NONE: u32 = u32::MAX;

/// The stored form of a proposal.
enum LeastProposal {
    Evaluated(EvaluatedProposal),
    /// The class number of each tuple.
    Numbers {
        class_of: Vec<u32>,
        objective: f64,
    },
}

/// The best proposal so far; in case of a tie, the first one.
pub(super) struct Least<'a> {
    context: &'a Context<'a>,
    /// Number of rows that may be suppressed.
    allowed: u64,
    retained: Option<LeastProposal>,
    /// Whether any proposal was made, including invalid proposals.
    pub is_any_proposed: bool,
}

impl<'a> Least<'a> {
    pub fn new(context: &'a Context<'a>, allowed: u64) -> Self {
        Self { context, allowed, retained: None, is_any_proposed: false }
    }

    /// Compares a proposal with the best one so far.
    pub fn propose(&mut self, classes: Vec<Vec<Rows>>) {
        self.is_any_proposed = true;
        let Some(classes) = complete(self.context, classes, self.allowed) else {
            return;
        };
        let next = evaluated(self.context, classes);
        let is_less = match &self.retained {
            None => true,
            Some(LeastProposal::Evaluated(before)) => next.objective < before.objective,
            Some(LeastProposal::Numbers { objective, .. }) => next.objective < *objective,
        };
        if is_less {
            self.retained = Some(LeastProposal::Evaluated(next));
        }
    }

    /// Frees memory for another search. Proposals in which classes share a tuple are not converted.
    pub fn make_room(&mut self) {
        let Some(LeastProposal::Evaluated(best)) = &self.retained else { return };
        let counts = self.context.problem.table.counts();
        let mut class_of = vec![NONE; counts.len()];
        for (class, list) in (0u32..).zip(best.lists()) {
            for &(tuple, rows) in list {
                if rows != counts[tuple as usize] {
                    return;
                }
                class_of[tuple as usize] = class;
            }
        }
        self.retained = Some(LeastProposal::Numbers { class_of, objective: best.objective });
    }

    /// Returns the best proposal.
    pub fn into_best(self) -> Option<EvaluatedProposal> {
        let class_of = match self.retained? {
            LeastProposal::Evaluated(best) => return Some(best),
            LeastProposal::Numbers { class_of, .. } => class_of,
        };
        let n_classes = class_of.iter().filter(|class| **class != NONE).max();
        let mut classes = vec![Vec::new(); n_classes.map_or(0, |last| *last as usize + 1)];
        for (tuple, &class) in (0u32..).zip(&class_of).filter(|it| *it.1 != NONE) {
            classes[class as usize]
                .push((tuple, self.context.problem.table.counts()[tuple as usize]));
        }
        drop(class_of);
        Some(evaluated(self.context, classes))
    }
}
