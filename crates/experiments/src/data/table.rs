//! A table in memory, with a code for each row and column.

use std::path::{Path, PathBuf};

use indistinct_core::model::{CountedColumn, Taxonomy};
use indistinct_core::{Dictionary, FrequencyTable, Hierarchy};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::DataSet;
use crate::error::{Error, ExperimentError};

/// A column with its values and the code of each row.
#[derive(Debug)]
struct Column {
    name: &'static str,
    dictionary: Dictionary,
    codes: Vec<u32>,
    hierarchy: Hierarchy,
}

/// A table that experiments analyze.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    n_rows: usize,
    /// The number of rows dropped because of missing values.
    pub(crate) n_left_out: usize,
}

/// A subset of the rows of a table, by row number.
#[derive(Debug, Clone)]
pub(crate) struct Sample(Vec<u32>);

impl Sample {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Table {
    /// Creates a table from rows whose columns are in the order of the data set.
    ///
    /// # Errors
    /// Returns an error if a hierarchy does not cover all values.
    pub(crate) fn from_rows(data: &'static DataSet, rows: &[Vec<String>]) -> Result<Self, Error> {
        build(data, rows, 0, None)
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Selects all rows.
    pub(crate) fn all(&self) -> Sample {
        Sample((0..self.n_rows as u32).collect())
    }

    /// Replaces the hierarchies of columns with hierarchies in ARX format.
    ///
    /// # Errors
    /// Returns an error if a hierarchy is invalid or does not cover all values.
    pub(crate) fn with_hierarchies(mut self, others: &[(&str, String)]) -> Result<Self, Error> {
        for (name, text) in others {
            let column = self.column_mut(name);
            column.hierarchy = super::resolved(name, &column.dictionary, text)?;
        }
        Ok(self)
    }

    /// Replaces a value of a column in all rows from `first_row` on, if both values occur.
    ///
    /// # Panics
    /// Panics if the column does not exist.
    pub(crate) fn relabeled(mut self, name: &str, [from, to]: [&str; 2], first_row: usize) -> Self {
        let column = self.column_mut(name);
        let values = column.dictionary.values();
        let code = |value: &str| values.iter().position(|it| it == value).map(|at| at as u32);
        if let (Some(from), Some(to)) = (code(from), code(to)) {
            for it in column.codes.iter_mut().skip(first_row).filter(|it| **it == from) {
                *it = to;
            }
        }
        self
    }

    /// Draws a Bernoulli sample that contains each row with probability 1/n.
    pub(crate) fn one_in(&self, n: u64, seed: u64) -> Sample {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut is_drawn = || u128::from(rng.next_u64()) * u128::from(n) < 1 << 64;
        Sample((0..self.n_rows as u32).filter(|_| is_drawn()).collect())
    }

    fn column_mut(&mut self, name: &str) -> &mut Column {
        self.columns
            .iter_mut()
            .find(|column| column.name == name)
            .expect("the table contains the column")
    }

    fn column(&self, name: &str) -> &Column {
        self.columns
            .iter()
            .find(|column| column.name == name)
            .expect("the table contains the column")
    }

    /// Returns the frequency table of the selected rows.
    ///
    /// # Panics
    /// Panics if a column does not exist.
    pub(crate) fn counted(
        &self,
        quasi_identifiers: &[&str],
        sensitive: &[&str],
        sample: &Sample,
    ) -> FrequencyTable {
        let counted = |names: &[&str]| -> Vec<CountedColumn> {
            let of = |name: &&str| {
                let column = self.column(name);
                CountedColumn {
                    name: (*name).to_owned(),
                    dictionary: column.dictionary.clone(),
                    codes: sample.0.iter().map(|&row| column.codes[row as usize]).collect(),
                }
            };
            names.iter().map(of).collect()
        };
        let counts = vec![1; sample.0.len()];
        FrequencyTable::new(counted(quasi_identifiers), counted(sensitive), counts)
            .expect("the columns of a table have the same length")
    }

    /// Returns the hierarchies of the named columns.
    pub(crate) fn hierarchies(&self, names: &[&str]) -> Vec<Hierarchy> {
        names.iter().map(|name| self.column(name).hierarchy.clone()).collect()
    }

    /// Returns the hierarchy of a column as a taxonomy.
    pub(crate) fn taxonomy(&self, name: &str) -> Taxonomy {
        Taxonomy::of_hierarchy(&self.column(name).hierarchy)
            .expect("the column has at least one value")
    }

    /// Returns the values of a column, each with the number of selected rows that contain it.
    pub(crate) fn rows_by_value(&self, name: &str, sample: &Sample) -> Vec<(&str, u64)> {
        let column = self.column(name);
        let mut rows = vec![0; column.dictionary.len()];
        for &row in &sample.0 {
            rows[column.codes[row as usize] as usize] += 1;
        }
        column.dictionary.values().iter().map(String::as_str).zip(rows).collect()
    }
}

/// Reads the files of a table.
pub(super) fn read(data: &'static DataSet, files: &[PathBuf]) -> Result<Table, Error> {
    let (mut rows, mut n_left_out) = (Vec::new(), 0);
    for file in files {
        let text = std::fs::read_to_string(file).map_err(ExperimentError::file(file))?;
        n_left_out += parse(data, file, &text, &mut rows)?;
    }
    if rows.is_empty() {
        return Err(not_this(data, &files[0], data.columns.len()).into());
    }
    let folder = files[0].parent().filter(|folder| *folder != Path::new(""));
    build(data, &rows, n_left_out, Some(folder.unwrap_or(Path::new("."))))
}

fn not_this(data: &'static DataSet, file: &Path, n_missing: usize) -> ExperimentError {
    ExperimentError::NotTheTable { table: data.name, path: file.to_owned(), n_missing }
}

/// Parses the rows of a file, and returns the number of rows dropped because of missing values.
fn parse(
    data: &'static DataSet,
    file: &Path,
    text: &str,
    rows: &mut Vec<Vec<String>>,
) -> Result<usize, ExperimentError> {
    let first = text.lines().next().unwrap_or_default();
    let delimiter = if first.contains(';') { ';' } else { ',' };
    let cells = |line: &str| -> Vec<String> {
        line.trim_start_matches('\u{feff}')
            .split(delimiter)
            .map(|cell| cell.trim().trim_matches('"').to_owned())
            .collect()
    };
    let header = cells(first);
    let place = |name: &str, others: &[&str], header: &[String]| {
        let is = |cell: &String| {
            [&[name], others].concat().iter().any(|it| it.eq_ignore_ascii_case(cell))
        };
        header.iter().position(is)
    };
    let order: Vec<String> = data.order.iter().map(|name| (*name).to_owned()).collect();
    let places = |header: &[String]| -> Vec<Option<usize>> {
        data.columns.iter().map(|(name, others)| place(name, others, header)).collect()
    };
    let named = places(&header);
    let has_header = named.iter().flatten().count() * 2 > data.columns.len();
    let (found, width) =
        if has_header { (named, header.len()) } else { (places(&order), order.len()) };
    let n_missing = found.iter().filter(|place| place.is_none()).count();
    let places: Option<Vec<usize>> = found.into_iter().collect();
    let Some(places) = places else { return Err(not_this(data, file, n_missing)) };
    let mut n_left_out = 0;
    for line in text.lines().skip(usize::from(has_header)) {
        // The test part of Adult begins with a comment line.
        if line.trim().is_empty() || line.starts_with('|') {
            continue;
        }
        let cells = cells(line);
        if cells.len() != width {
            return Err(not_this(data, file, data.columns.len()));
        }
        let row: Vec<String> =
            places.iter().map(|&at| cells[at].trim_end_matches('.').to_owned()).collect();
        match row.iter().any(|cell| cell == "?" || cell.is_empty()) {
            true => n_left_out += 1,
            false => rows.push(row),
        }
    }
    Ok(n_left_out)
}

fn build(
    data: &'static DataSet,
    rows: &[Vec<String>],
    n_left_out: usize,
    folder: Option<&Path>,
) -> Result<Table, Error> {
    let columns = data.columns.iter().enumerate().map(|(at, &(name, _))| {
        let mut distinct: Vec<String> = rows.iter().map(|row| row[at].clone()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let (dictionary, code) = Dictionary::from_distinct(distinct.clone());
        let codes = rows
            .iter()
            .map(|row| {
                code[distinct.binary_search(&row[at]).expect("the sorted list contains the value")]
            })
            .collect();
        let hierarchy = data.hierarchy_of(name, &dictionary, folder)?;
        Ok(Column { name, dictionary, codes, hierarchy })
    });
    let columns = columns.collect::<Result<Vec<Column>, Error>>()?;
    Ok(Table { columns, n_rows: rows.len(), n_left_out })
}
