//! What every engine does with a certified release: make its rows, have them judged, put them in place.

use indistinct_core::{Observer, Release};

use super::choices::RowOrder;
use super::columns::{ColumnSource, OutputColumn};
use super::output_error::OutputError;
use super::rows::{WriteRequest, WrittenFile, write_rows};
use super::second_pass::CountedInput;
use super::target::Replace;
use super::tuples::ReleasedTuples;
use crate::EngineError;
use std::path::Path;

/// Rows to be made.
#[derive(Debug)]
pub struct Recode<'a> {
    /// What is released, and how.
    pub write: WriteRequest<'a>,
    /// The table that it is made of.
    pub input: CountedInput<'a>,
    /// Where the rows go.
    pub target: Target<'a>,
}

/// Where rows go.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// A new file.
    File(&'a Path),
    /// A table of the database that the input is in.
    Table {
        /// Its name, with its schema where it is in another than the usual one.
        name: &'a str,
        /// Whether a release that is there may be replaced.
        replace: Replace,
    },
}

/// Rows that were made and that nobody else sees yet. Dropped without [`StagedRows::publish`] they leave nothing behind in a database;
/// a file lies in a folder that its owner removes.
pub trait StagedRows {
    /// The file, where they are in one.
    fn file(&self) -> Option<&WrittenFile>;

    /// Checks that they are what was certified.
    ///
    /// # Errors
    /// Returns [`EngineError`] if they are not, or cannot be read.
    fn judge(&self, observer: &dyn Observer) -> Result<(), EngineError>;

    /// What is left to somebody else once they are put in place, if anything, as a sentence.
    fn left_to_others(&self) -> Option<String> {
        None
    }

    /// Puts them in place, with the other files of the release (name and text) beside them where they are in a database; a file
    /// is put in place with its folder.
    ///
    /// # Errors
    /// [`EngineError`]; then all is as it was.
    fn publish(self: Box<Self>, files: &[(String, String)]) -> Result<(), EngineError>;
}

/// Rows in a file, written from the certified counts or found among them one by one.
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
            false => {
                Err(OutputError::InputChanged { what: "it has other rows than were certified" }
                    .into())
            }
        }
    }

    fn publish(self: Box<Self>, _: &[(String, String)]) -> Result<(), EngineError> {
        Ok(())
    }
}

/// The distinct rows of a release over its counted columns, ascending by their released values, with how often each occurs.
#[derive(Debug)]
pub struct CertifiedRows {
    tuples: ReleasedTuples,
    released_of: Vec<u32>,
}

impl CertifiedRows {
    /// The rows of a release.
    ///
    /// # Errors
    /// [`OutputError::InvalidColumn`].
    pub fn from_release(
        release: &Release<'_>,
        columns: &[OutputColumn],
        order: RowOrder,
    ) -> Result<Self, EngineError> {
        let (tuples, released_of) = ReleasedTuples::from_release(release, columns, order)?;
        Ok(Self { tuples, released_of })
    }

    /// How many distinct rows there are.
    pub fn n_tuples(&self) -> usize {
        self.tuples.len()
    }

    /// How often one occurs.
    pub fn count(&self, tuple: usize) -> u64 {
        self.tuples.count(tuple)
    }

    /// The released values of a counted column, by its place among these; sorted.
    pub fn values(&self, column: usize) -> &[String] {
        &self.tuples.columns[column].values
    }

    /// The place of a row's value among those.
    pub fn code(&self, column: usize, tuple: usize) -> u32 {
        self.tuples.code(column, tuple as u32)
    }

    /// A row's value.
    pub fn value(&self, column: usize, tuple: usize) -> &str {
        &self.values(column)[self.code(column, tuple) as usize]
    }

    /// For each tuple of the release's table its row, or [`DROPPED`](indistinct_core::DROPPED).
    pub fn of_counted(&self) -> &[u32] {
        &self.released_of
    }

    /// The names of the counted columns among the released ones.
    pub fn names(&self, columns: &[OutputColumn]) -> Vec<String> {
        let is_counted =
            |column: &&OutputColumn| !matches!(column.source, ColumnSource::Insensitive(_));
        columns.iter().filter(is_counted).map(|column| column.name.clone()).collect()
    }
}
