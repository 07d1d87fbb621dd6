//! External merge sort of rows by all released columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt8Array, UInt16Array, UInt32Array};
use arrow_row::{RowConverter, Rows, SortField};
use arrow_schema::{ArrowError, DataType, Schema};
use arrow_select::concat::concat_batches;
use arrow_select::interleave::interleave_record_batch;
use arrow_select::take::take_record_batch;

use super::layout::{Layout, Limits, Slot, tuples_of};
use super::spill::{Scratch, SpillFile, SpillReader};
use super::tuples::ReleasedTuples;
use crate::EngineError;

/// Number of rows in a written batch.
const BATCH_ROWS: usize = 4096;

/// Sort key of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    /// The index of the tuple; tuples are sorted by all counted columns in ascending order.
    Tuple,
    /// The code of a value in a counted column, stored in the given number of bytes.
    Code { column: usize, n_bytes: usize },
    /// The value of a column that was not counted.
    Value { column: usize },
}

/// Sort keys of rows: codes of counted columns, which are in the order of their values, and the
/// values of other columns.
pub(super) struct Keys<'a> {
    tuples: &'a ReleasedTuples,
    keys: Vec<Key>,
    converter: RowConverter,
}

impl<'a> Keys<'a> {
    /// Creates keys for batches that consist of a tuple column and the columns that were
    /// not counted.
    pub(super) fn new(layout: &'a Layout<'a>, schema: &Schema) -> Result<Self, ArrowError> {
        let tuples = layout.tuples;
        let keys = keys_of(&layout.slots, |column| tuples.columns[column].values.len());
        let field = |key: &Key| {
            SortField::new(match key {
                Key::Tuple | Key::Code { n_bytes: 4, .. } => DataType::UInt32,
                Key::Code { n_bytes: 1, .. } => DataType::UInt8,
                Key::Code { .. } => DataType::UInt16,
                Key::Value { column } => schema.field(column + 1).data_type().clone(),
            })
        };
        let converter = RowConverter::new(keys.iter().map(field).collect())?;
        Ok(Self { tuples, keys, converter })
    }

    /// Creates keys for a tuple, whose numbering is arbitrary, and for the columns that were not
    /// counted.
    pub(super) fn of_any_tuples(
        layout: &'a Layout<'a>,
        schema: &Schema,
    ) -> Result<Self, ArrowError> {
        let values = (0..schema.fields().len() - 1).map(|column| Key::Value { column });
        let fields = schema.fields().iter().map(|f| SortField::new(f.data_type().clone()));
        let converter = RowConverter::new(fields.collect())?;
        let keys = std::iter::once(Key::Tuple).chain(values).collect();
        Ok(Self { tuples: layout.tuples, keys, converter })
    }

    /// Creates keys that sort batches with the columns tuple and number by the number.
    pub(super) fn of_numbers(layout: &'a Layout<'a>) -> Result<Self, ArrowError> {
        let converter = RowConverter::new(vec![SortField::new(DataType::UInt64)])?;
        let keys = vec![Key::Value { column: 0 }];
        Ok(Self { tuples: layout.tuples, keys, converter })
    }

    fn of(&self, batch: &RecordBatch) -> Result<Rows, ArrowError> {
        let tuples = tuples_of(batch).values();
        let column = |key: &Key| -> ArrayRef {
            let codes = |column| tuples.iter().map(move |&tuple| self.tuples.code(column, tuple));
            match *key {
                Key::Tuple => Arc::clone(batch.column(0)),
                Key::Code { column, n_bytes: 1 } => {
                    Arc::new(codes(column).map(|code| code as u8).collect::<UInt8Array>())
                }
                Key::Code { column, n_bytes: 2 } => {
                    Arc::new(codes(column).map(|code| code as u16).collect::<UInt16Array>())
                }
                Key::Code { column, .. } => Arc::new(codes(column).collect::<UInt32Array>()),
                Key::Value { column } => Arc::clone(batch.column(column + 1)),
            }
        };
        let columns: Vec<ArrayRef> = self.keys.iter().map(column).collect();
        self.converter.convert_columns(&columns)
    }

    /// Estimates the number of bytes that sorting a batch requires.
    fn n_bytes(&self, batch: &RecordBatch) -> usize {
        let a_row = 32 + 9 * self.keys.len();
        2 * batch.get_array_memory_size() + a_row * batch.num_rows()
    }
}

