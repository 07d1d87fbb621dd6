//! The classes of a counted table under a policy.

use std::collections::BTreeMap;

use indistinct_core::{Cell, ClassColumn, Nearest, Observer, Optimality, Part, Phase, Recoding};
use rustc_hash::FxHashMap;

use super::frontier::{Frontier, Row};
use super::judge::{Counts, Judge};
use super::space::Space;
use super::suppress::PlacedTuple;
use super::{GeneralizeTo, dynamic, suppress};
use crate::released::{self, widest_labels};
use crate::stop::Stop;
use crate::{FoundRecoding, NotFound, Outcome, Problem, SearchError};

/// A tuple of a block, in the order of the curve.
#[derive(Debug, Clone, Copy)]
struct Entry {
    tuple: u32,
    /// Position of the tuple's group among the points of the block.
    at: u32,
    value: u32,
    rows: u64,
}

/// A block, which contains rows that may be generalized to the same values.
#[derive(Debug, Default)]
struct Block {
    /// For each group of equal quasi-identifiers, a representative tuple, in the order of the
    /// curve.
    points: Vec<u32>,
    entries: Vec<Entry>,
}

/// The table with its rows in order.
struct OrderedTable {
    /// The quasi-identifiers of each tuple.
    codes: Vec<u32>,
    n_attributes: usize,
    /// The codes of each combination of evaluated sensitive values.
    values: Vec<Vec<u32>>,
    blocks: Vec<Block>,
}

impl OrderedTable {
    fn new(problem: &Problem<'_>, space: &Space, judged: &[usize]) -> Self {
        let table = problem.table;
        let columns = table.quasi_identifiers();
        let of_tuple = |tuple: usize| columns.iter().map(move |column| column.codes[tuple]);
        let codes: Vec<u32> = (0..table.n_tuples()).flat_map(of_tuple).collect();
        let (value_of, values) = released::values(table, judged);
        let mut groups: Vec<(u128, std::ops::Range<usize>)> = table
            .groups()
            .iter()
            .map(|tuples| (space.position(of_tuple(tuples.start)), tuples))
            .collect();
        groups.sort_by_key(|(position, tuples)| (*position, tuples.start));
        let mut blocks: BTreeMap<Vec<u32>, Block> = BTreeMap::new();
        for (_, tuples) in groups {
            let block = blocks.entry(widest_labels(problem, tuples.start)).or_default();
            let at = block.points.len() as u32;
            block.points.push(tuples.start as u32);
            block.entries.extend(tuples.map(|tuple| Entry {
                tuple: tuple as u32,
                at,
                value: value_of[tuple],
                rows: table.counts()[tuple],
            }));
        }
        let blocks = blocks.into_values().collect();
        Self { codes, n_attributes: columns.len(), values, blocks }
    }

    fn point(&self, tuple: u32) -> &[u32] {
        &self.codes[tuple as usize * self.n_attributes..][..self.n_attributes]
    }

    fn of_value(&self, block: &Block) -> Vec<u64> {
        let mut of_value = vec![0; self.values.len()];
        for entry in &block.entries {
            of_value[entry.value as usize] += entry.rows;
        }
        of_value
    }

    fn counts(&self, blocks: &[Block], n_judged: usize) -> Counts {
        let mut counts = Counts::new(n_judged);
        for block in blocks {
            for (value, rows) in self.of_value(block).into_iter().enumerate() {
                if rows > 0 {
                    counts.add(&self.values[value], rows);
                }
            }
        }
        counts
    }
}

