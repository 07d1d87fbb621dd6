//! The stages of a certified release, whose rows are created, checked, and moved into place. All
//! engines have the same stages.

use indistinct_core::{MISSING, Observer, Release};

use super::choices::RowOrder;
use super::columns::{ColumnSource, OutputColumn};
use super::output_error::OutputError;
use super::rows::{WriteRequest, WrittenFile, write_rows};
use super::second_pass::CountedInput;
use super::target::Replace;
use super::tuples::ReleasedTuples;
use crate::EngineError;
use crate::count::digest_of_rows;
use std::path::Path;

/// A request to create the rows of a release.
#[derive(Debug)]
pub struct Recode<'a> {
    /// Columns, format, and order of the release.
    pub write: WriteRequest<'a>,
    /// Input table of the release.
    pub input: CountedInput<'a>,
    /// Destination of the rows.
    pub target: Target<'a>,
}

/// Destination of rows.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// A new file.
    File(&'a Path),
    /// A table in the database of the input.
    Table {
        /// Name of the table, with its schema unless it is in the default schema.
        name: &'a str,
        /// Whether an existing release may be replaced.
        replace: Replace,
    },
}

/// Rows that have been created but are not public yet. Dropping the value without
/// [`StagedRows::publish`] removes all traces from a database. The owner of a file's folder removes
/// this folder.
pub trait StagedRows {
    /// Returns the file that contains the rows, or `None` if the rows are in a database.
    fn file(&self) -> Option<&WrittenFile>;

    /// Checks that the rows are identical to the certified rows.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the rows differ or cannot be read.
    fn judge(&self, observer: &dyn Observer) -> Result<(), EngineError>;

    /// Returns the [digest](crate::rows_digest) of all rows in a database, or `None` if this engine
    /// cannot read rows back.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the rows cannot be read or if the observer cancels the operation.
    fn digest(&self, observer: &dyn Observer) -> Result<Option<String>, EngineError> {
        let _ = observer;
        Ok(None)
    }

    /// Returns the script that the user must run to publish the rows, and the table of the staged
    /// rows, if the engine cannot publish them.
    fn left_to_others(&self) -> Option<(String, String)> {
        None
    }

    /// Moves the rows into place. A database also receives the other files of the release, given by
    /// name and content. A file is moved with its folder.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the rows cannot be published. In that case, the previous state
    /// is restored.
    fn publish(self: Box<Self>, files: &[(String, String)]) -> Result<(), EngineError>;
}

/// Rows in a file, which were either written from the certified counts or matched with the
/// counts individually.
#[derive(Debug)]
pub(crate) struct StagedFile {
    written: WrittenFile,
    n_certified: u64,
}

impl StagedFile {
    pub(crate) fn write(
        path: &Path,
        recode: &Recode<'_>,
        observer: &dyn Observer,
    ) -> Result<Self, EngineError> {
        let written = write_rows(path, &recode.write, Some(&recode.input), observer)?;
        let n_certified = recode.write.release.claims().n_released;
        Ok(Self { written, n_certified })
    }
}

impl StagedRows for StagedFile {
    fn file(&self) -> Option<&WrittenFile> {
        Some(&self.written)
    }

    fn judge(&self, _: &dyn Observer) -> Result<(), EngineError> {
        match self.written.n_rows == self.n_certified {
            true => Ok(()),
            false => Err(OutputError::InputChanged {
                what: "the number of rows differs from the certified number",
            }
            .into()),
        }
    }

    fn publish(self: Box<Self>, _: &[(String, String)]) -> Result<(), EngineError> {
        Ok(())
    }
}

/// The distinct rows of a release in its counted columns, in ascending order of the released
/// values, with their counts.
#[derive(Debug)]
pub struct CertifiedRows {
    tuples: ReleasedTuples,
    released_of: Vec<u32>,
}

impl CertifiedRows {
    /// Returns the rows of a release.
    ///
    /// # Errors
    /// Returns [`OutputError::InvalidColumn`] if a column is invalid.
    pub fn from_release(
        release: &Release<'_>,
        columns: &[OutputColumn],
        order: RowOrder,
    ) -> Result<Self, EngineError> {
        let (tuples, released_of) = ReleasedTuples::from_release(release, columns, order)?;
        Ok(Self { tuples, released_of })
    }

    /// Returns the number of distinct rows.
    pub fn n_tuples(&self) -> usize {
        self.tuples.len()
    }

    /// Returns the count of a distinct row.
    pub fn count(&self, tuple: usize) -> u64 {
        self.tuples.count(tuple)
    }

    /// Returns the sorted released values of a counted column, given its index among the counted
    /// columns.
    pub fn values(&self, column: usize) -> &[String] {
        &self.tuples.columns[column].values
    }

    /// Returns the index in [`CertifiedRows::values`] of the value of a row.
    pub fn code(&self, column: usize, tuple: usize) -> u32 {
        self.tuples.code(column, tuple as u32)
    }

    /// Returns the value of a row.
    pub fn value(&self, column: usize, tuple: usize) -> &str {
        &self.values(column)[self.code(column, tuple) as usize]
    }

    /// Returns the distinct row (or [`DROPPED`](indistinct_core::DROPPED)) of each tuple in the
    /// table of the release.
    pub fn of_counted(&self) -> &[u32] {
        &self.released_of
    }

    /// Returns the [digest](crate::rows_digest) of the rows in their counted columns.
    pub fn digest(&self) -> String {
        let n_columns = self.tuples.columns.len();
        let cell = |column, tuple| Some(self.value(column, tuple)).filter(|it| *it != MISSING);
        let row = |tuple| (0..n_columns).map(move |column| cell(column, tuple));
        digest_of_rows((0..self.n_tuples()).map(|tuple| (row(tuple), self.count(tuple))))
    }

    /// Returns the names of the counted columns among the released columns.
    pub fn names(&self, columns: &[OutputColumn]) -> Vec<String> {
        let is_counted =
            |column: &&OutputColumn| !matches!(column.source, ColumnSource::Insensitive(_));
        columns.iter().filter(is_counted).map(|column| column.name.clone()).collect()
    }
}
