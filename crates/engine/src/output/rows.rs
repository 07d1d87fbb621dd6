//! The rows of a release, in a file.

use std::io::Write;
use std::path::Path;

use indistinct_core::{FrequencyTable, Observer, Release};

use super::assignment::Assignment;
use super::cells::{Dialect, Formulas};
use super::choices::{OutputFormat, RowOrder};
use super::columns::{ColumnSource, OutputColumn};
use super::csv::CsvRows;
use super::file::{DigestWriter, create_private};
use super::layout::{Layout, Limits, Slot};
use super::mapping::Mapping;
use super::output_error::OutputError;
use super::parquet::ParquetRows;
use super::permutation::{Permutation, Purpose};
use super::second_pass::{Pass, SecondPass, map_counted};
use super::sink::RowSink;
use super::tuples::ReleasedTuples;
#[cfg(feature = "excel")]
use super::xlsx::SheetRows;
use crate::EngineError;

/// What is to be written, and how.
#[derive(Debug)]
pub struct WriteRequest<'a> {
    /// What the certifier allows to be written.
    pub release: &'a Release<'a>,
    /// The columns, in the order in which they are released.
    pub columns: Vec<OutputColumn>,
    /// The format.
    pub format: OutputFormat,
    /// The order of the rows.
    pub order: RowOrder,
    /// How many threads work; at least 1. The bytes do not depend on it.
    pub threads: usize,
    /// A private folder for temporary files, used with insensitive columns only; see
    /// [`Staging::scratch`](super::Staging::scratch).
    pub scratch: &'a Path,
    /// Where to write which class each row of the input is in, for the holder alone (mode 0600): lines of the row's number
    /// from 1, its class (that of the partition plus 1), and its released sensitive values where they are not those of the
    /// row; empty where it is suppressed. It takes a pass over the input even if nothing else does.
    pub mapping: Option<&'a Path>,
}

/// A written file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Number of rows.
    pub n_rows: u64,
    /// Size of the file.
    pub n_bytes: u64,
    /// SHA-256 of the file in hexadecimal digits.
    pub sha256: String,
}

/// Writes the rows of a release to a new file, which only its owner may read (mode 0600). That they reach the disk is
/// seen to by [`Staging::commit`](super::Staging::commit).
///
/// Without insensitive columns the rows follow from the counts, and `second_pass` is not used. With them the input is
/// streamed again: every row is found among the counted tuples by its values.
///
/// A missing value is an empty field in CSV, null in Parquet and no cell in a spreadsheet. In Parquet a column keeps the type of the input where all
/// its released values fit that type, otherwise it is a text; nothing but the rows gets into the file.
///
/// # Errors
/// [`EngineError`]; no file is left behind then.
pub fn write_rows(
    path: &Path,
    request: &WriteRequest<'_>,
    second_pass: Option<&dyn SecondPass>,
    observer: &dyn Observer,
) -> Result<WrittenFile, EngineError> {
    let file = create_private(path)?;
    let limits = Limits::default();
    let written =
        write_to(path, request, second_pass, observer, limits, file).map(|(_, written)| written);
    if written.is_err() {
        let _ = std::fs::remove_file(path);
        if let Some(mapping) = request.mapping {
            let _ = std::fs::remove_file(mapping);
        }
    }
    written
}

/// Writes the rows to any writer; `path` is for messages.
pub(super) fn write_to<W: Write + Send>(
    path: &Path,
    request: &WriteRequest<'_>,
    second_pass: Option<&dyn SecondPass>,
    observer: &dyn Observer,
    limits: Limits,
    out: W,
) -> Result<(W, WrittenFile), EngineError> {
    let (tuples, released_of) =
        ReleasedTuples::from_release(request.release, &request.columns, request.order)?;
    let output = Output {
        path,
        columns: &request.columns,
        format: request.format,
        order: request.order,
        purpose: Purpose::Rows,
        threads: request.threads,
        scratch: request.scratch,
        limits,
        mapping: request.mapping.map(|path| Mapping::new(path, request.release, &released_of)),
    };
    let release = request.release;
    let uncounted = |column: &str| {
        let source = second_pass.ok_or_else(|| no_second_pass(column))?;
        let key = match request.order {
            RowOrder::Sorted => [0; 32],
            RowOrder::Shuffled { key } => key,
        };
        let assignment = Assignment::new(release.counted(), release.parts(), &released_of, key);
        Ok(UncountedColumns { source, table: release.counted(), assignment })
    };
    output.write(&tuples, uncounted, observer, out)
}

