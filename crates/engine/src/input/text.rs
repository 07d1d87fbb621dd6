//! Canonical text format of cells.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::types::{Float16Type, Float32Type, Float64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, RecordBatch, StringArray, cast::AsArray, make_array,
};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::{DataType, Field, FieldRef, Schema};
use arrow_select::nullif::nullif;
use indistinct_core::MISSING;

use super::Conversion;
use crate::EngineError;

/// Returns whether cells of this type have a plain text format.
pub(crate) fn is_supported(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_supported(values),
        DataType::Struct(_)
        | DataType::List(_)
        | DataType::LargeList(_)
        | DataType::ListView(_)
        | DataType::LargeListView(_)
        | DataType::FixedSizeList(..)
        | DataType::Map(..)
        | DataType::Union(..)
        | DataType::RunEndEncoded(..) => false,
        _ => true,
    }
}

/// Returns the name of an unsupported type for messages.
pub(crate) fn type_name(data_type: &DataType) -> String {
    match data_type {
        DataType::List(_)
        | DataType::LargeList(_)
        | DataType::ListView(_)
        | DataType::LargeListView(_)
        | DataType::FixedSizeList(..) => "list".to_owned(),
        DataType::Struct(_) => "record".to_owned(),
        DataType::Map(..) => "map".to_owned(),
        other => other.to_string(),
    }
}

/// Returns whether a type represents text.
pub(crate) fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Returns the type in which an input column is released, which is the value type for dictionaries
/// and [`DataType::Utf8`] for text.
pub(crate) fn plain_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Dictionary(_, values) => plain_type(values),
        text if is_text(text) => DataType::Utf8,
        other => other.clone(),
    }
}

/// Parses strings as values of a type, provided that formatting the values yields the same strings.
pub(crate) fn typed(texts: &StringArray, data_type: &DataType) -> Option<ArrayRef> {
    if is_text(data_type) {
        return None;
    }
    let options = CastOptions { safe: true, ..CastOptions::default() };
    // Timestamps are formatted in UTC. The time zone for display is a property of the column.
    let read_as = match data_type {
        DataType::Timestamp(unit, Some(_)) => DataType::Timestamp(*unit, Some("+00:00".into())),
        other => other.clone(),
    };
    let array = cast_with_options(texts, &read_as, &options).ok()?;
    let builder = array.to_data().into_builder().data_type(data_type.clone());
    let array = make_array(builder.build().ok()?);
    let comes_back = |(row, text): (usize, Option<&str>)| {
        cell_text(&array, row, "").is_ok_and(|cell| cell == text.unwrap_or(MISSING))
    };
    texts.iter().enumerate().all(comes_back).then_some(array)
}

/// Converts text from the declared notation of each column, coarsens numbers, and replaces declared
/// values with nulls.
///
/// # Errors
/// Returns [`EngineError`] if a value cannot be converted.
pub(crate) fn converted(
    batch: &RecordBatch,
    conversions: &[Conversion],
) -> Result<RecordBatch, EngineError> {
    let schema = batch.schema();
    let mut fields: Vec<FieldRef> = schema.fields().to_vec();
    let mut columns = batch.columns().to_vec();
    for (at, conversion) in conversions.iter().enumerate().filter(|(_, it)| !it.is_none()) {
        let (array, name) = (&columns[at], schema.field(at).name());
        if conversion.only_removes() {
            columns[at] = without(array, conversion, name)?;
            fields[at] = Arc::new(Field::clone(&fields[at]).with_nullable(true));
            continue;
        }
        let cell = |row: usize| {
            let text = cell_text(array, row, name)?;
            let plain = conversion.apply(&text, name)?.into_owned();
            Ok((!array.is_null(row) && plain.is_empty() == text.is_empty()).then_some(plain))
        };
        let texts = (0..array.len()).map(cell).collect::<Result<StringArray, EngineError>>()?;
        let texts: ArrayRef = Arc::new(texts);
        fields[at] = Arc::new(Field::clone(&fields[at]).with_nullable(true));
        columns[at] = match conversion.is_coarsening() {
            true => {
                fields[at] = Arc::new(Field::new(name, DataType::Utf8, true));
                texts
            }
            false => {
                cast(&texts, array.data_type()).expect("texts can be cast to any type of text")
            }
        };
    }
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
        .expect("the replaced columns have the types and lengths of the schema"))
}

