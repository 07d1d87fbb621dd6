//! Reads spreadsheets. A sheet is a table of strings, and its first non-empty row contains the
//! column names.
//!
//! Cells are read by value, regardless of their display format. Dates are read in ISO 8601, numbers
//! without trailing zeros, and formulas as the value that was computed when the file was saved.
//! Sheets are read into memory, because the format allows at most about a million rows.

use std::borrow::Cow;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use calamine::{
    Cell, Data, DataRef, ExcelDateTime, Range, Reader as _, Sheets, open_workbook_auto_from_rs,
};

use super::spec::Purpose;
use super::{
    Conversion, Format, InputSpec, MemoryTable, SkippedRows, Sources, cell_text, guard, header,
    released_sheet, xls_sizes,
};
use crate::EngineError;

/// Maximum size of a file in bytes.
const LIMIT_BYTES: u64 = 1 << 30;

/// Reads the sheet that the input names, or the only sheet that is not empty.
pub(super) fn read(
    sources: &Sources,
    spec: &InputSpec,
    purpose: Purpose,
) -> Result<MemoryTable, EngineError> {
    let path = &spec.path;
    if purpose == Purpose::Released {
        released_sheet::check(sources, path)?;
    }
    let bytes = sources.read(path, LIMIT_BYTES)?;
    // The reader may panic on an invalid file; `guarded` suppresses the output of the panic.
    let read = guard::guarded(path, Format::Csv, || {
        let sheet = sheet(path, bytes, spec.table.as_deref())?;
        table(spec, &sheet, purpose)
    });
    read.map_err(|error| match error {
        EngineError::Corrupt { path, detail, .. } => EngineError::Spreadsheet { path, detail },
        other => other,
    })
}

type Book = Sheets<Cursor<Arc<[u8]>>>;

/// Reason that a sheet cannot be read.
enum Unreadable {
    /// The sheet is damaged, or it is a chart, which is stored as a sheet without cells.
    NoCells,
    /// A few cells span a huge area.
    Sparse,
}

/// Returns the values of a sheet.
fn values(book: &mut Book, name: &str) -> Result<Range<Data>, Unreadable> {
    match book {
        Sheets::Xlsx(book) => {
            let mut cells = book.worksheet_cells_reader(name).map_err(|_| Unreadable::NoCells)?;
            area(std::iter::from_fn(|| cells.next_cell().transpose()))
        }
        Sheets::Xlsb(book) => {
            let mut cells = book.worksheet_cells_reader(name).map_err(|_| Unreadable::NoCells)?;
            area(std::iter::from_fn(|| cells.next_cell().transpose()))
        }
        // The area was either checked before parsing or limited by the parser.
        _ => book.worksheet_range(name).map_err(|_| Unreadable::NoCells),
    }
}

/// Collects the cells of a sheet if their area is plausible.
fn area<'a, E>(
    cells: impl Iterator<Item = Result<Cell<DataRef<'a>>, E>>,
) -> Result<Range<Data>, Unreadable> {
    let mut found = Vec::new();
    let (mut rows, mut columns) = ((u32::MAX, 0), (u32::MAX, 0));
    for cell in cells {
        let cell = cell.map_err(|_| Unreadable::NoCells)?;
        let (row, column) = cell.get_position();
        let value = Data::from(cell.get_value().clone());
        if value != Data::Empty {
            rows = (rows.0.min(row), rows.1.max(row));
            columns = (columns.0.min(column), columns.1.max(column));
            found.push(Cell::new((row, column), value));
        }
    }
    let size = |(first, last): (u32, u32)| u64::from(last.saturating_sub(first)) + 1;
    match xls_sizes::is_plausible_area(size(rows), size(columns), found.len() as u64) {
        true => Ok(Range::from_sparse(found)),
        false => Err(Unreadable::Sparse),
    }
}

