//! Assigns each row of a table to a person. A person can have several rows.

use indistinct_diagnostics::words;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{FrequencyTable, InvalidTable};
use crate::Hierarchy;

words! {
    /// How several rows of one person are treated.
    #[derive(Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum RowsOfPerson {
        /// All of a person's rows have the same released quasi-identifiers, at sufficiently coarse
        /// levels.
        Uniform = "uniform",
        /// Each row is recoded separately. A person may be in several classes, and each class
        /// contains enough other people.
        Independent = "independent",
    }
}

/// The people of a frequency table, with the number of rows that each person has in each tuple.
///
/// A *person* is the unit that the data holder counts, for example a patient with several visits or
/// a household with several members. People are represented by numbers; only the data holder knows
/// their identities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct People {
    /// The index of the first entry of each tuple, followed by the total number of entries.
    starts: Vec<usize>,
    /// Pairs of a person's index and the person's number of rows, sorted by person within each
    /// tuple.
    entries: Vec<(u32, u64)>,
    n_people: u64,
    rows: RowsOfPerson,
}

impl People {
    /// Creates the people of a table from the tuple and the person of each row, in any order.
    ///
    /// # Errors
    /// Returns [`InvalidTable`] if the rows do not match the table.
    pub fn new(
        table: &FrequencyTable,
        mut of_rows: Vec<(u32, u32)>,
        rows: RowsOfPerson,
    ) -> Result<Self, InvalidTable> {
        of_rows.sort_unstable();
        let mut starts = vec![0; table.n_tuples() + 1];
        let mut entries: Vec<(u32, u64)> = Vec::new();
        let mut last = None;
        for row in of_rows {
            let start =
                starts.get_mut(row.0 as usize + 1).filter(|_| (row.0 as usize) < table.n_tuples());
            let n_entries = start.ok_or(InvalidTable::PartOrder { part: row.0 as usize })?;
            match entries.last_mut() {
                Some(entry) if last == Some(row) => entry.1 += 1,
                _ => {
                    entries.push((row.1, 1));
                    *n_entries += 1;
                }
            }
            last = Some(row);
        }
        for at in 0..table.n_tuples() {
            starts[at + 1] += starts[at];
        }
        let mut all: Vec<u32> = entries.iter().map(|entry| entry.0).collect();
        all.sort_unstable();
        all.dedup();
        let people = Self { starts, entries, n_people: all.len() as u64, rows };
        match people.misfit(table) {
            None => Ok(people),
            Some((tuple, got)) => {
                let expected = table.counts()[tuple];
                Err(InvalidTable::Parts { tuple, got: u128::from(got), expected })
            }
        }
    }

    /// Returns the first tuple whose number of rows differs from that in the table, with the number
    /// of rows found here.
    fn misfit(&self, table: &FrequencyTable) -> Option<(usize, u64)> {
        let rows = |tuple: usize| self.of_tuple(tuple).iter().map(|entry| entry.1).sum::<u64>();
        (0..table.n_tuples())
            .map(|tuple| (tuple, rows(tuple)))
            .find(|(at, rows)| table.counts()[*at] != *rows)
    }

    /// Returns whether the people match a table, which must have the same tuples with the same
    /// numbers of rows.
    pub fn fit(&self, table: &FrequencyTable) -> bool {
        self.starts.len() == table.n_tuples() + 1 && self.misfit(table).is_none()
    }

    /// Returns the people of a tuple in ascending order, with the number of rows of each person.
    ///
    /// # Panics
    /// Panics if the tuple does not exist.
    pub fn of_tuple(&self, tuple: usize) -> &[(u32, u64)] {
        &self.entries[self.starts[tuple]..self.starts[tuple + 1]]
    }

    /// Returns the number of people.
    pub fn n_people(&self) -> u64 {
        self.n_people
    }

    /// Returns how several rows of one person are treated.
    pub fn rows(&self) -> RowsOfPerson {
        self.rows
    }