/// Replaces values that are declared as missing with nulls, and keeps the type of the column.
fn without(
    array: &ArrayRef,
    conversion: &Conversion,
    column: &str,
) -> Result<ArrayRef, EngineError> {
    let is_removed = |row| Ok(conversion.removes(&cell_text(array, row, column)?));
    let removed = (0..array.len()).map(is_removed).collect::<Result<Vec<bool>, EngineError>>()?;
    Ok(nullif(array, &BooleanArray::from(removed)).expect("the arrays have equal lengths"))
}

/// Returns the canonical text of a cell, as stored in dictionaries. The text of null is empty.
///
/// Numbers are plain decimals without trailing zeros (decimals keep their scale), dates and times
/// are ISO 8601, instants are in UTC and end with `Z`, and binary cells are hexadecimal digits.
///
/// # Errors
/// Returns [`EngineError::UnsupportedType`] for nested types and other types without a plain text
/// format.
pub fn cell_text<'a>(
    array: &'a dyn Array,
    row: usize,
    column: &str,
) -> Result<Cow<'a, str>, EngineError> {
    if array.is_null(row) {
        return Ok(Cow::Borrowed(MISSING));
    }
    let text = match array.data_type() {
        DataType::Null => Cow::Borrowed(MISSING),
        DataType::Utf8 => Cow::Borrowed(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Cow::Borrowed(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Cow::Borrowed(array.as_string_view().value(row)),
        DataType::Float16 => {
            Cow::Owned(float_text(f64::from(array.as_primitive::<Float16Type>().value(row))))
        }
        DataType::Float32 => {
            let value = array.as_primitive::<Float32Type>().value(row);
            // The text is the shortest for the single-precision value, not for the equal
            // double-precision value.
            Cow::Owned(match value.to_string().parse() {
                Ok(double) => float_text(double),
                Err(_) => value.to_string(),
            })
        }
        DataType::Float64 => Cow::Owned(float_text(array.as_primitive::<Float64Type>().value(row))),
        DataType::Dictionary(..) => {
            let one = array.slice(row, 1);
            let dictionary = one.as_any_dictionary();
            let key = dictionary.normalized_keys()[0];
            Cow::Owned(cell_text(dictionary.values().as_ref(), key, column)?.into_owned())
        }
        DataType::Date64 => {
            let text = formatted(array, row, column)?;
            Cow::Owned(text.strip_suffix("T00:00:00").map(str::to_owned).unwrap_or(text))
        }
        DataType::Timestamp(unit, Some(_)) => {
            let in_utc = DataType::Timestamp(*unit, Some("+00:00".into()));
            let one =
                cast(&array.slice(row, 1), &in_utc).map_err(|_| unsupported(array, column))?;
            Cow::Owned(formatted(&one, 0, column)?)
        }
        other if is_supported(other) => Cow::Owned(formatted(array, row, column)?),
        _ => return Err(unsupported(array, column)),
    };
    Ok(text)
}

fn unsupported(array: &dyn Array, column: &str) -> EngineError {
    let columns = vec![(column.to_owned(), type_name(array.data_type()))];
    EngineError::UnsupportedType { columns }
}

fn formatted(array: &dyn Array, row: usize, column: &str) -> Result<String, EngineError> {
    let options = FormatOptions::new();
    let formatter =
        ArrayFormatter::try_new(array, &options).map_err(|_| unsupported(array, column))?;
    formatter.value(row).try_to_string().map_err(|_| unsupported(array, column))
}

/// Returns the shortest decimal text that parses as the same double, with an exponent if the text
/// would otherwise be very long.
fn float_text(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if value.is_finite() && !(1e-7..1e21).contains(&size) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// Text of floating-point values that are not finite.
pub(crate) const NOT_FINITE: [&str; 3] = ["NaN", "inf", "-inf"];