/// Returns the sort keys. If the counted columns come first, the tuple is a single key for all of
/// them.
fn keys_of(slots: &[Slot], n_values: impl Fn(usize) -> usize) -> Vec<Key> {
    let n_counted = slots.iter().filter(|slot| matches!(slot, Slot::Counted(_))).count();
    let counted_first = slots[..n_counted].iter().all(|slot| matches!(slot, Slot::Counted(_)));
    let key = |slot: &Slot| match *slot {
        Slot::Counted(0) if counted_first => Some(Key::Tuple),
        Slot::Counted(_) if counted_first => None,
        Slot::Counted(column) => {
            let n_bytes = match n_values(column) {
                0..=0x100 => 1,
                0x101..=0x1_0000 => 2,
                _ => 4,
            };
            Some(Key::Code { column, n_bytes })
        }
        Slot::Extra(column) => Some(Key::Value { column }),
    };
    slots.iter().filter_map(key).collect()
}

/// A sort in progress. Rows that exceed the buffer are written to sorted temporary files.
pub(super) struct Sort<'a> {
    keys: Keys<'a>,
    scratch: &'a Scratch,
    limits: Limits,
    buffer: Vec<RecordBatch>,
    n_bytes: usize,
    runs: Vec<SpillFile>,
}

impl<'a> Sort<'a> {
    pub(super) fn new(keys: Keys<'a>, scratch: &'a Scratch, limits: Limits) -> Self {
        Self { keys, scratch, limits, buffer: Vec::new(), n_bytes: 0, runs: Vec::new() }
    }

    /// Adds rows.
    pub(super) fn push(&mut self, batch: RecordBatch) -> Result<(), EngineError> {
        self.n_bytes += self.keys.n_bytes(&batch);
        self.buffer.push(batch);
        if self.n_bytes > self.limits.buffer_bytes {
            let sorted = self.sort_buffer()?;
            let mut run = self.scratch.create()?;
            for batch in batches_of(&sorted) {
                run.push(&batch)?;
            }
            self.runs.push(run.finish()?);
        }
        Ok(())
    }

    /// Passes all rows to `emit` in sorted order.
    pub(super) fn finish(
        mut self,
        emit: &mut dyn FnMut(&RecordBatch) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let last = self.sort_buffer()?;
        if self.runs.is_empty() {
            return batches_of(&last).try_for_each(|batch| emit(&batch));
        }
        let mut run = self.scratch.create()?;
        for batch in batches_of(&last) {
            run.push(&batch)?;
        }
        self.runs.push(run.finish()?);
        drop(last);

        let n_files = self.limits.n_files.max(2);
        while self.runs.len() > n_files {
            let merged: Vec<SpillFile> = self.runs.drain(..n_files).collect();
            let mut run = self.scratch.create()?;
            self.merge(merged, &mut |batch| run.push(batch))?;
            self.runs.push(run.finish()?);
        }
        let runs = std::mem::take(&mut self.runs);
        self.merge(runs, emit)
    }

    fn arrow(&self, error: ArrowError) -> EngineError {
        EngineError::arrow(self.scratch.path(), error)
    }

    fn sort_buffer(&mut self) -> Result<RecordBatch, EngineError> {
        self.n_bytes = 0;
        let buffer = std::mem::take(&mut self.buffer);
        let sort = || {
            let all = concat_batches(self.scratch.schema(), &buffer)?;
            let rows = self.keys.of(&all)?;
            let mut position: Vec<u32> = (0..all.num_rows() as u32).collect();
            position.sort_unstable_by(|&a, &b| rows.row(a as usize).cmp(&rows.row(b as usize)));
            take_record_batch(&all, &UInt32Array::from(position))
        };
        sort().map_err(|error| self.arrow(error))
    }

