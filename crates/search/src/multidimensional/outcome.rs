//! What a search for regions answers.

use indistinct_core::loss::{
    CellCosts, CellMeasure, Column, Form, Sizes, kl_divergence, weighted_mean,
};
use indistinct_core::recoding::{Cell, ClassColumn, Classes, Part};
use indistinct_core::{Generalization, Recoding};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Task;
use super::clusters::Ground;
use super::dealing::Rows;
use super::judge::Judge;
use super::starred;
use crate::{Found, Problem, Quality, SearchError, Statistics};

/// Whether the parts of a problem fit together.
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

/// Makes the answer of classes, each some rows of some tuples; tuples that are in none are suppressed.
pub(super) fn found(
    ground: &Ground<'_>,
    problem: &Task<'_>,
    mut lists: Vec<Vec<Rows>>,
    statistics: Statistics,
) -> Found<Recoding> {
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
    let classes =
        Classes { parts: (!is_whole).then_some(listed.clone()), class_of, cells, highest: None };
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
    let is_one_more = problem.policy.suppressed.is_released()
        && n_suppressed > 0
        && (problem.policy.published == ClassColumn::Published || !lists.iter().any(is_starred));
    let n_classes = n_classes + u64::from(is_one_more);
    let generalization = Generalization::Classes(classes);
    Found {
        proposal: Recoding { generalization, suppressed, sensitive: None },
        quality: Quality::Heuristic,
        objective: Some(objective),
        n_suppressed,
        n_classes,
        statistics,
    }
}

/// The sizes of the classes that an adversary sees.
fn visible_sizes(
    ground: &Ground<'_>,
    problem: &Task<'_>,
    lists: &[Vec<Rows>],
    words: &[Vec<u32>],
) -> Vec<u64> {
    let sizes = lists.iter().map(|list| list.iter().map(|rows| rows.1).sum::<u64>());
    if problem.policy.published == ClassColumn::Published {
        return sizes.collect();
    }
    let mut by_text: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
    for (size, words) in sizes.zip(words) {
        *by_text.entry(ground.space.released(words)).or_default() += size;
    }
    by_text.into_values().collect()
}

fn joint_objective(problem: &Task<'_>, classes: &Classes, suppressed: &[bool]) -> f64 {
    let divided = classes.parts.as_ref().map(|parts| {
        problem.table.divided(parts).expect("the parts of each tuple have its rows together")
    });
    let table = divided.as_ref().unwrap_or(problem.table);
    kl_divergence::of_classes(table, problem.policy, classes, suppressed)
}

fn cells_objective(
    problem: &Task<'_>,
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
