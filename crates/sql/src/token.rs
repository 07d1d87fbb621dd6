//! Converts values to tokens. A token is `=` followed by the text of the value, or an empty string
//! for NULL.

use std::sync::Arc;

use arrow_array::types::{
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, StringArray, cast::AsArray};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use indistinct_engine::{EngineError, TableError};

/// Prefix of the text of a value.
pub(crate) const MARK: char = '=';

/// Converts a result column of any text type to a string array.
///
/// # Errors
/// Returns [`ArrowError`] if the column cannot be converted to text.
pub fn texts(array: &ArrayRef) -> Result<StringArray, ArrowError> {
    Ok(cast(array, &DataType::Utf8)?.as_string::<i32>().clone())
}

/// Decodes tokens as values of a type. Strings in `null_values` represent missing values.
pub(crate) fn decoded(
    tokens: &StringArray,
    data_type: &DataType,
    null_values: &[String],
    column: &str,
) -> Result<ArrayRef, EngineError> {
    let is_text = *data_type == DataType::Utf8;
    let value = |token: Option<&str>| {
        let text = token?.strip_prefix(MARK)?.to_owned();
        (!(is_text && null_values.contains(&text))).then_some(text)
    };
    let texts: StringArray = tokens.iter().map(value).collect();
    if is_text {
        return Ok(Arc::new(texts));
    }
    let beyond =
        || TableError::Beyond { column: column.to_owned(), data_type: data_type.to_string() };
    let values = typed(&texts, data_type).map_err(|_| beyond())?;
    if values.null_count() > texts.null_count() {
        return Err(beyond().into());
    }
    Ok(values)
}

/// Parses strings as values of a type, with null for invalid strings. Timestamps must be in UTC;
/// strings with another offset are invalid.
pub(crate) fn typed(texts: &StringArray, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    let options = CastOptions { safe: true, ..CastOptions::default() };
    let DataType::Timestamp(unit, Some(zone)) = data_type else {
        return cast_with_options(texts, data_type, &options);
    };
    let local = |text: &str| {
        let utc = ["Z", "+00:00", "+00"].iter().find_map(|zone| text.strip_suffix(zone));
        utc.map(str::to_owned)
    };
    let local: StringArray = texts.iter().map(|text| text.and_then(local)).collect();
    let local = cast_with_options(&local, &DataType::Timestamp(*unit, None), &options)?;
    let zone = Arc::clone(zone);
    Ok(match unit {
        TimeUnit::Second => {
            Arc::new(local.as_primitive::<TimestampSecondType>().clone().with_timezone(zone))
        }
        TimeUnit::Millisecond => {
            Arc::new(local.as_primitive::<TimestampMillisecondType>().clone().with_timezone(zone))
        }
        TimeUnit::Microsecond => {
            Arc::new(local.as_primitive::<TimestampMicrosecondType>().clone().with_timezone(zone))
        }
        TimeUnit::Nanosecond => {
            Arc::new(local.as_primitive::<TimestampNanosecondType>().clone().with_timezone(zone))
        }
    })
}

#[cfg(test)]
mod tests {
    use indistinct_engine::cell_text;

    use super::*;

    fn text(token: &str, data_type: DataType) -> Option<String> {
        let tokens = StringArray::from(vec![token]);
        let values = decoded(&tokens, &data_type, &["?".to_owned()], "a").ok()?;
        Some(cell_text(&values, 0, "a").expect("a text").into_owned())
    }

    #[test]
    fn tokens_are_parsed_like_file_cells() {
        let utf8 = |token| text(token, DataType::Utf8).expect("a text");
        assert_eq!(utf8(""), "");
        assert_eq!(utf8("="), "");
        assert_eq!(utf8("=?"), "");
        assert_eq!(utf8("==a'\";\\"), "=a'\";\\");
        assert_eq!(utf8("=01234"), "01234");
        let float = |token| text(token, DataType::Float64).expect("a number");
        assert_eq!(float("=5.0"), "5");
        assert_eq!(float("=1e+21"), "1e21");
        assert_eq!(float("=-0"), "0");
        assert_eq!(float("=NaN"), "NaN");
        assert_eq!(text("=t", DataType::Boolean).as_deref(), Some("true"));
        assert_eq!(text("=2023-01-31", DataType::Date32).as_deref(), Some("2023-01-31"));
        assert_eq!(text("=infinity", DataType::Date32), None);
        let instant = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        let read = |token| text(token, instant.clone());
        assert_eq!(read("=2023-01-31 12:30:00+00").as_deref(), Some("2023-01-31T12:30:00Z"));
        assert_eq!(read("=2023-01-31 12:30:00.25+00").as_deref(), Some("2023-01-31T12:30:00.250Z"));
        let local = DataType::Timestamp(TimeUnit::Microsecond, None);
        assert_eq!(read("=2023-01-31 12:30:00+02"), None);
        assert_eq!(read("=infinity"), None);
        assert_eq!(text("=2023-01-31 12:30:00", local).as_deref(), Some("2023-01-31T12:30:00"));
    }
}
