//! Rows in classes that are regions of the published hierarchies.
//!
//! The certificate states the order in which regions were divided. A verifier divides the classes
//! in the same order: each step must divide all classes of a region, or none of them. At the end,
//! each region has one class, and classes therefore do not overlap.

use std::collections::BTreeMap;

use indistinct_policy::PolicyFile;

use super::{Form, ReadBack};
use crate::check::{Check, Difference, Subject};
use crate::facts::Fact;
use crate::files;

/// The form of releases whose classes are regions.
pub(super) struct RegionsOfHierarchies;

impl Form for RegionsOfHierarchies {
    fn name(&self) -> &'static str {
        "rows in regions of the hierarchies"
    }

    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        Some(Check::new(Subject::Regions, differences(read)))
    }
}

/// For each class and quasi-identifier, the released label and the labels above it, the highest
/// first.
type Paths<'a> = Vec<Vec<&'a [String]>>;

fn differences(read: &ReadBack<'_>) -> Vec<Difference> {
    let splits = read.certificate.facts.iter().find_map(|fact| match fact {
        Fact::Regions { splits } => Some(splits),
        _ => None,
    });
    let Some(splits) = splits else {
        return vec![Difference::FactMissing { fact: "regions".to_owned() }];
    };
    let table = &read.rows.by_labels;
    let columns = table.quasi_identifiers();
    let mut order = Vec::with_capacity(splits.len());
    for name in splits {
        match columns.iter().position(|column| column.name == *name) {
            Some(at) => order.push(at),
            None => return vec![Difference::FactNotAdmitted { fact: "regions".to_owned() }],
        }
    }
    let mut known = Vec::with_capacity(columns.len());
    for column in columns {
        match paths(read, read.policy, &column.name, column.dictionary.values()) {
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
    match are_regions(&classes, columns.len(), &order) {
        true => Vec::new(),
        false => vec![Difference::NotRegions],
    }
}

/// Returns for each label the labels above it and the label itself, the highest first; `None` if a
/// label is missing in the published hierarchy.
fn paths(
    read: &ReadBack<'_>,
    policy: &PolicyFile,
    column: &str,
    labels: &[String],
) -> Option<Vec<Vec<String>>> {
    let text = files::published_hierarchy(read.directory, column, policy).ok()?;
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
        path.reverse();
        if known.insert(label, path).is_some() {
            return None;
        }
    }
    labels.iter().map(|label| known.get(label).cloned()).collect()
}

/// Some classes of a region.
struct Region {
    classes: Vec<usize>,
    /// The position of the label of the region in the path of each quasi-identifier.
    depths: Vec<usize>,
    is_open: Vec<bool>,
    /// The next step.
    step: usize,
}

/// Returns whether the classes result from dividing the regions with the highest labels in this
/// order.
fn are_regions(classes: &Paths<'_>, n_columns: usize, order: &[usize]) -> bool {
    let by_label = |members: &[usize], at: usize, depth: usize| {
        let mut parts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for &class in members {
            parts.entry(&classes[class][at][depth]).or_default().push(class);
        }
        parts.into_values().collect::<Vec<_>>()
    };
    let mut members = vec![(0..classes.len()).collect::<Vec<_>>()];
    for at in 0..n_columns {
        members = members.iter().flat_map(|members| by_label(members, at, 0)).collect();
    }
    let region = |classes| {
        let (depths, is_open) = (vec![0; n_columns], vec![true; n_columns]);
        Region { classes, depths, is_open, step: 0 }
    };
    let mut open: Vec<Region> = members.into_iter().map(region).collect();
    while let Some(mut region) = open.pop() {
        let Some(&at) = order.get(region.step) else {
            let class = |at: usize| &classes[region.classes[0]][at];
            let is_whole = (0..n_columns).all(|at| class(at).len() == region.depths[at] + 1);
            if region.classes.len() == 1 && is_whole {
                continue;
            }
            return false;
        };
        region.step += 1;
        let depth = region.depths[at] + 1;
        let n_below = region.classes.iter().filter(|&&it| classes[it][at].len() > depth).count();
        if !region.is_open[at] || n_below == 0 {
            // A quasi-identifier that was left undivided remains undivided.
            if n_below > 0 {
                return false;
            }
            region.is_open[at] = false;
            open.push(region);
            continue;
        }
        if n_below < region.classes.len() {
            return false;
        }
        region.depths[at] = depth;
        open.extend(by_label(&region.classes, at, depth).into_iter().map(|classes| Region {
            classes,
            depths: region.depths.clone(),
            is_open: region.is_open.clone(),
            step: region.step,
        }));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(classes: &[[&[&str]; 2]], order: &[usize]) -> bool {
        let owned: Vec<Vec<Vec<String>>> = classes
            .iter()
            .map(|paths| {
                paths.iter().map(|it| it.iter().map(|it| (*it).to_owned()).collect()).collect()
            })
            .collect();
        let paths: Paths<'_> =
            owned.iter().map(|paths| paths.iter().map(Vec::as_slice).collect()).collect();
        are_regions(&paths, 2, order)
    }

    const TOP: &[&str] = &["*"];

    #[test]
    fn regions_follow_the_order_of_splits() {
        let (low, high): (&[&str], &[&str]) = (&["*", "low"], &["*", "high"]);
        let (f, m): (&[&str], &[&str]) = (&["*", "f"], &["*", "m"]);
        assert!(holds(&[[TOP, TOP]], &[]));
        assert!(holds(&[[low, TOP], [high, TOP]], &[0]));
        assert!(holds(&[[low, f], [low, m], [high, TOP]], &[0, 1]));
        // The first step would have to divide only some classes of the first region.
        assert!(!holds(&[[low, f], [low, m], [high, TOP]], &[1, 0]));
        // A step is missing.
        assert!(!holds(&[[low, f], [low, m], [high, TOP]], &[0]));
    }

    #[test]
    fn overlapping_classes_and_levels_that_return_are_no_regions() {
        let (low, lower): (&[&str], &[&str]) = (&["*", "low"], &["*", "low", "lower"]);
        let high: &[&str] = &["*", "high"];
        // `low` covers `lower`.
        assert!(!holds(&[[low, TOP], [lower, TOP], [high, TOP]], &[0, 0]));
        assert!(holds(&[[lower, TOP], [high, TOP]], &[0, 0]));
        let f: &[&str] = &["*", "f"];
        // The second attribute is divided after it was left undivided.
        assert!(!holds(&[[low, f], [high, f]], &[0]));
        assert!(holds(&[[low, f], [high, f]], &[1, 0]));
    }
}
