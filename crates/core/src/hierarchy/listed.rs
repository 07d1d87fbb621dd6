//! Hierarchies that list their domain: the shared implementation of [`Arx`](super::Arx) and
//! [`Tree`](super::Tree).

use indistinct_labels::Period;
use rustc_hash::{FxHashMap, FxHashSet};

use super::labels::level_of;
use super::{Hierarchy, HierarchyLevel, HierarchyProblem, MOST_LEVELS, ValueProblem, torn_labels};
use crate::{Dictionary, MISSING, STAR, parse_decimal};

/// A nonempty list of distinct values, each with its label at every higher level. Levels are
/// nested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListedValues {
    /// Level 0 contains the values in the order in which they are listed, and the last level has
    /// one label.
    levels: Vec<HierarchyLevel>,
}

/// Returns a problem for each label that equals a value (or a missing value) but also covers
/// another value. Recipients would mistake such a label for the value.
fn labels_like_values(levels: &[HierarchyLevel]) -> Vec<HierarchyProblem> {
    let Some((raw, above)) = levels.split_first() else { return Vec::new() };
    let values: FxHashSet<&str> = raw.labels.iter().map(String::as_str).collect();
    let of_level = |(level, at): (&HierarchyLevel, usize)| {
        let is_value = |label: &String| label == MISSING || values.contains(label.as_str());
        let mut is_torn: Vec<Option<bool>> =
            level.labels.iter().map(|label| is_value(label).then_some(false)).collect();
        for (&value, &label) in raw.map.iter().zip(&level.map) {
            if let Some(is_torn) = &mut is_torn[label as usize] {
                *is_torn |= raw.labels[value as usize] != level.labels[label as usize];
            }
        }
        let torn = level.labels.iter().zip(is_torn).filter(|(_, is_torn)| *is_torn == Some(true));
        let labels: Vec<String> = torn.map(|(label, _)| label.clone()).collect();
        (!labels.is_empty()).then_some(HierarchyProblem::LabelIsValue { level: at, labels })
    };
    above.iter().zip(1..).filter_map(of_level).collect()
}

/// Returns a problem for each label that is not a listed value but reads as one: a number in a
/// column of numbers, or a day in a column of days, that covers another number or day. If a column
/// mixes such labels with values, programs compute with the labels.
fn labels_read_as_values<T: PartialEq>(
    levels: &[HierarchyLevel],
    read: impl Fn(&str) -> Option<T>,
) -> Vec<HierarchyProblem> {
    let Some((raw, above)) = levels.split_first() else { return Vec::new() };
    let values: Vec<Option<T>> = raw.labels.iter().map(|value| read(value)).collect();
    let is_read = |(text, value): (&String, &Option<T>)| text == MISSING || value.is_some();
    if !raw.labels.iter().zip(&values).all(is_read) {
        return Vec::new();
    }
    let listed: FxHashSet<&str> = raw.labels.iter().map(String::as_str).collect();
    let of_level = |(level, at): (&HierarchyLevel, usize)| {
        let own: Vec<Option<T>> = level.labels.iter().map(|label| read(label)).collect();
        let mut covers_others = vec![false; own.len()];
        for (&value, &label) in raw.map.iter().zip(&level.map) {
            let label = label as usize;
            covers_others[label] |= own[label].is_some() && own[label] != values[value as usize];
        }
        let wrong = level.labels.iter().zip(covers_others);
        let wrong = wrong.filter(|(label, wrong)| *wrong && !listed.contains(label.as_str()));
        let labels: Vec<String> = wrong.map(|(label, _)| label.clone()).collect();
        (!labels.is_empty()).then_some(HierarchyProblem::LabelLooksLikeValue { level: at, labels })
    };
    above.iter().zip(1..).filter_map(of_level).collect()
}

impl ListedValues {
    /// Returns the values, in their order.
    pub(super) fn values(&self) -> &[String] {
        &self.levels[0].labels
    }

