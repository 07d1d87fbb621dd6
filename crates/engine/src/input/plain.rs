//! Checks that all programs read the same rows from the files of a release.
//!
//! Indistinct treats an empty string and a null as the same missing value, and negative zero as
//! zero. Other programs distinguish these spellings. If a class contained both spellings of a
//! value, such programs would see two smaller classes.

use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use indistinct_core::Observer;
use indistinct_diagnostics::platform;

use super::Input;
use super::blocks::BlockError;
use super::csv::{Fields, fields_of, is_ambiguous_alone, parse, push_cell, push_quoted};
use crate::EngineError;
use crate::files::{NO_LIMIT, open_given};

/// Spellings that occur in a column and that Indistinct treats as equal to another spelling.
#[derive(Debug, Clone, Copy, Default)]
struct Ways {
    null: bool,
    empty: bool,
    zero: bool,
    negative_zero: bool,
}

impl Ways {
    /// Describes the spellings that other programs distinguish, if any.
    fn distinguishable(self) -> Option<&'static str> {
        match self {
            Self { null: true, empty: true, .. } => Some("both missing values and empty strings"),
            Self { zero: true, negative_zero: true, .. } => Some("both zeros and negative zeros"),
            _ => None,
        }
    }

    fn take(&mut self, array: &ArrayRef) {
        self.null |= array.null_count() > 0;
        match array.data_type() {
            DataType::Utf8 => self.empty |= array.as_string::<i32>().iter().any(is_empty),
            DataType::LargeUtf8 => self.empty |= array.as_string::<i64>().iter().any(is_empty),
            DataType::Utf8View => self.empty |= array.as_string_view().iter().any(is_empty),
            DataType::Float32 => {
                for value in array.as_primitive::<Float32Type>().iter().flatten() {
                    self.take_number(f64::from(value));
                }
            }
            DataType::Float64 => {
                for value in array.as_primitive::<Float64Type>().iter().flatten() {
                    self.take_number(value);
                }
            }
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                if !dictionary.values().is_empty() {
                    let mut of_values = Ways::default();
                    of_values.take(dictionary.values());
                    // A null in the dictionary may not occur in any row, but treating it as present
                    // is the safe choice.
                    self.null |= of_values.null;
                    self.empty |= of_values.empty;
                    self.zero |= of_values.zero;
                    self.negative_zero |= of_values.negative_zero;
                }
            }
            _ => {}
        }
    }

    fn take_number(&mut self, value: f64) {
        self.zero |= value == 0.0 && value.is_sign_positive();
        self.negative_zero |= value == 0.0 && value.is_sign_negative();
    }
}

fn is_empty(text: Option<&str>) -> bool {
    text.is_some_and(str::is_empty)
}

/// Checks the spellings in the columns of record batches.
pub(super) fn check_batches(
    input: &Input,
    columns: &[String],
    observer: &dyn Observer,
) -> Result<(), EngineError> {
    let mut ways = vec![Ways::default(); columns.len()];
    for batch in input.batches(columns)? {
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let batch = batch?;
        batch.columns().iter().zip(&mut ways).for_each(|(array, all)| all.take(array));
    }
    let mut found = columns.iter().cloned().zip(ways);
    match found.find_map(|(column, ways)| Some((column, ways.distinguishable()?))) {
        Some((column, what)) => Err(EngineError::Distinguishable { column, what }),
        None => Ok(()),
    }
}

/// Rejects files in a format in which releases are never written.
pub(super) fn reject(input: &Input, _: &[String], _: &dyn Observer) -> Result<(), EngineError> {
    let what = format!("a release contains no file in the format {}", input.format().name());
    Err(EngineError::NotPlain { path: input.files()[0].clone(), what })
}

