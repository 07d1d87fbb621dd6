//! Checks that every program reads the same rows from the files of a release.
//!
//! Indistinct treats an empty text and a null as the same missing value, and negative zero as zero.
//! Other programs distinguish them. If a class contained both spellings, such programs would see
//! two smaller classes.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use indistinct_core::Observer;

use super::blocks::BlockError;
use super::csv::{Fields, FlawAt, parse};
use super::{Format, Input};
use crate::EngineError;
use crate::files::{NO_LIMIT, open_given};

/// Spellings that occur in a column among values that Indistinct treats as equal.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ways {
    null: bool,
    empty: bool,
    zero: bool,
    negative_zero: bool,
}

impl Ways {
    /// Describes the values that other programs distinguish.
    fn distinguishable(self) -> Option<&'static str> {
        match self {
            Self { null: true, empty: true, .. } => Some("both missing values and empty texts"),
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

/// Which spellings of empty CSV cells occur in each column: with quotes, without quotes, or both.
struct Empties(Vec<Ways>);

impl Fields for Empties {
    fn field(&mut self, slot: usize, bytes: &[u8], start: usize, end: usize) {
        if start == end {
            let ways = &mut self.0[slot];
            // The byte before an unquoted cell is a delimiter or a line ending.
            match start > 0 && bytes[start - 1] == b'"' {
                true => ways.empty = true,
                false => ways.null = true,
            }
        }
    }
}

/// Checks the spellings of columns.
pub(super) fn check(columns: &[String], ways: Vec<Ways>) -> Result<(), EngineError> {
    let mut found = columns.iter().cloned().zip(ways);
    match found.find_map(|(column, ways)| Some((column, ways.distinguishable()?))) {
        Some((column, what)) => Err(EngineError::Distinguishable { column, what }),
        None => Ok(()),
    }
}

pub(super) fn of_batches(
    input: &Input,
    columns: &[String],
    observer: &dyn Observer,
) -> Result<Vec<Ways>, EngineError> {
    let mut ways = vec![Ways::default(); columns.len()];
    for batch in input.batches(columns)? {
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let batch = batch?;
        batch.columns().iter().zip(&mut ways).for_each(|(array, all)| all.take(array));
    }
    Ok(ways)
}

pub(super) fn of_csv(
    input: &Input,
    columns: &[String],
    observer: &dyn Observer,
) -> Result<Vec<Ways>, EngineError> {
    for path in input.files() {
        let mut magic = [0; 4];
        let file = open_given(path, NO_LIMIT)?;
        let read = std::os::unix::fs::FileExt::read_at(&file, &mut magic, 0);
        let n = read.map_err(|source| EngineError::Read { path: path.clone(), source })?;
        let is_compressed = magic[..n].starts_with(&[0x1f, 0x8b])
            || magic[..n].starts_with(&[0x28, 0xb5, 0x2f, 0xfd]);
        let is_named = path.extension().is_some_and(|it| it == "gz" || it == "zst");
        if is_compressed && !is_named {
            let detail =
                "the file is compressed, but its extension is neither .gz nor .zst".to_owned();
            return Err(EngineError::Corrupt { path: path.clone(), format: Format::Csv, detail });
        }
    }
    let slots = input.slots(&input.positions(columns)?);
    let mut empties = Empties(vec![Ways::default(); columns.len()]);
    let mut blocks = input.blocks();
    let mut buffer = Vec::new();
    let delimiter = input.delimiter().unwrap_or(b',');
    let located = |flaw: FlawAt, file: usize| flaw.locate(&input.files()[file], 0, 0);
    loop {
        let block = match blocks.next(&mut buffer) {
            Ok(Some(block)) => block,
            Ok(None) => return Ok(empties.0),
            Err(BlockError::Engine(error)) => return Err(error),
            // The count has already reported this error with its location.
            Err(BlockError::OpenQuote { .. }) => return Ok(empties.0),
        };
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        parse(&buffer, block.body, delimiter, block.quoted, &slots, &mut empties)
            .map_err(|flaw| located(flaw, block.file))?;
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

    fn code(path: &Path) -> &'static str {
        let spec = InputSpec { path: path.to_owned(), ..InputSpec::default() };
        let input = Input::open(&spec).expect("opened");
        let names: Vec<String> = input.columns().iter().map(|it| it.name.clone()).collect();
        input.check_plain(&names, &Silent).map_or_else(|error| error.code(), |()| "plain")
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
        code(&path)
    }

    fn csv(text: &[u8]) -> &'static str {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.csv");
        std::fs::write(&path, text).expect("written");
        code(&path)
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
        assert_eq!(csv(b"a,b\n,1\n\"\",2\n"), "E-INPUT-034");
        assert_eq!(csv(b"a,b\n,\"\"\n,\"\"\n"), "plain");
        assert_eq!(csv(b"a,b\n\"\",\"x\"\n\"\",\"\"\"\"\n"), "plain");
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, b"a\nx\n").expect("written");
        assert_eq!(csv(&encoder.finish().expect("compressed")), "E-INPUT-010");
    }
}
