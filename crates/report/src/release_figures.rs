//! Computes the data for the figures of both reports from a certified release and, for the data
//! holder, from the original table.
//!
//! Loops over classes and attributes stop if the observer requests cancellation. The result is then
//! incomplete and must be discarded.
//!
//! Invariant: the data for the public report depends only on the released rows; see [`contrast`].

use std::collections::BTreeMap;

use indistinct_answers::report::{Contrast, Group, Marginal};
use indistinct_core::model::CountedColumn;
use indistinct_core::{
    Cell, CertifiedRelease, DROPPED, Dictionary, FrequencyTable, Generalization, Hierarchy,
    Observer,
};
use indistinct_release::files::SensitiveValuesOf;

use crate::contrast::contrast;

/// The maximum number of groups of values in a figure.
const MOST_GROUPS: usize = 20;

/// The input for figures.
#[derive(Debug, Clone, Copy)]
pub struct ReleaseFigures<'a> {
    /// The release.
    pub certified: &'a CertifiedRelease<'a>,
    /// The original table, without counterfeits.
    pub original: &'a FrequencyTable,
    /// The hierarchies of the quasi-identifiers as applied to the original table.
    pub hierarchies: &'a [Hierarchy],
}

impl ReleaseFigures<'_> {
    /// For each sensitive attribute, the classes that deviate most from the whole release. In a
    /// release with two tables, `class_numbers` contains the published class numbers.
    pub fn contrasts(
        &self,
        of: SensitiveValuesOf,
        class_numbers: Option<&[u32]>,
        observer: &dyn Observer,
    ) -> Vec<Contrast> {
        if of == SensitiveValuesOf::Perturbed {
            return Vec::new();
        }
        let numbers: Vec<String> = class_numbers
            .unwrap_or_default()
            .iter()
            .map(|number| format!("class {number}"))
            .collect();
        let labels = |class: u32| -> Vec<&str> {
            let CertifiedRelease::Rows(release, _) = self.certified else {
                return vec![&numbers[class as usize]];
            };
            let partition = release.partition();
            let labels = partition.classes.get(class).labels.iter().zip(&partition.labels);
            labels.map(|(&label, labels)| labels[label as usize].as_str()).collect()
        };
        let (table, class_of) = (self.certified.table(), self.certified.class_of());
        let attributes = (0..table.sensitive().len()).take_while(|_| !observer.is_cancelled());
        attributes.map(|at| contrast(table, class_of, at, &labels, observer)).collect()
    }

    /// Returns the released values of a sensitive attribute with their row counts, in an order that
    /// depends only on the values and counts.
    pub fn released_sensitive(&self, attribute: usize) -> Vec<(String, u64)> {
        let column = &self.certified.table().sensitive()[attribute];
        let rows = self.rows_of_codes(column);
        let occurring = |code: &usize| rows[*code] > 0;
        let values = (0..rows.len()).filter(occurring);
        let values = values.map(|code| column.dictionary.value(code as u32).to_owned()).collect();
        let (released, _) = Dictionary::from_distinct(values);
        let of = |value: &String| {
            let code = column.dictionary.code_of(value).expect("the value is from the dictionary");
            (value.clone(), rows[code as usize])
        };
        released.values().iter().map(of).collect()
    }

    /// Returns the number of released rows for each code of a column.
    fn rows_of_codes(&self, column: &CountedColumn) -> Vec<u64> {
        let mut rows = vec![0; column.dictionary.len()];
        let tuples = self.certified.class_of().iter().zip(&column.codes);
        for ((&class, &code), &count) in tuples.zip(self.certified.table().counts()) {
            if class != DROPPED {
                rows[code as usize] += count;
            }
        }
        rows
    }

    /// Returns the value frequencies before and after anonymization, starting with
    /// quasi-identifiers; for the data holder only.
    pub fn marginals(&self, observer: &dyn Observer) -> Vec<Marginal> {
        let counted = self.original;
        let known = counted.quasi_identifiers().iter().enumerate().map(|(at, column)| {
            let hierarchy = &self.hierarchies[at];
            let before = counted.marginal(column);
            let cells = self.released_cells(at);
            let after = spread(&cells, hierarchy, column.dictionary.len());
            let is_spread = cells.iter().any(|(cell, _)| covers_several(cell, hierarchy));
            let values = column.dictionary.values().iter().zip(before).zip(after);
            Marginal {
                attribute: column.name.clone(),
                values: values.map(|((value, n), m)| (value.clone(), n, m)).collect(),
                groups: groups(hierarchy),
                is_spread,
            }
        });
        let sensitive = counted.sensitive().iter().enumerate().map(|(at, column)| {
            let mut released: BTreeMap<String, u64> =
                self.released_sensitive(at).into_iter().collect();
            let before = column.dictionary.values().iter().zip(counted.marginal(column));
            let mut values: Vec<(String, u64, f64)> = before
                .map(|(value, n)| (value.clone(), n, released.remove(value).unwrap_or(0) as f64))
                .collect();
            // The remaining values are generalized sensitive values or noise that does not occur in
            // the table.
            values.extend(released.into_iter().map(|(value, n)| (value, 0, n as f64)));
            Marginal { attribute: column.name.clone(), values, groups: None, is_spread: false }
        });
        known.chain(sensitive).take_while(|_| !observer.is_cancelled()).collect()
    }

    /// Returns the released cells of a quasi-identifier with their row counts.
    fn released_cells(&self, attribute: usize) -> Vec<(Cell, u64)> {
        let (table, class_of) = (self.certified.table(), self.certified.class_of());
        let hierarchy = &self.hierarchies[attribute];
        let top = Cell::Label { level: hierarchy.n_levels() - 1, label: 0 };
        let column = &table.quasi_identifiers()[attribute];
        let recoding = self.certified.rows().map(|(_, recoding)| recoding);
        // Count codes and classes first, because they are far less numerous than tuples.
        let generalization = recoding.map(|recoding| &recoding.generalization);
        let (unit_of, n_units) = match generalization {
            Some(Generalization::Classes(classes)) => {
                (&classes.class_of, classes.cells.n_classes())
            }
            _ => (&column.codes, column.dictionary.len()),
        };
        let mut rows_of = vec![0; n_units];
        let mut n_suppressed = 0;
        for (tuple, &count) in table.counts().iter().enumerate() {
            match recoding.is_some_and(|recoding| recoding.suppressed[tuple]) {
                _ if class_of[tuple] == DROPPED => {}
                true => n_suppressed += count,
                false => rows_of[unit_of[tuple] as usize] += count,
            }
        }
        if let Some(Generalization::Classes(classes)) = generalization {
            let cells = classes.cells.of_attribute(attribute);
            let mut of_cell = vec![0; cells.distinct().len()];
            for (&cell, count) in cells.of_classes().iter().zip(rows_of) {
                of_cell[cell as usize] += count;
            }
            rows_of = of_cell;
        }
        let mut rows: BTreeMap<Cell, u64> = BTreeMap::new();
        let mut add = |cell: &Cell, count: u64| match rows.get_mut(cell) {
            _ if count == 0 => {}
            Some(sum) => *sum += count,
            None => drop(rows.insert(cell.clone(), count)),
        };
        add(&top, n_suppressed);
        for (unit, &count) in rows_of.iter().enumerate() {
            match generalization {
                None => add(&Cell::Set(vec![unit as u32]), count),
                Some(Generalization::FullDomain { levels, .. }) => {
                    let level = levels[attribute];
                    let label = hierarchy.level(level).map[unit];
                    add(&Cell::Label { level, label }, count);
                }
                Some(Generalization::Classes(classes)) => {
                    add(&classes.cells.of_attribute(attribute).distinct()[unit], count);
                }
            }
        }
        rows.into_iter().collect()
    }
}

