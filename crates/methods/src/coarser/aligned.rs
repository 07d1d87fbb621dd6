//! A recoding with the classes of an earlier release. Linking two releases with the same classes
//! discloses nothing beyond each release alone.

use indistinct_core::{Cell, Classes, Generalization, Recoding};
use indistinct_linkage::as_published::LabeledRelease;
use rustc_hash::FxHashMap;

use crate::bound::BoundPolicy;
use crate::prepared::PreparedTable;

/// The maximum number of combinations of levels. Classes with any other combination are ignored.
const MAX_LEVELS: usize = 256;

/// All classes with the same levels. The key contains their labels.
struct OfLevels {
    levels: Vec<usize>,
    class_of: FxHashMap<Vec<u32>, u32>,
}

/// Returns the classes of an earlier release whose labels occur in the current hierarchies, grouped
/// by levels, and their released values.
fn classes_by_levels(
    earlier: &LabeledRelease,
    labels: &[Vec<Option<(usize, u32)>>],
    places: &[usize],
) -> (Vec<OfLevels>, Vec<Vec<Cell>>) {
    let mut by_levels: Vec<OfLevels> = Vec::new();
    let mut cells: Vec<Vec<Cell>> = Vec::new();
    for class in &earlier.classes {
        let [region] = class.regions.as_slice() else { continue };
        let known = labels.iter().zip(places).map(|(of, at)| of[region[*at] as usize]);
        let Some(known) = known.collect::<Option<Vec<(usize, u32)>>>() else { continue };
        let levels: Vec<usize> = known.iter().map(|it| it.0).collect();
        let at = by_levels.iter().position(|it| it.levels == levels);
        let at = match at {
            Some(at) => at,
            None if by_levels.len() < MAX_LEVELS => {
                by_levels.push(OfLevels { levels, class_of: FxHashMap::default() });
                by_levels.len() - 1
            }
            None => continue,
        };
        let codes = known.iter().map(|it| it.1).collect();
        by_levels[at].class_of.entry(codes).or_insert(cells.len() as u32);
        cells.push(known.iter().map(|&(level, label)| Cell::Label { level, label }).collect());
    }
    (by_levels, cells)
}

/// Recodes the table with the classes of an earlier release and suppresses rows that no class
/// covers. Returns `None` if the release has different quasi-identifiers, if the policy's
/// hierarchies lack some of its labels, or if suppression would exceed the limit of the policy.
pub(super) fn aligned(
    bound: &BoundPolicy,
    prepared: &PreparedTable,
    earlier: &LabeledRelease,
) -> Option<Recoding> {
    let table = &prepared.counted.table;
    let (columns, policy) = (table.quasi_identifiers(), &prepared.policy);
    let bounds = bound.level_bounds(policy).ok()?;
    if earlier.quasi_identifiers.len() != columns.len() {
        return None;
    }
    // For each column, its position in the earlier release, and the level and code of each label.
    let mut places = Vec::with_capacity(columns.len());
    let mut labels: Vec<Vec<Option<(usize, u32)>>> = Vec::with_capacity(columns.len());
    for ((column, hierarchy), bounds) in columns.iter().zip(&policy.hierarchies).zip(&bounds) {
        let place = earlier.quasi_identifiers.iter().position(|it| it.name == column.name)?;
        let mut known: FxHashMap<&str, (usize, u32)> = FxHashMap::default();
        for level in bounds.clone() {
            for (code, label) in (0..).zip(&hierarchy.level(level).labels) {
                known.entry(label).or_insert((level, code));
            }
        }
        let of = |label: &String| known.get(label.as_str()).copied();
        labels.push(earlier.quasi_identifiers[place].labels.iter().map(of).collect());
        places.push(place);
    }
    let (by_levels, cells) = classes_by_levels(earlier, &labels, &places);
    let covered = |tuple: usize| {
        by_levels.iter().find_map(|of| {
            let label = |at: usize| {
                let level = policy.hierarchies[at].level(of.levels[at]);
                level.map[columns[at].codes[tuple] as usize]
            };
            let labels: Vec<u32> = (0..columns.len()).map(label).collect();
            of.class_of.get(&labels).copied()
        })
    };
    let found: Vec<Option<u32>> = (0..table.n_tuples()).map(covered).collect();
    let lost = found.iter().zip(table.counts()).filter(|(class, _)| class.is_none());
    if !policy.allows_suppressing(lost.map(|(_, rows)| rows).sum(), table) {
        return None;
    }
    // Empty classes are not released.
    let mut number: FxHashMap<u32, u32> = FxHashMap::default();
    let mut used: Vec<Vec<Cell>> = Vec::new();
    for class in found.iter().flatten() {
        number.entry(*class).or_insert_with(|| {
            used.push(cells[*class as usize].clone());
            used.len() as u32 - 1
        });
    }
    let class_of = found.iter().map(|class| class.map_or(0, |class| number[&class])).collect();
    Some(Recoding {
        generalization: Generalization::Classes(Classes {
            parts: None,
            class_of,
            cells: used.into_iter().collect(),
            highest: None,
        }),
        suppressed: found.iter().map(Option::is_none).collect(),
        sensitive: None,
    })
}
