//! Distinct (quasi-identifier × sensitive) tuples as codes, with counts.

use indistinct_diagnostics::codes;

use super::Dictionary;
use crate::recoding::Part;

/// One counted column: a quasi-identifier or a sensitive attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedColumn {
    /// The name of the attribute.
    pub name: String,
    /// Its distinct values.
    pub dictionary: Dictionary,
    /// For each distinct tuple its code in the dictionary.
    pub codes: Vec<u32>,
}

/// What is wrong with the parts of a frequency table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidTable {
    /// A column has another number of tuples than the counts.
    #[error("column '{column}' has {got} tuples, expected {expected}")]
    Length {
        /// The column.
        column: String,
        /// Its number of codes.
        got: usize,
        /// The number of counts.
        expected: usize,
    },
    /// A code without a value.
    #[error("column '{column}' has a code beyond its dictionary")]
    Code {
        /// The column.
        column: String,
    },
    /// Parts that are not in the order of the tuples, or name one that there is not.
    #[error("part {part} is out of order")]
    PartOrder {
        /// The part.
        part: usize,
    },
    /// Parts without rows, or with more or fewer rows than their tuple.
    #[error(
        "the parts of tuple {tuple} have {got} rows, expected {expected} and at least 1 in each"
    )]
    Parts {
        /// The tuple.
        tuple: usize,
        /// Rows of its parts.
        got: u128,
        /// Rows of the tuple.
        expected: u64,
    },
}

codes! {
    InvalidTable {
        _ => "E-TABLE-001", "parts of a counted table are inconsistent",
            "this is a fault of Indistinct; nothing was written. Please report it";
    }
}

/// The multiset of (quasi-identifier tuple, sensitive values) of a table.
///
/// Tuples are distinct and in ascending order of their codes, quasi-identifiers first, so that the tuples of one
/// quasi-identifier combination are neighbors. Of a table that was [divided](FrequencyTable::divided) they are ascending, but
/// several may be equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrequencyTable {
    quasi_identifiers: Vec<CountedColumn>,
    sensitive: Vec<CountedColumn>,
    counts: Vec<u64>,
    n_rows: u64,
}

/// The distinct quasi-identifier combinations of a table, as ranges of its tuples.
#[derive(Debug, Clone)]
pub struct RowGroups {
    /// Start of each group, and behind the last one the number of tuples.
    pub starts: Vec<u32>,
}

impl FrequencyTable {
    /// Makes a table from columns of codes and the count of each tuple. Tuples are sorted; equal ones are added up.
    ///
    /// # Errors
    /// [`InvalidTable`] if lengths differ or a code has no value.
    pub fn new(
        quasi_identifiers: Vec<CountedColumn>,
        sensitive: Vec<CountedColumn>,
        counts: Vec<u64>,
    ) -> Result<Self, InvalidTable> {
        for column in quasi_identifiers.iter().chain(&sensitive) {
            if column.codes.len() != counts.len() {
                return Err(InvalidTable::Length {
                    column: column.name.clone(),
                    got: column.codes.len(),
                    expected: counts.len(),
                });
            }
            if column.codes.iter().any(|&code| code as usize >= column.dictionary.len()) {
                return Err(InvalidTable::Code { column: column.name.clone() });
            }
        }
        let n_rows = counts.iter().sum();
        let mut table = Self { quasi_identifiers, sensitive, counts, n_rows };
        if !table.is_sorted() {
            table.sort();
        }
        Ok(table)
    }

    fn compare(&self, a: usize, b: usize) -> std::cmp::Ordering {
        self.columns()
            .map(|column| column.codes[a].cmp(&column.codes[b]))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    }

    fn is_sorted(&self) -> bool {
        (1..self.counts.len()).all(|at| self.compare(at - 1, at).is_lt())
    }

    fn sort(&mut self) {
        let mut position: Vec<u32> = (0..self.counts.len() as u32).collect();
        position.sort_unstable_by(|&a, &b| self.compare(a as usize, b as usize));
        let mut retained: Vec<u32> = Vec::with_capacity(position.len());
        let mut counts: Vec<u64> = Vec::with_capacity(position.len());
        for &at in &position {
            match retained.last() {
                Some(&last) if self.compare(last as usize, at as usize).is_eq() => {
                    *counts.last_mut().expect("one count for each kept tuple") +=
                        self.counts[at as usize];
                }
                _ => {
                    retained.push(at);
                    counts.push(self.counts[at as usize]);
                }
            }
        }
        for column in self.quasi_identifiers.iter_mut().chain(&mut self.sensitive) {
            column.codes = retained.iter().map(|&at| column.codes[at as usize]).collect();
        }
        self.counts = counts;
    }

