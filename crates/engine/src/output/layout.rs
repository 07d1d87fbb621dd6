//! What all that orders and writes rows shares: the released columns, batches of rows, limits of memory and progress.

use arrow_array::{RecordBatch, UInt32Array};
use indistinct_core::{Observer, Phase};

use super::columns::OutputColumn;
use super::tuples::ReleasedTuples;
use crate::EngineError;

/// Where the cells of a released column come from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot {
    /// The counted column with this number.
    Counted(usize),
    /// The column with this number among those that were not counted.
    Extra(usize),
}

/// The released columns, each with where its cells come from.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    pub(super) columns: &'a [OutputColumn],
    pub(super) slots: Vec<Slot>,
    pub(super) tuples: &'a ReleasedTuples,
}

/// Tells the observer about rows, and hears whether to stop.
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

/// How much is held in memory while rows are rendered and ordered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Bytes of CSV lines that are rendered once for each distinct tuple; otherwise lines are put together from cells.
    pub(super) line_bytes: usize,
    /// Bytes of rows that are ordered in memory at a time.
    pub(super) buffer_bytes: usize,
    /// Rows that are shuffled in memory at a time.
    pub(super) bucket_rows: u64,
    /// Temporary files that are read or written at a time.
    pub(super) n_files: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line_bytes: 64 << 20, buffer_bytes: 96 << 20, bucket_rows: 1 << 18, n_files: 64 }
    }
}

/// The released tuples of a batch of rows, its first column.
pub(super) fn tuples_of(batch: &RecordBatch) -> &UInt32Array {
    batch
        .column(0)
        .as_any()
        .downcast_ref()
        .expect("the first column of a batch of rows is its tuples")
}
