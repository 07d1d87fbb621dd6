//! Tables that were counted in advance. Each line represents several rows, and a column contains
//! the number of rows.
//!
//! This format is intended for users who cannot connect to a database directly. The database runs a
//! `GROUP BY` query, and the result of the query is used as the input file.

use std::any::Any;

use arrow_array::{ArrayRef, RecordBatch, UInt64Array};
use arrow_schema::ArrowError;
use arrow_select::take::take_record_batch;
use indistinct_core::{Coarsening, Observer};

use super::{Batches, Input, InputColumn, Table, TakeTuples, cell_text};
use crate::EngineError;

/// Maximum total number of rows. Larger numbers have squares that cannot be represented exactly.
const MOST_ROWS: u64 = u32::MAX as u64;

/// Number of rows in a batch.
const BATCH_ROWS: usize = 32 * 1024;

/// The lines of an underlying table, without the count column.
#[derive(Debug)]
pub(super) struct CountedTable {
    lines: Input,
    counts: String,
    columns: Vec<InputColumn>,
}

impl CountedTable {
    /// Creates a table that uses the column `counts` as row counts.
    pub(super) fn new(lines: Input, counts: &str) -> Result<Self, EngineError> {
        lines.positions(&[counts.to_owned()])?;
        let others = lines.columns().iter().filter(|column| column.name != counts);
        let columns = others.cloned().collect();
        Ok(Self { lines, counts: counts.to_owned(), columns })
    }

    /// Returns the table with coarsened columns.
    pub(super) fn coarsened(&self, declared: &[(String, Coarsening)]) -> Result<Self, EngineError> {
        Self::new(self.lines.clone().coarsened(declared)?, &self.counts)
    }

    /// Returns batches of the given columns, with the number of table rows that each line
    /// represents.
    fn counted(
        &self,
        columns: &[String],
    ) -> Result<
        impl Iterator<Item = Result<(RecordBatch, Vec<u64>), EngineError>> + use<>,
        EngineError,
    > {
        let mut names = columns.to_vec();
        names.push(self.counts.clone());
        let column = self.counts.clone();
        let mut n_rows: u64 = 0;
        Ok(self.lines.batches(&names)?.map(move |batch| {
            let batch = batch?;
            let counts = numbers(batch.column(names.len() - 1), &column)?;
            n_rows = counts.iter().fold(n_rows, |sum, n| sum.saturating_add(*n));
            match n_rows > MOST_ROWS {
                true => Err(EngineError::NoCount { column: column.clone() }),
                false => Ok((batch, counts)),
            }
        }))
    }
}

/// Returns the number of table rows that each line represents.
fn numbers(array: &ArrayRef, column: &str) -> Result<Vec<u64>, EngineError> {
    let number = |row| {
        let text = cell_text(array, row, column)?;
        let number = text.parse().ok().filter(|n| *n > 0);
        number.ok_or_else(|| EngineError::NoCount { column: column.to_owned() })
    };
    (0..array.len()).map(number).collect()
}

impl Table for CountedTable {
    fn columns(&self) -> &[InputColumn] {
        &self.columns
    }

    fn tuples(
        &self,
        columns: &[String],
        observer: &dyn Observer,
        take: TakeTuples<'_>,
    ) -> Result<(), EngineError> {
        for counted in self.counted(columns)? {
            if observer.is_cancelled() {
                return Err(EngineError::Cancelled);
            }
            let (batch, counts) = counted?;
            take(&batch.columns()[..columns.len()], &counts)?;
        }
        Ok(())
    }

    fn batches(&self, columns: &[String]) -> Result<Batches, EngineError> {
        let n_columns = columns.len();
        let path = self.lines.files()[0].clone();
        let repeated = move |batch: RecordBatch, counts: Vec<u64>| {
            let failed = path.clone();
            let mut rows = counts
                .into_iter()
                .enumerate()
                .flat_map(|(row, n)| std::iter::repeat_n(row as u64, n as usize));
            std::iter::from_fn(move || {
                let some: Vec<u64> = rows.by_ref().take(BATCH_ROWS).collect();
                let taken = || {
                    let batch = batch.project(&(0..n_columns).collect::<Vec<_>>())?;
                    take_record_batch(&batch, &UInt64Array::from(some.clone()))
                };
                let failure = |error: ArrowError| EngineError::Read {
                    path: failed.clone(),
                    source: std::io::Error::other(error),
                };
                (!some.is_empty()).then(|| taken().map_err(failure))
            })
        };
        Ok(Box::new(self.counted(columns)?.flat_map(move |counted| -> Batches {
            match counted {
                Ok((batch, counts)) => Box::new(repeated(batch, counts)),
                Err(error) => Box::new(std::iter::once(Err(error))),
            }
        })))
    }

    fn distinguishable(&self, _: &[String]) -> Result<Option<String>, EngineError> {
        // This check applies only to releases, and a table with precounted rows is never a release.
        Ok(None)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
