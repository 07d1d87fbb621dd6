//! Split-and-partition, which finds regions and then runs the partition step. Without a class
//! column, the classes that an adversary distinguishes replace the partition step.
//!
//! If the widest classes that the level bounds permit fail, all narrower classes fail too.

use std::collections::BTreeMap;

use indistinct_core::recoding::ClassColumn;

use super::assignment::{Assigner, Parts, Rows};
use super::clusters::Context;
use super::regions::{Measure, Places, Region, Splitter};
use super::space::Kind;
use super::{Grain, Split};
use crate::judge::neighborhoods;
use crate::stop::Stop;

/// Returns whether the widest class of some tuples is acceptable, which is tested before any split
/// (reading C-8).
pub(super) fn is_acceptable(context: &Context<'_>, tuples: &[u32]) -> bool {
    let parts = parts_of(context);
    Assigner { judge: context.judge, parts, order: None }.accepts(tuples)
}

fn parts_of(context: &Context<'_>) -> Parts {
    match (context.judge.merging_keeps, context.problem.policy.published) {
        (true, _) => Parts::Whole,
        (false, ClassColumn::Published) => Parts::Assigned,
        (false, _) => Parts::Later,
    }
}

/// Returns classes of the tuples, or `None` if no classes that satisfy all principles were found.
pub(super) fn split_and_partition(
    context: &Context<'_>,
    tuples: &[u32],
    split: Split,
) -> Option<Vec<Vec<Rows>>> {
    let columns = context.problem.table.quasi_identifiers();
    let places: Vec<Places<'_>> = columns
        .iter()
        .zip(&context.space.attributes)
        .map(|(column, attribute)| {
            let of_code = match context.options.grain {
                Grain::Tuples => attribute.place.clone(),
                Grain::Combinations => attribute.places_of_leaves(),
            };
            Places { codes: &column.codes, of_code }
        })
        .collect();
    let parts = parts_of(context);
    let assigner = Assigner { judge: context.judge, parts, order: None };
    let region = regions(&assigner, context, &places, tuples, split, context.stop)?;
    match parts {
        Parts::Whole | Parts::Assigned => {
            let mut classes = Vec::new();
            for leaf in region.leaves() {
                classes.extend(assigner.classes(&leaf)?);
            }
            Some(classes)
        }
        Parts::Later => visible(context, &assigner, &region),
    }
}

/// Splits the tuples into regions, if all tuples together are acceptable.
pub(super) fn regions(
    assigner: &Assigner<'_>,
    measure: &dyn Measure,
    places: &[Places<'_>],
    tuples: &[u32],
    split: Split,
    stop: &Stop<'_>,
) -> Option<Region> {
    if !assigner.accepts(tuples) {
        return None;
    }
    let mut tuples = tuples.to_vec();
    if !assigner.judge.is_on_sizes() {
        let values = assigner.judge.values(0);
        tuples.sort_unstable_by_key(|&tuple| (values[tuple as usize], tuple));
    }
    let n_attributes = places.len();
    Some(Splitter { assigner, measure, split, n_attributes, stop }.split(places, tuples))
}

/// Returns classes that satisfy all principles as an adversary sees them. Regions that violate a
/// principle are merged back into the region that they were split from, or are assigned to parts
/// with different released values.
fn visible(
    context: &Context<'_>,
    assigner: &Assigner<'_>,
    root: &Region,
) -> Option<Vec<Vec<Rows>>> {
    let mut nodes = Nodes { context, assigner, all: Vec::new() };
    let root = nodes.add(root, None);
    if !nodes.settle(root) {
        return None;
    }
    // Regions with equal released values form one class. If this class fails, the nearest common
    // region replaces them.
    loop {
        let mut leaves = Vec::new();
        nodes.collect(root, &mut leaves);
        let mut by_text: BTreeMap<Vec<u32>, (Vec<Rows>, Vec<usize>)> = BTreeMap::new();
        for &(node, ref classes) in &leaves {
            for class in classes {
                let tuples: Vec<u32> = class.iter().map(|rows| rows.0).collect();
                let text = context.space.released(&context.space.cover(&tuples));
                let (rows, from) = by_text.entry(text).or_default();
                rows.extend(class);
                from.push(node);
            }
        }
        let failing = by_text.into_values().find(|(rows, _)| {
            let (tally, size) = context.judge.tally_of_rows(rows);
            !context.judge.holds(size, &tally)
        });
        let Some((_, from)) = failing else {
            return Some(leaves.into_iter().flat_map(|leaf| leaf.1).collect());
        };
        let mut at = from.iter().copied().reduce(|a, b| nodes.common(a, b))?;
        if from.iter().all(|node| *node == at) {
            at = nodes.all[at].parent?;
        }
        while !nodes.close(at) {
            at = nodes.all[at].parent?;
        }
    }
}

/// A region in the tree of splits.
struct Node {
    tuples: Vec<u32>,
    parent: Option<usize>,
    halves: Option<[usize; 2]>,
    /// The classes of the region if its halves are not used.
    classes: Option<Vec<Vec<Rows>>>,
}

struct Nodes<'a> {
    context: &'a Context<'a>,
    assigner: &'a Assigner<'a>,
    all: Vec<Node>,
}

