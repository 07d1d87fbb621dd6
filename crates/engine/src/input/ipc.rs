//! Arrow IPC files and streams.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, Field, SchemaRef};

use super::{Format, InputColumn};
use crate::EngineError;

/// Batches of one file.
pub(crate) type IpcBatches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

pub(super) fn corrupt(path: &Path, error: &ArrowError) -> EngineError {
    EngineError::Corrupt { path: path.to_owned(), format: Format::Arrow, detail: error.to_string() }
}

/// The columns of a file.
pub(super) fn read_columns(path: &Path) -> Result<Vec<InputColumn>, EngineError> {
    let (schema, _) = open(path, None)?;
    let column = |field: &Arc<Field>| InputColumn {
        name: field.name().clone(),
        data_type: field.data_type().clone(),
    };
    Ok(schema.fields().iter().map(column).collect())
}

/// Opens a file or stream; `columns` are ascending indices of columns, all if left out.
pub(super) fn open(
    path: &Path,
    columns: Option<Vec<usize>>,
) -> Result<(SchemaRef, IpcBatches), EngineError> {
    let unreadable = |source| EngineError::Read { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(unreadable)?;
    let mut magic = Vec::with_capacity(6);
    (&mut file).take(6).read_to_end(&mut magic).map_err(unreadable)?;
    file.rewind().map_err(unreadable)?;
    let buffered = BufReader::with_capacity(1 << 16, file);
    let opened: Result<(SchemaRef, IpcBatches), ArrowError> = if magic == b"ARROW1" {
        FileReader::try_new(buffered, columns)
            .map(|reader| (reader.schema(), Box::new(reader) as IpcBatches))
    } else {
        StreamReader::try_new(buffered, columns)
            .map(|reader| (reader.schema(), Box::new(reader) as IpcBatches))
    };
    opened.map_err(|error| corrupt(path, &error))
}
