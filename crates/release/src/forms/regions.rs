//! Rows in classes that are regions of the published hierarchies.
//!
//! A verifier divides the region with the highest labels again. An attribute divides a region if
//! all classes in the region have a lower label of the attribute. If a data holder divided the
//! region by another attribute first, both orders have the same result. At the end, each region has
//! exactly one class, with the labels of the region, so classes do not overlap.

use std::collections::BTreeMap;

use indistinct_core::STAR;
use indistinct_policy::method::order_of_divisions;

use super::{Form, ReadBack};
use crate::check::{Check, Difference, Subject};
use crate::files;

/// The form of releases whose classes are regions.
pub(super) struct RegionsOfHierarchies;

impl Form for RegionsOfHierarchies {
    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        Some(Check::new(Subject::Regions, differences(read)))
    }
}

/// For each class and quasi-identifier, the released label and the labels above it, the highest
/// first.
type Paths<'a> = Vec<Vec<&'a [String]>>;

fn differences(read: &ReadBack<'_>) -> Vec<Difference> {
    let table = &read.rows.by_labels;
    let columns = table.quasi_identifiers();
    let mut known = Vec::with_capacity(columns.len());
    for column in columns {
        match paths(read, &column.name, column.dictionary.values()) {
            Some(paths) => known.push(paths),
            None => return vec![Difference::HierarchyUnreadable { column: column.name.clone() }],
        }
    }
    let classes: Paths<'_> = table
        .groups()
        .iter()
        .map(|tuples| {
            let codes = columns.iter().map(|column| column.codes[tuples.start] as usize);
            codes.zip(&known).map(|(code, known)| known[code].as_slice()).collect()
        })
        .collect();
    let position = |name: &String| columns.iter().position(|column| column.name == *name);
    let order: Vec<usize> = order_of_divisions(read.policy).iter().filter_map(position).collect();
    // A class column must not divide a region further.
    let is_whole = read.rows.by_class().groups().len() == classes.len();
    match is_whole && are_regions(&classes, columns.len(), &order) {
        true => Vec::new(),
        false => vec![Difference::NotRegions],
    }
}

/// Returns the released label and the labels above it for each of the given labels, the highest
/// first; `None` if the published hierarchy does not contain a label or contains it twice.
fn paths(read: &ReadBack<'_>, column: &str, labels: &[String]) -> Option<Vec<Vec<String>>> {
    let text = files::published_hierarchy(read.directory, column, read.policy).ok()?;
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_reader(text.as_bytes());
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for record in reader.records() {
        let record = record.ok()?;
        // Only the released label may be a missing value. Other empty fields are padding.
        let labels = record.iter().step_by(2).enumerate();
        let path = labels.filter(|(at, label)| *at == 0 || !label.is_empty());
        let mut path: Vec<String> = path.map(|(_, label)| label.to_owned()).collect();
        path.dedup();
        let label = path.first()?.clone();
        // A file may omit the highest label `*` above the other labels.
        if path.last().is_none_or(|highest| highest != STAR) {
            path.push(STAR.to_owned());
        }
        path.reverse();
        if known.insert(label, path).is_some() {
            return None;
        }
    }
    labels.iter().map(|label| known.get(label).cloned()).collect()
}

/// Returns whether the classes result from divisions of a region with the highest labels `*`.
fn are_regions(classes: &Paths<'_>, n_columns: usize, order: &[usize]) -> bool {
    if classes.is_empty() {
        return true;
    }
    // The classes of each region, and the position of its label in each path.
    let mut open = vec![((0..classes.len()).collect::<Vec<_>>(), vec![0; n_columns])];
    while let Some((members, mut depths)) = open.pop() {
        let has_lower = |class: usize, at: usize| classes[class][at].len() > depths[at] + 1;
        let divides = |at: &&usize| members.iter().all(|&class| has_lower(class, **at));
        let Some(&at) = order.iter().find(divides) else {
            let is_class =
                members.len() == 1 && (0..n_columns).all(|at| !has_lower(members[0], at));
            if is_class {
                continue;
            }
            return false;
        };
        depths[at] += 1;
        let mut parts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for class in members {
            parts.entry(&classes[class][at][depths[at]]).or_default().push(class);
        }
        open.extend(parts.into_values().map(|members| (members, depths.clone())));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOP: &[&str] = &["*"];
    const LOW: &[&str] = &["*", "low"];
    const LOWER: &[&str] = &["*", "low", "lower"];
    const HIGH: &[&str] = &["*", "high"];
    const F: &[&str] = &["*", "f"];
    const M: &[&str] = &["*", "m"];

    /// Returns whether the classes are regions. The order of the attributes makes no difference.
    fn holds(classes: &[[&[&str]; 2]]) -> bool {
        let owned: Vec<Vec<Vec<String>>> = classes
            .iter()
            .map(|paths| {
                paths.iter().map(|it| it.iter().map(|it| (*it).to_owned()).collect()).collect()
            })
            .collect();
        let paths: Paths<'_> =
            owned.iter().map(|paths| paths.iter().map(Vec::as_slice).collect()).collect();
        let [one, other] = [[0, 1], [1, 0]].map(|order| are_regions(&paths, 2, &order));
        assert_eq!(one, other);
        one
    }

    #[test]
    fn divisions_are_repeated_from_the_highest_labels() {
        assert!(holds(&[]));
        assert!(holds(&[[TOP, TOP]]));
        assert!(holds(&[[LOW, TOP], [HIGH, TOP]]));
        assert!(holds(&[[LOW, F], [LOW, M], [HIGH, TOP]]));
        assert!(holds(&[[LOWER, F], [LOW, M], [HIGH, TOP]]));
        assert!(holds(&[[LOWER, TOP], [HIGH, TOP]]));
    }

    #[test]
    fn overlapping_labels_are_no_regions() {
        // `low` covers `lower`, and `*` covers all values.
        assert!(!holds(&[[LOW, TOP], [LOWER, TOP], [HIGH, TOP]]));
        assert!(!holds(&[[LOW, TOP], [TOP, F], [HIGH, M]]));
        assert!(!holds(&[[LOW, F], [LOW, TOP], [HIGH, TOP]]));
        assert!(!holds(&[[TOP, TOP], [TOP, F]]));
    }

    #[test]
    fn disjoint_labels_that_no_division_produces_are_no_regions() {
        // In each dimension, some class extends over both parts.
        let (a, b): (&[&str], &[&str]) = (&["*", "a"], &["*", "b"]);
        let three = |x: &[&str], y: &[&str], z: &[&str]| {
            [x, y, z].map(|path| path.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
        };
        let classes = [three(a, F, &["*"]), three(&["*"], M, LOW), three(b, &["*"], HIGH)];
        let paths: Paths<'_> =
            classes.iter().map(|class| class.iter().map(Vec::as_slice).collect()).collect();
        assert!(!are_regions(&paths, 3, &[0, 1, 2]));
    }
}
