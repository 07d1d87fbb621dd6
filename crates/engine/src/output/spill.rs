//! Temporary files of rows, for what does not fit in memory.

use std::cell::Cell;
use std::fs::{File, Permissions};
use std::io::{BufReader, BufWriter};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::SchemaRef;
use tempfile::TempDir;

use super::file::create_private;
use crate::EngineError;

/// A private folder of temporary files (mode 0700, files 0600), gone when dropped.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: TempDir,
    schema: SchemaRef,
    n_files: Cell<usize>,
}

impl Scratch {
    /// Makes a folder within the given one, for rows of a schema.
    pub(super) fn new(within: &Path, schema: SchemaRef) -> Result<Self, EngineError> {
        let folder = tempfile::Builder::new()
            .prefix("rows-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(within)
            .map_err(|source| EngineError::write(within, source))?;
        Ok(Self { folder, schema, n_files: Cell::new(0) })
    }

    /// The schema of the rows.
    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Where errors say the files are.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A new file.
    pub(super) fn create(&self) -> Result<SpillWriter, EngineError> {
        let number = self.n_files.replace(self.n_files.get() + 1);
        let path = self.folder.path().join(number.to_string());
        let file = BufWriter::new(create_private(&path)?);
        let writer = StreamWriter::try_new(file, &self.schema)
            .map_err(|error| EngineError::arrow(&path, error))?;
        Ok(SpillWriter { path, writer, n_rows: 0 })
    }
}

/// A temporary file that is being written.
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

    /// Ends the file.
    pub(super) fn finish(mut self) -> Result<SpillFile, EngineError> {
        self.writer.finish().map_err(|error| EngineError::arrow(&self.path, error))?;
        let n_bytes = std::fs::metadata(&self.path)
            .map_err(|source| EngineError::write(&self.path, source))?
            .len();
        Ok(SpillFile { path: self.path, n_rows: self.n_rows, n_bytes })
    }
}

/// A written temporary file.
#[derive(Debug)]
pub(super) struct SpillFile {
    path: PathBuf,
    /// Its rows.
    pub(super) n_rows: u64,
    /// Its size.
    pub(super) n_bytes: u64,
}

impl SpillFile {
    /// Reads it once; it is removed when the reader is dropped.
    pub(super) fn read(self) -> Result<SpillReader, EngineError> {
        let file =
            File::open(&self.path).map_err(|source| EngineError::write(&self.path, source))?;
        let reader = StreamReader::try_new(BufReader::new(file), None)
            .map_err(|error| EngineError::arrow(&self.path, error))?;
        Ok(SpillReader { path: self.path, reader })
    }
}

/// The batches of a temporary file.
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
        let _ = std::fs::remove_file(&self.path); // the folder goes in any case
    }
}
