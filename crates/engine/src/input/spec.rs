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
    /// Rows of a CSV file or a spreadsheet that are neither column names nor part of the table.
    pub skipped_rows: SkippedRows,
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

/// Numbers of rows that are skipped around the column names, such as titles and units. Empty rows
/// are not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SkippedRows {
    /// Number of rows before the column names.
    pub before_header: usize,
    /// Number of rows after the column names.
    pub after_header: usize,
}

impl SkippedRows {
    /// Returns whether no rows are skipped.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// Returns the number of rows before the first row of the table, including the column names.
    pub(super) fn n_before_table(self) -> usize {
        self.before_header.saturating_add(self.after_header).saturating_add(1)
    }
}

/// Layout of text.
pub(super) struct TextLayout {
    pub(super) delimiter: u8,
    pub(super) encoding: Encoding,
    pub(super) skipped: SkippedRows,
    /// Whether a first line that looks like a row is rejected.
    pub(super) checks_header: bool,
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

    /// Rejects declared notations and skipped rows for a table in a database, because the database
    /// parses the values and has no rows around the column names.
    ///
    /// # Errors
    /// Returns [`EngineError::WrittenElsewhere`] if a notation is declared for a database, and
    /// [`EngineError::NothingToSkip`] if rows are skipped.
    pub fn check_for_database(&self) -> Result<(), EngineError> {
        match (self.is_address(), self.written.is_empty()) {
            (false, _) => Ok(()),
            (true, true) => self.check_skipped_rows(),
            (true, false) => Err(EngineError::WrittenElsewhere),
        }
    }

    /// Returns whether the path names a CSV file or a spreadsheet, in which rows can be skipped.
    pub fn has_header(&self) -> bool {
        let format = self.format.or_else(|| Format::of_path(&self.path));
        self.memory.is_none()
            && (self.is_spreadsheet() || format.is_some_and(|it| it.is_delimited()))
    }

    /// Rejects skipped rows for a format without rows above or below the column names.
    ///
    /// # Errors
    /// Returns [`EngineError::NothingToSkip`] if rows are skipped.
    pub fn check_skipped_rows(&self) -> Result<(), EngineError> {
        match self.skipped_rows.is_none() {
            true => Ok(()),
            false => Err(EngineError::NothingToSkip { path: self.path.clone() }),
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
