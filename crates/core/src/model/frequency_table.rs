//! Frequency tables: the distinct combinations of quasi-identifiers and sensitive values, as codes
//! with counts.

use std::borrow::Cow;

use indistinct_diagnostics::codes;

use super::{Dictionary, Histogram};
use crate::recoding::Part;

/// A column of a frequency table: a quasi-identifier or a sensitive attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedColumn {
    /// The name of the attribute.
    pub name: String,
    /// The distinct values of the column.
    pub dictionary: Dictionary,
    /// The code of the column's value, for each distinct tuple.
    pub codes: Vec<u32>,
}

/// The reason why the parts of a frequency table are inconsistent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTable {
    /// The number of codes of a column differs from the number of counts.
    #[error("column '{column}' has {got} tuples, expected {expected}")]
    Length {
        /// The column.
        column: String,
        /// The number of codes of the column.
        got: usize,
        /// The number of counts.
        expected: usize,
    },
    /// The dictionary of a column does not contain a code of the column.
    #[error("column '{column}' has a code without a value in its dictionary")]
    Code {
        /// The column.
        column: String,
    },
    /// The parts are not in the order of the tuples, or refer to a nonexistent tuple.
    #[error("part {part} is out of order")]
    PartOrder {
        /// The part.
        part: usize,
    },
    /// A part has no rows, or the row counts of the parts do not add up to the row count of their
    /// tuple.
    #[error(
        "the parts of tuple {tuple} have {got} rows, expected {expected} and at least 1 per part"
    )]
    Parts {
        /// The tuple.
        tuple: usize,
        /// The total number of rows in the parts of the tuple.
        got: u128,
        /// The number of rows of the tuple.
        expected: u64,
    },
}

codes! {
    InvalidTable {
        _ => "E-TABLE-001", "The parts of a frequency table are inconsistent.",
            "nothing was written; please report this bug in Indistinct";
    }
}

/// The distinct combinations of quasi-identifiers and sensitive values in a table (tuples), with
/// their row counts.
///
/// Tuples are distinct and in ascending order of their codes, quasi-identifiers first, so tuples
/// with the same quasi-identifier combination are adjacent. In a [divided](FrequencyTable::divided)
/// table, tuples are in the same order, but adjacent tuples may be equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrequencyTable {
    quasi_identifiers: Vec<CountedColumn>,
    sensitive: Vec<CountedColumn>,
    counts: Vec<u64>,
    n_rows: u64,
}

/// The distinct combinations of quasi-identifier values in a table, each stored as a range of
/// tuples.
#[derive(Debug, Clone)]
pub struct RowGroups {
    /// The start of each group, followed by the number of tuples.
    pub starts: Vec<u32>,
}

/// Returns the number of rows whose combination of codes occurs in no other row. Each column has
/// one code for each tuple, and `counts` contains the number of rows of each tuple.
pub fn n_unique_rows(columns: &[&[u32]], counts: &[u64]) -> u64 {
    let occurring = (0..counts.len()).filter(|&tuple| counts[tuple] > 0);
    let mut tuples: Vec<u32> = occurring.map(|tuple| tuple as u32).collect();
    let codes = |tuple: u32| columns.iter().map(move |codes| codes[tuple as usize]);
    tuples.sort_unstable_by(|&a, &b| codes(a).cmp(codes(b)));
    let equal = tuples.chunk_by(|&a, &b| codes(a).eq(codes(b)));
    equal.filter(|tuples| matches!(tuples, [one] if counts[*one as usize] == 1)).count() as u64
}

impl FrequencyTable {
    /// Creates a table from columns of codes and the count of each tuple. This function sorts the
    /// tuples and adds the counts of equal ones.
    ///
    /// # Errors
    /// Returns [`InvalidTable`] if lengths differ or a code has no value.
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
                    *counts.last_mut().expect("each retained tuple has a count") +=
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

    /// Returns a table with the same rows, in which each part is a separate tuple.
    ///
    /// # Errors
    /// Returns [`InvalidTable`] if the parts are not in the order of the tuples, or if the rows of
    /// the parts do not add up to the rows of their tuple.
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

    /// Replaces the values of one sensitive attribute without changing the order of the tuples.
    ///
    /// # Panics
    /// Panics if the attribute does not exist, or if the number or the values of the codes are
    /// invalid.
    pub(crate) fn with_sensitive(
        mut self,
        attribute: usize,
        dictionary: Dictionary,
        codes: Vec<u32>,
    ) -> Self {
        assert_eq!(codes.len(), self.n_tuples(), "each tuple must have a code");
        assert!(
            codes.iter().all(|&code| (code as usize) < dictionary.len()),
            "every code must have a value"
        );
        let column = &mut self.sensitive[attribute];
        (column.dictionary, column.codes) = (dictionary, codes);
        self
    }

