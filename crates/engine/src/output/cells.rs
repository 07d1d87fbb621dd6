//! Cells and lines of CSV, rendered once and copied often.

use std::borrow::Cow;

use indistinct_labels::formulas::guarded;

use super::tuples::ReleasedTuples;

/// How cells are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dialect {
    /// Between the cells of a line.
    pub(super) delimiter: u8,
    /// What becomes of cells that a spreadsheet would run.
    pub(super) formulas: Formulas,
}

/// What becomes of cells that a spreadsheet would run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Formulas {
    /// They are written as they are.
    Unchanged,
    /// They get an apostrophe.
    Guarded,
}

impl Dialect {
    /// Appends a cell of a row.
    pub(super) fn push(self, line: &mut Vec<u8>, text: &str) {
        push_cell(line, &self.text(text), self.delimiter);
    }

    /// A cell as it is written, but for quotes.
    pub(super) fn text(self, text: &str) -> Cow<'_, str> {
        match self.formulas {
            Formulas::Unchanged => Cow::Borrowed(text),
            Formulas::Guarded => guarded(text),
        }
    }
}

/// Appends a cell, in quotes where RFC 4180 asks for them.
pub(super) fn push_cell(line: &mut Vec<u8>, text: &str, delimiter: u8) {
    let special = |byte: &u8| matches!(byte, b'"' | b'\n' | b'\r') || *byte == delimiter;
    if !text.as_bytes().iter().any(special) {
        line.extend_from_slice(text.as_bytes());
        return;
    }
    push_quoted(line, text);
}

/// Appends a cell in quotes.
pub(super) fn push_quoted(line: &mut Vec<u8>, text: &str) {
    line.push(b'"');
    for &byte in text.as_bytes() {
        if byte == b'"' {
            line.push(b'"');
        }
        line.push(byte);
    }
    line.push(b'"');
}

/// Pieces of bytes by their number.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Pieces {
    fn end_piece(&mut self) {
        self.ends.push(self.bytes.len());
    }

    /// A piece.
    pub(super) fn get(&self, piece: u32) -> &[u8] {
        let piece = piece as usize;
        let start = if piece == 0 { 0 } else { self.ends[piece - 1] };
        &self.bytes[start..self.ends[piece]]
    }
}

/// The rendered cells of the counted columns, each with the byte that follows it.
#[derive(Debug)]
pub(super) struct Cells {
    columns: Vec<Pieces>,
}

impl Cells {
    /// Renders every released value; `follows` says for each counted column the byte behind its cells.
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

    /// Appends the cell of a counted column of a tuple.
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

/// Whether a column is the only one: a missing value alone on its line would look like no line at all and is quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnCount {
    /// It is.
    Yes,
    /// There are others.
    No,
}

/// The lines of distinct tuples that have no other than counted columns.
#[derive(Debug)]
pub(super) enum Lines {
    /// Rendered whole.
    Whole(Pieces),
    /// To be put together.
    FromCells(Cells),
}

impl Lines {
    /// Renders the lines whole where all together take up to that many bytes.
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
