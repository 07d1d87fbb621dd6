//! Writes a spreadsheet with a single sheet, whose first row contains the column names.
//!
//! A cell is a number if all values of its column are numbers and the spreadsheet displays all its
//! digits. Every other cell is text, regardless of its first character. The file contains no
//! formulas. The file also contains no dates, because spreadsheets store dates as numbers.
//! [`crate::input::released_sheet`] validates such files when reading a release.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use arrow_array::ArrayRef;
use arrow_schema::DataType;
use indistinct_core::MISSING;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, Worksheet, XlsxError};
use zip::result::ZipError;

use super::columns::{ColumnSource, OutputColumn};
use super::error::name_of;
use super::layout::{Layout, RowSink, Slot};
use super::output_error::OutputError;
use crate::input::guard::guarded;
use crate::input::released_sheet::{number_of, truth_of};
use crate::input::text::plain_type;
use crate::{EngineError, Format, cell_text};

/// Name of the sheet.
const SHEET: &str = "data";

/// Type of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Texts,
    Numbers,
    Truths,
}

/// A spreadsheet in progress.
pub(super) struct SheetRows<'a, W> {
    path: &'a Path,
    layout: &'a Layout<'a>,
    kinds: Vec<Kind>,
    book: Workbook,
    sheet: Worksheet,
    next_row: u32,
    out: W,
}

impl<'a, W: Write + Send> SheetRows<'a, W> {
    /// Creates the sheet and writes the column names.
    pub(super) fn new(path: &'a Path, layout: &'a Layout<'a>, out: W) -> Result<Self, EngineError> {
        let fail = |error| refused(path, error);
        let mut book = Workbook::new();
        // A constant creation time makes the output reproducible.
        let created = ExcelDateTime::from_ymd(2000, 1, 1).map_err(fail)?;
        book.set_properties(&DocProperties::new().set_creation_datetime(&created));
        // The worksheet writes each row to an unnamed temporary file immediately.
        let mut sheet = book.new_worksheet_with_constant_memory().map_err(fail)?;
        sheet.set_name(SHEET).map_err(fail)?;
        let kinds = layout.columns.iter().zip(&layout.slots).map(|(column, slot)| match slot {
            Slot::Counted(counted) => {
                let values = &layout.tuples.columns[*counted].values;
                let data_type = match column.source {
                    ColumnSource::Class | ColumnSource::GivenClass(_) => DataType::Int64,
                    _ => plain_type(&column.data_type),
                };
                kind_of_values(values, &data_type)
            }
            Slot::Extra(_) => kind_of_type(&plain_type(&column.data_type)),
        });
        let kinds = kinds.collect();
        let mut this = Self { path, layout, kinds, book, sheet, next_row: 0, out };
        let names = layout.columns.iter().map(|column| column.name.as_str().into());
        this.push_row(names.collect::<Vec<_>>(), |_| Kind::Texts)?;
        Ok(this)
    }

    fn push_row(
        &mut self,
        cells: Vec<Cow<'_, str>>,
        kind: impl Fn(usize) -> Kind,
    ) -> Result<(), EngineError> {
        if cells.iter().all(|cell| *cell == MISSING) {
            let detail = "a sheet cannot contain a row without values; set `class_column` in \
                [output] to add a class number to each row";
            return Err(encode(self.path, detail.to_owned()));
        }
        let row = self.next_row;
        for (at, text) in cells.iter().enumerate().filter(|(_, cell)| **cell != MISSING) {
            let column = u16::try_from(at).unwrap_or(u16::MAX);
            if ends_as_escape(text) {
                let name = &self.layout.columns[at].name;
                let detail = format!(
                    "a value of '{name}' cannot be written to a sheet: its text before a control \
                     character would be read as an escape"
                );
                return Err(encode(self.path, detail));
            }
            let written = match (kind(at), number_of(text), truth_of(text)) {
                (Kind::Numbers, Some(number), _) => self.sheet.write_number(row, column, number),
                (Kind::Truths, _, Some(is_true)) => self.sheet.write_boolean(row, column, is_true),
                _ => self.sheet.write_string(row, column, text.as_ref()),
            };
            written.map_err(|error| match error {
                XlsxError::MaxStringLengthExceeded => {
                    let name = &self.layout.columns[at].name;
                    let detail = format!(
                        "column '{name}' contains a text of more than 32,767 characters, the limit \
                         of a cell"
                    );
                    encode(self.path, detail)
                }
                other => refused(self.path, other),
            })?;
        }
        self.next_row += 1;
        Ok(())
    }
}