/// Returns the positions of the formulas of a sheet, or `None` if they cannot be parsed.
fn formulas(book: &mut Book, name: &str) -> Option<Vec<(u32, u32)>> {
    let mut found = Vec::new();
    let mut add = |cell: Cell<String>| {
        if !cell.get_value().is_empty() {
            found.push(cell.get_position());
        }
    };
    match book {
        Sheets::Xlsx(book) => {
            let mut cells = book.worksheet_cells_reader(name).ok()?;
            while let Some(cell) = cells.next_formula().ok()? {
                add(cell);
            }
        }
        Sheets::Xlsb(book) => {
            let mut cells = book.worksheet_cells_reader(name).ok()?;
            while let Some(cell) = cells.next_formula().ok()? {
                add(cell);
            }
        }
        _ => {
            let all = book.worksheet_formula(name).ok()?;
            let (row, column) = all.start().unwrap_or_default();
            let at = |(r, c, _): (usize, usize, &String)| (row + r as u32, column + c as u32);
            found.extend(all.used_cells().map(at));
        }
    }
    Some(found)
}

fn sheet(path: &Path, bytes: Vec<u8>, wanted: Option<&str>) -> Result<Range<Data>, EngineError> {
    let broken = |detail: &str| EngineError::Spreadsheet {
        path: path.to_owned(),
        detail: detail.to_owned(),
    };
    if xls_sizes::check(&bytes).is_err() {
        return Err(broken("its parts are inconsistent, or a sheet declares a huge area"));
    }
    // The readers for different formats are tried in sequence on the same bytes.
    let mut book = open_workbook_auto_from_rs(Cursor::new(Arc::<[u8]>::from(bytes)))
        .map_err(|_| broken("the format is unknown or the file is damaged"))?;
    let mut found: Vec<(String, Range<Data>)> = Vec::new();
    for name in book.sheet_names() {
        let range = match values(&mut book, &name) {
            Ok(range) => range,
            Err(Unreadable::NoCells) => continue,
            Err(Unreadable::Sparse) => {
                return Err(broken("a sheet has a few cells that span a huge area"));
            }
        };
        if range.used_cells().next().is_some() || wanted == Some(name.as_str()) {
            found.push((name, range));
        }
    }
    let no_sheet = |found: &[(String, Range<Data>)]| EngineError::NoSheet {
        path: path.to_owned(),
        wanted: wanted.map(str::to_owned),
        sheets: found.iter().map(|(name, _)| name.clone()).collect(),
    };
    let at = match wanted {
        Some(wanted) => found.iter().position(|(name, _)| name == wanted),
        None => (found.len() == 1).then_some(0),
    };
    match at {
        Some(at) => {
            let (name, range) = found.swap_remove(at);
            // Some programs write formulas without computed values. Such cells are not missing
            // values.
            let formulas = formulas(&mut book, &name)
                .ok_or_else(|| broken("the formulas cannot be parsed"))?;
            let is_blank =
                |at: &(u32, u32)| range.get_value(*at).is_none_or(|it| *it == Data::Empty);
            match formulas.iter().any(is_blank) {
                true => Err(broken("a formula has no saved value")),
                false => Ok(range),
            }
        }
        None if found.is_empty() => Err(EngineError::NoRows { path: path.to_owned() }),
        None => Err(no_sheet(&found)),
    }
}

/// Returns the rows below the column names as strings. Empty cells are null. Only cells that contain
/// text have the declared notation, because other cells contain numbers and dates.
fn table(
    spec: &InputSpec,
    sheet: &Range<Data>,
    purpose: Purpose,
) -> Result<MemoryTable, EngineError> {
    let path = spec.path.as_path();
    let is_blank = |row: &[Data]| row.iter().all(|cell| *cell == Data::Empty);
    let first = u64::from(sheet.start().map_or(0, |(row, _)| row)) + 1;
    let mut rows = (first..).zip(sheet.rows()).filter(|(_, row)| !is_blank(row));
    let SkippedRows { before_header, after_header } = spec.skipped_rows;
    let no_header = || match before_header {
        0 => EngineError::NoRows { path: path.to_owned() },
        n_skipped => EngineError::AllSkipped { path: path.to_owned(), n_skipped },
    };
    let (_, names) = rows.nth(before_header).ok_or_else(no_header)?;
    let names: Vec<String> =
        names.iter().map(|cell| text(cell, Times::OfDays)).collect::<Result<_, _>>()?;
    let rows: Vec<(u64, &[Data])> = rows.skip(after_header).collect();
    let times: Vec<Times> = (0..names.len())
        .map(|at| match rows.iter().any(|(_, row)| has_time_of_day(&row[at])) {
            true => Times::OfDays,
            false => Times::Midnights,
        })
        .collect();
    let conversions: Vec<Conversion> =
        names.iter().map(|name| spec.conversion(name, &spec.null_values)).collect();
    let texts = |(row, cells): &(u64, &[Data])| {
        let of_cell = |(at, cell): (usize, &Data)| {
            let (conversion, text) = (&conversions[at], text(cell, times[at])?);
            if !matches!(cell, Data::String(_)) && !conversion.restores_zeros() {
                return Ok(text);
            }
            let plain = conversion.apply(&text, &names[at]);
            plain.map(Cow::into_owned).map_err(|error| error.in_row(*row))
        };
        cells.iter().enumerate().map(of_cell).collect::<Result<Vec<String>, EngineError>>()
    };
    let rows = rows.iter().map(texts).collect::<Result<Vec<_>, _>>()?;
    // Trailing columns that have neither a name nor values contain only formatting.
    let is_used = |at: usize| !names[at].is_empty() || rows.iter().any(|row| !row[at].is_empty());
    let n_columns = (0..names.len()).rfind(|at| is_used(*at)).map_or(0, |at| at + 1);
    if purpose == Purpose::Table {
        header::check_cells(path, &names[..n_columns], &rows)?;
    }
    let fields: Vec<Field> =
        names[..n_columns].iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
    let column = |at: usize| -> ArrayRef {
        let cell = |row: &Vec<String>| {
            let text = row[at].as_str();
            (!text.is_empty()).then(|| text.to_owned())
        };
        Arc::new(rows.iter().map(cell).collect::<StringArray>())
    };
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), (0..n_columns).map(column).collect());
    MemoryTable::new(&path.to_string_lossy(), schema, [batch])
}