impl Nodes<'_> {
    fn add(&mut self, region: &Region, parent: Option<usize>) -> usize {
        let at = self.all.len();
        self.all.push(Node { tuples: region.tuples.clone(), parent, halves: None, classes: None });
        if let Some(halves) = &region.halves {
            let left = self.add(&halves[0], Some(at));
            let right = self.add(&halves[1], Some(at));
            self.all[at].halves = Some([left, right]);
        }
        at
    }

    /// Finds classes for a region: those of its halves if they have any, otherwise its own. Returns
    /// whether classes were found.
    fn settle(&mut self, at: usize) -> bool {
        if let Some([left, right]) = self.all[at].halves {
            // Process both halves, even if one of them fails.
            let (left, right) = (self.settle(left), self.settle(right));
            if left && right {
                return true;
            }
        }
        self.close(at)
    }

    /// Makes a region a leaf, and returns whether it satisfies the principles.
    fn close(&mut self, at: usize) -> bool {
        self.all[at].halves = None;
        let judge = self.context.judge;
        let tuples = &self.all[at].tuples;
        let (tally, size) = judge.tally(tuples);
        let whole = || vec![tuples.iter().map(|&tuple| (tuple, judge.rows(tuple))).collect()];
        let classes = match judge.holds(size, &tally) {
            true => Some(whole()),
            false => {
                self.assigner.classes(tuples).filter(|classes| self.are_distinguishable(classes))
            }
        };
        self.all[at].classes = classes;
        self.all[at].classes.is_some()
    }

    /// Returns whether the unions of classes with equal released values satisfy the principles.
    fn are_distinguishable(&self, classes: &[Vec<Rows>]) -> bool {
        let mut by_text: BTreeMap<Vec<u32>, Vec<Rows>> = BTreeMap::new();
        for class in classes {
            let tuples: Vec<u32> = class.iter().map(|rows| rows.0).collect();
            let text = self.context.space.released(&self.context.space.cover(&tuples));
            by_text.entry(text).or_default().extend(class);
        }
        by_text.values().all(|rows| {
            let (tally, size) = self.context.judge.tally_of_rows(rows);
            self.context.judge.holds(size, &tally)
        })
    }

    fn collect(&self, at: usize, leaves: &mut Vec<(usize, Vec<Vec<Rows>>)>) {
        match (self.all[at].halves, &self.all[at].classes) {
            (Some([left, right]), _) => {
                self.collect(left, leaves);
                self.collect(right, leaves);
            }
            (None, Some(classes)) => leaves.push((at, classes.clone())),
            (None, None) => {}
        }
    }

    fn common(&self, a: usize, b: usize) -> usize {
        let up = |from: usize| {
            std::iter::successors(Some(from), |&at| self.all[at].parent).collect::<Vec<usize>>()
        };
        let others = up(b);
        up(a).into_iter().find(|at| others.contains(at)).unwrap_or(0)
    }
}

/// The widest classes, without the tuples that must be dropped to make the classes acceptable.
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

/// Finds the widest classes. In each class, dropping stops when more than `allowed` rows must be
/// dropped.
pub(super) fn widest(context: &Context<'_>, allowed: u64) -> Widest {
    let problem = context.problem;
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
        if !is_acceptable(context, &tuples) {
            let (tally, size) = context.judge.tally(&tuples);
            widest.n_failing += size;
            widest.is_proved |= context.judge.is_ruled_out(size, &tally);
            widest.n_dropped += drop_rows(context, &mut tuples, allowed);
        }
        if !tuples.is_empty() {
            widest.components.push(tuples);
        }
    }
    widest
}

/// Drops tuples of the most frequent sensitive value (for neighborhoods of numbers, of the value
/// with the most rows nearby), starting with the tuples that have the fewest rows, until the
/// remaining tuples are acceptable. If more than `allowed` rows must be dropped, all tuples are
/// dropped. Returns the number of dropped rows.
fn drop_rows(context: &Context<'_>, tuples: &mut Vec<u32>, allowed: u64) -> u64 {
    let Context { problem, judge, .. } = *context;
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
        n_dropped += match context.options.grain {
            Grain::Tuples => judge.rows(tuples.remove(at)),
            Grain::Combinations => drop_combination(context, tuples, tuples[at]),
        };
        if !tuples.is_empty() && is_acceptable(context, tuples) {
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
