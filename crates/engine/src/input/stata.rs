//! Reads Stata files: a `.dta` file becomes an in-memory table with value labels.
//!
//! Numbers, dates, and timestamps keep their types. Other periods, such as quarters, are
//! represented by the number that Stata stores. A column in which any value has a label is text,
//! with labels where available and numbers elsewhere. All kinds of missing values are treated as
//! equal.

use std::collections::HashMap;
use std::io::Cursor;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, Date32Array, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray,
    TimestampMillisecondArray,
};
use arrow_schema::ArrowError;
use dta::stata::dta::dta_error::DtaError;
use dta::stata::dta::dta_reader::DtaReader;
use dta::stata::dta::long_string_ref::LongStringRef;
use dta::stata::dta::long_string_table::LongStringTable;
use dta::stata::dta::value::Value;
use dta::stata::dta::value_label::ValueLabelSet;
use dta::stata::dta::value_label_table::ValueLabelTable;
use dta::stata::dta::variable::Variable;
use dta::stata::dta::variable_type::VariableType;
use dta::stata::temporal::TemporalKind;
use dta::stata::temporal::conversion::{tc_millis_to_unix_millis, td_days_to_unix_days};
use encoding_rs::Encoding;

use super::hashed::hexadecimal;
use super::{Format, InputSpec, MemoryTable, Sources, guard};
use crate::EngineError;

/// Maximum size of a file in bytes.
const LIMIT_BYTES: u64 = 1 << 30;

/// Maximum number of columns in a Stata file.
const LIMIT_COLUMNS: u32 = 120_000;

/// Reads a complete file.
pub(super) fn read(sources: &Sources, spec: &InputSpec) -> Result<MemoryTable, EngineError> {
    let path = &spec.path;
    let bytes = sources.read(path, LIMIT_BYTES)?;
    // Reader messages may quote cells, so they are discarded.
    let broken = || EngineError::Statistics { path: path.clone() };
    let read = guard::guarded(path, Format::Csv, || {
        let columns = columns(&bytes).map_err(|_| broken())?;
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.into_iter().map(|(name, array)| (name, array, true)),
        );
        let batch = batch.map_err(|_| broken())?;
        MemoryTable::new(&path.to_string_lossy(), batch.schema(), [Ok::<_, ArrowError>(batch)])
    });
    read.map_err(|error| match error {
        EngineError::Corrupt { .. } => broken(),
        other => other,
    })
}

/// Cells of a column as stored in the file.
enum Cells {
    Whole(Vec<Option<i64>>),
    Single(Vec<Option<f32>>),
    Double(Vec<Option<f64>>),
    Texts(Vec<Option<String>>),
    Long(Vec<LongStringRef>),
}

impl Cells {
    fn for_variable(variable: &Variable) -> Self {
        match variable.variable_type() {
            VariableType::Byte | VariableType::Int | VariableType::Long => Self::Whole(Vec::new()),
            VariableType::Float => Self::Single(Vec::new()),
            VariableType::Double => Self::Double(Vec::new()),
            VariableType::FixedString(_) => Self::Texts(Vec::new()),
            VariableType::LongString => Self::Long(Vec::new()),
        }
    }

    /// Adds a cell, or returns `None` if its type does not match the column.
    fn push(&mut self, value: &Value<'_>) -> Option<()> {
        match (self, value) {
            (Self::Whole(cells), Value::Byte(value)) => {
                cells.push(value.present().map(i64::from));
            }
            (Self::Whole(cells), Value::Int(value)) => cells.push(value.present().map(i64::from)),
            (Self::Whole(cells), Value::Long(value)) => cells.push(value.present().map(i64::from)),
            (Self::Single(cells), Value::Float(value)) => cells.push(value.present()),
            (Self::Double(cells), Value::Double(value)) => cells.push(value.present()),
            (Self::Texts(cells), Value::String(value)) => cells.push(Some(value.to_string())),
            (Self::Long(cells), Value::LongStringRef(value)) => cells.push(*value),
            _ => return None,
        }
        Some(())
    }

    /// Returns the numbers if all of them are integers.
    fn whole(&self) -> Option<Vec<Option<i64>>> {
        let number =
            |value: f64| (value.fract() == 0.0 && value.abs() < 2e15).then_some(value as i64);
        let all = |cells: &mut dyn Iterator<Item = Option<f64>>| {
            cells.map(|cell| cell.map_or(Some(None), |cell| number(cell).map(Some))).collect()
        };
        match self {
            Self::Whole(cells) => Some(cells.clone()),
            Self::Single(cells) => all(&mut cells.iter().map(|cell| cell.map(f64::from))),
            Self::Double(cells) => all(&mut cells.iter().copied()),
            Self::Texts(_) | Self::Long(_) => None,
        }
    }
}

type Columns = Vec<(String, ArrayRef)>;

