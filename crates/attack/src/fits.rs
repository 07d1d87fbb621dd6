//! Compares the released labels with the original values of people: which values each label covers,
//! and which combinations of labels each person fits.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::model::{CountedColumn, RowGroups};
use indistinct_core::published::PublishedRows;
use indistinct_core::{Cell, Dictionary, FrequencyTable, Hierarchy, Observer, parse_decimal};
use indistinct_labels::Label;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::AttackError;

/// The values in a table of people that each released label covers.
#[derive(Debug)]
pub struct Labels {
    cells: Vec<Vec<Cell>>,
    hierarchies: Vec<Hierarchy>,
    /// The indexes of the quasi-identifiers that are missing from the table of people.
    absent: Vec<usize>,
    /// For each quasi-identifier, how its labels were interpreted.
    pub read_by: BTreeMap<String, LabelsReadBy>,
}

/// How released labels of a quasi-identifier were compared with original values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LabelsReadBy {
    /// The labels were interpreted with the data holder's hierarchy.
    Hierarchy,
    /// The labels were interpreted by their text.
    Labels,
    /// The labels were not compared, because synthetic values cannot rule out any person.
    Nothing,
    /// The labels were not compared, because the table of people lacks the quasi-identifier.
    Absent,
}

impl Labels {
    /// Matches the labels of a release with the quasi-identifiers of some people, which have the
    /// same names in the same order. `absent` contains the names of columns whose values are
    /// unknown. `rules` contains the known hierarchies of the data holder, by column name.
    ///
    /// # Errors
    /// [`AttackError::Labels`] if labels cannot be interpreted without a hierarchy that is unknown.
    pub fn read(
        people: &FrequencyTable,
        published: &PublishedRows,
        absent: &[String],
        rules: &[(String, HierarchyRule)],
        observer: &dyn Observer,
    ) -> Result<Self, AttackError> {
        let is_absent = |column: &CountedColumn| absent.contains(&column.name);
        let (mut cells, mut read_by) = (Vec::new(), BTreeMap::new());
        let released = published.rows.quasi_identifiers().iter().zip(&published.covered);
        let released = released.zip(&published.generated);
        for (((released, covered), is_generated), column) in
            released.zip(people.quasi_identifiers())
        {
            if *is_generated || is_absent(released) {
                // A synthetic value does not show which people it represents, so it rules out no
                // one. Neither does a label if the people's values are unknown.
                let all: Vec<u32> = (0..column.dictionary.len() as u32).collect();
                cells.push(vec![Cell::Set(all); released.dictionary.len()]);
                let by =
                    if is_absent(released) { LabelsReadBy::Absent } else { LabelsReadBy::Nothing };
                read_by.insert(released.name.clone(), by);
                continue;
            }
            let rule = rules.iter().find(|(name, _)| *name == released.name).map(|(_, rule)| rule);
            let above = rule.map(|rule| labels_of(rule, &column.name, &column.dictionary));
            let by = if above.is_some() { LabelsReadBy::Hierarchy } else { LabelsReadBy::Labels };
            let mut n_unknown = 0;
            let of_column: Vec<Cell> = released
                .dictionary
                .values()
                .iter()
                .zip(covered)
                .take_while(|_| !observer.is_cancelled())
                .map(|(text, covered)| {
                    let label = Label::read(text);
                    let values = column.dictionary.values().iter().zip(0u32..);
                    let covers = |value: &str, code: u32| {
                        label.fits(value)
                            || above.as_ref().is_some_and(|it| it[code as usize].contains(text))
                    };
                    let codes: Vec<u32> = values
                        .filter(|(value, code)| covers(value, *code))
                        .map(|it| it.1)
                        .collect();
                    let is_value = matches!(label, Label::Value(_)) && *covered != Some(1);
                    let is_unknown = codes.is_empty() && above.is_none() && is_value;
                    if is_unknown && parse_decimal(text).is_err() {
                        n_unknown += 1;
                    }
                    Cell::Set(codes)
                })
                .collect();
            if n_unknown > 0 {
                let attribute = released.name.clone();
                return Err(AttackError::Labels { attribute, n_labels: n_unknown });
            }
            cells.push(of_column);
            read_by.insert(released.name.clone(), by);
        }
        let flat = |column: &CountedColumn| Hierarchy::flat(&column.dictionary);
        let hierarchies = people.quasi_identifiers().iter().map(flat).collect();
        let columns = published.rows.quasi_identifiers().iter().enumerate();
        let absent = columns.filter(|(_, column)| is_absent(column)).map(|it| it.0).collect();
        Ok(Self { cells, hierarchies, absent, read_by })
    }

    /// Determines which released combinations each person fits.
    pub fn fits(
        &self,
        people: &FrequencyTable,
        published: &PublishedRows,
        observer: &dyn Observer,
    ) -> Fits {
        let fits = victims_of(people, published, &self.cells, &self.hierarchies, observer);
        Fits { absent: self.absent.clone(), ..fits }
    }
}

