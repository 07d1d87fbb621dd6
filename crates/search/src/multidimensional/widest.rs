//! The widest classes that the level bounds permit. If they fail, all narrower classes fail too.

use std::collections::BTreeMap;

use super::clusters::Context;
use super::space::Kind;
use super::split::is_acceptable;
use super::{Grain, Task};
use crate::judge::neighborhoods;

/// The widest classes after the removal of tuples that must be dropped to make them acceptable.
#[derive(Debug)]
pub(super) struct Widest {
    /// The tuples of each class, in ascending order.
    pub components: Vec<Vec<u32>>,
    /// Number of dropped rows.
    pub n_dropped: u64,
    /// Number of rows in the classes that are not acceptable without dropping rows.
    pub n_failing: u64,
    /// Whether it is proved that some widest class cannot be divided into classes that satisfy the
    /// principles.
    pub is_proved: bool,
}

/// Finds the widest classes. Dropping stops when more than `allowed` rows must be dropped.
pub(super) fn widest(context: &Context<'_>, problem: &Task<'_>, allowed: u64) -> Widest {
    let columns = problem.table.quasi_identifiers();
    let is_tree: Vec<bool> = context
        .space
        .attributes
        .iter()
        .map(|attribute| matches!(attribute.kind, Kind::Tree(_)))
        .collect();
    let top = |at: usize, tuple: usize| {
        let hierarchy = &problem.policy.hierarchies[at];
        let level = hierarchy.level(*problem.bounds[at].end());
        if is_tree[at] { level.map[columns[at].codes[tuple] as usize] } else { 0 }
    };
    let is_one = (0..columns.len()).all(|at| {
        let level = *problem.bounds[at].end();
        !is_tree[at] || problem.policy.hierarchies[at].level(level).labels.len() <= 1
    });
    let mut components: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for tuple in 0..context.space.n_tuples() {
        let key = match is_one {
            true => Vec::new(),
            false => (0..columns.len()).map(|at| top(at, tuple)).collect(),
        };
        components.entry(key).or_default().push(tuple as u32);
    }
    let mut widest =
        Widest { components: Vec::new(), n_dropped: 0, n_failing: 0, is_proved: false };
    for mut tuples in components.into_values() {
        if !is_acceptable(context, problem.policy.published, &tuples) {
            let (tally, size) = context.judge.tally(&tuples);
            widest.n_failing += size;
            widest.is_proved |= context.judge.is_ruled_out(size, &tally);
            widest.n_dropped += drop_rows(context, problem, &mut tuples, allowed);
        }
        if !tuples.is_empty() {
            widest.components.push(tuples);
        }
    }
    widest
}

/// Drops tuples of the most frequent sensitive value (for neighborhoods of numbers, of the value
/// with the most rows nearby), starting with the tuples of the fewest rows, until the remaining
/// tuples are acceptable. If more than `allowed` rows must be dropped, all tuples are dropped.
/// Returns the number of dropped rows.
fn drop_rows(
    context: &Context<'_>,
    problem: &Task<'_>,
    tuples: &mut Vec<u32>,
    allowed: u64,
) -> u64 {
    let judge = context.judge;
    let all: u64 = judge.tally(tuples).1;
    let near = neighborhoods(problem.table, problem.policy);
    let value = |tuple: u32| match &near {
        Some((at, _)) => problem.table.sensitive()[*at].codes[tuple as usize],
        None if judge.is_on_sizes() => 0,
        None => judge.values(0)[tuple as usize],
    };
    let mut n_dropped = 0;
    while !tuples.is_empty() && n_dropped <= allowed {
        let mut rows: BTreeMap<u32, u64> = BTreeMap::new();
        for &tuple in tuples.iter() {
            *rows.entry(value(tuple)).or_default() += judge.rows(tuple);
        }
        let rows: Vec<(u32, u64)> = rows.into_iter().collect();
        let crowd = match &near {
            Some((_, reach)) => reach.near(&rows),
            None => rows.iter().map(|entry| entry.1).collect(),
        };
        let most = rows
            .iter()
            .zip(crowd)
            .max_by_key(|((value, rows), crowd)| (*crowd, *rows, std::cmp::Reverse(*value)));
        let most = most.map(|((value, _), _)| *value);
        let chosen = (0..tuples.len())
            .filter(|&at| Some(value(tuples[at])) == most)
            .min_by_key(|&at| (judge.rows(tuples[at]), tuples[at]));
        let Some(at) = chosen else { break };
        n_dropped += match problem.grain {
            Grain::Tuples => judge.rows(tuples.remove(at)),
            Grain::Combinations => drop_combination(context, tuples, tuples[at]),
        };
        if !tuples.is_empty() && is_acceptable(context, problem.policy.published, tuples) {
            return n_dropped;
        }
    }
    tuples.clear();
    all
}

/// Drops all tuples with the same labels at the lowest levels as the tuple `like`. Returns the
/// number of dropped rows.
fn drop_combination(context: &Context<'_>, tuples: &mut Vec<u32>, like: u32) -> u64 {
    let leaf = context.space.leaf(like).to_vec();
    let mut n_dropped = 0;
    tuples.retain(|&tuple| {
        let stays = context.space.leaf(tuple) != &leaf[..];
        n_dropped += if stays { 0 } else { context.judge.rows(tuple) };
        stays
    });
    n_dropped
}
