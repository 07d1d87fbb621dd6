//! Arrow IPC files and streams.

use std::io::BufReader;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};

use super::guard::{GuardedBatches, guarded};
use super::opened::{FileCursor, Sources};
use super::{Format, InputColumn, ipc_sizes};
use crate::EngineError;

type Reader = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// Iterator over the batches of a file.
pub(super) type IpcBatches = GuardedBatches<Reader>;

fn corrupt(path: &Path, error: &ArrowError) -> EngineError {
    EngineError::Corrupt { path: path.to_owned(), format: Format::Arrow, detail: error.to_string() }
}

/// Returns the columns of a file.
pub(super) fn read_columns(
    sources: &Sources,
    path: &Path,
) -> Result<Vec<InputColumn>, EngineError> {
    Ok(InputColumn::of_schema(&open(sources, path, None)?.0))
}

/// Opens a file or stream. `columns` contains ascending column indices; by default, all columns are
/// read.
pub(super) fn open(
    sources: &Sources,
    path: &Path,
    columns: Option<Vec<usize>>,
) -> Result<(SchemaRef, IpcBatches), EngineError> {
    let file = sources.random(path)?;
    ipc_sizes::check(file.file(), path)?;
    let (schema, reader) = guarded(path, Format::Arrow, || {
        build(file, columns).map_err(|error| corrupt(path, &error))
    })?;
    Ok((schema, GuardedBatches::new(path, Format::Arrow, reader)))
}

fn build(file: FileCursor, columns: Option<Vec<usize>>) -> Result<(SchemaRef, Reader), ArrowError> {
    let is_file = ipc_sizes::is_file(file.file())?;
    let buffered = BufReader::with_capacity(1 << 16, file);
    if is_file {
        FileReader::try_new(buffered, columns)
            .map(|reader| (reader.schema(), Box::new(reader) as Reader))
    } else {
        StreamReader::try_new(buffered, columns)
            .map(|reader| (reader.schema(), Box::new(reader) as Reader))
    }
}
