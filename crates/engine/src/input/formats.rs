//! The readers of table formats and a registry with one reader for each format.

use std::path::{Path, PathBuf};

use indistinct_core::Observer;

use super::batches::{TextBatches, of_ipc, of_parquet};
use super::columns::shared_columns;
use super::plain;
use super::residual_metadata::{self, ResidualMetadata};
use super::spec::TextLayout;
use super::{
    Batches, Format, Input, InputColumn, Sources, csv, header, ipc, json, parquet, released_parquet,
};
use crate::EngineError;

type FindColumns = fn(&Sources, &[PathBuf], &TextLayout) -> Result<Vec<InputColumn>, EngineError>;

/// Functions for reading tables of a format.
pub(super) struct FormatReader {
    /// Returns the columns, which must be identical in all files.
    pub(super) columns: FindColumns,
    /// Streams the requested columns in order. A second list names additional columns to return as
    /// dictionaries if the format stores dictionaries.
    pub(super) batches: fn(&Input, &[usize], &[usize]) -> Batches,
    /// Whether the rows already contain numbers and dates in plain notation, regardless of declared
    /// notations.
    pub(super) reads_written: bool,
    /// How the work of a counting pass is divided among threads.
    pub(super) sharing: Sharing,
    /// Checks that all programs read the same values from the given columns of a release.
    pub(super) check_plain: CheckPlain,
    /// Returns the residual metadata of the files, which is all their content except the rows.
    pub(super) residual_metadata: FindResidualMetadata,
}

type CheckPlain = fn(&Input, &[String], &dyn Observer) -> Result<(), EngineError>;

/// Function that finds residual metadata in the files of an input.
type FindResidualMetadata = fn(&Input, &dyn Observer) -> Result<Vec<ResidualMetadata>, EngineError>;

/// How the work of a counting pass is divided among threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// Threads take turns reading blocks and parse them in parallel.
    Blocks,
    /// Threads read separate row groups in parallel.
    RowGroups,
    /// Threads take turns reading batches and encode them in parallel.
    Batches,
}

/// For formats whose released files have a single form, which [`FormatReader::check_plain`] checks.
fn no_residual_metadata(_: &Input, _: &dyn Observer) -> Result<Vec<ResidualMetadata>, EngineError> {
    Ok(Vec::new())
}

/// Returns the reader of a format.
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
        let check = |path: &Path| match layout.checks_header {
            true => header::check(sources, path, layout),
            false => Ok(()),
        };
        shared_columns(files, |path| csv::read_columns(sources, path, layout), check)
    },
    batches: |input, indices, _| Box::new(TextBatches::new(input, indices)),
    reads_written: true,
    sharing: Sharing::Blocks,
    check_plain: plain::check_csv,
    residual_metadata: residual_metadata::of_csv_files,
};

static PARQUET: FormatReader = FormatReader {
    columns: |sources, files, _| {
        shared_columns(files, |path| parquet::read_columns(sources, path), |_| Ok(()))
    },
    batches: |input, indices, dictionaries| Box::new(of_parquet(input, indices, dictionaries)),
    reads_written: false,
    sharing: Sharing::RowGroups,
    check_plain: released_parquet::check,
    residual_metadata: no_residual_metadata,
};

static JSON: FormatReader = FormatReader {
    columns: |sources, files, _| json::read_columns(sources, files),
    batches: |input, indices, _| Box::new(TextBatches::new(input, indices)),
    reads_written: false,
    sharing: Sharing::Blocks,
    check_plain: plain::reject,
    residual_metadata: no_residual_metadata,
};

static ARROW: FormatReader = FormatReader {
    columns: |sources, files, _| {
        shared_columns(files, |path| ipc::read_columns(sources, path), |_| Ok(()))
    },
    batches: |input, indices, _| Box::new(of_ipc(input, indices)),
    reads_written: false,
    sharing: Sharing::Batches,
    // The rows of a spreadsheet, which was checked when it was read, are a table in memory.
    check_plain: |input, columns, observer| match input.memory() {
        Some(_) => plain::check_batches(input, columns, observer),
        None => plain::reject(input, columns, observer),
    },
    residual_metadata: no_residual_metadata,
};
