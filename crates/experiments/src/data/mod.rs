//! The tables used in the papers: file names, parsing, and generalization hierarchies.
//!
//! The tables are not included in the repository. Two formats are supported: the original files
//! from the UCI repository (comma-separated, without a header, with `?` for missing values), and
//! semicolon-separated files with a header. Rows with missing values are dropped, as in the papers.

mod adult;
mod lands_end;
mod nursery;
mod salary;
mod table;

pub use adult::ADULT;
pub(crate) use lands_end::lands_end;
pub use nursery::NURSERY;
#[cfg(test)]
pub(crate) use salary::salary;
pub(crate) use salary::{Salaries, salaries};
pub(crate) use table::{Sample, Table};

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use indistinct_core::hierarchy::{Arx, HierarchyRule};
use indistinct_core::{Dictionary, Hierarchy};

use crate::error::{Error, ExperimentError};

/// A table that experiments require.
#[derive(Debug)]
pub struct DataSet {
    /// The name of the table.
    pub name: &'static str,
    /// The download location.
    pub source: &'static str,
    /// Instructions for the downloaded files.
    pub how: &'static str,
    /// Lists of possible file names in a folder. The experiment uses the first list whose first
    /// file exists; the other files in this list are optional.
    files: &'static [&'static [&'static str]],
    /// A part of the file name that distinguishes this table from other tables.
    hint: &'static str,
    /// The order of the columns in files without a header.
    order: &'static [&'static str],
    /// The columns to read, with alternative names.
    columns: &'static [(&'static str, &'static [&'static str])],
    /// A function that returns the hierarchy of a column in ARX format.
    hierarchy: fn(&str) -> String,
}

impl DataSet {
    /// Finds the files of the table in a folder, or returns the given file.
    ///
    /// # Errors
    /// [`ExperimentError::NoTable`] if the files do not exist.
    pub fn find(&self, data: Option<&Path>) -> Result<Vec<PathBuf>, ExperimentError> {
        let missing = |looked_in: Option<&Path>| ExperimentError::NoTable {
            table: self.name,
            source_of: self.source,
            how: self.how,
            looked_in: looked_in.map(Path::to_owned),
        };
        let Some(data) = data else { return Err(missing(None)) };
        if data.is_file() {
            let name = data.file_name().map(|name| name.to_string_lossy().to_lowercase());
            let is_other = [&ADULT, &NURSERY].into_iter().any(|other| {
                other.name != self.name && name.as_ref().is_some_and(|it| it.contains(other.hint))
            });
            return if is_other { Err(missing(Some(data))) } else { Ok(vec![data.to_owned()]) };
        }
        let folders = [data.to_owned(), data.join(self.hint)];
        for folder in &folders {
            for names in self.files {
                let there: Vec<PathBuf> =
                    names.iter().map(|name| folder.join(name)).filter(|it| it.is_file()).collect();
                if there.first() == Some(&folder.join(names[0])) {
                    return Ok(there);
                }
            }
        }
        Err(missing(Some(data)))
    }

    /// Reads the table.
    ///
    /// # Errors
    /// [`Error`] if the table is missing, unreadable, or not the expected table.
    pub(crate) fn read(&'static self, data: Option<&Path>) -> Result<Table, Error> {
        table::read(self, &self.find(data)?)
    }

    /// Returns the generalization hierarchy of a column, restricted to the values that occur,
    /// because the domain sizes in the papers count only such values.
    ///
    /// A file `hierarchies/COLUMN.csv` in the table's folder replaces the built-in hierarchy.
    fn hierarchy_of(
        &self,
        column: &str,
        dictionary: &Dictionary,
        folder: Option<&Path>,
    ) -> Result<Hierarchy, Error> {
        let file = folder.map(|folder| folder.join("hierarchies").join(format!("{column}.csv")));
        let text = match file.filter(|file| file.is_file()) {
            Some(file) => std::fs::read_to_string(&file).map_err(ExperimentError::file(&file))?,
            None => (self.hierarchy)(column),
        };
        resolved(column, dictionary, &text)
    }
}

/// Parses a hierarchy in ARX format and restricts it to the values that occur. An empty string
/// denotes a hierarchy with a single level above the values.
fn resolved(column: &str, dictionary: &Dictionary, text: &str) -> Result<Hierarchy, Error> {
    let known: BTreeSet<&str> = dictionary.values().iter().map(String::as_str).collect();
    let occurs = |line: &&str| known.contains(line.split(';').next().unwrap_or_default());
    let text: Vec<&str> = text.lines().filter(occurs).collect();
    let rule = match text.is_empty() {
        true => HierarchyRule::Flat,
        false => HierarchyRule::Arx(Arx::parse(column, &text.join("\n"), &[])?),
    };
    Ok(rule.resolve(column, dictionary)?)
}

/// Formats labels and their values in ARX format, as a tree with two levels below the root.
pub(crate) fn tree(labels: &[(&str, &[&str])]) -> String {
    let lines = labels
        .iter()
        .flat_map(|(label, values)| values.iter().map(move |value| format!("{value};{label};*\n")));
    lines.collect()
}
