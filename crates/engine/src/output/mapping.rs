//! The mapping from input rows to released rows, for the data holder only.
//!
//! The file contains a line for each input row, in input order. A line contains the row number,
//! starting at 1, the class, and the released sensitive values if they differ from those of the
//! row. The class is the index in [`Partition`] plus 1, or the number in the two tables of an
//! Anatomy release. For suppressed rows, the class and the sensitive values are empty. Rows that do
//! not differ in any released column are interchangeable. Memory does not grow with the number of
//! rows, because rows whose class is determined after the input has been read are stored in a
//! temporary file.
//!
//! [`Partition`]: indistinct_core::Partition

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{RecordBatch, UInt32Array, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use indistinct_core::model::CountedColumn;
use indistinct_core::{DROPPED, Release};

use super::file::create_private;
use super::layout::{Layout, Limits, tuples_of};
use super::sort::{Keys, Sort};
use super::spill::Scratch;
use crate::EngineError;
use crate::input::csv::push_cell;

/// Marker for a row whose class is determined later.
const LATER: u32 = u32::MAX - 1;

/// Content of the mapping file.
#[derive(Debug)]
pub(super) struct Mapping<'a> {
    path: &'a Path,
    /// Class number of each released tuple.
    class_of: Vec<u64>,
    /// The released sensitive values, if they differ from the sensitive values of the input rows.
    sensitive: &'a [CountedColumn],
    /// Index of the sensitive values of each released tuple.
    tuple_of: Vec<u32>,
}

impl<'a> Mapping<'a> {
    /// Creates the mapping. `released_of` contains the released tuple (or [`DROPPED`]) of each
    /// tuple in the table of the release.
    pub(super) fn new(path: &'a Path, release: &'a Release<'a>, released_of: &[u32]) -> Self {
        let sensitive = release.table().sensitive();
        let mut columns = sensitive.iter().zip(release.counted().sensitive());
        let has_sensitive = release.perturbed().is_some()
            || columns.any(|(released, raw)| released.dictionary != raw.dictionary);
        let number = |tuple: u32| u64::from(release.partition().class_of[tuple as usize]) + 1;
        let sensitive = if has_sensitive { sensitive } else { &[] };
        Self { sensitive, ..Self::of_classes(path, released_of, number) }
    }

    /// Creates a mapping that contains only classes. `number_of` returns the class number of a
    /// released tuple.
    pub(super) fn of_classes(
        path: &'a Path,
        released_of: &[u32],
        number_of: impl Fn(u32) -> u64,
    ) -> Self {
        let n_released = released_of.iter().filter(|at| **at != DROPPED).max();
        let mut tuple_of = vec![0; n_released.map_or(0, |most| *most as usize + 1)];
        for (tuple, &released) in (0u32..).zip(released_of) {
            if released != DROPPED {
                tuple_of[released as usize] = tuple;
            }
        }
        let class_of = tuple_of.iter().map(|&tuple| number_of(tuple)).collect();
        Self { path, class_of, sensitive: &[], tuple_of }
    }

    /// Creates the file (mode 0600).
    pub(super) fn lines(&self) -> Result<Lines<'_>, EngineError> {
        let mut line = b"row,class".to_vec();
        for column in self.sensitive {
            line.push(b',');
            push_cell(&mut line, &format!("released {}", column.name), b',');
        }
        line.push(b'\n');
        let mut lines = Lines {
            mapping: self,
            out: BufWriter::with_capacity(1 << 18, create_private(self.path)?),
            row: 0,
            line,
        };
        lines.write()?;
        Ok(lines)
    }
}

/// Writer of the mapping file.
pub(super) struct Lines<'a> {
    mapping: &'a Mapping<'a>,
    out: BufWriter<File>,
    row: u64,
    line: Vec<u8>,
}