    /// The same rows, with a tuple for each of the parts.
    ///
    /// # Errors
    /// [`InvalidTable`] if the parts are not in the order of the tuples, or those of a tuple do not add up to its rows.
    pub fn divided(&self, parts: &[Part]) -> Result<Self, InvalidTable> {
        let mut rows = vec![0u128; self.n_tuples()];
        let mut empty = None;
        let mut last = 0;
        for (at, part) in parts.iter().enumerate() {
            let sum = rows.get_mut(part.tuple as usize).filter(|_| part.tuple >= last);
            *sum.ok_or(InvalidTable::PartOrder { part: at })? += u128::from(part.rows);
            last = part.tuple;
            if part.rows == 0 {
                empty = Some(part.tuple as usize);
            }
        }
        let wrong = (0..rows.len()).find(|&at| rows[at] != u128::from(self.counts[at]));
        if let Some(tuple) = wrong.or(empty) {
            let (got, expected) = (rows[tuple], self.counts[tuple]);
            return Err(InvalidTable::Parts { tuple, got, expected });
        }
        let column = |column: &CountedColumn| CountedColumn {
            name: column.name.clone(),
            dictionary: column.dictionary.clone(),
            codes: parts.iter().map(|part| column.codes[part.tuple as usize]).collect(),
        };
        Ok(Self {
            quasi_identifiers: self.quasi_identifiers.iter().map(column).collect(),
            sensitive: self.sensitive.iter().map(column).collect(),
            counts: parts.iter().map(|part| part.rows).collect(),
            n_rows: self.n_rows,
        })
    }

    /// The same tuples in the same order, with other values of one sensitive attribute.
    ///
    /// # Panics
    /// If there is no such attribute, or not one code with a value for each tuple.
    pub(crate) fn with_sensitive(
        mut self,
        attribute: usize,
        dictionary: Dictionary,
        codes: Vec<u32>,
    ) -> Self {
        assert_eq!(codes.len(), self.n_tuples(), "there is one code for each tuple");
        assert!(codes.iter().all(|&code| (code as usize) < dictionary.len()), "codes have values");
        let column = &mut self.sensitive[attribute];
        (column.dictionary, column.codes) = (dictionary, codes);
        self
    }

    /// The same rows with the last quasi-identifier, a class column, as the last sensitive attribute.
    ///
    /// # Panics
    /// If there is no quasi-identifier.
    pub fn class_behind_sensitive(mut self) -> Self {
        let class = self.quasi_identifiers.pop().expect("there is a class column");
        self.sensitive.push(class);
        if !self.is_sorted() {
            self.sort();
        }
        self
    }

    /// Takes off the last sensitive attribute, if it was one more column to tell equal tuples apart: tuples stay as they are, and
    /// several may be equal then.
    ///
    /// # Panics
    /// If there is no sensitive attribute.
    pub fn split_off_sensitive(mut self) -> (Self, CountedColumn) {
        let last = self.sensitive.pop().expect("there is a sensitive attribute");
        (self, last)
    }

    /// All counted columns, quasi-identifiers first.
    pub fn columns(&self) -> impl Iterator<Item = &CountedColumn> {
        self.quasi_identifiers.iter().chain(&self.sensitive)
    }

    /// The quasi-identifiers, in the order of the policy.
    pub fn quasi_identifiers(&self) -> &[CountedColumn] {
        &self.quasi_identifiers
    }

    /// The sensitive attributes, in the order of the policy.
    pub fn sensitive(&self) -> &[CountedColumn] {
        &self.sensitive
    }

    /// How many rows each distinct tuple stands for.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Number of rows.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Number of distinct (quasi-identifier × sensitive) tuples.
    pub fn n_tuples(&self) -> usize {
        self.counts.len()
    }

    /// The number of rows with each value of a column, by code.
    pub fn marginal(&self, column: &CountedColumn) -> Vec<u64> {
        let mut marginal = vec![0; column.dictionary.len()];
        for (&code, &count) in column.codes.iter().zip(&self.counts) {
            marginal[code as usize] += count;
        }
        marginal
    }

    /// The codes of a column that occur, ascending, with their rows.
    pub fn occurring(&self, column: &CountedColumn) -> Vec<(u32, u64)> {
        (0u32..).zip(self.marginal(column)).filter(|(_, rows)| *rows > 0).collect()
    }

    /// The distinct quasi-identifier combinations, as ranges of tuples.
    pub fn groups(&self) -> RowGroups {
        let differ = |at: usize| {
            self.quasi_identifiers.iter().any(|column| column.codes[at - 1] != column.codes[at])
        };
        let n = self.counts.len();
        let mut starts: Vec<u32> =
            (0..n).filter(|&at| at == 0 || differ(at)).map(|at| at as u32).collect();
        starts.push(n as u32);
        RowGroups { starts }
    }

    /// About how many bytes it takes, its values included.
    pub fn n_bytes(&self) -> usize {
        let of_values: usize = self.columns().map(|column| 48 * column.dictionary.len()).sum();
        of_values + self.n_tuples() * (8 + 4 * self.columns().count())
    }

    /// The same rows with one of the sensitive attributes, or with none.
    pub fn with_one_sensitive(&self, name: Option<&str>) -> Self {
        let sensitive = self.sensitive.iter().filter(|column| Some(column.name.as_str()) == name);
        let columns = (self.quasi_identifiers.clone(), sensitive.cloned().collect());
        Self::new(columns.0, columns.1, self.counts.clone()).expect("its columns go together")
    }

    /// The index of a sensitive attribute by name.
    pub fn sensitive_index(&self, name: &str) -> Option<usize> {
        self.sensitive.iter().position(|column| column.name == name)
    }
}

impl RowGroups {
    /// Number of distinct quasi-identifier combinations.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tuples of each group, in order.
    pub fn iter(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.starts.windows(2).map(|pair| pair[0] as usize..pair[1] as usize)
    }
}