/// Returns the labels of each value at all levels; a value that the hierarchy rejects has no
/// labels.
fn labels_of(rule: &HierarchyRule, name: &str, dictionary: &Dictionary) -> Vec<BTreeSet<String>> {
    let of = |hierarchy: &Hierarchy, code: u32| -> BTreeSet<String> {
        (0..hierarchy.n_levels()).map(|level| hierarchy.label(level, code).to_owned()).collect()
    };
    if let Ok(hierarchy) = rule.resolve(name, dictionary) {
        return (0..dictionary.len() as u32).map(|code| of(&hierarchy, code)).collect();
    }
    let alone = |value: &String| {
        let (one, _) = Dictionary::from_distinct(vec![value.clone()]);
        rule.resolve(name, &one).map(|hierarchy| of(&hierarchy, 0)).unwrap_or_default()
    };
    dictionary.values().iter().map(alone).collect()
}

/// The combinations of released labels that people fit, based on their original quasi-identifiers.
///
/// A combination is identified by the index of a group of
/// [`PublishedRows::rows`] ([`FrequencyTable::groups`]).
#[derive(Debug)]
pub struct Fits {
    /// For each group of people with equal original quasi-identifiers, the index of its set of
    /// combinations.
    pub set_of: Vec<u32>,
    /// The sets of combinations, each in ascending order.
    pub sets: Vec<Vec<u32>>,
    /// For each combination, the sum over its labels of the share of the people's values that the
    /// label covers.
    pub costs: Vec<f64>,
    /// The indexes of quasi-identifiers that are unknown for all people.
    pub absent: Vec<usize>,
}

/// A node in the tree of label combinations, with its label and its child nodes.
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
        // Without quasi-identifiers, there is at most one combination, and every person fits it.
        None => (0..published.rows.groups().len() as u32).collect(),
    };
    finder.visit(0, 0..n_groups, roots);
    let mut sets = vec![Vec::new(); finder.known.len()];
    #[allow(clippy::iter_over_hash_type)] // each set has its own index
    for (set, at) in finder.known {
        sets[at as usize] = set;
    }
    if sets.is_empty() {
        // The observer canceled the attack before the first person was processed.
        sets.push(Vec::new());
    }
    let costs = costs(people, published, cells, hierarchies);
    Fits { set_of: finder.set_of, sets, costs, absent: Vec::new() }
}

fn costs(
    people: &FrequencyTable,
    published: &PublishedRows,
    cells: &[Vec<Cell>],
    hierarchies: &[Hierarchy],
) -> Vec<f64> {
    let columns = people.quasi_identifiers().iter().zip(cells).zip(hierarchies);
    let shares: Vec<Vec<f64>> = columns
        .map(|((column, cells), hierarchy)| {
            let n_values = column.dictionary.len() as u32;
            let n_covered = |cell: &Cell| match cell {
                Cell::Set(codes) => codes.len(),
                cell => (0..n_values).filter(|&code| cell.covers(hierarchy, code)).count(),
            };
            cells.iter().map(|cell| n_covered(cell) as f64 / f64::from(n_values.max(1))).collect()
        })
        .collect();
    let cost = |tuples: std::ops::Range<usize>| {
        let columns = published.rows.quasi_identifiers().iter().zip(&shares);
        columns.map(|(column, shares)| shares[column.codes[tuples.start] as usize]).sum()
    };
    published.rows.groups().iter().map(cost).collect()
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
        // Because combinations are sorted, only the last node of each level can receive children.
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

/// Returns a function that translates the quasi-identifiers of a tuple of `people` to the codes of
/// `original`, or `None` if a value does not occur there. Quasi-identifiers in `absent` have code
/// 0.
pub(crate) fn in_codes_of<'a>(
    original: &FrequencyTable,
    people: &'a FrequencyTable,
    absent: &'a [usize],
) -> impl Fn(usize) -> Option<Vec<u32>> + 'a {
    let codes = |(here, there): (&CountedColumn, &CountedColumn)| -> Vec<Option<u32>> {
        here.dictionary.values().iter().map(|value| there.dictionary.code_of(value)).collect()
    };
    let columns = people.quasi_identifiers().iter().zip(original.quasi_identifiers());
    let codes: Vec<Vec<Option<u32>>> = columns.map(codes).collect();
    move |tuple| {
        let columns = people.quasi_identifiers().iter().zip(&codes).enumerate();
        let code = |(at, (column, codes)): (usize, (&CountedColumn, &Vec<Option<u32>>))| {
            if absent.contains(&at) { Some(0) } else { codes[column.codes[tuple] as usize] }
        };
        columns.map(code).collect()
    }
}