    fn merge(
        &self,
        runs: Vec<SpillFile>,
        emit: &mut dyn FnMut(&RecordBatch) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let mut cursors = Vec::with_capacity(runs.len());
        for run in runs {
            let mut reader = run.read()?;
            if let Some((batch, rows)) = self.next_of(&mut reader)? {
                cursors.push(Cursor { reader, batch, rows, row: 0, source: 0 });
            }
        }
        let mut heap: Vec<usize> = (0..cursors.len()).collect();
        for at in (0..heap.len() / 2).rev() {
            sift_down(&mut heap, at, &cursors);
        }
        let mut out = InterleavedRows::starting_with(&mut cursors);
        while let Some(&first) = heap.first() {
            let cursor = &mut cursors[first];
            out.rows.push((cursor.source, cursor.row));
            cursor.row += 1;
            if cursor.row == cursor.batch.num_rows() {
                match self.next_of(&mut cursor.reader)? {
                    Some((batch, rows)) => {
                        cursor.source = out.sources.len();
                        out.sources.push(batch.clone());
                        (cursor.batch, cursor.rows, cursor.row) = (batch, rows, 0);
                    }
                    None => {
                        heap.swap_remove(0);
                    }
                }
            }
            sift_down(&mut heap, 0, &cursors);
            if out.rows.len() == BATCH_ROWS {
                emit(&out.batch().map_err(|error| self.arrow(error))?)?;
                out = InterleavedRows::starting_with(&mut cursors);
            }
        }
        if out.rows.is_empty() {
            return Ok(());
        }
        emit(&out.batch().map_err(|error| self.arrow(error))?)
    }

    fn next_of(
        &self,
        reader: &mut SpillReader,
    ) -> Result<Option<(RecordBatch, Rows)>, EngineError> {
        for batch in reader {
            let batch = batch?;
            if batch.num_rows() > 0 {
                let rows = self.keys.of(&batch).map_err(|error| self.arrow(error))?;
                return Ok(Some((batch, rows)));
            }
        }
        Ok(None)
    }
}

fn batches_of(all: &RecordBatch) -> impl Iterator<Item = RecordBatch> + '_ {
    let n_rows = all.num_rows();
    (0..n_rows).step_by(BATCH_ROWS).map(move |at| all.slice(at, BATCH_ROWS.min(n_rows - at)))
}

/// Read position in a sorted temporary file.
struct Cursor {
    reader: SpillReader,
    batch: RecordBatch,
    rows: Rows,
    row: usize,
    /// Index of the batch among the sources of the output rows.
    source: usize,
}

/// Moves a cursor down the heap until its next row is not larger than the next rows of
/// its children.
fn sift_down(heap: &mut [usize], mut at: usize, cursors: &[Cursor]) {
    let less = |a: usize, b: usize| {
        let (a, b) = (&cursors[a], &cursors[b]);
        a.rows.row(a.row) < b.rows.row(b.row)
    };
    loop {
        let mut least = at;
        for child in [2 * at + 1, 2 * at + 2] {
            if child < heap.len() && less(heap[child], heap[least]) {
                least = child;
            }
        }
        if least == at {
            return;
        }
        heap.swap(at, least);
        at = least;
    }
}

/// Rows selected from several batches.
struct InterleavedRows {
    sources: Vec<RecordBatch>,
    rows: Vec<(usize, usize)>,
}

impl InterleavedRows {
    fn starting_with(cursors: &mut [Cursor]) -> Self {
        for (source, cursor) in cursors.iter_mut().enumerate() {
            cursor.source = source;
        }
        let sources = cursors.iter().map(|cursor| cursor.batch.clone()).collect();
        Self { sources, rows: Vec::with_capacity(BATCH_ROWS) }
    }

    fn batch(&self) -> Result<RecordBatch, ArrowError> {
        let sources: Vec<&RecordBatch> = self.sources.iter().collect();
        interleave_record_batch(&sources, &self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sort_codes_use_minimal_width() {
        let sizes = [256, 257, 65_536, 65_537];
        let mut slots = vec![Slot::Extra(0)];
        slots.extend((0..4).map(Slot::Counted));
        let code = |column, n_bytes| Key::Code { column, n_bytes };
        let keys = keys_of(&slots, |column| sizes[column]);
        assert_eq!(keys[0], Key::Value { column: 0 });
        assert_eq!(keys[1..], [code(0, 1), code(1, 2), code(2, 2), code(3, 4)]);
        slots.rotate_left(1);
        assert_eq!(keys_of(&slots, |column| sizes[column]), [Key::Tuple, Key::Value { column: 0 }]);
    }
}
