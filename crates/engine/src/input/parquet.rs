//! Parquet: columns, row groups, and readers that keep dictionary pages.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;

use super::guard::{Guarded, guarded};
use super::{Format, InputColumn};
use crate::{EngineError, files};

fn corrupt(path: &Path, error: ParquetError) -> EngineError {
    EngineError::Corrupt {
        path: path.to_owned(),
        format: Format::Parquet,
        detail: error.to_string(),
    }
}

pub(crate) fn open(path: &Path) -> Result<(File, ArrowReaderMetadata), EngineError> {
    let file = files::open_given(path, files::NO_LIMIT)?;
    let metadata = guarded(path, Format::Parquet, || {
        ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())
            .map_err(|error| corrupt(path, error))
    })?;
    Ok((file, metadata))
}

/// The columns of a file.
pub(super) fn read_columns(path: &Path) -> Result<Vec<InputColumn>, EngineError> {
    let (_, metadata) = open(path)?;
    let column = |field: &Arc<Field>| InputColumn {
        name: field.name().clone(),
        data_type: field.data_type().clone(),
    };
    Ok(metadata.schema().fields().iter().map(column).collect())
}

/// The bytes of each row group.
pub(crate) fn row_groups(path: &Path) -> Result<Vec<u64>, EngineError> {
    let (_, metadata) = open(path)?;
    let bytes = |group: &parquet::file::metadata::RowGroupMetaData| {
        u64::try_from(group.compressed_size()).unwrap_or(0)
    };
    Ok(metadata.metadata().row_groups().iter().map(bytes).collect())
}

/// What is read of a file.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    /// Indices of columns, ascending.
    pub(crate) columns: Vec<usize>,
    /// Those of them whose texts come as dictionaries.
    pub(crate) dictionaries: Vec<usize>,
    /// Rows of a batch.
    pub(crate) batch_rows: usize,
}

/// Batches of a file.
pub(crate) type Batches = Guarded<ParquetRecordBatchReader>;

/// Reads the selected columns of one row group, or of all.
pub(crate) fn reader(
    path: &Path,
    selection: &Selection,
    row_group: Option<usize>,
) -> Result<Batches, EngineError> {
    let (file, native) = open(path)?;
    guarded(path, Format::Parquet, || build(path, file, native, selection, row_group))
        .map(|reader| Guarded::new(path, Format::Parquet, reader))
}

fn build(
    path: &Path,
    file: File,
    native: ArrowReaderMetadata,
    selection: &Selection,
    row_group: Option<usize>,
) -> Result<ParquetRecordBatchReader, EngineError> {
    let metadata = with_dictionaries(&native, &selection.dictionaries).unwrap_or(native);
    let mask = ProjectionMask::roots(metadata.parquet_schema(), selection.columns.iter().copied());
    let mut builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
        .with_projection(mask)
        .with_batch_size(selection.batch_rows);
    if let Some(row_group) = row_group {
        builder = builder.with_row_groups(vec![row_group]);
    }
    builder.build().map_err(|error| corrupt(path, error))
}

/// Asks for dictionaries of the given text columns; `None` where the file does not agree.
fn with_dictionaries(
    native: &ArrowReaderMetadata,
    dictionaries: &[usize],
) -> Option<ArrowReaderMetadata> {
    let fields =
        native.schema().fields().iter().enumerate().map(|(at, field)| match field.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
                if dictionaries.contains(&at) =>
            {
                let codes =
                    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
                Arc::new(field.as_ref().clone().with_data_type(codes))
            }
            _ => Arc::clone(field),
        });
    let schema =
        Schema::new_with_metadata(fields.collect::<Vec<_>>(), native.schema().metadata().clone());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    ArrowReaderMetadata::try_new(Arc::clone(native.metadata()), options).ok()
}
