//! Writes ordered rows independently of the output format.

use arrow_array::ArrayRef;
use indistinct_core::Observer;

use super::layout::{Layout, Progress};
use super::permutation::Permutation;
use crate::EngineError;

/// Number of rows that are written at a time.
const BATCH_ROWS: u64 = 1 << 14;

/// Writer for the rows of a file.
pub(super) trait RowSink<W> {
    /// Returns the released columns.
    fn layout(&self) -> &Layout<'_>;

    /// Writes all rows from their counts alone.
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