/// Searches for classes along the curve.
pub(super) fn curve(
    problem: &Problem<'_>,
    align: GeneralizeTo,
    observer: &dyn Observer,
) -> Result<Outcome<Recoding>, SearchError> {
    problem.check()?;
    let stop = Stop::new(observer, problem.time_limit);
    let mut judge = Judge::new(problem.table, problem.policy)?;
    let space = Space::new(problem, align);
    let mut ordered = OrderedTable::new(problem, &space, &judge.attributes);
    let mut blocks = std::mem::take(&mut ordered.blocks);
    let mut placed: Vec<PlacedTuple> = Vec::new();
    let failing = suppress_where_needed(problem, &mut judge, &ordered, &mut blocks, &mut placed);
    if let Some(not_found) = failing {
        return Ok(Outcome::NotFound(not_found));
    }
    let mut classes: Vec<Vec<(u32, u64)>> = Vec::new();
    let n_blocks = blocks.len() as u64;
    for (done, block) in (0u64..).zip(&blocks) {
        observer.progress(Phase::Search, done, n_blocks);
        let points: Vec<&[u32]> = block.points.iter().map(|&tuple| ordered.point(tuple)).collect();
        if judge.attributes.is_empty() {
            classes.extend(of_sizes(&space, block, &points, judge.smallest_size, &stop));
            continue;
        }
        let rows: Vec<Row> = block
            .entries
            .iter()
            .map(|entry| Row { at: entry.at, value: entry.value, rows: entry.rows })
            .collect();
        let frontier = Frontier::new(&space, &judge, &points, &ordered.values, &rows);
        let found = frontier.classes(&stop);
        let tuple = |row: u32| block.entries[row as usize].tuple;
        classes.extend(found.into_iter().map(|class| {
            class.into_iter().map(|(row, rows)| (tuple(row), rows)).collect::<Vec<_>>()
        }));
    }
    if observer.is_cancelled() {
        return Err(SearchError::Cancelled);
    }
    Ok(assemble(problem, &judge, &space, &ordered, classes, placed, stop.optimality()))
}

/// Creates the result of a search that found no recoding. `n_failing_rows` counts the rows of
/// failing blocks, which are the rows that may be generalized to the same values.
pub(super) fn not_found(problem: &Problem<'_>, is_proved: bool, n_failing_rows: u64) -> NotFound {
    NotFound::new(Nearest::new(problem.coarsest(), n_failing_rows, None), is_proved)
}

/// Removes rows from failing blocks within the suppression limit.
fn suppress_where_needed(
    problem: &Problem<'_>,
    judge: &mut Judge<'_>,
    ordered: &OrderedTable,
    blocks: &mut Vec<Block>,
    placed: &mut Vec<PlacedTuple>,
) -> Option<NotFound> {
    let n_judged = judge.attributes.len();
    let n_failing = |judge: &Judge<'_>, blocks: &[Block]| -> u64 {
        let counts =
            blocks.iter().map(|block| ordered.counts(std::slice::from_ref(block), n_judged));
        counts.filter(|counts| !judge.holds(counts)).map(|counts| counts.size).sum()
    };
    let n_failing_rows = n_failing(judge, blocks);
    let most = problem.policy.max_suppressed(problem.table);
    let not_found = not_found(problem, most == 0 && !judge.is_stricter, n_failing_rows);
    let mut left = most;
    // Repeat, because each suppression changes principles on the released rows as a whole.
    for _ in 0..8 {
        if n_failing(judge, blocks) == 0 {
            blocks.retain(|block| !block.entries.is_empty());
            return None;
        }
        for block in blocks.iter_mut() {
            if block.entries.is_empty() {
                continue;
            }
            let of_value = ordered.of_value(block);
            let Some(chosen) = suppress::choose(judge, &ordered.values, &of_value, left) else {
                return Some(not_found);
            };
            let mut quota = match chosen {
                suppress::BlockSuppression::Rows(rows) => rows,
                suppress::BlockSuppression::All => of_value,
            };
            // Remove the last rows of the order; any other choice would be equally good.
            for entry in block.entries.iter_mut().rev() {
                let taken = entry.rows.min(quota[entry.value as usize]);
                if taken > 0 {
                    quota[entry.value as usize] -= taken;
                    entry.rows -= taken;
                    left -= taken;
                    placed.push((entry.tuple, None, taken));
                }
            }
            block.entries.retain(|entry| entry.rows > 0);
        }
        if judge.depends_on_rows {
            judge.against(&ordered.counts(blocks, n_judged));
        }
        blocks.retain(|block| !block.entries.is_empty());
    }
    (n_failing(judge, blocks) > 0).then_some(not_found)
}

