//! A table in files that the executors read.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use indistinct_engine::{Encoding, EngineError, Format, Input, InputColumn, InputSpec, TableError};
use indistinct_sql::{Column, QueriedTable, Source, common_type, find, quoted};

use crate::place::ClusterLocation;
use crate::session::Session;

/// The name of the table in the session.
const TABLE: &str = "indistinct_table";

/// File extensions of compressed formats that executors do not support.
const PACKED: [&str; 8] = ["gz", "zst", "bz2", "xz", "zip", "lz4", "br", "z"];

/// The rows of several files with the same format and columns.
pub(crate) type ClusterTable = QueriedTable<Session>;

/// Opens the table that an input specifies.
pub(crate) fn open(place: ClusterLocation, spec: &InputSpec) -> Result<ClusterTable, EngineError> {
    let refused = |what| Err(TableError::NotOnCluster { what }.into());
    let name = match (&spec.table, &spec.query) {
        (Some(name), None) => name,
        (None, Some(_)) => {
            return refused(
                "an input `query`; specify a `table`, which is a file or folder below the \
                     address",
            );
        }
        _ => return Err(TableError::TableOrQuery.into()),
    };
    // Report unsupported notations here, because the error for database addresses would be
    // misleading.
    spec.check_for_database()?;
    if spec.encoding != Encoding::Utf8 {
        return refused("an encoding other than UTF-8");
    }
    if !spec.skipped_rows.is_none() {
        return refused("skipped rows");
    }
    if spec.counts.is_some() {
        return refused(
            "a table of counts; specify its file as `path` without the address of the cluster",
        );
    }
    let spec = InputSpec { path: place.table(name)?, table: None, ..spec.clone() };
    over(place, &spec)
}

/// Opens a file, or all files of a folder, as a table.
pub(crate) fn over(place: ClusterLocation, spec: &InputSpec) -> Result<ClusterTable, EngineError> {
    let refused = |what| Err(TableError::NotOnCluster { what }.into());
    if spec.is_spreadsheet() {
        return refused("a spreadsheet");
    }
    // Use the embedded engine to determine the same files, column names, and column types.
    let input = Input::open(spec)?;
    let is_packed = |file: &PathBuf| {
        let ending = file.extension().and_then(|it| it.to_str()).unwrap_or_default();
        PACKED.contains(&ending.to_ascii_lowercase().as_str())
    };
    if input.files().iter().any(is_packed) {
        return refused("compressed files; decompress them or convert them to Parquet");
    }
    let format: Arc<dyn FileFormat> = match (input.format(), input.delimiter()) {
        (Format::Parquet, _) => Arc::new(ParquetFormat::default()),
        (Format::Csv, Some(delimiter)) => Arc::new(
            CsvFormat::default()
                .with_has_header(true)
                .with_delimiter(delimiter)
                // A quoted value may contain line breaks, so a single task must read each file.
                .with_newlines_in_values(true),
        ),
        _ => return refused("a format other than Parquet or CSV"),
    };
    let field = |column: &InputColumn| Field::new(&column.name, column.data_type.clone(), true);
    let schema = Schema::new(input.columns().iter().map(field).collect::<Vec<_>>());
    let session = Session::new(place, input.n_bytes())?;
    session.register(TABLE, input.files(), format, Arc::new(schema))?;
    let described =
        |column: &InputColumn| Column { declared: column.data_type.to_string().to_lowercase() };
    let common = |column: &InputColumn| InputColumn {
        name: column.name.clone(),
        data_type: common_type(value_type(&column.data_type)),
    };
    let source = Source {
        dialect: find("datafusion").expect("a dialect"),
        from: quoted(TABLE),
        columns: input.columns().iter().map(common).collect(),
        described: input.columns().iter().map(described).collect(),
        null_values: match input.format() {
            Format::Csv => spec.null_values.clone(),
            _ => Vec::new(),
        },
    };
    Ok(QueriedTable { source: source.without_null_values(spec), client: session })
}

/// Returns the value type of a column, which differs from the data type for dictionary encoding.
fn value_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, values) => values,
        other => other,
    }
}
