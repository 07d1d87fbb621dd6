//! JSON lines: one flat object on each line.
//!
//! A first scan of all files determines the column types. A column with both text and numbers is
//! text, and its numbers keep their spelling. The same applies to columns with a number that a
//! conversion would change. Such a number is an integer of more than 64 bits, or, in a column with
//! fractions, an integer that a double cannot represent. If a row lacks a column, its value is
//! null.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{RecordBatch, StringArray, cast::AsArray};
use arrow_json::ReaderBuilder;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::blocks::{BlockError, BlockReader, Records};
use super::columns::COLUMN_LIMIT;
use super::csv::{Flaw, FlawAt, count_lines};
use super::{Format, InputColumn, Sources};
use crate::EngineError;

/// Number of rows that are decoded at a time.
const BATCH_ROWS: usize = 8192;

/// Kinds of values that occur in a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ObservedKinds {
    boolean: bool,
    integer: bool,
    float: bool,
    /// Whether the column contains an integer that a double cannot represent.
    long: bool,
    text: bool,
    nested: bool,
    /// Last row that contains the column, used to detect duplicate names in an object.
    row: u64,
}

impl ObservedKinds {
    fn data_type(self) -> DataType {
        match self {
            Self { nested: true, .. } => DataType::Struct(Fields::empty()),
            Self { text: true, .. } => DataType::Utf8,
            Self { boolean: true, integer: false, float: false, .. } => DataType::Boolean,
            Self { boolean: true, .. } | Self { float: true, long: true, .. } => DataType::Utf8,
            Self { float: true, .. } => DataType::Float64,
            Self { integer: true, .. } => DataType::Int64,
            _ => DataType::Null,
        }
    }
}

/// The columns found so far, in the order of their first appearance.
#[derive(Debug, Default)]
struct Columns {
    observed: Vec<(String, ObservedKinds)>,
    position: HashMap<String, usize>,
    row: u64,
}

/// Scans all files to determine the columns and their types.
pub(super) fn read_columns(
    sources: &Sources,
    files: &[PathBuf],
) -> Result<Vec<InputColumn>, EngineError> {
    let mut columns = Columns::default();
    let mut reader =
        BlockReader::new(sources.clone(), files.to_vec(), Format::Json, Records::Lines);
    let mut buffer = Vec::new();
    let (mut file, mut line) = (0, 0);
    while let Some(block) =
        reader.next(&mut buffer).map_err(|error| line_error(error, files, line))?
    {
        if block.file != file {
            (file, line) = (block.file, 0);
        }
        for text in buffer.split_inclusive(|byte| *byte == b'\n') {
            line += 1;
            columns.add(text).map_err(|detail| EngineError::InvalidJson {
                path: files[file].clone(),
                line,
                detail,
            })?;
            if columns.observed.len() > COLUMN_LIMIT {
                return Err(EngineError::TooWide {
                    path: files[file].clone(),
                    limit: COLUMN_LIMIT,
                });
            }
        }
    }
    let column = |(name, observed): (String, ObservedKinds)| InputColumn {
        name,
        data_type: observed.data_type(),
    };
    Ok(columns.observed.into_iter().map(column).collect())
}

fn line_error(error: BlockError, files: &[PathBuf], lines: u64) -> EngineError {
    match error {
        BlockError::Engine(error) => error,
        BlockError::OpenQuote { file, .. } => EngineError::InvalidJson {
            path: files[file].clone(),
            line: lines + 1,
            detail: "the line is too long".to_owned(),
        },
    }
}

impl Columns {
    fn add(&mut self, line: &[u8]) -> Result<(), String> {
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        self.row += 1;
        let mut parser = serde_json::Deserializer::from_slice(line);
        RowSeed(self).deserialize(&mut parser).map_err(|error| error.to_string())?;
        parser.end().map_err(|error| error.to_string())?;
        if has_long_number(line) {
            for (name, number) in numbers(line) {
                if let (Some(at), false) = (self.position.get(&name), survives(number)) {
                    self.observed[*at].1.text = true;
                }
            }
        }
        Ok(())
    }

