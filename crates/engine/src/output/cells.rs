//! CSV cells and lines that are rendered once and then copied.

use std::borrow::Cow;

use indistinct_labels::formulas::guarded;

use super::tuples::ReleasedTuples;
use crate::input::csv::push_cell;

/// Format of cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dialect {
    /// Delimiter between the cells of a line.
    pub(super) delimiter: u8,
    /// Treatment of cells that a spreadsheet would execute as formulas.
    pub(super) formulas: Formulas,
}

/// Treatment of cells that a spreadsheet would execute as formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Formulas {
    /// Formulas are written unchanged.
    Unchanged,
    /// Formulas are prefixed with an apostrophe.
    Guarded,
}

impl Dialect {
    /// Appends a cell of a row.
    pub(super) fn push(self, line: &mut Vec<u8>, text: &str) {
        push_cell(line, &self.text(text), self.delimiter);
    }

    /// Returns the text of a cell before quoting.
    pub(super) fn text(self, text: &str) -> Cow<'_, str> {
        match self.formulas {
            Formulas::Unchanged => Cow::Borrowed(text),
            Formulas::Guarded => guarded(text),
        }
    }
}

/// Byte strings that are accessed by index.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Pieces {
    fn end_piece(&mut self) {
        self.ends.push(self.bytes.len());
    }

    /// Returns the byte string at an index.
    pub(super) fn get(&self, piece: u32) -> &[u8] {
        let piece = piece as usize;
        let start = if piece == 0 { 0 } else { self.ends[piece - 1] };
        &self.bytes[start..self.ends[piece]]
    }
}

/// Rendered cells of the counted columns, each followed by a delimiter or line feed.
#[derive(Debug)]
pub(super) struct Cells {
    columns: Vec<Pieces>,
}

impl Cells {
    /// Renders every released value. `follows` contains the byte after the cells of each counted
    /// column.
    pub(super) fn new(
        tuples: &ReleasedTuples,
        dialect: Dialect,
        follows: &[u8],
        alone: ColumnCount,
    ) -> Self {
        let columns = tuples.columns.iter().zip(follows).map(|(column, &follows)| {
            let mut pieces = Pieces::default();
            for value in &column.values {
                match alone {
                    ColumnCount::Yes if value.is_empty() => pieces.bytes.extend_from_slice(b"\"\""),
                    _ => dialect.push(&mut pieces.bytes, value),
                }
                pieces.bytes.push(follows);
                pieces.end_piece();
            }
            pieces
        });
        Self { columns: columns.collect() }
    }

    /// Appends the cell of a tuple in a counted column.
    pub(super) fn push(
        &self,
        out: &mut Vec<u8>,
        tuples: &ReleasedTuples,
        column: usize,
        tuple: u32,
    ) {
        out.extend_from_slice(self.columns[column].get(tuples.code(column, tuple)));
    }
}

/// Whether the table has only one column. In this case, missing values are quoted, because the line
/// would otherwise be blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnCount {
    /// The column is the only column.
    Yes,
    /// There are several columns.
    No,
}

/// The CSV line for each distinct tuple, for tables that contain only counted columns.
#[derive(Debug)]
pub(super) enum Lines {
    /// Complete rendered lines.
    Whole(Pieces),
    /// Lines that are assembled from cells.
    FromCells(Cells),
}

impl Lines {
    /// Renders complete lines if their total size is within the limit.
    pub(super) fn within(tuples: &ReleasedTuples, cells: Cells, limit_bytes: usize) -> Self {
        let mut lines = Pieces::default();
        for tuple in 0..tuples.len() as u32 {
            for column in 0..cells.columns.len() {
                cells.push(&mut lines.bytes, tuples, column, tuple);
            }
            lines.end_piece();
            if lines.bytes.len() > limit_bytes {
                return Self::FromCells(cells);
            }
        }
        Self::Whole(lines)
    }

    /// Appends the line of a tuple.
    pub(super) fn push(&self, out: &mut Vec<u8>, tuples: &ReleasedTuples, tuple: u32) {
        match self {
            Self::Whole(lines) => out.extend_from_slice(lines.get(tuple)),
            Self::FromCells(cells) => {
                for column in 0..cells.columns.len() {
                    cells.push(out, tuples, column, tuple);
                }
            }
        }
    }
}
