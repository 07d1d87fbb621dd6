//! Counts pairs of overlapping classes, that is, classes that one person can match (reading F-2).

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Release;
use super::partition::DROPPED;
use crate::hierarchy::Hierarchy;
use crate::recoding::{Cell, Generalization, Policy, Recoding};

/// The codes of the table's values that a released label covers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CoveredCodes {
    low: u32,
    high: u32,
    /// A bit set of codes.
    codes: Vec<u64>,
}

impl CoveredCodes {
    fn new(n_codes: usize, covers: impl Fn(u32) -> bool) -> Self {
        let mut codes = vec![0u64; n_codes.div_ceil(64)];
        let (mut low, mut high) = (u32::MAX, 0);
        for code in (0..n_codes as u32).filter(|&code| covers(code)) {
            codes[code as usize / 64] |= 1 << (code % 64);
            (low, high) = (low.min(code), code);
        }
        Self { low, high, codes }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high
            && other.low <= self.high
            && self.codes.iter().zip(&other.codes).any(|(a, b)| a & b != 0)
    }
}

/// A combination of released labels, and the number of classes with this combination.
struct Region {
    /// An index into the list of covered codes, for each attribute.
    cells: Vec<u32>,
    n_classes: u64,
}

/// Returns the number of pairs of classes that a person with some of the table's values could
/// match. Labels are compared as strings: a string that is a label at several levels covers all
/// values that any of these labels covers. Suppressed rows, shown as `*`, match every person.
///
/// Overlaps are irrelevant for principles that are preserved when classes are merged: if such a
/// principle holds in each class that the victim matches, it also holds in their union.
///
/// The running time is proportional to the number of pairs of classes that overlap in one
/// attribute, for the attribute with the fewest such pairs.
pub(super) fn pairs(release: &Release<'_>, policy: &Policy, recoding: &Recoding) -> u64 {
    let (table, partition) = (release.table(), release.partition());
    let columns = table.quasi_identifiers();
    // One tuple represents each class, because all tuples of a class have the same released cells.
    let mut tuple_of = vec![0; partition.classes.len()];
    for (tuple, &class) in partition.class_of.iter().enumerate() {
        if class != DROPPED {
            tuple_of[class as usize] = tuple;
        }
    }
    let mut covered: Vec<Vec<CoveredCodes>> = vec![Vec::new(); columns.len()];
    let labels: Vec<SameText<'_>> = policy.hierarchies.iter().map(SameText::new).collect();
    let mut known: BTreeMap<(usize, Option<Cell>), u32> = BTreeMap::new();
    let mut regions: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    for &tuple in &tuple_of {
        let cells = (0..columns.len()).map(|at| {
            let cell = match (&recoding.generalization, recoding.suppressed[tuple]) {
                (_, true) => None,
                (Generalization::FullDomain { levels, .. }, _) => {
                    let code = columns[at].codes[tuple] as usize;
                    let label = policy.hierarchies[at].level(levels[at]).map[code];
                    Some(Cell::Label { level: levels[at], label })
                }
                (Generalization::Classes(classes), _) => {
                    Some(classes.cells.get(classes.class_of[tuple] as usize, at).clone())
                }
            };
            *known.entry((at, cell)).or_insert_with_key(|(_, cell)| {
                let hierarchy = &policy.hierarchies[at];
                let cells = match (cell, &recoding.generalization) {
                    (Some(cell), Generalization::Classes(_)) => labels[at].with_text_of(cell),
                    (Some(cell), Generalization::FullDomain { .. }) => vec![cell.clone()],
                    (None, _) => Vec::new(),
                };
                let covers =
                    |code| cell.is_none() || cells.iter().any(|cell| cell.covers(hierarchy, code));
                covered[at].push(CoveredCodes::new(columns[at].dictionary.len(), covers));
                covered[at].len() as u32 - 1
            })
        });
        *regions.entry(cells.collect()).or_default() += 1;
    }
    let regions: Vec<Region> =
        regions.into_iter().map(|(cells, n_classes)| Region { cells, n_classes }).collect();
    let of = |region: &Region, at: usize| &covered[at][region.cells[at] as usize];
    let same: u64 = regions.iter().map(|r| r.n_classes * (r.n_classes - 1) / 2).sum();

    let by = (0..columns.len()).min_by_key(|&at| {
        let bounds = regions.iter().map(|region| (of(region, at).low, of(region, at).high));
        near_pairs(bounds.collect())
    });
    let Some(by) = by else { return same };
    let mut in_order: Vec<&Region> = regions.iter().collect();
    in_order.sort_by_key(|region| of(region, by).low);
    let mut different = 0;
    for (at, region) in in_order.iter().enumerate() {
        let near =
            in_order[at + 1..].iter().take_while(|other| of(other, by).low <= of(region, by).high);
        for other in near {
            if (0..columns.len()).all(|at| of(region, at).overlaps(of(other, at))) {
                different += region.n_classes * other.n_classes;
            }
        }
    }
    same + different
}

/// The labels of a hierarchy, grouped by string.
struct SameText<'a> {
    hierarchy: &'a Hierarchy,
    cells: FxHashMap<&'a str, Vec<Cell>>,
}

impl<'a> SameText<'a> {
    fn new(hierarchy: &'a Hierarchy) -> Self {
        let mut cells: FxHashMap<&str, Vec<Cell>> = FxHashMap::default();
        for level in 0..hierarchy.n_levels() {
            for (label, text) in hierarchy.level(level).labels.iter().enumerate() {
                let label = label as u32;
                cells.entry(text).or_default().push(Cell::Label { level, label });
            }
        }
        Self { hierarchy, cells }
    }

    /// Returns all cells that have the same text as the given cell, including the given cell.
    fn with_text_of(&self, cell: &Cell) -> Vec<Cell> {
        match cell {
            Cell::Label { level, label } => {
                self.cells[&self.hierarchy.level(*level).labels[*label as usize][..]].clone()
            }
            _ => vec![cell.clone()],
        }
    }
}

/// Returns the number of pairs of overlapping ranges.
fn near_pairs(bounds: Vec<(u32, u32)>) -> u64 {
    let n = bounds.len() as u64;
    let mut lows: Vec<u32> = bounds.iter().map(|bound| bound.0).collect();
    lows.sort_unstable();
    let behind = |high: u32| n - lows.partition_point(|&low| low <= high) as u64;
    n * n.saturating_sub(1) / 2 - bounds.iter().map(|bound| behind(bound.1)).sum::<u64>()
}