/// Runs the dynamic program for one block, and assigns the rows of its classes to tuples in their
/// order.
fn of_sizes(
    space: &Space,
    block: &Block,
    points: &[&[u32]],
    k: u64,
    stop: &Stop<'_>,
) -> Vec<Vec<(u32, u64)>> {
    let mut counts = vec![0; points.len()];
    for entry in &block.entries {
        counts[entry.at as usize] += entry.rows;
    }
    let classes = dynamic::cut(space, points, &counts, k, stop);
    let mut entries = block.entries.iter().copied();
    let mut open = entries.next();
    let mut assigned = Vec::with_capacity(classes.len());
    for class in classes {
        let mut tuples = Vec::new();
        for taken in class {
            let mut wanted = taken.rows;
            while let Some(entry) = open.as_mut().filter(|_| wanted > 0) {
                let rows = entry.rows.min(wanted);
                tuples.push((entry.tuple, rows));
                (entry.rows, wanted) = (entry.rows - rows, wanted - rows);
                if entry.rows == 0 {
                    open = entries.next();
                }
            }
        }
        assigned.push(tuples);
    }
    assigned
}

/// Creates the recoding of the classes. If suppressed rows are shown as `*`, further classes are
/// suppressed until these rows satisfy the principles.
fn assemble(
    problem: &Problem<'_>,
    judge: &Judge<'_>,
    space: &Space,
    ordered: &OrderedTable,
    found: Vec<Vec<(u32, u64)>>,
    mut placed: Vec<PlacedTuple>,
    optimality: Optimality,
) -> Outcome<Recoding> {
    let mut number: FxHashMap<Vec<Cell>, u32> = FxHashMap::default();
    let mut cells: Vec<Vec<Cell>> = Vec::new();
    for class in &found {
        let points: Vec<&[u32]> = class.iter().map(|&(tuple, _)| ordered.point(tuple)).collect();
        let own = space.cells(&points);
        let next = cells.len() as u32;
        let at = match problem.policy.published {
            ClassColumn::Absent => *number.entry(own.clone()).or_insert(next),
            ClassColumn::Published => next,
        };
        if at == next {
            cells.push(own);
        }
        placed.extend(class.iter().map(|&(tuple, rows)| (tuple, Some(at), rows)));
    }
    if problem.policy.suppressed.is_released() {
        let starred = suppress::star(problem, judge, &cells, &mut placed);
        if let Err(n_failing_rows) = starred {
            return Outcome::NotFound(not_found(problem, false, n_failing_rows));
        }
    }
    placed.sort_unstable();
    placed.dedup_by(|next, retained| {
        let is_same = (next.0, next.1) == (retained.0, retained.1);
        retained.2 += if is_same { next.2 } else { 0 };
        is_same
    });
    let part = |&(tuple, class, rows): &PlacedTuple| (Part { tuple, rows }, class);
    let recoding =
        released::recoding(problem.table, placed.iter().map(part), cells.into_iter().collect());
    let objective = Some(released::loss(problem, &recoding));
    let n_suppressed = placed.iter().filter(|placed| placed.1.is_none()).map(|p| p.2).sum();
    let mut used: Vec<u32> = placed.iter().filter_map(|placed| placed.1).collect();
    used.sort_unstable();
    used.dedup();
    let found = FoundRecoding::new(recoding, optimality, n_suppressed, used.len());
    Outcome::Found(Box::new(FoundRecoding { objective, ..found }))
}
