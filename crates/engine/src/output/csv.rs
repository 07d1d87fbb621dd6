//! CSV output according to RFC 4180, with a header line and line feeds.

use std::io::Write;
use std::path::Path;

use arrow_array::ArrayRef;
use indistinct_core::Observer;

use super::cells::{Cells, ColumnCount, Dialect, Lines};
use super::layout::{Layout, Limits, Progress, RowSink, Slot};
use super::permutation::Permutation;
use super::pipeline::in_order;
use crate::EngineError;
use crate::cell_text;
use crate::input::csv::{is_ambiguous_alone, push_quoted};

/// Number of rows that a thread renders at a time.
const PIECE_ROWS: u64 = 1 << 14;

/// Writer of a CSV file.
pub(super) struct CsvRows<'a, W> {
    path: &'a Path,
    layout: &'a Layout<'a>,
    dialect: Dialect,
    cells: Cells,
    n_threads: usize,
    limits: Limits,
    buffer: Vec<u8>,
    out: W,
}

impl<'a, W: Write> CsvRows<'a, W> {
    /// Writes the header.
    pub(super) fn new(
        path: &'a Path,
        layout: &'a Layout<'a>,
        dialect: Dialect,
        (n_threads, limits): (usize, Limits),
        mut out: W,
    ) -> Result<Self, EngineError> {
        out.write_all(&header(layout, dialect))
            .map_err(|source| EngineError::write(path, source))?;
        let cells = cells(layout, dialect);
        Ok(Self { path, layout, dialect, cells, n_threads, limits, buffer: Vec::new(), out })
    }
}

impl<W: Write> RowSink<W> for CsvRows<'_, W> {
    fn layout(&self) -> &Layout<'_> {
        self.layout
    }

    fn write_counted(
        &mut self,
        order: &Permutation,
        observer: &dyn Observer,
    ) -> Result<(), EngineError> {
        let (path, layout, out) = (self.path, self.layout, &mut self.out);
        let tuples = layout.tuples;
        let lines = Lines::within(tuples, cells(layout, self.dialect), self.limits.line_bytes);
        let n_rows = tuples.n_rows();
        let fill = |piece: u64, buffer: &mut Vec<u8>| {
            let first = piece * PIECE_ROWS;
            let picked: Vec<u32> = (first..n_rows.min(first + PIECE_ROWS))
                .map(|position| tuples.of_rank(order.of(position)))
                .collect();
            for tuple in picked {
                lines.push(buffer, tuples, tuple);
            }
        };
        let mut progress = Progress::new(observer, n_rows);
        in_order(n_rows.div_ceil(PIECE_ROWS), self.n_threads, fill, |bytes| {
            out.write_all(bytes).map_err(|source| EngineError::write(path, source))?;
            progress.advance(PIECE_ROWS)
        })
    }

    fn push(&mut self, tuples: &[u32], extras: &[ArrayRef]) -> Result<(), EngineError> {
        let slots = &self.layout.slots;
        self.buffer.clear();
        for (row, &tuple) in tuples.iter().enumerate() {
            for (at, slot) in slots.iter().enumerate() {
                match slot {
                    Slot::Counted(column) => {
                        self.cells.push(&mut self.buffer, self.layout.tuples, *column, tuple);
                    }
                    Slot::Extra(column) => {
                        let name = &self.layout.columns[at].name;
                        let text = cell_text(&extras[*column], row, name)?;
                        match text.is_empty() && slots.len() == 1 {
                            true => self.buffer.extend_from_slice(b"\"\""),
                            false => self.dialect.push(&mut self.buffer, &text),
                        }
                        self.buffer.push(follows(at, slots.len(), self.dialect.delimiter));
                    }
                }
            }
        }
        self.out.write_all(&self.buffer).map_err(|source| EngineError::write(self.path, source))
    }

    fn finish(self: Box<Self>) -> Result<W, EngineError> {
        Ok(self.out)
    }
}

/// Returns the byte that follows the cells of a column.
fn follows(column: usize, n_columns: usize, delimiter: u8) -> u8 {
    if column + 1 == n_columns { b'\n' } else { delimiter }
}

fn cells(layout: &Layout<'_>, dialect: Dialect) -> Cells {
    let n_columns = layout.slots.len();
    let counted: Vec<u8> = layout
        .slots
        .iter()
        .enumerate()
        .filter(|(_, slot)| matches!(slot, Slot::Counted(_)))
        .map(|(at, _)| follows(at, n_columns, dialect.delimiter))
        .collect();
    let alone = if n_columns == 1 { ColumnCount::Yes } else { ColumnCount::No };
    Cells::new(layout.tuples, dialect, &counted, alone)
}

fn header(layout: &Layout<'_>, dialect: Dialect) -> Vec<u8> {
    let mut line = Vec::new();
    for (at, column) in layout.columns.iter().enumerate() {
        match layout.columns.len() {
            1 if is_ambiguous_alone(&column.name) => {
                push_quoted(&mut line, &dialect.text(&column.name));
            }
            _ => dialect.push(&mut line, &column.name),
        }
        line.push(follows(at, layout.columns.len(), dialect.delimiter));
    }
    line
}