fn columns(bytes: &[u8]) -> Result<Columns, Broken> {
    let header = DtaReader::new().from_reader(Cursor::new(bytes)).read_header()?;
    if header.header().variable_count() > LIMIT_COLUMNS {
        return Err(Broken);
    }
    let mut notes = header.read_schema()?;
    notes.skip_to_end()?;
    let mut records = notes.into_record_reader()?;
    let schema = records.schema().clone();
    let encoding = records.encoding();
    let mut cells: Vec<Cells> = schema.variables().iter().map(Cells::for_variable).collect();
    while let Some(record) = records.read_record()? {
        for (cells, value) in cells.iter_mut().zip(record.values()) {
            cells.push(value).ok_or(Broken)?;
        }
    }
    let mut long = records.into_long_string_reader()?;
    let mut texts = LongStringTable::for_reading();
    long.read_remaining_into(&mut texts)?;
    let mut sets = long.into_value_label_reader()?;
    let mut labels = ValueLabelTable::new();
    sets.read_remaining_into(&mut labels)?;

    let column = |(variable, cells): (&Variable, Cells)| {
        let set = labels.get(variable.value_label_name());
        let kind = TemporalKind::from_format(variable.format());
        let array = match cells {
            Cells::Texts(cells) => of_texts(cells),
            Cells::Long(cells) => {
                let text = |at: &LongStringRef| long_text(&texts, *at, encoding);
                of_texts(cells.iter().map(text).collect::<Result<Vec<_>, Broken>>()?)
            }
            cells => of_numbers(cells, set, kind)?,
        };
        Ok((variable.name().to_owned(), array))
    };
    schema.variables().iter().zip(cells).map(column).collect()
}

fn of_texts(cells: Vec<Option<String>>) -> ArrayRef {
    let is_present = |text: &String| !text.is_empty();
    Arc::new(cells.into_iter().map(|cell| cell.filter(is_present)).collect::<StringArray>())
}

/// Returns the long string for a reference, or `None` if the reference is zero.
fn long_text(
    texts: &LongStringTable,
    at: LongStringRef,
    encoding: &'static Encoding,
) -> Result<Option<String>, Broken> {
    if at.variable() == 0 && at.observation() == 0 {
        return Ok(None);
    }
    let found = texts.get(&at).ok_or(Broken)?;
    let text = match found.is_text() {
        true => found.data_str(encoding).ok_or(Broken)?.into_owned(),
        false => hexadecimal(found.data()),
    };
    Ok(Some(text))
}

fn of_numbers(
    cells: Cells,
    set: Option<&ValueLabelSet>,
    kind: Option<TemporalKind>,
) -> Result<ArrayRef, Broken> {
    let whole = cells.whole();
    if let (Some(whole), Some(set)) = (&whole, set) {
        let labels = labels_of(set);
        if whole.iter().flatten().any(|value| labels.contains_key(value)) {
            let text =
                |value: i64| labels.get(&value).cloned().unwrap_or_else(|| value.to_string());
            return Ok(of_texts(whole.iter().map(|cell| cell.map(text)).collect()));
        }
    }
    let days = |value: i64| i32::try_from(value).ok().and_then(td_days_to_unix_days).ok_or(Broken);
    Ok(match (kind, whole, cells) {
        (Some(TemporalKind::Date), Some(whole), _) => {
            let days = whole.into_iter().map(|cell| cell.map(days).transpose());
            Arc::new(days.collect::<Result<Date32Array, Broken>>()?)
        }
        (Some(TemporalKind::DateTime), Some(whole), _) => {
            let instant = |value: i64| tc_millis_to_unix_millis(value as f64).ok_or(Broken);
            let instants = whole.into_iter().map(|cell| cell.map(instant).transpose());
            Arc::new(instants.collect::<Result<TimestampMillisecondArray, Broken>>()?)
        }
        (_, _, Cells::Whole(cells)) => Arc::new(Int64Array::from(cells)),
        (_, _, Cells::Single(cells)) => Arc::new(Float32Array::from(cells)),
        (_, _, Cells::Double(cells)) => Arc::new(Float64Array::from(cells)),
        (_, _, Cells::Texts(_) | Cells::Long(_)) => return Err(Broken),
    })
}

/// Returns the label of each value. If several values have the same label, or a label equals
/// another value, the number is appended to keep the values distinct.
fn labels_of(set: &ValueLabelSet) -> HashMap<i64, String> {
    let mut n_values: HashMap<&str, u32> = HashMap::new();
    for entry in set.entries() {
        *n_values.entry(entry.label()).or_default() += 1;
    }
    let is_clear = |value: i32, label: &str| {
        n_values[label] == 1 && label.parse::<i64>().map_or(true, |it| it == i64::from(value))
    };
    let entries = || set.entries().iter().filter(|entry| !entry.label().is_empty());
    let numbered = |value: i32, label: &str| format!("{label} ({value})");
    let some = |value: i32, label: &str| match is_clear(value, label) {
        true => label.to_owned(),
        false => numbered(value, label),
    };
    let labels: Vec<String> = entries().map(|it| some(it.value(), it.label())).collect();
    // If a label with an appended number equals another label, a number is appended to all labels.
    let is_one_each = labels.iter().collect::<std::collections::HashSet<_>>().len() == labels.len();
    entries()
        .zip(&labels)
        .map(|(entry, label)| {
            let text = match is_one_each {
                true => label.clone(),
                false => numbered(entry.value(), entry.label()),
            };
            (i64::from(entry.value()), text)
        })
        .collect()
}

/// Error for an invalid file. The error contains no reason because reader messages may quote cells.
#[derive(Debug)]
struct Broken;

impl From<DtaError> for Broken {
    fn from(_: DtaError) -> Self {
        Self
    }
}