    fn meet(&mut self, name: &str) -> Option<&mut ObservedKinds> {
        let at = match self.position.get(name) {
            Some(at) => *at,
            None => {
                self.position.insert(name.to_owned(), self.observed.len());
                self.observed.push((name.to_owned(), ObservedKinds::default()));
                self.observed.len() - 1
            }
        };
        let observed = &mut self.observed[at].1;
        if observed.row == self.row {
            return None;
        }
        observed.row = self.row;
        Some(observed)
    }
}

struct RowSeed<'a>(&'a mut Columns);

impl<'de> DeserializeSeed<'de> for RowSeed<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            let Some(observed) = self.0.meet(&name) else {
                return Err(A::Error::custom("a name occurs twice in one object"));
            };
            map.next_value_seed(ValueSeed(observed))?;
        }
        Ok(())
    }
}

struct ValueSeed<'a>(&'a mut ObservedKinds);

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.0.boolean = true;
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.0.integer = true;
        self.0.long |= value.unsigned_abs() > EXACT_INTEGERS;
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            // Numbers that exceed 64-bit integers are kept as text.
            Err(_) => {
                self.0.text = true;
                Ok(())
            }
        }
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.0.float = true;
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        self.0.text = true;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.0.nested = true;
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.nested = true;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

/// Minimum number of digits at which a double may lose precision. Up to fifteen digits are always
/// preserved.
const LONG_DIGITS: usize = 16;

/// Returns whether a line contains so many consecutive digits that the original text must be
/// checked.
fn has_long_number(line: &[u8]) -> bool {
    let mut n = 0;
    line.iter().any(|byte| {
        n = match byte {
            b'0'..=b'9' => n + 1,
            b'.' => n,
            _ => 0,
        };
        n >= LONG_DIGITS
    })
}

