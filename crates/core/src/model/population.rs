//! A population table: the number of people with each quasi-identifier combination, among all
//! people who could be in the table.

use indistinct_diagnostics::{errors, words};
use rustc_hash::FxHashMap;

use super::{CountedColumn, Dictionary, FrequencyTable};

/// The people in a population table, grouped by quasi-identifiers, with the codes of the table to
/// be released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Population {
    /// The codes of the distinct combinations, one column for each quasi-identifier of the table,
    /// in the same order.
    codes: Vec<Vec<u32>>,
    counts: Vec<u64>,
    n_people: u64,
}

errors! {
    /// The reason why a population table does not match a table.
    #[derive(Clone, PartialEq, Eq)]
    pub enum PopulationError {
        /// The population table does not contain a quasi-identifier of the table.
        #[error("the population table has no column '{column}'")]
        #[code("E-POPULATION-001", "add every quasi-identifier of the policy to the population \
                table, under the same name")]
        NoColumn {
            /// The column.
            column: String,
        },
        /// Some rows of the table have no matching person in the population table.
        #[error(
            "the population table has no matching person for {} in the table",
            words::count(*n_rows, "row")
        )]
        #[code("E-POPULATION-002", "use a population table that contains all people in the table \
                and codes values in the same way")]
        NotContained {
            /// The number of such rows.
            n_rows: u64,
        },
    }
}

impl Population {
    /// Joins a population table with a table. The returned table has the quasi-identifier
    /// dictionaries of both tables, so hierarchies created from it cover the population as well.
    ///
    /// The population table must contain the quasi-identifiers of the table, in any order; other
    /// columns are ignored.
    ///
    /// # Errors
    /// Returns [`PopulationError`] if a column is missing, or if the table is not part of the
    /// population.
    pub fn join(
        table: &FrequencyTable,
        population: &FrequencyTable,
    ) -> Result<(FrequencyTable, Self), PopulationError> {
        let mut quasi_identifiers = Vec::new();
        let mut codes = Vec::new();
        for column in table.quasi_identifiers() {
            let other = population
                .columns()
                .find(|other| other.name == column.name)
                .ok_or_else(|| PopulationError::NoColumn { column: column.name.clone() })?;
            let (dictionary, here, there) = union(&column.dictionary, &other.dictionary);
            quasi_identifiers.push(CountedColumn {
                name: column.name.clone(),
                dictionary,
                codes: column.codes.iter().map(|&code| here[code as usize]).collect(),
            });
            codes.push(other.codes.iter().map(|&code| there[code as usize]).collect::<Vec<_>>());
        }
        let joined = FrequencyTable::new(
            quasi_identifiers,
            table.sensitive().to_vec(),
            table.counts().to_vec(),
        )
        .expect("renumbering the codes of a valid table keeps it valid");
        let aligned =
            Self { codes, counts: population.counts().to_vec(), n_people: population.n_rows() };
        match aligned.n_rows_beyond(&joined) {
            0 => Ok((joined, aligned)),
            n_rows => Err(PopulationError::NotContained { n_rows }),
        }
    }

    fn n_rows_beyond(&self, table: &FrequencyTable) -> u64 {
        let mut left: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
        for (tuple, &count) in self.counts.iter().enumerate() {
            *left.entry(self.codes.iter().map(|codes| codes[tuple]).collect()).or_default() +=
                count;
        }
        let mut beyond = 0;
        for tuples in table.groups().iter() {
            let key: Vec<u32> =
                table.quasi_identifiers().iter().map(|column| column.codes[tuples.start]).collect();
            let rows: u64 = table.counts()[tuples].iter().sum();
            beyond += rows.saturating_sub(left.get(&key).copied().unwrap_or(0));
        }
        beyond
    }

    /// Iterates over the distinct combinations, with the codes of the quasi-identifiers and the
    /// number of people.
    pub fn combinations(&self) -> impl Iterator<Item = (Vec<u32>, u64)> + '_ {
        let codes = move |tuple: usize| self.codes.iter().map(|codes| codes[tuple]).collect();
        self.counts.iter().enumerate().map(move |(tuple, &count)| (codes(tuple), count))
    }

    /// Returns the number of people.
    pub fn n_people(&self) -> u64 {
        self.n_people
    }
}

/// Returns the union of two dictionaries, and maps the codes of each dictionary to the union.
fn union(a: &Dictionary, b: &Dictionary) -> (Dictionary, Vec<u32>, Vec<u32>) {
    let mut values: Vec<String> = a.values().to_vec();
    let position: FxHashMap<&str, u32> =
        a.values().iter().enumerate().map(|(at, value)| (value.as_str(), at as u32)).collect();
    let mut there: Vec<u32> = Vec::with_capacity(b.len());
    for value in b.values() {
        there.push(position.get(value.as_str()).copied().unwrap_or_else(|| {
            values.push(value.clone());
            values.len() as u32 - 1
        }));
    }
    let (dictionary, code) = Dictionary::from_distinct(values);
    let there = there.into_iter().map(|at| code[at as usize]).collect();
    (dictionary, code[..a.len()].to_vec(), there)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: &[(&str, &[&str], &[u32])], counts: &[u64]) -> FrequencyTable {
        let columns = columns
            .iter()
            .map(|(name, values, codes)| CountedColumn {
                name: (*name).to_owned(),
                dictionary: Dictionary::from_distinct(
                    values.iter().map(|value| (*value).to_owned()).collect(),
                )
                .0,
                codes: codes.to_vec(),
            })
            .collect();
        FrequencyTable::new(columns, Vec::new(), counts.to_vec()).expect("valid")
    }

    #[test]
    fn join_unifies_dictionaries() {
        let rows = table(&[("age", &["30"], &[0]), ("zip", &["b"], &[0])], &[2]);
        let people =
            table(&[("zip", &["a", "b"], &[0, 1]), ("age", &["4", "30"], &[0, 1])], &[5, 2]);
        let (joined, population) = Population::join(&rows, &people).expect("contained");
        assert_eq!(joined.quasi_identifiers()[0].dictionary.values(), ["4", "30"]);
        assert_eq!(joined.quasi_identifiers()[0].codes, [1]);
        let all: Vec<_> = population.combinations().collect();
        assert_eq!(all, [(vec![0, 0], 5), (vec![1, 1], 2)]);
        assert_eq!(population.n_people(), 7);
    }

    #[test]
    fn population_that_lacks_table_rows_is_rejected() {
        let rows = table(&[("zip", &["b", "c"], &[0, 1])], &[3, 1]);
        let people = table(&[("zip", &["b"], &[0])], &[2]);
        let refused = Population::join(&rows, &people);
        assert_eq!(refused, Err(PopulationError::NotContained { n_rows: 2 }));
        let other = table(&[("age", &["1"], &[0])], &[9]);
        assert!(matches!(Population::join(&rows, &other), Err(PopulationError::NoColumn { .. })));
    }
}
