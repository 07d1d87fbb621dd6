//! The tables of the texts: where they are looked for, how they are read, and their hierarchies.
//!
//! Tables are not shipped. They are read as the UCI repository gives them (commas, no header, `?` where a value is missing), or with a
//! header and `;`. Rows with a missing value are left out, as in the texts.

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

/// A table that experiments are about.
#[derive(Debug)]
pub struct DataSet {
    /// Its name.
    pub name: &'static str,
    /// Where a user gets it.
    pub source: &'static str,
    /// What to do with it then.
    pub how: &'static str,
    /// In a folder, what its files may be called; the first of these lists that is there is read, files that follow its first one
    /// where they are there.
    files: &'static [&'static [&'static str]],
    /// A file with this in its name is this one, if there are several.
    hint: &'static str,
    /// The columns in the order of the files without header.
    order: &'static [&'static str],
    /// The columns read, and what else they are called.
    columns: &'static [(&'static str, &'static [&'static str])],
    /// The hierarchy of a column as ARX text.
    hierarchy: fn(&str) -> String,
}

impl DataSet {
    /// The files of the table, in a folder or as given.
    ///
    /// # Errors
    /// [`ExperimentError::NoTable`] if there are none.
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
    /// [`Error`] if it is not there, cannot be read or is another one.
    pub(crate) fn read(&'static self, data: Option<&Path>) -> Result<Table, Error> {
        table::read(self, &self.find(data)?)
    }

    /// The hierarchy of a column over the values that occur: the domain sizes of the texts are of values that occur.
    ///
    /// A file `hierarchies/COLUMN.csv` beside the table is taken instead of the built-in one.
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

/// The hierarchy of an ARX text over the values that occur; of an empty text one level above the values.
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

/// ARX text of a tree of two levels below the root: labels with what they cover.
fn tree(labels: &[(&str, &[&str])]) -> String {
    let lines = labels
        .iter()
        .flat_map(|(label, values)| values.iter().map(move |value| format!("{value};{label};*\n")));
    lines.collect()
}
