//! Which released labels somebody fits, for many people at once.

use indistinct_core::model::RowGroups;
use indistinct_core::published::PublishedRows;
use indistinct_core::{Cell, FrequencyTable, Hierarchy, Observer};
use rustc_hash::FxHashMap;

/// For people with raw quasi-identifiers, the combinations of released labels that they fit.
///
/// A combination is a group of [`PublishedRows::rows`] ([`FrequencyTable::groups`]), by its number.
#[derive(Debug)]
pub struct Fits {
    /// For each group of the people (rows with equal raw quasi-identifiers) the position of its set.
    pub set_of: Vec<u32>,
    /// The sets, each of ascending numbers.
    pub sets: Vec<Vec<u32>>,
}

/// A node of the tree of label combinations: a label, and the nodes below it.
struct Node {
    label: u32,
    below: std::ops::Range<u32>,
}

struct Finder<'a> {
    observer: &'a dyn Observer,
    people: &'a FrequencyTable,
    groups: RowGroups,
    /// For each attribute its nodes; those below the last one are the combinations themselves.
    levels: Vec<Vec<Node>>,
    cells: &'a [Vec<Cell>],
    hierarchies: &'a [Hierarchy],
    known: FxHashMap<Vec<u32>, u32>,
    set_of: Vec<u32>,
}

/// Finds what people fit. `cells` says what each label of the release covers, in the codes of the people's values, over which
/// the hierarchies are laid.
///
/// O(people and combinations that agree in their first attributes), not O(people times combinations). After a cancel some have the set of
/// others.
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
        // Without quasi-identifiers everybody fits the one combination that there may be.
        None => (0..published.rows.groups().len() as u32).collect(),
    };
    finder.visit(0, 0..n_groups, roots);
    let mut sets = vec![Vec::new(); finder.known.len()];
    #[allow(clippy::iter_over_hash_type)] // each goes to a place of its own
    for (set, at) in finder.known {
        sets[at as usize] = set;
    }
    if sets.is_empty() {
        // Nobody was looked at.
        sets.push(Vec::new());
    }
    Fits { set_of: finder.set_of, sets }
}

/// The combinations of a release as a tree, an attribute at a time; they are sorted, so that equal beginnings are neighbors.
fn levels(rows: &FrequencyTable) -> Vec<Vec<Node>> {
    let groups = rows.groups();
    let columns = rows.quasi_identifiers();
    let first = |group: usize| groups.starts[group] as usize;
    // For each combination the first attribute in which it differs from the one before.
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
        // Only the last node of each level is still growing.
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
    /// The people of these groups have equal values before attribute `at`; `nodes` are those that cover them.
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
