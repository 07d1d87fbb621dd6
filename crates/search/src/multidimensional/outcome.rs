//! What a search for regions answers.

use indistinct_core::Suppressed;
use indistinct_core::loss::{
    CellCosts, CellMeasure, Column, Form, Sizes, kl_divergence, weighted_mean,
};
use indistinct_core::recoding::{Cell, ClassColumn, Classes, Part};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Problem;
use super::clusters::Ground;
use super::dealing::Rows;
use super::judge::Judge;
use super::starred;
use crate::SearchError;
use crate::problem;

/// The answer of a search.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A recoding satisfies the policy.
    Found(Found),
    /// None was found.
    Infeasible(Infeasible),
}

/// A recoding that satisfies the policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The classes.
    pub classes: Classes,
    /// For each tuple, or for each part where there are parts, whether its rows are suppressed.
    pub suppressed: Vec<bool>,
    /// The objective.
    pub objective: f64,
    /// Rows suppressed.
    pub n_suppressed: u64,
    /// Classes of the release, as an adversary sees them.
    pub n_classes: u64,
    /// The effort.
    pub statistics: Statistics,
}

/// No recoding was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Infeasible {
    /// Whether there is none, or none is known.
    pub proof: NoRecoding,
    /// Rows of the widest classes that the bounds on levels allow in which a principle fails.
    pub n_failing_rows: u64,
    /// The most rows that may be suppressed.
    pub n_suppressed_allowed: u64,
    /// The effort.
    pub statistics: Statistics,
}

/// How sure it is that no recoding satisfies the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRecoding {
    /// Proved: not even the widest classes satisfy it (or could be partitioned so that they do), and no row may be suppressed.
    Proved,
    /// The search found none; it does not try all.
    NotFound,
}

/// The effort of a search. The same on any number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Tuples of the table.
    pub n_tuples: u64,
    /// Classes before any of them was improved.
    pub n_first_classes: u64,
    /// How often a few neighboring classes were formed anew.
    pub n_improvements: u64,
}

/// Whether the parts of a problem fit together.
pub(super) fn check(problem: &Problem<'_>, judge: &Judge<'_>) -> Result<(), SearchError> {
    let columns = problem.table.quasi_identifiers();
    problem::check(problem.table, problem.policy, &problem.weights, &problem.bounds)?;
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

/// Makes the answer of classes, each some rows of some tuples; tuples that are in none are suppressed.
pub(super) fn found(
    ground: &Ground<'_>,
    problem: &Problem<'_>,
    mut lists: Vec<Vec<Rows>>,
    statistics: Statistics,
) -> Found {
    let table = problem.table;
    lists.par_iter_mut().for_each(|list| list.sort_unstable());
    // Numbered by their first tuples, however they were found.
    lists.par_sort_unstable();
    let cover = |list: &Vec<Rows>| {
        let tuples: Vec<u32> = list.iter().map(|rows| rows.0).collect();
        ground.space.cover(&tuples)
    };
    let words: Vec<Vec<u32>> = lists.par_iter().map(cover).collect();
    let mut parts: Vec<(u32, u32, u64)> = lists
        .iter()
        .zip(0u32..)
        .flat_map(|(list, class)| list.iter().map(move |&(tuple, rows)| (tuple, class, rows)))
        .collect();
    parts.par_sort_unstable();
    let n_tuples = table.n_tuples();
    let is_whole = parts.windows(2).all(|pair| pair[0].0 != pair[1].0);
    let mut class_of = Vec::with_capacity(n_tuples);
    let mut suppressed = Vec::with_capacity(n_tuples);
    let mut listed = Vec::new();
    let mut at = 0;
    for (tuple, &count) in (0u32..).zip(table.counts()) {
        let first = at;
        while at < parts.len() && parts[at].0 == tuple {
            class_of.push(parts[at].1);
            suppressed.push(false);
            listed.push(Part { tuple, rows: parts[at].2 });
            at += 1;
        }
        if first == at {
            class_of.push(0);
            suppressed.push(true);
            listed.push(Part { tuple, rows: count });
        }
    }
    let cells: Vec<Vec<Cell>> = words.par_iter().map(|words| ground.space.cells(words)).collect();
    let classes = Classes { parts: (!is_whole).then_some(listed.clone()), class_of, cells };
    let n_suppressed =
        listed.iter().zip(&suppressed).filter(|pair| *pair.1).map(|p| p.0.rows).sum();
    let sizes = visible_sizes(ground, problem, &lists, &words);
    let n_classes = sizes.len() as u64;
    let objective = match problem.objective.form {
        Form::Cells(cost) => cells_objective(problem, cost, &classes, &listed, &suppressed),
        // Refused before.
        Form::Levels(_) => f64::NAN,
        Form::Joint => joint_objective(problem, &classes, &suppressed),
        Form::Classes(of_sizes) => of_sizes(&Sizes {
            n_rows: table.n_rows(),
            n_suppressed,
            n_classes,
            squares: sizes.iter().map(|&size| u128::from(size) * u128::from(size)).sum(),
        }),
    };
    // Starred rows are a class, which some that are not suppressed may be in as well.
    let is_starred = |class: &Vec<Rows>| starred::is_class_starred(ground, problem, class);
    let is_one_more = problem.policy.suppressed == Suppressed::Starred
        && n_suppressed > 0
        && (problem.classes == ClassColumn::Published || !lists.iter().any(is_starred));
    let n_classes = n_classes + u64::from(is_one_more);
    Found { classes, suppressed, objective, n_suppressed, n_classes, statistics }
}

/// The sizes of the classes that an adversary sees.
fn visible_sizes(
    ground: &Ground<'_>,
    problem: &Problem<'_>,
    lists: &[Vec<Rows>],
    words: &[Vec<u32>],
) -> Vec<u64> {
    let sizes = lists.iter().map(|list| list.iter().map(|rows| rows.1).sum::<u64>());
    if problem.classes == ClassColumn::Published {
        return sizes.collect();
    }
    let mut by_text: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
    for (size, words) in sizes.zip(words) {
        *by_text.entry(ground.space.released(words)).or_default() += size;
    }
    by_text.into_values().collect()
}

fn joint_objective(problem: &Problem<'_>, classes: &Classes, suppressed: &[bool]) -> f64 {
    let divided = classes.parts.as_ref().map(|parts| {
        problem.table.divided(parts).expect("the parts of each tuple have its rows together")
    });
    let table = divided.as_ref().unwrap_or(problem.table);
    kl_divergence::of_classes(table, problem.policy, classes, suppressed)
}

fn cells_objective(
    problem: &Problem<'_>,
    cost: fn(&Column<'_>) -> CellCosts,
    classes: &Classes,
    parts: &[Part],
    suppressed: &[bool],
) -> f64 {
    let table = problem.table;
    let measures = CellMeasure::of_table(cost, table, &problem.policy.hierarchies);
    let mut totals = vec![0.0; measures.len()];
    for ((part, &class), &is_suppressed) in parts.iter().zip(&classes.class_of).zip(suppressed) {
        for (at, column) in table.quasi_identifiers().iter().enumerate() {
            let code = column.codes[part.tuple as usize];
            let cost = match is_suppressed {
                true => measures[at].suppressed_cost(code),
                false => measures[at].cost(code, &classes.cells[class as usize][at]),
            };
            totals[at] += cost * part.rows as f64;
        }
    }
    weighted_mean(&totals, &problem.weights, table.n_rows())
}