impl<W: Write + Send> RowSink<W> for SheetRows<'_, W> {
    fn layout(&self) -> &Layout<'_> {
        self.layout
    }

    fn push(&mut self, tuples: &[u32], extras: &[ArrayRef]) -> Result<(), EngineError> {
        let (path, layout, kinds) = (self.path, self.layout, self.kinds.clone());
        let mut write = || {
            for (row, &tuple) in tuples.iter().enumerate() {
                let cell = |(slot, column): (&Slot, &OutputColumn)| match slot {
                    Slot::Counted(counted) => {
                        let code = layout.tuples.code(*counted, tuple) as usize;
                        Ok(layout.tuples.columns[*counted].values[code].as_str().into())
                    }
                    Slot::Extra(extra) => cell_text(&extras[*extra], row, &column.name),
                };
                let cells = layout.slots.iter().zip(layout.columns).map(cell);
                self.push_row(cells.collect::<Result<Vec<_>, _>>()?, |at| kinds[at])?;
            }
            Ok(())
        };
        on_disk(path, &mut write)
    }

    fn finish(self: Box<Self>) -> Result<W, EngineError> {
        let Self { path, mut book, sheet, mut out, .. } = *self;
        book.push_worksheet(sheet);
        on_disk(path, || book.save_to_writer(&mut out).map_err(|error| refused(path, error)))?;
        Ok(out)
    }
}

/// Runs a function that writes to the unnamed file. If the disk is full, the panic of this function
/// is converted into an error.
fn on_disk(
    path: &Path,
    write: impl FnOnce() -> Result<(), EngineError>,
) -> Result<(), EngineError> {
    guarded(path, Format::Csv, write).map_err(|error| match error {
        EngineError::Corrupt { .. } => {
            encode(path, "the temporary file cannot be written".to_owned())
        }
        other => other,
    })
}

fn encode(path: &Path, detail: String) -> EngineError {
    OutputError::Encode { file: name_of(path), detail }.into()
}

/// Converts an error from the writer. Writer errors contain no cells.
fn refused(path: &Path, error: XlsxError) -> EngineError {
    match error {
        XlsxError::IoError(source) | XlsxError::ZipError(ZipError::Io(source)) => {
            EngineError::write(path, source)
        }
        other => encode(path, other.to_string()),
    }
}

/// Returns the cell type of a counted column, whose values are all known.
fn kind_of_values(values: &[String], data_type: &DataType) -> Kind {
    let all = |is: fn(&str) -> bool| values.iter().all(|value| value == MISSING || is(value));
    match data_type {
        DataType::Boolean if all(|value| truth_of(value).is_some()) => Kind::Truths,
        DataType::Boolean => Kind::Texts,
        _ if all(|value| number_of(value).is_some()) => Kind::Numbers,
        _ => Kind::Texts,
    }
}

/// Returns the cell type of a column that was not counted.
fn kind_of_type(data_type: &DataType) -> Kind {
    match data_type {
        DataType::Boolean => Kind::Truths,
        number if number.is_numeric() => Kind::Numbers,
        _ => Kind::Texts,
    }
}

/// Whether a string contains the start of an escape, such as `_x0041`, before a character that is
/// written as an escape. The underscore of this second escape would complete the first escape.
pub(in crate::output) fn ends_as_escape(text: &str) -> bool {
    let is_escaped = |c: char| matches!(c, '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    text.match_indices("_x").any(|(at, _)| {
        let mut rest = text[at + 2..].chars();
        rest.by_ref().take(4).filter(char::is_ascii_hexdigit).count() == 4
            && rest.next().is_some_and(is_escaped)
    })
}
