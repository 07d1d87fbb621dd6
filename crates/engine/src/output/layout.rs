//! Definitions for sorting and writing rows, such as released columns, memory limits, progress, and
//! the interface of the output formats.

use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use indistinct_core::{Observer, Phase};

use super::columns::OutputColumn;
use super::permutation::Permutation;
use super::tuples::ReleasedTuples;
use crate::EngineError;

/// Source of the cells of a released column.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot {
    /// The counted column with this index.
    Counted(usize),
    /// The column with this index among the columns that were not counted.
    Extra(usize),
}

/// The released columns and the sources of their cells.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    pub(super) columns: &'a [OutputColumn],
    pub(super) slots: Vec<Slot>,
    pub(super) tuples: &'a ReleasedTuples,
}

/// Reports progress to the observer and checks for cancellation.
pub(super) struct Progress<'a> {
    observer: &'a dyn Observer,
    done: u64,
    total: u64,
}

impl<'a> Progress<'a> {
    pub(super) fn new(observer: &'a dyn Observer, total: u64) -> Self {
        Self::starting_at(observer, 0, total)
    }

    pub(super) fn starting_at(observer: &'a dyn Observer, done: u64, total: u64) -> Self {
        Self { observer, done, total }
    }

    pub(super) fn advance(&mut self, n_rows: u64) -> Result<(), EngineError> {
        self.done = self.total.min(self.done + n_rows);
        self.observer.progress(Phase::Write, self.done, self.total);
        if self.observer.is_cancelled() { Err(EngineError::Cancelled) } else { Ok(()) }
    }
}

/// Limits on memory and open files while rows are rendered and sorted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Maximum size in bytes of CSV lines that are rendered once for each distinct tuple. Beyond
    /// the limit, lines are assembled from cells.
    pub(super) line_bytes: usize,
    /// Maximum size in bytes of rows that are sorted in memory.
    pub(super) buffer_bytes: usize,
    /// Maximum number of rows that are shuffled in memory.
    pub(super) bucket_rows: u64,
    /// Maximum number of temporary files that are open simultaneously.
    pub(super) n_files: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line_bytes: 64 << 20, buffer_bytes: 96 << 20, bucket_rows: 1 << 18, n_files: 64 }
    }
}

/// Returns the released tuples of a batch, which are stored in the first column.
pub(super) fn tuples_of(batch: &RecordBatch) -> &UInt32Array {
    batch
        .column(0)
        .as_any()
        .downcast_ref()
        .expect("the first column of a batch contains the tuples")
}

/// Number of rows that are written at a time.
const BATCH_ROWS: u64 = 1 << 14;

/// Writer for the rows of a file.
pub(super) trait RowSink<W> {
    /// Returns the released columns.
    fn layout(&self) -> &Layout<'_>;

    /// Writes all rows, given only their counts.
    fn write_counted(
        &mut self,
        order: &Permutation,
        observer: &dyn Observer,
    ) -> Result<(), EngineError> {
        let n_rows = self.layout().tuples.n_rows();
        let mut progress = Progress::new(observer, n_rows);
        let mut picked: Vec<u32> = Vec::new();
        for first in (0..n_rows).step_by(BATCH_ROWS as usize) {
            let positions = first..n_rows.min(first + BATCH_ROWS);
            let tuples = self.layout().tuples;
            picked.clear();
            picked.extend(positions.map(|position| tuples.of_rank(order.of(position))));
            self.push(&picked, &[])?;
            progress.advance(picked.len() as u64)?;
        }
        Ok(())
    }

    /// Writes rows, given their tuples and the cells of the columns that were not counted.
    fn push(&mut self, tuples: &[u32], extras: &[ArrayRef]) -> Result<(), EngineError>;

    /// Finishes the file and returns the writer.
    fn finish(self: Box<Self>) -> Result<W, EngineError>;
}
