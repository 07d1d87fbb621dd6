//! Temporary files for rows that do not fit in memory.

use std::cell::Cell;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::SchemaRef;
use indistinct_diagnostics::platform;
use tempfile::TempDir;

use super::file::create_private;
use crate::EngineError;

/// A private folder of temporary files (mode 0700, files 0600), which is removed when the value is
/// dropped.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: TempDir,
    schema: SchemaRef,
    n_files: Cell<usize>,
}

impl Scratch {
    /// Creates a folder inside the given folder for rows with the given schema.
    pub(super) fn new(within: &Path, schema: SchemaRef) -> Result<Self, EngineError> {
        let folder = tempfile::Builder::new()
            .prefix("rows-")
            .tempdir_in(within)
            .and_then(|folder| platform::restrict(folder.path()).map(|()| folder))
            .map_err(|source| EngineError::write(within, source))?;
        Ok(Self { folder, schema, n_files: Cell::new(0) })
    }

    /// Returns the schema of the rows.
    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Returns the path of the folder for error messages.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Creates a file.
    pub(super) fn create(&self) -> Result<SpillWriter, EngineError> {
        let number = self.n_files.replace(self.n_files.get() + 1);
        let path = self.folder.path().join(format!("temporary-rows-{number}"));
        let file = BufWriter::new(create_private(&path)?);
        let writer = StreamWriter::try_new(file, &self.schema)
            .map_err(|error| EngineError::arrow(&path, error))?;
        Ok(SpillWriter { path, writer, n_rows: 0 })
    }
}

/// Writer of a temporary file.
pub(super) struct SpillWriter {
    path: PathBuf,
    writer: StreamWriter<BufWriter<File>>,
    n_rows: u64,
}

impl SpillWriter {
    /// Appends rows.
    pub(super) fn push(&mut self, batch: &RecordBatch) -> Result<(), EngineError> {
        self.n_rows += batch.num_rows() as u64;
        self.writer.write(batch).map_err(|error| EngineError::arrow(&self.path, error))
    }

    /// Finishes the file.
    pub(super) fn finish(mut self) -> Result<SpillFile, EngineError> {
        self.writer.finish().map_err(|error| EngineError::arrow(&self.path, error))?;
        let n_bytes = std::fs::metadata(&self.path)
            .map_err(|source| EngineError::write(&self.path, source))?
            .len();
        Ok(SpillFile { path: self.path, n_rows: self.n_rows, n_bytes })
    }
}

/// A complete temporary file.
#[derive(Debug)]
pub(super) struct SpillFile {
    path: PathBuf,
    /// Number of rows in the file.
    pub(super) n_rows: u64,
    /// Size of the file in bytes.
    pub(super) n_bytes: u64,
}

impl SpillFile {
    /// Opens the file for reading. The file is removed when the reader is dropped.
    pub(super) fn read(self) -> Result<SpillReader, EngineError> {
        let file =
            File::open(&self.path).map_err(|source| EngineError::write(&self.path, source))?;
        let reader = StreamReader::try_new(BufReader::new(file), None)
            .map_err(|error| EngineError::arrow(&self.path, error))?;
        Ok(SpillReader { path: self.path, reader })
    }
}

/// Reader for the batches of a temporary file.
pub(super) struct SpillReader {
    path: PathBuf,
    reader: StreamReader<BufReader<File>>,
}

impl Iterator for SpillReader {
    type Item = Result<RecordBatch, EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.reader.next()?;
        Some(batch.map_err(|error| EngineError::arrow(&self.path, error)))
    }
}

impl Drop for SpillReader {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path); // the folder is removed in any case
    }
}
