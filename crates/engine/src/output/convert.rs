//! Converts a table to another format without changing its content.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_schema::{Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::columns::plain_array;
use crate::EngineError;
use crate::Input;
use crate::input::text::plain_type;

/// Writes all columns of a table to a new Parquet file in the order of its rows. This function is
/// intended for tables that may be public, such as synthetic tables. To write a release, use
/// [`write_rows`](super::write_rows).
///
/// # Errors
/// Returns [`EngineError`] if the table cannot be read, or if the file already exists or cannot be
/// written.
pub fn to_parquet(input: &Input, path: &Path) -> Result<(), EngineError> {
    let names: Vec<String> = input.columns().iter().map(|column| column.name.clone()).collect();
    let fields: Vec<Field> = input
        .columns()
        .iter()
        .map(|column| Field::new(&column.name, plain_type(&column.data_type), true))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let file = File::create_new(path).map_err(|source| EngineError::write(path, source))?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build();
    let refused = |error| EngineError::parquet(path, error);
    let mut writer =
        ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(refused)?;
    for batch in input.batches(&names)? {
        let batch = batch?;
        let columns: Result<Vec<_>, _> = batch.columns().iter().map(plain_array).collect();
        let batch = columns
            .and_then(|columns| arrow_array::RecordBatch::try_new(schema.clone(), columns))
            .map_err(|error| EngineError::parquet(path, error.into()))?;
        writer.write(&batch).map_err(refused)?;
    }
    writer.close().map_err(refused)?;
    Ok(())
}
