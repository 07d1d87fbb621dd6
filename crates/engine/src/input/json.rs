//! JSON lines: one flat object a line.
//!
//! Types are found by a first look over all files: a column of texts and numbers is one of texts, with the numbers as they
//! are written. Columns that a row lacks are null there.

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
use super::csv::{Flaw, FlawAt, count_lines};
use super::{Format, InputColumn};
use crate::EngineError;

/// Rows decoded at once.
const BATCH_ROWS: usize = 8192;

/// What kinds of values a column has had.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Seen {
    boolean: bool,
    integer: bool,
    float: bool,
    text: bool,
    nested: bool,
    /// The last row that had the column, to find names that come twice in one object.
    row: u64,
}

impl Seen {
    fn data_type(self) -> DataType {
        match self {
            Self { nested: true, .. } => DataType::Struct(Fields::empty()),
            Self { text: true, .. } => DataType::Utf8,
            Self { boolean: true, integer: false, float: false, .. } => DataType::Boolean,
            Self { boolean: true, .. } => DataType::Utf8,
            Self { float: true, .. } => DataType::Float64,
            Self { integer: true, .. } => DataType::Int64,
            _ => DataType::Null,
        }
    }
}

/// The columns met so far, in the order of their first appearance.
#[derive(Debug, Default)]
struct Columns {
    seen: Vec<(String, Seen)>,
    position: HashMap<String, usize>,
    row: u64,
}

/// Looks over all files and finds the columns and their types.
pub(super) fn read_columns(files: &[PathBuf]) -> Result<Vec<InputColumn>, EngineError> {
    let mut columns = Columns::default();
    let mut reader = BlockReader::new(files.to_vec(), Format::Json, Records::Lines);
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
        }
    }
    let column = |(name, seen): (String, Seen)| InputColumn { name, data_type: seen.data_type() };
    Ok(columns.seen.into_iter().map(column).collect())
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
        parser.end().map_err(|error| error.to_string())
    }

    fn meet(&mut self, name: &str) -> Option<&mut Seen> {
        let at = match self.position.get(name) {
            Some(at) => *at,
            None => {
                self.position.insert(name.to_owned(), self.seen.len());
                self.seen.push((name.to_owned(), Seen::default()));
                self.seen.len() - 1
            }
        };
        let seen = &mut self.seen[at].1;
        if seen.row == self.row {
            return None;
        }
        seen.row = self.row;
        Some(seen)
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
            let Some(seen) = self.0.meet(&name) else {
                return Err(A::Error::custom("a name comes twice in one object"));
            };
            map.next_value_seed(ValueSeed(seen))?;
        }
        Ok(())
    }
}

struct ValueSeed<'a>(&'a mut Seen);

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

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.0.integer = true;
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        // What no 64-bit integer holds stays as it is written.
        *(if i64::try_from(value).is_ok() { &mut self.0.integer } else { &mut self.0.text }) = true;
        Ok(())
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

/// From blocks of lines to record batches of some of the columns.
#[derive(Debug, Clone)]
pub(crate) struct JsonParser {
    schema: SchemaRef,
}

impl JsonParser {
    pub(crate) fn new(columns: &[InputColumn]) -> Self {
        let field = |column: &InputColumn| Field::new(&column.name, column.data_type.clone(), true);
        Self { schema: Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>())) }
    }

    /// Parses whole lines.
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

    /// The first line that cannot be parsed by itself.
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

/// Replaces texts that stand for a missing value, and empty ones, by nulls.
pub(super) fn with_nulls(batch: &RecordBatch, null_values: &[String]) -> RecordBatch {
    let is_null = |text: &str| text.is_empty() || null_values.iter().any(|null| null == text);
    let columns = batch.columns().iter().map(|column| match column.as_string_opt::<i32>() {
        Some(texts) => {
            let kept = texts.iter().map(|text| text.filter(|text| !is_null(text)));
            Arc::new(kept.collect::<StringArray>()) as _
        }
        None => Arc::clone(column),
    });
    RecordBatch::try_new(batch.schema(), columns.collect()).expect("same types and lengths")
}
