//! Counts pairs of classes that a single person can match, using only the released labels.
//!
//! Labels of one hierarchy are nested, so two labels overlap if they are equal, or if one is above
//! the other in the published hierarchy. Ranges are compared as numeric intervals, and sets as sets
//! of values. Both bounds of a range are existing values, so a person's value may be in the
//! intersection of two overlapping ranges. If the values that a label covers are unknown, no number
//! is returned.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct_core::STAR;
use indistinct_labels::{Label, Stretch, parse_decimal};
use indistinct_policy::{GeneralizeTo, PolicyFile};

use crate::files;
use crate::rows::Rows;

/// The maximum number of distinct labels that are compared with each other.
const MOST_LABELS: usize = 20_000;

/// The maximum number of pairs of regions that are examined.
const MOST_PAIRS: u64 = 50_000_000;

/// The content of a label in a comparable form.
enum KnownLabel<'a> {
    Everything,
    Numbers(Stretch),
    Values(BTreeSet<&'a str>),
    /// The more general labels in the hierarchy.
    Nested(&'a BTreeSet<String>),
}

/// Returns the number of overlapping pairs, or `None` if the labels do not determine this number.
pub(super) fn pairs(directory: &Path, policy: &PolicyFile, rows: &Rows) -> Option<u64> {
    let (labels, table) = (rows.by_labels.quasi_identifiers(), rows.by_class());
    // Count the classes that have the same labels, ignoring the class column, which is the
    // last column.
    let n_columns = labels.len();
    let mut classes: BTreeSet<Vec<u32>> = BTreeSet::new();
    for tuple in 0..table.n_tuples() {
        classes.insert(table.quasi_identifiers().iter().map(|it| it.codes[tuple]).collect());
    }
    let mut regions: BTreeMap<&[u32], u64> = BTreeMap::new();
    for class in &classes {
        *regions.entry(&class[..n_columns]).or_default() += 1;
    }
    let regions: Vec<(&[u32], u64)> = regions.into_iter().collect();
    let mut near: Vec<Vec<BTreeSet<u32>>> = Vec::new();
    for column in &table.quasi_identifiers()[..n_columns] {
        near.push(overlapping(directory, policy, &column.name, column.dictionary.values())?);
    }
    let same: u64 = regions.iter().map(|(_, n)| n * (n - 1) / 2).sum();
    let with_label = |at: usize| {
        let mut with: Vec<Vec<usize>> = vec![Vec::new(); near[at].len()];
        for (region, (cells, _)) in regions.iter().enumerate() {
            with[cells[at] as usize].push(region);
        }
        with
    };
    // Use the column with the fewest overlaps as the index.
    let (_, with, at) = (0..n_columns)
        .map(|at| {
            let with = with_label(at);
            let of = |label: usize| with[label].len() as u64;
            let others =
                |label: usize| near[at][label].iter().map(|&it| of(it as usize)).sum::<u64>();
            ((0..with.len()).map(|label| of(label) * others(label)).sum::<u64>(), with, at)
        })
        .min_by_key(|(n, ..)| *n)
        .filter(|(n, ..)| *n <= MOST_PAIRS)?;
    let mut different = 0;
    for (first, (cells, n)) in regions.iter().enumerate() {
        for &label in &near[at][cells[at] as usize] {
            for &second in with[label as usize].iter().filter(|second| **second > first) {
                let (others, m) = regions[second];
                let is_near = |at: usize| near[at][cells[at] as usize].contains(&others[at]);
                if (0..n_columns).all(is_near) {
                    different += n * m;
                }
            }
        }
    }
    Some(same + different)
}

/// Returns the set of overlapping labels of each label, including the label itself.
fn overlapping(
    directory: &Path,
    policy: &PolicyFile,
    name: &str,
    labels: &[String],
) -> Option<Vec<BTreeSet<u32>>> {
    if labels.len() > MOST_LABELS {
        return None;
    }
    let text = files::published_hierarchy(directory, name, policy).ok()?;
    let above = files::labels_above(&text)?;
    let is_nested = policy.recoding.generalize_to == GeneralizeTo::Hierarchy;
    let known: Vec<KnownLabel<'_>> =
        labels.iter().map(|label| read(label, is_nested, &above)).collect::<Option<_>>()?;
    let mut near: Vec<BTreeSet<u32>> = (0..labels.len() as u32).map(|at| [at].into()).collect();
    for a in 0..labels.len() {
        for b in a + 1..labels.len() {
            let overlaps = match (&known[a], &known[b]) {
                (KnownLabel::Everything, _) | (_, KnownLabel::Everything) => true,
                (KnownLabel::Numbers(a), KnownLabel::Numbers(b)) => a.meets(b),
                (KnownLabel::Values(a), KnownLabel::Values(b)) => !a.is_disjoint(b),
                (KnownLabel::Nested(above_a), KnownLabel::Nested(above_b)) => {
                    above_a.contains(&labels[b]) || above_b.contains(&labels[a])
                }
                _ => return None,
            };
            if overlaps {
                near[a].insert(b as u32);
                near[b].insert(a as u32);
            }
        }
    }
    Some(near)
}

fn read<'a>(
    label: &'a str,
    is_nested: bool,
    above: &'a BTreeMap<String, BTreeSet<String>>,
) -> Option<KnownLabel<'a>> {
    if label == STAR {
        return Some(KnownLabel::Everything);
    }
    if is_nested {
        return above.get(label).map(KnownLabel::Nested);
    }
    match Label::read(label) {
        Label::Interval(interval) => interval.stretch().map(KnownLabel::Numbers),
        // The elements of set labels are escaped, so it is ambiguous whether two sets overlap.
        Label::Set(_) => None,
        _ => match parse_decimal(label) {
            Ok(number) => Some(KnownLabel::Numbers(Stretch::point(number))),
            Err(_) => Some(KnownLabel::Values([label].into())),
        },
    }
}