    /// Creates the levels from rows that contain the value and its labels, from the bottom to the
    /// top. A top level `*` is added if level 0 is the only level or the last level has several
    /// labels.
    ///
    /// All rows must have the same length, and their values must be distinct.
    pub(super) fn new(rows: &[Vec<String>]) -> Result<Self, Vec<HierarchyProblem>> {
        let n_columns = rows.first().map_or(0, Vec::len);
        if n_columns > MOST_LEVELS {
            let (n_levels, limit) = (n_columns, MOST_LEVELS);
            return Err(vec![HierarchyProblem::TooManyLevels { n_levels, limit }]);
        }
        let mut levels: Vec<HierarchyLevel> = (0..n_columns)
            .map(|column| level_of(rows.iter().map(|row| row[column].clone())))
            .collect();
        let covers_all = |level: &HierarchyLevel| level.labels.len() == 1;
        if n_columns < 2 || !levels.last().is_some_and(covers_all) {
            levels.push(level_of(rows.iter().map(|_| STAR.to_owned())));
        }
        let mut problems: Vec<_> = levels
            .windows(2)
            .enumerate()
            .filter_map(|(at, pair)| {
                let torn = torn_labels(&pair[0], &pair[1]);
                let label = |&label: &u32| pair[0].labels[label as usize].clone();
                (!torn.is_empty()).then(|| HierarchyProblem::NotNested {
                    level: at + 1,
                    n_labels: torn.len(),
                    labels: torn.iter().map(label).collect(),
                })
            })
            .collect();
        problems.extend(labels_like_values(&levels));
        problems.extend(labels_read_as_values(&levels, |text| parse_decimal(text).ok()));
        let day = |text: &str| Period::day_of(text).filter(|_| text.len() == "YYYY-MM-DD".len());
        problems.extend(labels_read_as_values(&levels, day));
        if problems.is_empty() { Ok(Self { levels }) } else { Err(problems) }
    }

    /// Resolves the hierarchy of a column. A missing value that is not listed is added to the
    /// domain.
    pub(super) fn resolve(
        &self,
        dictionary: &Dictionary,
    ) -> Result<Hierarchy, Vec<HierarchyProblem>> {
        let listed: FxHashMap<&str, u32> =
            self.levels[0].labels.iter().map(String::as_str).zip(0..).collect();
        let n_listed = listed.len() as u32;
        let mut positions = Vec::with_capacity(dictionary.len());
        let mut absent = Vec::new();
        let mut own_missing = false;
        for value in dictionary.values() {
            match listed.get(value.as_str()) {
                Some(&position) => positions.push(position),
                None if value == MISSING => {
                    own_missing = true;
                    positions.push(n_listed);
                }
                // The position of `*` is irrelevant, because the caller reports this value as a
                // problem.
                None if value == STAR => positions.push(0),
                None => absent.push(value.clone()),
            }
        }
        if !absent.is_empty() {
            return Err(vec![HierarchyProblem::Values {
                why: ValueProblem::NotListed,
                values: absent,
                n_values: dictionary.len(),
            }]);
        }
        let domain = if own_missing { self.levels_with_missing() } else { self.levels.clone() };
        Hierarchy::with_domain(domain, n_listed as usize, &positions)
            .map_err(|problem| vec![problem])
    }

    /// Returns the levels for a domain with a missing value. The last level must not state that the
    /// missing value belongs to the only listed group, such as `Europe`; in that case, a level `*`
    /// is added.
    fn levels_with_missing(&self) -> Vec<HierarchyLevel> {
        let label = |level: &HierarchyLevel, at: u32| level.labels[at as usize].clone();
        let with_missing = |level: &HierarchyLevel| {
            let is_star = level.labels.iter().all(|label| label == STAR);
            let own = if is_star { STAR } else { MISSING };
            let listed = level.map.iter().map(|&value| label(level, value));
            level_of(listed.chain([own.to_owned()]))
        };
        let mut levels: Vec<HierarchyLevel> = self.levels.iter().map(with_missing).collect();
        if levels.last().is_some_and(|top| top.labels.len() > 1) {
            levels.push(level_of(levels[0].map.iter().map(|_| STAR.to_owned())));
        }
        levels
    }
}
