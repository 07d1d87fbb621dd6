//! Where a table is, and how it is to be read.

use std::path::{Path, PathBuf};

use indistinct_core::{Encoding, Format, Notation};

use super::memory::MemoryTable;
use crate::objects::is_object;
use crate::{EngineError, scheme};

/// Where a table is and how it is to be read.
#[derive(Debug, Clone, Default)]
pub struct InputSpec {
    /// A file, a folder, a pattern such as `data/*.parquet`, an address of such objects, the address of a database, or `-` for standard
    /// input.
    pub path: PathBuf,
    /// In a database the table, with its schema where it is in another than the usual one; in a spreadsheet the sheet.
    pub table: Option<String>,
    /// In a database a single SELECT instead of a table.
    pub query: Option<String>,
    /// The format; by extension if left out.
    pub format: Option<Format>,
    /// The delimiter of a CSV file; if left out a comma, or a tab for `.tsv`.
    pub delimiter: Option<u8>,
    /// How the characters of a CSV file are written.
    pub encoding: Encoding,
    /// The column that says how many rows each line stands for, where they were counted before; it is none of the table.
    pub counts: Option<String>,
    /// Texts that stand for a missing value in CSV and JSON; the empty text always does.
    pub null_values: Vec<String>,
    /// How the values of columns of text are written, where it is otherwise than hierarchies and principles read them; not in a database.
    /// Names that no column has count for nothing.
    pub written: Vec<(String, Notation)>,
    /// The table itself where it is in memory: then nothing else is looked at.
    pub memory: Option<MemoryTable>,
}

/// What a file is opened as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A table, which may lack its header.
    Table,
    /// The rows of a release: its certificate names the columns.
    Released,
}

/// Endings of spreadsheets.
const SPREADSHEETS: [&str; 5] = ["xlsx", "xlsm", "xlsb", "xls", "ods"];

impl InputSpec {
    /// Whether the path is that of a spreadsheet, of which `table` names a sheet.
    pub fn is_spreadsheet(&self) -> bool {
        let ending = self.path.extension().and_then(|it| it.to_str()).map(str::to_ascii_lowercase);
        self.format.is_none() && ending.is_some_and(|it| SPREADSHEETS.contains(&it.as_str()))
    }

    /// Whether the path is that of a file of Stata.
    pub fn is_of_stata(&self) -> bool {
        let ending = self.path.extension().and_then(|it| it.to_str());
        self.format.is_none() && ending.is_some_and(|it| it.eq_ignore_ascii_case("dta"))
    }

    /// Refuses what says how values are written of a table in a database, which reads them itself.
    ///
    /// # Errors
    /// [`EngineError::WrittenElsewhere`].
    pub fn check_written(&self) -> Result<(), EngineError> {
        match self.written.is_empty() || !self.is_address() {
            true => Ok(()),
            false => Err(EngineError::WrittenElsewhere),
        }
    }

    /// Whether the path is the address of a database, and no file's or object's.
    pub fn is_address(&self) -> bool {
        !self.is_object() && self.path.to_str().and_then(scheme).is_some()
    }

    /// Whether the path is the address of an object, or of several.
    pub fn is_object(&self) -> bool {
        self.path.to_str().is_some_and(is_object)
    }
}

/// A table that somebody names or hands over.
#[derive(Debug, Clone, Copy)]
pub enum TableRef<'a> {
    /// Where it is: a file, a folder or a pattern.
    At(&'a Path),
    /// The table itself.
    InMemory(&'a MemoryTable),
}

impl<'a> From<&'a Path> for TableRef<'a> {
    fn from(path: &'a Path) -> Self {
        Self::At(path)
    }
}

impl<'a> From<&'a PathBuf> for TableRef<'a> {
    fn from(path: &'a PathBuf) -> Self {
        Self::At(path)
    }
}

impl<'a> From<&'a MemoryTable> for TableRef<'a> {
    fn from(table: &'a MemoryTable) -> Self {
        Self::InMemory(table)
    }
}

impl From<TableRef<'_>> for InputSpec {
    fn from(table: TableRef<'_>) -> Self {
        match table {
            TableRef::At(path) => Self { path: path.to_owned(), ..Self::default() },
            TableRef::InMemory(table) => Self {
                path: table.name().to_owned(),
                memory: Some(table.clone()),
                ..Self::default()
            },
        }
    }
}
