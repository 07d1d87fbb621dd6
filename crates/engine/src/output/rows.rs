//! Writes the rows of a release to a file.

use std::io::Write;
use std::path::Path;

use indistinct_core::{FrequencyTable, Observer, Release};

use super::assignment::Assignment;
use super::cells::{Dialect, Formulas};
use super::choices::{OutputFormat, RowOrder};
use super::columns::{ColumnSource, OutputColumn};
use super::csv::CsvRows;
use super::file::{DigestWriter, create_private};
use super::layout::{Layout, Limits, RowSink, Slot};
use super::mapping::Mapping;
use super::output_error::OutputError;
use super::parquet::ParquetRows;
use super::permutation::{Permutation, Purpose};
use super::second_pass::{Pass, SecondPass, map_counted};
use super::tuples::ReleasedTuples;
#[cfg(feature = "excel")]
use super::xlsx::SheetRows;
use crate::EngineError;

/// Request to write the rows of a release to a file.
#[derive(Debug)]
pub struct WriteRequest<'a> {
    /// Release approved by the certifier.
    pub release: &'a Release<'a>,
    /// Columns in the order of release.
    pub columns: Vec<OutputColumn>,
    /// Output format.
    pub format: OutputFormat,
    /// Order of the rows.
    pub order: RowOrder,
    /// Number of threads, at least 1. The output does not depend on the number of threads.
    pub threads: usize,
    /// Private folder for temporary files, which are needed only for insensitive columns; see
    /// [`Staging::scratch`](super::Staging::scratch).
    pub scratch: &'a Path,
    /// File for the class of each input row, for the data holder only (mode 0600). Each line
    /// contains the row number (starting at 1), the class (the index in the partition plus 1), and
    /// any released sensitive values that differ from those of the row. These fields are empty for
    /// suppressed rows. The file requires a pass over the input.
    pub mapping: Option<&'a Path>,
}

/// A file that has been written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Number of rows.
    pub n_rows: u64,
    /// Size of the file.
    pub n_bytes: u64,
    /// SHA-256 digest of the file in hexadecimal digits.
    pub sha256: String,
}

/// Writes the rows of a release to a new file that only the owner can read (mode 0600).
/// [`Staging::commit`](super::Staging::commit) syncs the file to disk.
///
/// Without insensitive columns, the rows follow from the counts and `second_pass` is not used. With
/// insensitive columns, the input is streamed again, and the values of every row identify its
/// counted tuple.
///
/// A missing value is an empty field in CSV, null in Parquet, and an absent cell in a spreadsheet.
/// In Parquet, a column retains the type of the input if all its released values fit that type, and
/// is text otherwise. The file contains nothing but the rows.
///
/// # Errors
/// Returns [`EngineError`] if the rows cannot be written. In that case, no file remains.
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

/// Writes the rows to an arbitrary writer; `path` is used in messages.
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

/// Returns the error for a column that cannot be written because it was not counted.
pub(super) fn no_second_pass(column: &str) -> EngineError {
    let reason = "the column was not counted, and there is no second pass";
    OutputError::InvalidColumn { column: column.to_owned(), reason }.into()
}

/// Source of the columns that were not counted, with the data for matching rows.
pub(super) struct UncountedColumns<'a> {
    pub(super) source: &'a dyn SecondPass,
    pub(super) table: &'a FrequencyTable,
    pub(super) assignment: Assignment<'a>,
}

/// Settings for writing a file of rows.
pub(super) struct Output<'a> {
    /// Path for messages.
    pub(super) path: &'a Path,
    pub(super) columns: &'a [OutputColumn],
    pub(super) format: OutputFormat,
    pub(super) order: RowOrder,
    /// Purpose of the random numbers that determine the row order.
    pub(super) purpose: Purpose,
    pub(super) threads: usize,
    pub(super) scratch: &'a Path,
    pub(super) limits: Limits,
    pub(super) mapping: Option<Mapping<'a>>,
}

impl Output<'_> {
    /// Writes the rows of tuples to an arbitrary writer. If there are columns that were not
    /// counted, `uncounted` is called with the name of the first such column.
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
        // `check` has already rejected this format.
        #[cfg(not(feature = "excel"))]
        OutputFormat::Xlsx => return Err(OutputError::NoSpreadsheets.into()),
    })
}