/// Returns whether a cell covers several values in the table.
fn covers_several(cell: &Cell, hierarchy: &Hierarchy) -> bool {
    match cell {
        Cell::Label { level, label } => {
            let of_label = hierarchy.level(*level).map.iter().filter(|it| *it == label);
            of_label.take(2).count() > 1
        }
        Cell::Range { low, high } => low < high,
        Cell::Set(codes) => codes.len() > 1,
        Cell::Generated { of, .. } => covers_several(of, hierarchy),
    }
}

/// Distributes the rows of each cell evenly over the values that it covers. Returns the number of
/// rows for each of `n` codes.
fn spread(cells: &[(Cell, u64)], hierarchy: &Hierarchy, n: usize) -> Vec<f64> {
    let mut rows = vec![0.0; n];
    // Differences between adjacent codes, whose running sum is the number of rows from ranges.
    let mut changes = vec![0.0; n + 1];
    let mut of_labels: Vec<Vec<u64>> = Vec::new();
    for level in 0..hierarchy.n_levels() {
        of_labels.push(vec![0; hierarchy.level(level).labels.len()]);
    }
    for (cell, count) in cells {
        match cell.stands_for() {
            Cell::Generated { .. } => {}
            Cell::Label { level, label } => of_labels[*level][*label as usize] += count,
            Cell::Range { low, high } => {
                let each = *count as f64 / f64::from(high - low + 1);
                changes[*low as usize] += each;
                changes[*high as usize + 1] -= each;
            }
            Cell::Set(codes) => {
                let each = *count as f64 / codes.len().max(1) as f64;
                codes.iter().for_each(|&code| rows[code as usize] += each);
            }
        }
    }
    for (level, of_labels) in of_labels.iter().enumerate() {
        let map = &hierarchy.level(level).map;
        let mut covered = vec![0u64; of_labels.len()];
        map.iter().for_each(|&label| covered[label as usize] += 1);
        for (row, &label) in rows.iter_mut().zip(map) {
            let label = label as usize;
            *row += of_labels[label] as f64 / covered[label] as f64;
        }
    }
    let mut running = 0.0;
    for (row, change) in rows.iter_mut().zip(changes) {
        running += change;
        // Rounding errors may leave a small nonzero sum.
        *row += if running > 1e-6 { running } else { 0.0 };
    }
    rows
}

