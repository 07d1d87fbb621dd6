//! Location of a table and settings for reading it.

use std::path::{Path, PathBuf};

use indistinct_core::{Encoding, Format, Notation};

use super::conversion::Conversion;
use super::memory::MemoryTable;
use super::null_values::NullValues;
use crate::databases::may_contain_credential;
use crate::objects::{check, is_object};
use crate::{EngineError, TableError, scheme};

/// Location of a table and settings for reading it.
#[derive(Debug, Clone, Default)]
pub struct InputSpec {
    /// A file, a folder, a pattern such as `data/*.parquet`, the address of such objects or of a
    /// database, or `-` for standard input.
    pub path: PathBuf,
    /// The name of a sheet in a spreadsheet, or of a table in a database. The name includes the
    /// schema unless the table is in the default schema.
    pub table: Option<String>,
    /// A single SELECT statement for a database, as an alternative to a table.
    pub query: Option<String>,
    /// Format of the files; by default, the extension determines the format.
    pub format: Option<Format>,
    /// Delimiter of a CSV file; by default a comma, or a tab for `.tsv`.
    pub delimiter: Option<u8>,
    /// Character encoding of a CSV file.
    pub encoding: Encoding,
    /// Column with the number of rows that each line represents, for input with precounted rows.
    /// The column is not part of the table.
    pub counts: Option<String>,
    /// Strings that represent a missing value in CSV and JSON, in addition to the empty string.
    /// Numbers are compared by value.
    pub null_values: Vec<String>,
    /// Strings and numbers that represent a missing value in one column, in any format. Names of
    /// columns that do not exist are ignored.
    pub column_null_values: Vec<(String, Vec<String>)>,
    /// Notations of text columns whose values are not in the plain notation of hierarchies and
    /// principles; invalid for databases. Names of columns that do not exist are ignored.
    pub written: Vec<(String, Notation)>,
    /// How columns with unsupported types are treated if all columns are examined.
    pub unsupported: Unsupported,
    /// An in-memory table, which takes precedence over all other fields.
    pub memory: Option<MemoryTable>,
}

/// How columns with unsupported types, such as lists, are treated if all columns are examined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unsupported {
    /// An error lists all such columns.
    #[default]
    Rejected,
    /// The other columns are examined.
    Skipped,
}

/// The purpose for which a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The input is read as a table. The first line is checked, because the header may be missing.
    Table,
    /// The input contains the rows of a release, whose columns are named in the certificate.
    Released,
}

/// Extensions of spreadsheets.
const SPREADSHEETS: [&str; 5] = ["xlsx", "xlsm", "xlsb", "xls", "ods"];

impl InputSpec {
    /// Returns the strings that represent a missing value only in the given column.
    pub fn own_null_values(&self, column: &str) -> &[String] {
        let mut declared = self.column_null_values.iter();
        declared.find(|(name, _)| name == column).map_or(&[], |(_, values)| values)
    }

    /// Returns the conversion of a column. `of_all` contains the strings that represent a missing
    /// value in all columns.
    pub(super) fn conversion(&self, column: &str, of_all: &[String]) -> Conversion {
        let declared = self.written.iter().find(|(name, _)| name == column);
        Conversion {
            null_values: NullValues::new(of_all.iter().chain(self.own_null_values(column))),
            notation: declared.map(|(_, written)| *written),
            coarsening: None,
        }
    }

    /// Returns whether the path refers to a spreadsheet. In that case, `table` is the name of
    /// a sheet.
    pub fn is_spreadsheet(&self) -> bool {
        let ending = self.path.extension().and_then(|it| it.to_str()).map(str::to_ascii_lowercase);
        self.format.is_none() && ending.is_some_and(|it| SPREADSHEETS.contains(&it.as_str()))
    }

    /// Returns whether the path refers to a Stata file.
    pub fn is_of_stata(&self) -> bool {
        let ending = self.path.extension().and_then(|it| it.to_str());
        self.format.is_none() && ending.is_some_and(|it| it.eq_ignore_ascii_case("dta"))
    }

    /// Rejects declared notations for a table in a database, because the database parses the
    /// values.
    ///
    /// # Errors
    /// Returns [`EngineError::WrittenElsewhere`] if a notation is declared for a database.
    pub fn check_written(&self) -> Result<(), EngineError> {
        match self.written.is_empty() || !self.is_address() {
            true => Ok(()),
            false => Err(EngineError::WrittenElsewhere),
        }
    }

    /// Rejects a path that may contain a credential, because messages contain the path.
    ///
    /// # Errors
    /// Returns [`TableError::Password`] if no such file exists; the error does not contain the
    /// path.
    pub fn check_credentials(&self) -> Result<(), EngineError> {
        let address = self.path.to_str().filter(|_| self.memory.is_none()).unwrap_or_default();
        if let Some((scheme, rest)) = scheme(address).filter(|_| self.is_object()) {
            return Ok(check(scheme, rest)?);
        }
        match may_contain_credential(address) && !self.path.exists() {
            true => Err(TableError::Password.into()),
            false => Ok(()),
        }
    }

    /// Returns whether the path is the address of a database instead of a file or an object.
    pub fn is_address(&self) -> bool {
        !self.is_object() && self.path.to_str().and_then(scheme).is_some()
    }

    /// Returns whether the path is the address of one or more objects.
    pub fn is_object(&self) -> bool {
        self.path.to_str().is_some_and(is_object)
    }
}

/// A reference to a table by its location or its content.
#[derive(Debug, Clone, Copy)]
pub enum TableRef<'a> {
    /// A file, a folder, or a pattern.
    At(&'a Path),
    /// An in-memory table.
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