    /// Returns the number of people whose rows are in several classes. `class_of` contains the
    /// class of each tuple.
    pub fn n_divided(&self, class_of: &[u32]) -> u64 {
        let mut first: FxHashMap<u32, (u32, bool)> = FxHashMap::default();
        let mut n_divided = 0;
        for (tuple, &class) in class_of.iter().enumerate() {
            for &(person, _) in self.of_tuple(tuple) {
                let (known, is_divided) = first.entry(person).or_insert((class, false));
                if *known != class && !*is_divided {
                    *is_divided = true;
                    n_divided += 1;
                }
            }
        }
        n_divided
    }

    /// Returns the number of people with several quasi-identifier combinations.
    pub fn n_of_several_combinations(&self, table: &FrequencyTable) -> u64 {
        self.n_divided(&table.groups().of_tuples())
    }

    /// Returns, for each quasi-identifier, the lowest level at which all rows of each person have
    /// the same label.
    ///
    /// # Panics
    /// Panics if the number of hierarchies differs from the number of quasi-identifiers.
    pub fn levels_together(&self, table: &FrequencyTable, hierarchies: &[Hierarchy]) -> Vec<usize> {
        let columns = table.quasi_identifiers().iter().zip(hierarchies);
        columns
            .map(|(column, hierarchy)| {
                let is_together = |level: &usize| {
                    let map = &hierarchy.level(*level).map;
                    let labels: Vec<u32> =
                        column.codes.iter().map(|&code| map[code as usize]).collect();
                    self.n_divided(&labels) == 0
                };
                let top = hierarchy.n_levels() - 1;
                (0..top).find(is_together).unwrap_or(top)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dictionary;
    use crate::model::CountedColumn;

    fn table(codes: &[u32], counts: &[u64]) -> FrequencyTable {
        let values = ["a1", "a2", "b1"].map(str::to_owned).to_vec();
        let dictionary = Dictionary::from_distinct(values).0;
        let column = CountedColumn { name: "q".into(), dictionary, codes: codes.to_vec() };
        FrequencyTable::new(vec![column], Vec::new(), counts.to_vec()).expect("valid")
    }

    #[test]
    fn people_rows_must_match_table() {
        let table = table(&[0, 1], &[2, 1]);
        let new =
            |rows: &[(u32, u32)]| People::new(&table, rows.to_vec(), RowsOfPerson::Independent);
        let people = new(&[(1, 7), (0, 7), (0, 7)]).expect("three rows");
        assert_eq!((people.of_tuple(0), people.of_tuple(1)), (&[(7, 2)][..], &[(7, 1)][..]));
        assert_eq!((people.n_people(), people.n_of_several_combinations(&table)), (1, 1));
        assert!(new(&[(0, 7), (0, 8)]).is_err() && new(&[(0, 7), (0, 8), (2, 7)]).is_err());
        assert!(people.fit(&table) && !people.fit(&super::tests::table(&[0, 1], &[1, 2])));
    }

    #[test]
    fn levels_together_make_rows_of_person_equal() {
        let table = table(&[0, 1, 2], &[1, 1, 1]);
        let of = |rows: &[(u32, u32)]| {
            let people = People::new(&table, rows.to_vec(), RowsOfPerson::Uniform).expect("rows");
            let dictionary = &table.quasi_identifiers()[0].dictionary;
            let mask = crate::hierarchy::Mask { side: crate::hierarchy::Side::Right };
            let hierarchy = crate::hierarchy::HierarchyRule::Mask(mask)
                .resolve("q", dictionary)
                .expect("any text");
            people.levels_together(&table, &[hierarchy])[0]
        };
        assert_eq!(of(&[(0, 0), (1, 1), (2, 2)]), 0);
        assert_eq!(of(&[(0, 0), (1, 0), (2, 1)]), 1);
        assert_eq!(of(&[(0, 0), (1, 1), (2, 0)]), 2);
    }
}
