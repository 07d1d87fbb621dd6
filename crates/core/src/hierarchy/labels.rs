//! Creates levels from the labels of values. Equal strings become one label.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Hierarchy, HierarchyLevel, HierarchyProblem, ValueProblem};
use crate::{Dictionary, MISSING, STAR};

/// Creates a level from the label of each value of the domain. Each value is counted once.
pub(super) fn level_of(labels: impl Iterator<Item = String>) -> HierarchyLevel {
    let mut index: FxHashMap<String, u32> = FxHashMap::default();
    let mut level = HierarchyLevel { map: Vec::new(), labels: Vec::new(), covered: Vec::new() };
    for label in labels {
        let at = *index.entry(label).or_insert_with_key(|label| {
            level.labels.push(label.clone());
            level.covered.push(0);
            level.labels.len() as u32 - 1
        });
        level.covered[at as usize] += 1;
        level.map.push(at);
    }
    level
}

/// Restricts a level to the values at the given positions. The counts of the whole level are
/// retained.
pub(super) fn restrict(level: &HierarchyLevel, positions: &[u32]) -> HierarchyLevel {
    let mut new_index: Vec<Option<u32>> = vec![None; level.labels.len()];
    let mut retained = HierarchyLevel {
        map: Vec::with_capacity(positions.len()),
        labels: vec![],
        covered: vec![],
    };
    for &position in positions {
        let old = level.map[position as usize] as usize;
        let new = *new_index[old].get_or_insert_with(|| {
            retained.labels.push(level.labels[old].clone());
            retained.covered.push(level.covered[old]);
            retained.labels.len() as u32 - 1
        });
        retained.map.push(new);
    }
    retained
}

/// Creates the hierarchy of a rule without a listed domain: the original values, `n_between` levels
/// with computed labels, and the top level `*`.
///
/// `label(level, value)` is called for levels starting at 0, which is the level above the original
/// values. A value of `None` keeps its label.
pub(super) fn computed<T>(
    dictionary: &Dictionary,
    values: &[Option<T>],
    n_between: usize,
    label: impl Fn(usize, &T) -> String,
) -> Result<Hierarchy, Vec<HierarchyProblem>> {
    let flat = Hierarchy::flat(dictionary);
    let mut levels = Vec::with_capacity(n_between + 2);
    levels.push(flat.level(0).clone());
    for level in 0..n_between {
        let labels = dictionary.values().iter().zip(values);
        levels.push(level_of(labels.map(|(raw, value)| match value {
            Some(value) => label(level, value),
            None => raw.clone(),
        })));
    }
    levels.push(flat.level(1).clone());
    Hierarchy::new(levels, dictionary.len() as u64).map_err(|problem| vec![problem])
}

/// Parses each value in the table. Missing values are parsed as `None`.
///
/// # Errors
/// Returns the values that cannot be parsed, as one problem for each reason, in the order of
/// [`ValueProblem`].
pub(super) fn read_values<T>(
    dictionary: &Dictionary,
    read: impl Fn(&str) -> Result<T, ValueProblem>,
) -> Result<Vec<Option<T>>, Vec<HierarchyProblem>> {
    let mut wrong: BTreeMap<ValueProblem, Vec<String>> = BTreeMap::new();
    let mut parsed = Vec::with_capacity(dictionary.len());
    for value in dictionary.values() {
        // Missing values and `*` are not parsed. The caller reports cells with the string `*`.
        if value == MISSING || value == STAR {
            parsed.push(None);
            continue;
        }
        match read(value) {
            Ok(found) => parsed.push(Some(found)),
            Err(why) => wrong.entry(why).or_default().push(value.clone()),
        }
    }
    if wrong.is_empty() {
        return Ok(parsed);
    }
    let n_values = dictionary.len();
    let problem = |(why, values)| HierarchyProblem::Values { why, values, n_values };
    Err(wrong.into_iter().map(problem).collect())
}