/// The refusal to write a column that was not counted from counts alone.
pub(super) fn no_second_pass(column: &str) -> EngineError {
    let reason = "it was not counted, and there is no second pass";
    OutputError::InvalidColumn { column: column.to_owned(), reason }.into()
}

/// Columns that were not counted, and how their rows are found.
pub(super) struct UncountedColumns<'a> {
    pub(super) source: &'a dyn SecondPass,
    pub(super) table: &'a FrequencyTable,
    pub(super) assignment: Assignment<'a>,
}

/// A file of rows.
pub(super) struct Output<'a> {
    /// For messages.
    pub(super) path: &'a Path,
    pub(super) columns: &'a [OutputColumn],
    pub(super) format: OutputFormat,
    pub(super) order: RowOrder,
    /// What the key of the order is used for.
    pub(super) purpose: Purpose,
    pub(super) threads: usize,
    pub(super) scratch: &'a Path,
    pub(super) limits: Limits,
    pub(super) mapping: Option<Mapping<'a>>,
}

impl Output<'_> {
    /// Writes the rows of tuples to any writer. `uncounted` is asked where there is a column that was not counted, the first of
    /// which it is told.
    pub(super) fn write<'b, W: Write + Send>(
        &self,
        tuples: &ReleasedTuples,
        uncounted: impl FnOnce(&str) -> Result<UncountedColumns<'b>, EngineError>,
        observer: &dyn Observer,
        out: W,
    ) -> Result<(W, WrittenFile), EngineError> {
        let (path, limits) = (self.path, self.limits);
        let (mut n_counted, mut extras) = (0, Vec::new());
        let slots = self
            .columns
            .iter()
            .map(|column| match &column.source {
                ColumnSource::Insensitive(name) => {
                    extras.push(name.as_str());
                    Slot::Extra(extras.len() - 1)
                }
                _ => {
                    n_counted += 1;
                    Slot::Counted(n_counted - 1)
                }
            })
            .collect();
        let layout = Layout { columns: self.columns, slots, tuples };
        let n_rows = tuples.n_rows();
        let out = DigestWriter::new(out);

        let out = if extras.is_empty() {
            if let Some(mapping) = &self.mapping {
                let UncountedColumns { source, table, assignment } = uncounted("row")?;
                map_counted(mapping, source, table, &assignment, observer)?;
            }
            let order = match self.order {
                RowOrder::Sorted => Permutation::Identity,
                RowOrder::Shuffled { key } => Permutation::keyed(n_rows, key, self.purpose),
            };
            let mut sink = open(self.format, path, &layout, (self.threads, limits), out)?;
            sink.write_counted(&order, observer)?;
            sink.finish()?
        } else {
            let UncountedColumns { source, table, assignment } = uncounted(extras[0])?;
            let (order, scratch) = (self.order, self.scratch);
            let (layout, mapping) = (&layout, self.mapping.as_ref());
            let pass =
                Pass { path, source, table, assignment, layout, order, scratch, limits, mapping };
            let mut sink = open(self.format, path, layout, (self.threads, limits), out)?;
            pass.run(sink.as_mut(), observer)?;
            sink.finish()?
        };
        let (mut out, sha256, n_bytes) = out.finish();
        out.flush().map_err(|source| EngineError::write(path, source))?;
        Ok((out, WrittenFile { n_rows, n_bytes, sha256 }))
    }
}

/// Starts a file in a format.
fn open<'a, W: Write + Send + 'a>(
    format: OutputFormat,
    path: &'a Path,
    layout: &'a Layout<'a>,
    (n_threads, limits): (usize, Limits),
    out: W,
) -> Result<Box<dyn RowSink<W> + 'a>, EngineError> {
    format.check(layout.tuples.n_rows())?;
    let csv = |delimiter, formulas, out| {
        let dialect = Dialect { delimiter, formulas };
        CsvRows::new(path, layout, dialect, (n_threads, limits), out)
    };
    Ok(match format {
        OutputFormat::Csv { delimiter } => Box::new(csv(delimiter, Formulas::Unchanged, out)?),
        OutputFormat::SpreadsheetCsv { delimiter } => {
            Box::new(csv(delimiter, Formulas::Guarded, out)?)
        }
        OutputFormat::Parquet => Box::new(ParquetRows::new(path, layout, n_threads, out)?),
        #[cfg(feature = "excel")]
        OutputFormat::Xlsx => Box::new(SheetRows::new(path, layout, out)?),
        // The check has said so.
        #[cfg(not(feature = "excel"))]
        OutputFormat::Xlsx => return Err(OutputError::NoSpreadsheets.into()),
    })
}