/// Checks that CSV files have exactly the form that Indistinct writes. Lines end with a line feed,
/// and only cells that require quotes are quoted.
pub(super) fn check_csv(
    input: &Input,
    _: &[String],
    observer: &dyn Observer,
) -> Result<(), EngineError> {
    let not_plain = |path: &Path, what: &str| EngineError::NotPlain {
        path: path.to_owned(),
        what: what.to_owned(),
    };
    let slots = (0..input.columns().len()).map(Some).collect();
    let delimiter = input.delimiter().unwrap_or(b',');
    let mut blocks = input.blocks();
    let mut buffer = Vec::new();
    let mut n_bytes = 0;
    loop {
        let block = match blocks.next(&mut buffer) {
            Ok(Some(block)) => block,
            Ok(None) => break,
            Err(BlockError::Engine(error)) => return Err(error),
            // The counting pass has already reported this error with its location.
            Err(BlockError::OpenQuote { .. }) => return Ok(()),
        };
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        n_bytes += buffer.len() as u64;
        let path = &input.files()[block.file];
        let mut lines = Lines { bytes: Vec::new(), n_columns: input.columns().len(), delimiter };
        if block.body > 0 {
            lines.header(&buffer[..block.body]);
        }
        parse(&buffer, block.body, delimiter, block.quoted, &slots, &mut lines)
            .map_err(|flaw| flaw.locate(path, 0, 0))?;
        if lines.bytes != buffer {
            return Err(not_plain(path, "a line has an unusual line ending or needless quotes"));
        }
    }
    for path in input.files() {
        let mut magic = [0; 4];
        let file = open_given(path, NO_LIMIT)?;
        let read = platform::read_at(&file, &mut magic, 0);
        read.map_err(|source| EngineError::Read { path: path.clone(), source })?;
        if COMPRESSED.iter().any(|compressed| magic.starts_with(compressed)) {
            return Err(not_plain(path, "the file is compressed"));
        }
    }
    match n_bytes == input.n_bytes() {
        true => Ok(()),
        false => Err(not_plain(
            &input.files()[0],
            "the file has a byte order mark, blank lines, or an incomplete last line",
        )),
    }
}

/// First bytes of compressed files.
const COMPRESSED: [&[u8]; 3] = [&[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd], b"PK\x03\x04"];

/// The lines of a file in the form in which Indistinct would write them.
struct Lines {
    bytes: Vec<u8>,
    n_columns: usize,
    delimiter: u8,
}

impl Lines {
    fn header(&mut self, header: &[u8]) {
        let names = fields_of(header, self.delimiter);
        for (at, (name, _)) in names.iter().enumerate() {
            match names.len() {
                1 if is_ambiguous_alone(name) => push_quoted(&mut self.bytes, name),
                _ => push_cell(&mut self.bytes, name, self.delimiter),
            }
            self.bytes.push(if at + 1 == names.len() { b'\n' } else { self.delimiter });
        }
    }
}

impl Fields for Lines {
    fn field(&mut self, slot: usize, bytes: &[u8], start: usize, end: usize) {
        // The counting pass has already checked that the text is valid UTF-8.
        let text = String::from_utf8_lossy(&bytes[start..end]);
        match text.is_empty() && self.n_columns == 1 {
            true => push_quoted(&mut self.bytes, &text),
            false => push_cell(&mut self.bytes, &text, self.delimiter),
        }
        self.bytes.push(if slot + 1 == self.n_columns { b'\n' } else { self.delimiter });
    }
}

#[cfg(test)]
mod tests {
    use indistinct_diagnostics::Coded;

    use std::path::Path;
    use std::sync::Arc;

    use arrow_array::{Float64Array, RecordBatch, StringArray};
    use indistinct_core::Silent;
    use parquet::arrow::ArrowWriter;

    use super::*;
    use crate::InputSpec;

    type Check = fn(&Input, &[String], &dyn Observer) -> Result<(), EngineError>;

    fn code(path: &Path, check: Check) -> &'static str {
        let spec = InputSpec { path: path.to_owned(), ..InputSpec::default() };
        let input = Input::open(&spec).expect("opened");
        let names: Vec<String> = input.columns().iter().map(|it| it.name.clone()).collect();
        check(&input, &names, &Silent).map_or_else(|error| error.code(), |()| "plain")
    }

    fn parquet(array: ArrayRef) -> &'static str {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.parquet");
        let batch =
            RecordBatch::try_from_iter_with_nullable([("a", array, true)]).expect("it fits");
        let file = std::fs::File::create(&path).expect("created");
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
        writer.write(&batch).expect("written");
        writer.close().expect("closed");
        code(&path, check_batches)
    }

    fn csv(text: &[u8]) -> &'static str {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.csv");
        std::fs::write(&path, text).expect("written");
        code(&path, check_csv)
    }

    #[test]
    fn ambiguous_parquet_values_are_detected() {
        let texts = |texts: Vec<Option<&str>>| parquet(Arc::new(StringArray::from(texts)));
        assert_eq!(texts(vec![Some(""), None, Some("a")]), "E-INPUT-034");
        assert_eq!(texts(vec![Some(""), Some("a")]), "plain");
        assert_eq!(texts(vec![None, Some("a")]), "plain");
        assert_eq!(parquet(Arc::new(Float64Array::from(vec![0.0, -0.0]))), "E-INPUT-034");
        assert_eq!(parquet(Arc::new(Float64Array::from(vec![-0.0, 1.0]))), "plain");
    }

    #[test]
    fn mixed_empty_csv_cells_are_detected() {
        assert_eq!(csv(b"a,b\n,1\n\"\",2\n"), "E-INPUT-044");
        assert_eq!(csv(b"a,b\n,1\n,2\n"), "plain");
        assert_eq!(csv(b"a\n\"\"\nx\n"), "plain");
    }
}
