//! How tables of each format are read: a value for each, and the one list of them.

use std::path::{Path, PathBuf};

use indistinct_core::Observer;

use super::batches::{TextBatches, of_ipc, of_parquet};
use super::columns::shared_columns;
use super::plain::{self, Ways};
use super::residual_metadata::{self, ResidualMetadata};
use super::{
    Batches, Encoding, Format, Input, InputColumn, Sources, csv, header, ipc, json, parquet,
};
use crate::EngineError;

type FindColumns = fn(&Sources, &[PathBuf], &TextLayout) -> Result<Vec<InputColumn>, EngineError>;

/// How tables of a format are read.
pub(super) struct FormatReader {
    /// The columns that all files have.
    pub(super) columns: FindColumns,
    /// The rows of some columns, in their order; those of further columns as dictionaries, where the format has them so.
    pub(super) batches: fn(&Input, &[usize], &[usize]) -> Batches,
    /// Whether these rows have numbers and dates as we write them, however their columns do.
    pub(super) reads_written: bool,
    /// How the threads of a count share the rows.
    pub(super) sharing: Sharing,
    /// In how many ways each column writes what we take for one value.
    pub(super) ways: FindWays,
    /// What its files hold besides their rows.
    pub(super) residual_metadata: FindResidualMetadata,
}

/// Finds them for some columns.
type FindWays = fn(&Input, &[String], &dyn Observer) -> Result<Vec<Ways>, EngineError>;

/// Finds what the files of an input hold besides their rows.
type FindResidualMetadata = fn(&Input, &dyn Observer) -> Result<Vec<ResidualMetadata>, EngineError>;

/// How the threads of a count share the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// They take turns at the bytes, and parse their blocks at the same time.
    Blocks,
    /// Each takes a row group, of which all can be read at once.
    RowGroups,
    /// They take turns at the batches, and encode them at the same time.
    Batches,
}

/// How the characters and records of a text are written.
pub(super) struct TextLayout {
    pub(super) delimiter: u8,
    pub(super) encoding: Encoding,
    /// Whether a first line that looks like a row is refused.
    pub(super) checks_header: bool,
}

/// The reader of a format.
pub(super) fn reader(format: Format) -> &'static FormatReader {
    match format {
        Format::Csv => &CSV,
        Format::Parquet => &PARQUET,
        Format::Json => &JSON,
        Format::Arrow => &ARROW,
    }
}

static CSV: FormatReader = FormatReader {
    columns: |sources, files, layout| {
        let (delimiter, encoding) = (layout.delimiter, layout.encoding);
        let check = |path: &Path| match layout.checks_header {
            true => header::check(sources, path, delimiter, encoding),
            false => Ok(()),
        };
        shared_columns(files, |path| csv::read_columns(sources, path, delimiter, encoding), check)
    },
    batches: |input, indices, _| Box::new(TextBatches::new(input, indices)),
    reads_written: true,
    sharing: Sharing::Blocks,
    ways: plain::of_csv,
    residual_metadata: residual_metadata::of_csv_files,
};

static PARQUET: FormatReader = FormatReader {
    columns: |sources, files, _| {
        shared_columns(files, |path| parquet::read_columns(sources, path), |_| Ok(()))
    },
    batches: |input, indices, dictionaries| Box::new(of_parquet(input, indices, dictionaries)),
    reads_written: false,
    sharing: Sharing::RowGroups,
    ways: plain::of_batches,
    residual_metadata: residual_metadata::of_parquet_files,
};

static JSON: FormatReader = FormatReader {
    columns: |sources, files, _| json::read_columns(sources, files),
    batches: |input, indices, _| Box::new(TextBatches::new(input, indices)),
    reads_written: false,
    sharing: Sharing::Blocks,
    // No release is written so.
    ways: |_, _, _| Ok(Vec::new()),
    residual_metadata: |_, _| Ok(Vec::new()),
};

static ARROW: FormatReader = FormatReader {
    columns: |sources, files, _| {
        shared_columns(files, |path| ipc::read_columns(sources, path), |_| Ok(()))
    },
    batches: |input, indices, _| Box::new(of_ipc(input, indices)),
    reads_written: false,
    sharing: Sharing::Batches,
    ways: plain::of_batches,
    residual_metadata: |_, _| Ok(Vec::new()),
};