    /// Moves the class column from the end of the quasi-identifiers to the end of the sensitive
    /// attributes.
    ///
    /// # Panics
    /// Panics if the table has no quasi-identifier.
    pub fn class_behind_sensitive(mut self) -> Self {
        let class =
            self.quasi_identifiers.pop().expect("the last quasi-identifier is the class column");
        self.sensitive.push(class);
        if !self.is_sorted() {
            self.sort();
        }
        self
    }

    /// Removes and returns the last sensitive attribute, which is a temporary column that
    /// distinguishes equal tuples. Tuples are not merged, so some may be equal afterwards.
    ///
    /// # Panics
    /// Panics if the table has no sensitive attribute.
    pub fn split_off_sensitive(mut self) -> (Self, CountedColumn) {
        let last = self.sensitive.pop().expect("the table has a sensitive attribute");
        (self, last)
    }

    /// Returns all columns, quasi-identifiers first.
    pub fn columns(&self) -> impl Iterator<Item = &CountedColumn> {
        self.quasi_identifiers.iter().chain(&self.sensitive)
    }

    /// Returns the quasi-identifiers, in the order of the policy.
    pub fn quasi_identifiers(&self) -> &[CountedColumn] {
        &self.quasi_identifiers
    }

    /// Returns the sensitive attributes, in the order of the policy.
    pub fn sensitive(&self) -> &[CountedColumn] {
        &self.sensitive
    }

    /// Returns the number of rows of each distinct tuple.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the number of rows.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Returns the number of rows in the marked tuples.
    pub fn n_rows_of(&self, marked: &[bool]) -> u64 {
        self.counts.iter().zip(marked).filter(|(_, marked)| **marked).map(|(rows, _)| rows).sum()
    }

    /// Returns the values of each sensitive attribute that occur: pairs of a code and its number of
    /// rows.
    pub fn all_occurring(&self) -> Vec<Vec<(u32, u64)>> {
        self.sensitive.iter().map(|column| self.occurring(column)).collect()
    }

    /// Creates a histogram for each sensitive attribute from its entries and its dictionary.
    pub fn histograms<'a>(&'a self, entries: &'a [Vec<(u32, u64)>]) -> Vec<Histogram<'a>> {
        let columns = entries.iter().zip(&self.sensitive);
        columns.map(|(entries, it)| Histogram { entries, dictionary: &it.dictionary }).collect()
    }

    /// Divides tuples into the given parts, if any.
    pub(crate) fn divided_into(
        &self,
        parts: Option<&[Part]>,
    ) -> Result<Cow<'_, Self>, InvalidTable> {
        match parts {
            Some(parts) => self.divided(parts).map(Cow::Owned),
            None => Ok(Cow::Borrowed(self)),
        }
    }

    /// Returns the number of distinct combinations of quasi-identifiers and sensitive values.
    pub fn n_tuples(&self) -> usize {
        self.counts.len()
    }

    /// Returns the number of rows with each value of a column, by code.
    pub fn marginal(&self, column: &CountedColumn) -> Vec<u64> {
        let mut marginal = vec![0; column.dictionary.len()];
        for (&code, &count) in column.codes.iter().zip(&self.counts) {
            marginal[code as usize] += count;
        }
        marginal
    }

    /// Returns the codes that occur in a column, in ascending order, with their row counts.
    pub fn occurring(&self, column: &CountedColumn) -> Vec<(u32, u64)> {
        (0u32..).zip(self.marginal(column)).filter(|(_, rows)| *rows > 0).collect()
    }

    /// Returns the distinct combinations of quasi-identifier values, each as a range of tuples.
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

    /// Estimates the size of the table in bytes, including its values.
    pub fn n_bytes(&self) -> usize {
        let of_values: usize = self.columns().map(|column| 48 * column.dictionary.len()).sum();
        of_values + self.n_tuples() * (8 + 4 * self.columns().count())
    }

    /// Returns a table of the same rows without sensitive attributes, except the attribute with the
    /// given name.
    pub fn with_one_sensitive(&self, name: Option<&str>) -> Self {
        let sensitive = self.sensitive.iter().filter(|column| Some(column.name.as_str()) == name);
        let columns = (self.quasi_identifiers.clone(), sensitive.cloned().collect());
        Self::new(columns.0, columns.1, self.counts.clone())
            .expect("the columns of a valid table are consistent")
    }

    /// Returns the index of the sensitive attribute with the given name.
    pub fn sensitive_index(&self, name: &str) -> Option<usize> {
        self.sensitive.iter().position(|column| column.name == name)
    }
}

impl RowGroups {
    /// Returns the group number of each tuple.
    pub fn of_tuples(&self) -> Vec<u32> {
        let sizes = self.starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        (0..).zip(sizes).flat_map(|(group, size)| std::iter::repeat_n(group, size)).collect()
    }

    /// Returns the number of distinct combinations of quasi-identifier values.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the groups in order and yields the range of tuples of each group.
    pub fn iter(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.starts.windows(2).map(|pair| pair[0] as usize..pair[1] as usize)
    }
}