/// Whether the dates in a column have a time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Times {
    /// All dates are at midnight.
    Midnights,
    /// Some dates have a time of day.
    OfDays,
}

fn has_time_of_day(cell: &Data) -> bool {
    matches!(cell, Data::DateTime(time) if time.as_f64().fract() != 0.0)
}

/// Converts a cell to text.
fn text(cell: &Data, times: Times) -> Result<String, EngineError> {
    Ok(match cell {
        Data::Empty => String::new(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Bool(is_true) => is_true.to_string(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number_text(*number)?,
        Data::DateTime(time) => time_text(time, times)?,
        Data::Error(error) => error.to_string(),
    })
}

fn number_text(number: f64) -> Result<String, EngineError> {
    Ok(cell_text(&Float64Array::from(vec![number]), 0, "")?.into_owned())
}

/// Formats a date, a time of day, or a duration in hours, minutes, and seconds. A date includes the
/// time of day if any date of the column has one.
fn time_text(time: &ExcelDateTime, times: Times) -> Result<String, EngineError> {
    let days = time.as_f64();
    if !days.is_finite() || days < 0.0 {
        return number_text(days);
    }
    let seconds = (days * 86_400.0).round() as u64;
    let clock = |hours: u64| format!("{hours:02}:{:02}:{:02}", seconds / 60 % 60, seconds % 60);
    if time.is_duration() || days < 1.0 {
        return Ok(clock(seconds / 3600));
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    Ok(match (times, milli) {
        (Times::Midnights, _) => date,
        (Times::OfDays, 0) => format!("{date}T{hour:02}:{minute:02}:{second:02}"),
        (Times::OfDays, _) => format!("{date}T{hour:02}:{minute:02}:{second:02}.{milli:03}"),
    })
}

#[cfg(test)]
mod tests {
    use indistinct_core::Notation;
    use indistinct_diagnostics::Coded;

    use super::*;
    use crate::Input;

    /// A cell of a column.
    enum Value {
        Text(&'static str),
        Number(f64),
    }

    /// Saves a column whose name is in the third row of a sheet.
    fn saved(folder: &Path, cells: &[Value]) -> InputSpec {
        let mut book = rust_xlsxwriter::Workbook::new();
        let page = book.add_worksheet();
        page.write_string(2, 0, "amount").expect("written");
        for (row, cell) in (3..).zip(cells) {
            match cell {
                Value::Text(text) => page.write_string(row, 0, *text).expect("written"),
                Value::Number(number) => page.write_number(row, 0, *number).expect("written"),
            };
        }
        let path = folder.join("a.xlsx");
        book.save(&path).expect("saved");
        InputSpec {
            path,
            written: vec![("amount".to_owned(), Notation::PointComma)],
            null_values: vec!["k.A.".to_owned()],
            column_null_values: vec![("amount".to_owned(), vec!["-9".to_owned()])],
            ..InputSpec::default()
        }
    }

    /// The number 1.234 and the text 1.234 are different values.
    #[test]
    fn only_cells_with_text_have_the_declared_notation() {
        let folder = tempfile::tempdir().expect("a folder");
        let (text, number) = (Value::Text, Value::Number);
        let cells = [
            text("12,5"),
            number(13.25),
            number(1.234),
            text("1.234"),
            text("k.A."),
            number(-9.0),
            text("-9,0"),
        ];
        let input = Input::open(&saved(folder.path(), &cells)).expect("opened");
        let batch = input.batches(&["amount".to_owned()]).expect("streams").next();
        let batch = batch.expect("a batch").expect("read");
        let texts: Vec<String> = (0..cells.len())
            .map(|row| cell_text(batch.column(0), row, "a").expect("plain").into_owned())
            .collect();
        assert_eq!(texts, ["12.5", "13.25", "1.234", "1234", "", "", ""]);
    }

    #[test]
    fn rows_around_names_are_skipped_and_detected() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("b.xlsx");
        let mut book = rust_xlsxwriter::Workbook::new();
        let page = book.add_worksheet();
        page.write_string(0, 0, "Survey").expect("written");
        for (at, names) in [["age", "income"], ["years", "EUR"]].iter().enumerate() {
            for (column, name) in names.iter().enumerate() {
                page.write_string(2 + at as u32, column as u16, *name).expect("written");
            }
        }
        for row in 0..20 {
            page.write_number(4 + row, 0, f64::from(row)).expect("written");
            page.write_number(4 + row, 1, f64::from(row * 7)).expect("written");
        }
        book.save(&path).expect("saved");
        let of = |before_header: usize, after_header: usize| {
            let skipped_rows = SkippedRows { before_header, after_header };
            Input::open(&InputSpec { path: path.clone(), skipped_rows, ..InputSpec::default() })
        };
        let names = |input: &Input| {
            input.columns().iter().map(|it| it.name.clone()).collect::<Vec<String>>()
        };
        let all = of(1, 0).expect("opened");
        assert_eq!(names(&all), ["age", "income"]);
        assert_eq!(all.memory().expect("a sheet").texts().expect("plain").len(), 21);
        let found = all.second_header().map(|it| (it.n_rows, it.n_columns));
        assert_eq!(found, Some((1, 2)));
        let data = of(1, 1).expect("opened");
        assert_eq!(data.memory().expect("a sheet").texts().expect("plain").len(), 20);
        assert_eq!(data.second_header(), None);
        assert_eq!(of(30, 0).expect_err("all rows are skipped").code(), "E-INPUT-050");
    }

    #[test]
    fn lost_zeros_of_numbers_are_restored() {
        let folder = tempfile::tempdir().expect("a folder");
        let spec = saved(folder.path(), &[Value::Number(1067.0), Value::Text("02139")]);
        let written = vec![("amount".to_owned(), Notation::FiveDigits)];
        let input = Input::open(&InputSpec { written, ..spec }).expect("opened");
        let texts = input.memory().expect("a sheet").texts().expect("plain");
        assert_eq!(texts, [["01067"], ["02139"]]);
    }

    #[test]
    fn row_of_a_cell_in_another_notation_is_stated() {
        let folder = tempfile::tempdir().expect("a folder");
        let cells = [Value::Text("12,5"), Value::Number(3.5), Value::Text("xyzzy")];
        let error = Input::open(&saved(folder.path(), &cells)).expect_err("another notation");
        assert_eq!(error.code(), "E-INPUT-040");
        let message = error.to_string();
        assert!(message.ends_with("(row 6)") && !message.contains("xyzzy"), "{message}");
    }

    #[test]
    fn few_cells_in_huge_area_are_rejected() {
        let code = |row: u32, column: u16| {
            let mut book = rust_xlsxwriter::Workbook::new();
            let page = book.add_worksheet();
            page.write_string(0, 0, "a").expect("written");
            page.write_number(row, column, 1.0).expect("written");
            let bytes = book.save_to_buffer().expect("saved");
            sheet(Path::new("a.xlsx"), bytes, None).map_or_else(|it| it.code(), |_| "accepted")
        };
        assert_eq!(code(1, 0), "accepted");
        assert_eq!(code(1_048_575, 16_383), "E-INPUT-038");
    }
}
