//! The result of a search for regions.

use indistinct_core::loss::{
    CellCosts, CellMeasure, Column, Form, Sizes, kl_divergence, weighted_mean,
};
use indistinct_core::recoding::{ClassColumn, Classes, Part};
use indistinct_core::{Generalization, Optimality, Recoding, SearchEffort};
use rayon::prelude::*;

use super::Task;
use super::assignment::Rows;
use super::clusters::Context;
use super::judge::Judge;
use super::starred;
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
pub(super) fn evaluated(
    context: &Context<'_>,
    problem: &Task<'_>,
    mut lists: Vec<Vec<Rows>>,
) -> EvaluatedProposal {
    let table = problem.table;
    lists.par_iter_mut().for_each(|list| list.sort_unstable());
    // Number the classes by their first tuples, so the numbers do not depend on the order in
    // which classes were found.
    lists.par_sort_unstable();
    let words = covers(context, &lists);
    let placed = PlacedTuples::new(problem, &lists);
    let n_suppressed = placed.n_suppressed(problem);
    let sizes = visible_sizes(context, problem, &lists, words.clone());
    let n_classes = sizes.len() as u64;
    let objective = match problem.objective.form {
        Form::Cells(cost) => {
            cells_objective(context, problem, cost, (&words, lists.len()), &placed)
        }
        // The function `check` rejects objectives of this form.
        Form::Levels(_) => f64::NAN,
        Form::Joint => joint_objective(context, problem, (&words, lists.len()), placed),
        Form::Classes(of_sizes) => of_sizes(&Sizes {
            n_rows: table.n_rows(),
            n_suppressed,
            n_classes,
            squares: sizes.iter().map(|&size| u128::from(size) * u128::from(size)).sum(),
        }),
    };
    // Suppressed rows that are shown as `*` form a class, which may also contain rows that are not
    // suppressed.
    let is_starred = |class: &Vec<Rows>| starred::is_class_starred(context, problem, class);
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
    pub fn found(
        self,
        context: &Context<'_>,
        problem: &Task<'_>,
        effort: SearchEffort,
    ) -> FoundRecoding<Recoding> {
        let Self { lists, words, objective, n_suppressed, n_classes } = self;
        let PlacedTuples { parts, class_of, suppressed } = PlacedTuples::new(problem, &lists);
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
    fn new(problem: &Task<'_>, lists: &[Vec<Rows>]) -> Self {
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

    fn of_parts(problem: &Task<'_>, lists: &[Vec<Rows>]) -> Self {
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
    fn each(&self, problem: &Task<'_>) -> impl Iterator<Item = (usize, u64, Option<usize>)> {
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

    fn n_suppressed(&self, problem: &Task<'_>) -> u64 {
        self.each(problem).filter(|it| it.2.is_none()).map(|it| it.1).sum()
    }
}

/// Returns the sizes of the classes that an adversary distinguishes.
fn visible_sizes(
    context: &Context<'_>,
    problem: &Task<'_>,
    lists: &[Vec<Rows>],
    mut words: Vec<u32>,
) -> Vec<u64> {
    let size = |list: &Vec<Rows>| list.iter().map(|rows| rows.1).sum::<u64>();
    if problem.policy.published == ClassColumn::Published {
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
    problem: &Task<'_>,
    (words, n_lists): (&[u32], usize),
    placed: PlacedTuples,
) -> f64 {
    let PlacedTuples { parts, class_of, suppressed } = placed;
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
    problem: &Task<'_>,
    cost: fn(&Column<'_>) -> CellCosts,
    (words, n_lists): (&[u32], usize),
    placed: &PlacedTuples,
) -> f64 {
    let table = problem.table;
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
