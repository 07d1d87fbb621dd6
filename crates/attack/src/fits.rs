//! Finds the released labels that each person fits, for many people at once.

use indistinct_core::model::RowGroups;
use indistinct_core::published::PublishedRows;
use indistinct_core::{Cell, FrequencyTable, Hierarchy, Observer};
use rustc_hash::FxHashMap;

/// The combinations of released labels that people fit, based on their original quasi-identifiers.
///
/// A combination is the index of a group of [`PublishedRows::rows`] ([`FrequencyTable::groups`]).
#[derive(Debug)]
pub struct Fits {
    /// For each group of people (rows with equal original quasi-identifiers), the index of its set.
    pub set_of: Vec<u32>,
    /// The sets of combinations, each in ascending order.
    pub sets: Vec<Vec<u32>>,
}

/// A node of the tree of label combinations: a label and its child nodes.
struct Node {
    label: u32,
    below: std::ops::Range<u32>,
}

struct Finder<'a> {
    observer: &'a dyn Observer,
    people: &'a FrequencyTable,
    groups: RowGroups,
    /// The nodes of each attribute; the children of the last attribute's nodes are the
    /// combinations.
    levels: Vec<Vec<Node>>,
    cells: &'a [Vec<Cell>],
    hierarchies: &'a [Hierarchy],
    known: FxHashMap<Vec<u32>, u32>,
    set_of: Vec<u32>,
}

/// Finds the combinations that people fit. `cells` contains the values that each label of the
/// release covers, in the codes of the people's values; the hierarchies use the same codes.
///
/// Only people and combinations that agree in the previous attributes are compared, so the running
/// time is not O(people times combinations). If the observer cancels, some people are assigned the
/// wrong set.
pub fn victims_of(
    people: &FrequencyTable,
    published: &PublishedRows,
    cells: &[Vec<Cell>],
    hierarchies: &[Hierarchy],
    observer: &dyn Observer,
) -> Fits {
    let groups = people.groups();
    let n_groups = groups.len();
    let mut finder = Finder {
        observer,
        people,
        groups,
        levels: levels(&published.rows),
        cells,
        hierarchies,
        known: FxHashMap::default(),
        set_of: vec![0; n_groups],
    };
    let roots: Vec<u32> = match finder.levels.first() {
        Some(level) => (0..level.len() as u32).collect(),
        // Without quasi-identifiers, there is at most one combination, and everyone fits it.
        None => (0..published.rows.groups().len() as u32).collect(),
    };
    finder.visit(0, 0..n_groups, roots);
    let mut sets = vec![Vec::new(); finder.known.len()];
    #[allow(clippy::iter_over_hash_type)] // each set has its own index
    for (set, at) in finder.known {
        sets[at as usize] = set;
    }
    if sets.is_empty() {
        // The observer canceled before the first person.
        sets.push(Vec::new());
    }
    Fits { set_of: finder.set_of, sets }
}

/// Returns the combinations of a release as a tree with one level per attribute. The combinations
/// are sorted, so equal prefixes are adjacent.
fn levels(rows: &FrequencyTable) -> Vec<Vec<Node>> {
    let groups = rows.groups();
    let columns = rows.quasi_identifiers();
    let first = |group: usize| groups.starts[group] as usize;
    // For each combination, the first attribute in which it differs from the previous combination.
    let n = groups.len();
    let differs = |group: usize| {
        let codes = |group: usize| columns.iter().map(move |column| column.codes[group]);
        let (a, b) = (codes(first(group - 1)), codes(first(group)));
        a.zip(b).position(|(a, b)| a != b).unwrap_or(columns.len())
    };
    let differs: Vec<usize> =
        (0..n).map(|group| if group == 0 { 0 } else { differs(group) }).collect();
    let mut levels: Vec<Vec<Node>> = columns.iter().map(|_| Vec::new()).collect();
    for (group, &differs) in differs.iter().enumerate() {
        for at in differs..columns.len() {
            let begin = levels.get(at + 1).map_or(group, Vec::len) as u32;
            let label = columns[at].codes[first(group)];
            levels[at].push(Node { label, below: begin..begin });
        }
        // Only the last node of each level can gain children.
        for at in 0..columns.len() {
            let end = levels.get(at + 1).map_or(group + 1, Vec::len) as u32;
            if let Some(last) = levels[at].last_mut() {
                last.below.end = end;
            }
        }
    }
    levels
}

impl Finder<'_> {
    /// Visits groups of people who have equal values before attribute `at`; `nodes` are the nodes
    /// that cover these people.
    fn visit(&mut self, at: usize, groups: std::ops::Range<usize>, nodes: Vec<u32>) {
        let Some(column) = self.people.quasi_identifiers().get(at) else {
            let next = self.known.len() as u32;
            let set = *self.known.entry(nodes).or_insert(next);
            self.set_of[groups].fill(set);
            return;
        };
        let code = |group: usize| column.codes[self.groups.starts[group] as usize];
        let mut runs = Vec::new();
        let mut start = groups.start;
        for group in groups.clone() {
            if group + 1 == groups.end || code(group + 1) != code(group) {
                runs.push((code(group), start..group + 1));
                start = group + 1;
            }
        }
        let observer = self.observer;
        for (code, run) in runs.into_iter().take_while(|_| !observer.is_cancelled()) {
            let covering =
                nodes.iter().map(|&node| &self.levels[at][node as usize]).filter(|node| {
                    self.cells[at][node.label as usize].covers(&self.hierarchies[at], code)
                });
            let below = covering.flat_map(|node| node.below.clone()).collect();
            self.visit(at + 1, run, below);
        }
    }
}
