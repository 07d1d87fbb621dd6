//! The parts of a class that have equal values in all sensitive attributes except one.
//!
//! Class tables count combinations of sensitive values like the values of an additional sensitive
//! attribute.

use std::collections::BTreeMap;

use indistinct_core::FrequencyTable;

use crate::judge::combinations;

/// The distinct combinations of sensitive values of a table.
#[derive(Debug)]
pub(super) struct Joint {
    /// The values of each combination; combinations are numbered in ascending order.
    combinations: Vec<Vec<u32>>,
    /// The combination of each tuple of the table.
    pub codes: Vec<u32>,
}

/// Divides classes by the values of all sensitive attributes except one.
#[derive(Debug)]
pub(super) struct Division {
    attribute: Option<usize>,
    /// The part of each combination.
    part_of: Vec<u32>,
}

/// The rows of a class that have equal values in all sensitive attributes except one.
#[derive(Debug)]
pub(super) struct Part {
    pub size: u64,
    /// The histogram entries of each sensitive attribute.
    pub entries: Vec<Vec<(u32, u64)>>,
}

impl Joint {
    pub fn new(table: &FrequencyTable) -> Self {
        let (combinations, codes) = combinations(table, None);
        Self { combinations, codes }
    }

    /// Number of distinct combinations.
    pub fn len(&self) -> usize {
        self.combinations.len()
    }

    /// Returns the division by all attributes except the given one.
    pub fn division(&self, attribute: Option<usize>) -> Division {
        let others = |combination: &Vec<u32>| {
            let values = combination.iter().enumerate();
            let others = values.filter(|(at, _)| Some(*at) != attribute);
            others.map(|(_, value)| *value).collect::<Vec<u32>>()
        };
        let mut number: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        let part = |combination| {
            let next = number.len() as u32;
            *number.entry(others(combination)).or_insert(next)
        };
        Division { attribute, part_of: self.combinations.iter().map(part).collect() }
    }

    /// Returns whether `holds` returns true for all parts of a class, given the counts of the
    /// combinations of the class.
    pub fn all_parts(
        &self,
        division: &Division,
        entries: &[(u32, u64)],
        mut holds: impl FnMut(&Part) -> bool,
    ) -> bool {
        let mut cells = entries.to_vec();
        // Combinations are in ascending order, and so are the values of the attribute within a
        // part.
        cells.sort_unstable_by_key(|&(code, _)| (division.part_of[code as usize], code));
        let same = |a: &(u32, u64), b: &(u32, u64)| {
            division.part_of[a.0 as usize] == division.part_of[b.0 as usize]
        };
        cells.chunk_by(same).all(|cells| {
            let size = cells.iter().map(|cell| cell.1).sum();
            let shared = &self.combinations[cells[0].0 as usize];
            let of_attribute = |(at, &value): (usize, &u32)| match division.attribute {
                Some(attribute) if attribute == at => cells
                    .iter()
                    .map(|&(code, count)| (self.combinations[code as usize][at], count))
                    .collect(),
                _ => vec![(value, size)],
            };
            holds(&Part { size, entries: shared.iter().enumerate().map(of_attribute).collect() })
        })
    }
}

#[cfg(test)]
mod tests {
    use indistinct_core::Dictionary;
    use indistinct_core::model::CountedColumn;

    use super::*;

    #[test]
    fn parts_share_all_other_sensitive_values() {
        let column = |codes: &[u32]| CountedColumn {
            name: "s".to_owned(),
            dictionary: Dictionary::from_distinct(vec!["a".to_owned(), "b".to_owned()]).0,
            codes: codes.to_vec(),
        };
        let sensitive = vec![column(&[0, 0, 1, 1]), column(&[0, 1, 0, 1])];
        let table = FrequencyTable::new(Vec::new(), sensitive, vec![1; 4]).expect("valid");
        let joint = Joint::new(&table);
        assert_eq!((joint.len(), joint.codes.as_slice()), (4, [0, 1, 2, 3].as_slice()));
        let parts = |attribute| {
            let mut parts = Vec::new();
            let entries = [(0, 5), (1, 1), (2, 2)];
            assert!(joint.all_parts(&joint.division(attribute), &entries, |part| {
                parts.push((part.size, part.entries.clone()));
                true
            }));
            parts
        };
        assert_eq!(
            parts(Some(0)),
            [(7, vec![vec![(0, 5), (1, 2)], vec![(0, 7)]]), (1, vec![vec![(0, 1)], vec![(1, 1)]])]
        );
        assert_eq!(
            parts(Some(1)),
            [(6, vec![vec![(0, 6)], vec![(0, 5), (1, 1)]]), (2, vec![vec![(1, 2)], vec![(0, 2)]])]
        );
        assert_eq!(parts(None).len(), 3);
    }
}
