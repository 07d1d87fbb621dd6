//! The widest classes that the bounds on levels allow: where they fail, nothing narrower holds either.

use std::collections::BTreeMap;

use super::Task;
use super::clusters::Ground;
use super::space::Kind;
use super::split::is_acceptable;

/// The widest classes, without the tuples that must be dropped so that they are acceptable.
#[derive(Debug)]
pub(super) struct Widest {
    /// Ascending tuples, those of each class.
    pub components: Vec<Vec<u32>>,
    /// Rows dropped.
    pub n_dropped: u64,
    /// Rows of the classes that are not acceptable with all of their rows.
    pub n_failing: u64,
    /// Whether it is proved that one of these classes cannot be divided into any that hold.
    pub is_proved: bool,
}

/// Finds the widest classes; stops dropping where more than `allowed` rows must be.
pub(super) fn widest(ground: &Ground<'_>, problem: &Task<'_>, allowed: u64) -> Widest {
    let columns = problem.table.quasi_identifiers();
    let is_tree: Vec<bool> = ground
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
    for tuple in 0..ground.space.n_tuples() {
        let key = match is_one {
            true => Vec::new(),
            false => (0..columns.len()).map(|at| top(at, tuple)).collect(),
        };
        components.entry(key).or_default().push(tuple as u32);
    }
    let mut widest =
        Widest { components: Vec::new(), n_dropped: 0, n_failing: 0, is_proved: false };
    for mut tuples in components.into_values() {
        if !is_acceptable(ground, problem.policy.published, &tuples) {
            let (tally, size) = ground.judge.tally(&tuples);
            widest.n_failing += size;
            widest.is_proved |= ground.judge.is_ruled_out(size, &tally);
            widest.n_dropped += drop_rows(ground, problem, &mut tuples, allowed);
        }
        if !tuples.is_empty() {
            widest.components.push(tuples);
        }
    }
    widest
}

/// Drops tuples of the most frequent sensitive value, those of fewest rows first, until the others are acceptable; all of
/// them, where more than allowed must be dropped. How many rows.
fn drop_rows(ground: &Ground<'_>, problem: &Task<'_>, tuples: &mut Vec<u32>, allowed: u64) -> u64 {
    let judge = ground.judge;
    let all: u64 = judge.tally(tuples).1;
    let mut n_dropped = 0;
    while !tuples.is_empty() && n_dropped <= allowed {
        let mut rows: BTreeMap<u32, u64> = BTreeMap::new();
        let value = |tuple: u32| match judge.is_on_sizes() {
            true => 0,
            false => judge.values(0)[tuple as usize],
        };
        for &tuple in tuples.iter() {
            *rows.entry(value(tuple)).or_default() += judge.rows(tuple);
        }
        let most = rows.iter().max_by_key(|(value, rows)| (**rows, std::cmp::Reverse(**value)));
        let most = most.map(|(value, _)| *value);
        let chosen = (0..tuples.len())
            .filter(|&at| Some(value(tuples[at])) == most)
            .min_by_key(|&at| (judge.rows(tuples[at]), tuples[at]));
        let Some(at) = chosen else { break };
        n_dropped += judge.rows(tuples.remove(at));
        if !tuples.is_empty() && is_acceptable(ground, problem.policy.published, tuples) {
            return n_dropped;
        }
    }
    tuples.clear();
    all
}