impl Lines<'_> {
    fn write(&mut self) -> Result<(), EngineError> {
        let written = self.out.write_all(&self.line);
        written.map_err(|source| EngineError::write(self.mapping.path, source))
    }

    /// Writes the next row, given its released tuple or [`DROPPED`].
    pub(super) fn push(&mut self, released: u32) -> Result<(), EngineError> {
        let mapping = self.mapping;
        self.row += 1;
        self.line.clear();
        self.line.extend_from_slice(itoa::Buffer::new().format(self.row).as_bytes());
        self.line.push(b',');
        if released == DROPPED {
            self.line.extend(mapping.sensitive.iter().map(|_| b','));
        } else {
            let class = mapping.class_of[released as usize];
            self.line.extend_from_slice(itoa::Buffer::new().format(class).as_bytes());
            let tuple = mapping.tuple_of[released as usize] as usize;
            for column in mapping.sensitive {
                self.line.push(b',');
                let value = column.dictionary.value(column.codes[tuple]);
                push_cell(&mut self.line, value, b',');
            }
        }
        self.line.push(b'\n');
        self.write()
    }

    pub(super) fn finish(mut self) -> Result<(), EngineError> {
        self.out.flush().map_err(|source| EngineError::write(self.mapping.path, source))
    }
}

/// Rows whose released tuple is known only after all rows have been read.
pub(super) struct PendingRows<'a> {
    path: PathBuf,
    out: BufWriter<File>,
    n_rows: u64,
    sort: Sort<'a>,
}

/// Returns the schema of released tuples with row numbers.
fn numbered() -> Arc<Schema> {
    Arc::new(Schema::new(vec![
        Field::new("tuple", DataType::UInt32, false),
        Field::new("row", DataType::UInt64, false),
    ]))
}

/// Creates a folder for the temporary files of [`PendingRows`].
pub(super) fn scratch_for(within: &Path) -> Result<Scratch, EngineError> {
    Scratch::new(within, numbered())
}

impl<'a> PendingRows<'a> {
    pub(super) fn new(
        layout: &'a Layout<'a>,
        scratch: &'a Scratch,
        limits: Limits,
    ) -> Result<Self, EngineError> {
        let path = scratch.path().join("temporary-mapping");
        let out = BufWriter::with_capacity(1 << 18, create_private(&path)?);
        let keys = Keys::of_numbers(layout).map_err(|error| EngineError::arrow(&path, error))?;
        Ok(Self { path, out, n_rows: 0, sort: Sort::new(keys, scratch, limits) })
    }

    /// Adds the next row, with its released tuple or [`DROPPED`] if known.
    pub(super) fn push(&mut self, released: Option<u32>) -> Result<(), EngineError> {
        self.n_rows += 1;
        let bytes = released.unwrap_or(LATER).to_le_bytes();
        self.out.write_all(&bytes).map_err(|source| EngineError::write(&self.path, source))
    }

    /// Assigns released tuples to pending rows. The first column of the batch contains the released
    /// tuple, and the last column contains the row number, starting at 0.
    pub(super) fn decide(&mut self, batch: &RecordBatch) -> Result<(), EngineError> {
        let numbers = Arc::clone(batch.column(batch.num_columns() - 1));
        let columns = vec![Arc::clone(batch.column(0)), numbers];
        let batch = RecordBatch::try_new(numbered(), columns);
        self.sort.push(batch.map_err(|error| EngineError::arrow(&self.path, error))?)
    }

    /// Writes all rows.
    pub(super) fn finish(self, lines: &mut Lines<'_>) -> Result<(), EngineError> {
        let Self { path, mut out, n_rows, sort } = self;
        let fail = |source| EngineError::write(&path, source);
        out.flush().map_err(fail)?;
        drop(out);
        let file = File::open(&path).map_err(fail)?;
        let mut before = BufReader::with_capacity(1 << 18, file);
        let mut next = || -> Result<u32, EngineError> {
            let mut bytes = [0; 4];
            before.read_exact(&mut bytes).map_err(fail)?;
            Ok(u32::from_le_bytes(bytes))
        };
        let retained = |released: u32| if released == LATER { DROPPED } else { released };
        let mut row = 0;
        sort.finish(&mut |batch| {
            let numbers: &UInt64Array = batch
                .column(1)
                .as_any()
                .downcast_ref()
                .expect("the second column contains the row numbers");
            let tuples: &UInt32Array = tuples_of(batch);
            for (&number, &released) in numbers.values().iter().zip(tuples.values()) {
                while row < number {
                    lines.push(retained(next()?))?;
                    row += 1;
                }
                next()?;
                lines.push(released)?;
                row += 1;
            }
            Ok(())
        })?;
        while row < n_rows {
            lines.push(retained(next()?))?;
            row += 1;
        }
        Ok(())
    }
}