/// Returns the names and the top-level numbers of an object, as spelled in the text. The object has
/// already been parsed.
fn numbers(line: &[u8]) -> Vec<(String, &str)> {
    let mut found = Vec::new();
    let (mut depth, mut name, mut at) = (0, String::new(), 0);
    while at < line.len() {
        let begin = at;
        match line[at] {
            b'"' => {
                at += 1;
                while line[at] != b'"' {
                    at += if line[at] == b'\\' { 2 } else { 1 };
                }
                let rest = line[at + 1..].trim_ascii_start();
                if depth == 1 && rest.starts_with(b":") {
                    name = serde_json::from_slice(&line[begin..=at]).unwrap_or_default();
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'-' | b'0'..=b'9' => {
                let is_part =
                    |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
                while line.get(at + 1).is_some_and(is_part) {
                    at += 1;
                }
                if let (1, Ok(number)) = (depth, std::str::from_utf8(&line[begin..=at])) {
                    found.push((name.clone(), number));
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The largest integer N such that a double represents all integers up to N exactly.
const EXACT_INTEGERS: u64 = 1 << 53;

/// Returns whether a number is unchanged after parsing it as the suggested type and formatting it.
fn survives(number: &str) -> bool {
    if !number.contains(['.', 'e', 'E']) {
        return number.parse::<i64>().is_ok();
    }
    let Ok(double) = number.parse::<f64>() else { return false };
    double.is_finite() && digits(number) == digits(&format!("{double:e}"))
}

/// Returns the digits of a number without leading and trailing zeros, and the exponent of the first
/// digit.
fn digits(number: &str) -> Option<(Vec<u8>, i64)> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let mantissa = mantissa.trim_start_matches('-');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
    let Some(first) = all.iter().position(|digit| *digit != b'0') else {
        return Some((Vec::new(), 0));
    };
    let last = all.iter().rposition(|digit| *digit != b'0').unwrap_or(first);
    let power = exponent.parse::<i32>().ok()?;
    Some((all[first..=last].to_vec(), i64::from(power) + whole.len() as i64 - first as i64))
}

/// Converter from blocks of lines to record batches with the requested columns.
#[derive(Debug, Clone)]
pub(crate) struct JsonParser {
    schema: SchemaRef,
}

impl JsonParser {
    pub(crate) fn new(columns: &[InputColumn]) -> Self {
        let field = |column: &InputColumn| Field::new(&column.name, column.data_type.clone(), true);
        Self { schema: Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>())) }
    }

    /// Parses complete lines.
    pub(crate) fn parse(&self, bytes: &[u8]) -> Result<Vec<RecordBatch>, FlawAt> {
        self.decode(bytes).map_err(|error| self.find_flaw(bytes, &error))
    }

    fn decode(&self, bytes: &[u8]) -> Result<Vec<RecordBatch>, ArrowError> {
        let mut decoder = ReaderBuilder::new(Arc::clone(&self.schema))
            .with_batch_size(BATCH_ROWS)
            .with_coerce_primitive(true)
            .build_decoder()?;
        let mut batches = Vec::new();
        let mut rest = bytes;
        loop {
            let n = decoder.decode(rest)?;
            rest = &rest[n..];
            match decoder.flush()? {
                Some(batch) => batches.push(batch),
                None => return Ok(batches),
            }
        }
    }

    /// Finds the first line that cannot be parsed.
    fn find_flaw(&self, bytes: &[u8], error: &ArrowError) -> FlawAt {
        let (mut offset, mut rows) = (0, 0);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            match self.decode(line) {
                Ok(batches) => {
                    rows += batches.iter().map(|batch| batch.num_rows() as u64).sum::<u64>();
                }
                Err(error) => {
                    let detail = error.to_string();
                    return FlawAt::new(Flaw::Json { detail }, bytes, offset, rows);
                }
            }
            offset += line.len();
        }
        let lines_before = count_lines(bytes);
        FlawAt { flaw: Flaw::Json { detail: error.to_string() }, lines_before, rows_before: rows }
    }
}

/// Replaces empty strings with nulls.
pub(super) fn with_nulls(batch: &RecordBatch) -> RecordBatch {
    let columns = batch.columns().iter().map(|column| match column.as_string_opt::<i32>() {
        Some(texts) => {
            let retained = texts.iter().map(|text| text.filter(|text| !text.is_empty()));
            Arc::new(retained.collect::<StringArray>()) as _
        }
        None => Arc::clone(column),
    });
    RecordBatch::try_new(batch.schema(), columns.collect())
        .expect("the replaced columns have the types and lengths of the schema")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_of(values: &[&str]) -> DataType {
        let mut columns = Columns::default();
        for value in values {
            let line = format!("{{\"b\\\"\": [1, {{\"a\": 1}}], \"a\" : {value}, \"c\":\"-1\"}}\n");
            columns.add(line.as_bytes()).expect("an object");
        }
        let (_, observed) = columns.observed.iter().find(|(name, _)| name == "a").expect("seen");
        observed.data_type()
    }

    #[test]
    fn json_column_type_preserves_all_numbers() {
        assert_eq!(type_of(&["1", "-5", "null"]), DataType::Int64);
        assert_eq!(type_of(&["9007199254740993", "1"]), DataType::Int64);
        assert_eq!(type_of(&["1", "0.5", "1e3", "-0.10"]), DataType::Float64);
        assert_eq!(type_of(&["9007199254740992", "0.5"]), DataType::Float64);
        for changed in [
            &["9007199254740993", "0.5"][..],
            &["9223372036854775808"],
            &["123456789012345678901234567890"],
            &["0.12345678901234567890"],
            &["1", "true"],
            &["1", "\"a\""],
        ] {
            assert_eq!(type_of(changed), DataType::Utf8, "{changed:?}");
        }
        assert_eq!(type_of(&["true"]), DataType::Boolean);
        assert_eq!(type_of(&["[1]"]), DataType::Struct(Fields::empty()));
    }

    #[test]
    fn number_is_lossless_if_digits_survive() {
        for same in
            ["0.1", "1.50", "1e3", "1E-7", "0.000", "100.0", "-2.5e+3", "123456789.125", "-7"]
        {
            assert!(survives(same), "{same}");
        }
        for other in ["0.1000000000000000055", "9007199254740993.0", "1e-400", "1e400"] {
            assert!(!survives(other), "{other}");
        }
    }
}
