//! A table in files that the executors read.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::StringArray;
use arrow_schema::{DataType, Field, Schema};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use indistinct_core::Observer;
use indistinct_engine::{
    Batches, Encoding, EngineError, Format, Input, InputColumn, InputSpec, Scan, Table, TableError,
    TakeTuples,
};
use indistinct_sql::{
    Column, Query, Source, common_type, count, distinct, distinguishable, find, quoted, rows, scan,
};

use crate::place::ClusterLocation;
use crate::session::Session;

/// The name of the counting operation in messages.
const COUNTING: &str = "to count";

/// The name of the table in the session.
const TABLE: &str = "indistinct_table";

/// File extensions of compressed formats that executors do not support.
const PACKED: [&str; 8] = ["gz", "zst", "bz2", "xz", "zip", "lz4", "br", "z"];

/// The rows of several files with the same format and columns.
#[derive(Debug)]
pub(crate) struct ClusterTable {
    pub(crate) place: ClusterLocation,
    /// The metadata of the table.
    pub(crate) source: Source,
    pub(crate) session: Session,
}

impl ClusterTable {
    /// Opens the table that an input specifies.
    pub(crate) fn open(place: ClusterLocation, spec: &InputSpec) -> Result<Self, EngineError> {
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
        spec.check_written()?;
        if spec.encoding != Encoding::Utf8 {
            return refused("an encoding other than UTF-8");
        }
        if spec.counts.is_some() {
            return refused(
                "a table of counts; specify its file as `path` without the address of the cluster",
            );
        }
        let spec = InputSpec { path: place.table(name)?, table: None, ..spec.clone() };
        Self::over(place, &spec)
    }

    /// Opens a file, or all files of a folder, as a table.
    pub(crate) fn over(place: ClusterLocation, spec: &InputSpec) -> Result<Self, EngineError> {
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
        let session = Session::new(&place, input.n_bytes())?;
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
        Ok(Self { place, source, session })
    }

    fn asking(&self) -> impl Fn(&Query) -> Result<Batches, EngineError> + use<> {
        let session = self.session.clone();
        move |query| {
            let doing = if query.kind == "rows" { "to read rows" } else { COUNTING };
            session.ask(doing, query)
        }
    }

    /// The distinct tokens of a column.
    pub(crate) fn distinct_tokens(&self, column: usize) -> Result<StringArray, EngineError> {
        distinct(&self.source, &self.asking(), column)
    }
}

/// The value type of a column, which differs from the data type for dictionary encoding.
fn value_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, values) => values,
        other => other,
    }
}

impl Table for ClusterTable {
    fn columns(&self) -> &[InputColumn] {
        &self.source.columns
    }

    fn tuples(
        &self,
        columns: &[String],
        observer: &dyn Observer,
        take: TakeTuples<'_>,
    ) -> Result<(), EngineError> {
        let run = || count(&self.source, &self.asking(), columns, observer, take);
        self.session.watched(observer, run)
    }

    fn scan(
        &self,
        columns: &[String],
        together: &[String],
        observer: &dyn Observer,
    ) -> Result<Option<Scan>, EngineError> {
        let run = || scan(&self.source, &self.asking(), columns, together, observer);
        self.session.watched(observer, run).map(Some)
    }

    fn batches(&self, columns: &[String]) -> Result<Batches, EngineError> {
        rows(&self.source, &self.asking(), columns)
    }

    fn distinguishable(&self, columns: &[String]) -> Result<Option<String>, EngineError> {
        distinguishable(&self.source, &self.asking(), columns)
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