/// Groups values by their labels at the lowest level that has few labels, or returns `None` if no
/// level below the top has few.
fn groups(hierarchy: &Hierarchy) -> Option<Vec<Group>> {
    let top = hierarchy.n_levels() - 1;
    let level = (0..top).find(|&level| hierarchy.level(level).labels.len() <= MOST_GROUPS)?;
    let level = hierarchy.level(level);
    let mut groups: Vec<Group> =
        level.labels.iter().map(|it| Group { label: it.clone(), values: Vec::new() }).collect();
    for (value, &label) in level.map.iter().enumerate() {
        groups[label as usize].values.push(value);
    }
    groups.sort_by_key(|group| group.values.first().copied());
    Some(groups)
}

#[cfg(test)]
mod tests {
    use indistinct_core::hierarchy::HierarchyLevel;

    use super::*;

    fn hierarchy() -> Hierarchy {
        let level = |map: &[u32], labels: &[&str]| HierarchyLevel {
            map: map.to_vec(),
            labels: labels.iter().map(|it| (*it).to_owned()).collect(),
            covered: vec![1; labels.len()],
        };
        let levels = vec![
            level(&[0, 1, 2, 3], &["1", "2", "3", "4"]),
            level(&[0, 0, 1, 1], &["low", "high"]),
            level(&[0, 0, 0, 0], &["*"]),
        ];
        Hierarchy::new(levels, 4).expect("nested")
    }

    #[test]
    fn rows_are_spread_evenly_over_covered_values() {
        let cells = [
            (Cell::Label { level: 1, label: 0 }, 6),
            (Cell::Label { level: 2, label: 0 }, 4),
            (Cell::Range { low: 1, high: 3 }, 9),
            (Cell::Set(vec![0, 3]), 10),
            (Cell::Label { level: 0, label: 2 }, 1),
        ];
        assert_eq!(spread(&cells, &hierarchy(), 4), [9.0, 7.0, 5.0, 9.0]);
        let several: Vec<bool> =
            cells.iter().map(|(cell, _)| covers_several(cell, &hierarchy())).collect();
        assert_eq!(several, [true, true, true, true, false]);
    }

    #[test]
    fn groups_use_lowest_level_with_few_labels() {
        let groups = groups(&hierarchy()).expect("a level");
        assert_eq!(groups.len(), 4);
        assert_eq!(groups[2], Group { label: "3".into(), values: vec![2] });
    }
}
