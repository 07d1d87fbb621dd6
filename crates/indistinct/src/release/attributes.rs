//! The released quasi-identifiers, with the number of rows of each label and the levels that the
//! rows reveal.

use std::collections::BTreeMap;

use indistinct_core::hierarchy::{HierarchyRule, released_cells_csv, released_csv};
use indistinct_core::{CertifiedRelease, DROPPED, Generalization, Hierarchy, STAR};

use indistinct_report::{in_order_of, n_levels};

use super::Certified;

/// A released quasi-identifier.
pub(super) struct ReleasedAttribute<'a> {
    pub(super) name: &'a str,
    /// The highest level that has the same labels for all released rows, which is the level that
    /// the rows reveal. `None` if the number of the level would disclose something about the input:
    /// the number of levels of a mask is the length of the longest original value.
    pub(super) level: Option<usize>,
    /// The number of levels that the published hierarchy reveals.
    pub(super) n_levels: Option<usize>,
    /// Number of rows with each released label, in the order of the published hierarchy.
    pub(super) rows: Vec<(String, u64)>,
    /// The published part of the hierarchy.
    pub(super) csv: String,
}

impl Certified<'_> {
    pub(super) fn attributes(&self) -> Vec<ReleasedAttribute<'_>> {
        let columns = self.release.table().quasi_identifiers();
        let is_as_it_was = self.release.perturbed().is_some() || self.release.tables().is_some();
        columns
            .iter()
            .enumerate()
            .map(|(at, column)| {
                let hierarchy = &self.prepared.policy.hierarchies[at];
                let rows = self.rows_by_label(at);
                let (level, csv) = match self.rows().map(|(_, recoding)| &recoding.generalization) {
                    Some(Generalization::Classes(classes)) if !is_as_it_was => {
                        let cells = classes.cells.of_attribute(at).distinct().iter();
                        let csv =
                            released_cells_csv(hierarchy, &column.dictionary, cells, |text| {
                                rows.contains_key(text)
                            });
                        (None, csv)
                    }
                    generalization => {
                        let level = match generalization {
                            Some(Generalization::FullDomain { levels, .. }) if !is_as_it_was => {
                                shown_level(hierarchy, levels[at], &rows)
                            }
                            _ => 0,
                        };
                        let occurs = |label: &str| rows.contains_key(label);
                        (Some(level), released_csv(hierarchy, level, occurs))
                    }
                };
                let in_order = in_order_of(&csv, rows);
                let is_masked = matches!(self.job.bound().rules[at].1, HierarchyRule::Mask(_));
                let level = match level {
                    Some(level) if is_masked && level > 0 => masked_level(level, &in_order),
                    level => level,
                };
                ReleasedAttribute {
                    name: &column.name,
                    level,
                    n_levels: level.map(|level| n_levels(level, &csv)),
                    rows: in_order,
                    csv,
                }
            })
            .collect()
    }

    /// Returns the number of rows with each released label of a quasi-identifier.
    fn rows_by_label(&self, at: usize) -> BTreeMap<&str, u64> {
        let mut rows: BTreeMap<&str, u64> = BTreeMap::new();
        match &self.release {
            CertifiedRelease::Rows(release, _) => {
                let partition = release.partition();
                let mut of_label = vec![None; partition.labels[at].len()];
                for class in partition.classes.iter() {
                    *of_label[class.labels[at] as usize].get_or_insert(0) += class.size;
                }
                for (label, of_label) in partition.labels[at].iter().zip(of_label) {
                    if let Some(n_rows) = of_label {
                        *rows.entry(label).or_insert(0) += n_rows;
                    }
                }
            }
            CertifiedRelease::Tables(release) => {
                let column = &release.table().quasi_identifiers()[at];
                let tuples = release.class_of().iter().zip(release.table().counts());
                for (&code, (_, count)) in
                    column.codes.iter().zip(tuples).filter(|(_, (class, _))| **class != DROPPED)
                {
                    *rows.entry(column.dictionary.value(code)).or_insert(0) += count;
                }
            }
        }
        rows
    }
}

/// Returns the highest level at which every released row has the same label as at `level`.
fn shown_level(hierarchy: &Hierarchy, level: usize, rows: &BTreeMap<&str, u64>) -> usize {
    let here = hierarchy.level(level);
    let same = |upper: usize| {
        let above = hierarchy.level(upper);
        here.map.iter().zip(&above.map).all(|(&low, &high)| {
            let label = here.labels[low as usize].as_str();
            !rows.contains_key(label) || above.labels[high as usize] == label
        })
    };
    let released_any = rows.keys().any(|label| *label != STAR);
    if !released_any {
        return hierarchy.n_levels() - 1;
    }
    (level + 1..hierarchy.n_levels()).take_while(|&upper| same(upper)).last().unwrap_or(level)
}

/// Returns the number of masked characters that the rows show. The number of higher levels depends
/// on the longest value of the input and must not be disclosed.
fn masked_level(level: usize, rows: &[(String, u64)]) -> Option<usize> {
    let labels = rows.iter().map(|(label, _)| label).filter(|label| *label != STAR);
    labels.map(|label| label.matches(STAR).count()).max().map(|hidden| hidden.min(level))
}
