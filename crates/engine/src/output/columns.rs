//! Released columns: their sources, types, and arrays.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, StringArray, UInt32Array};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field};
use arrow_select::take::take;
use indistinct_core::MISSING;

use crate::input::text::{plain_type, typed};

/// Source of a released column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnSource {
    /// The released labels of the quasi-identifier at this index in the frequency table.
    QuasiIdentifier(usize),
    /// The values of the sensitive attribute at this index in the frequency table.
    Sensitive(usize),
    /// A column of the input that was not counted, identified by its name in the input.
    Insensitive(String),
    /// The class number, starting at 1.
    Class,
    /// A distinct number assigned to each class of the partition. Use this source only if the
    /// identity of the class may be public.
    GivenClass(Vec<u32>),
}

/// A column of the written table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputColumn {
    /// Released name of the column.
    pub name: String,
    /// Source of the values.
    pub source: ColumnSource,
    /// Type in the input, which Parquet output retains if every released value fits. Otherwise, and
    /// for [`DataType::Utf8`], the column is text. Ignored for a class column.
    pub data_type: DataType,
}

impl OutputColumn {
    /// Creates a column with the class number of each row.
    pub fn class(name: &str) -> Self {
        Self { name: name.to_owned(), source: ColumnSource::Class, data_type: DataType::UInt64 }
    }

    /// Creates a column with the number assigned to the class of each row, given the number of each
    /// class of the partition.
    pub fn given_class(name: &str, numbers: Vec<u32>) -> Self {
        Self { source: ColumnSource::GivenClass(numbers), ..Self::class(name) }
    }
}

/// Converts an input column to the type of the released column; empty strings are missing values.
pub(super) fn plain_array(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let plain = cast(array, &plain_type(array.data_type()))?;
    match plain.as_any().downcast_ref::<StringArray>() {
        Some(texts) if texts.iter().any(|text| text == Some(MISSING)) => {
            let present = texts.iter().map(|text| text.filter(|text| *text != MISSING));
            Ok(Arc::new(present.collect::<StringArray>()))
        }
        _ => Ok(plain),
    }
}

/// Array of the released values of a counted column. The value of each row is selected by code.
#[derive(Debug)]
pub(super) struct Palette {
    values: ArrayRef,
    /// Whether code 0 represents a missing value.
    has_missing: bool,
}

impl Palette {
    /// Creates an array of the input type if all values fit this type, or of text otherwise.
    pub(super) fn new(values: &[String], data_type: &DataType) -> Self {
        let texts: StringArray =
            values.iter().map(|value| Some(value.as_str()).filter(|v| *v != MISSING)).collect();
        let has_missing = texts.null_count() > 0;
        let values = typed(&texts, &plain_type(data_type)).unwrap_or(Arc::new(texts));
        Self { values, has_missing }
    }

    /// Returns the definition of the column in the written table.
    pub(super) fn field(&self, name: &str) -> Field {
        Field::new(name, self.values.data_type().clone(), self.has_missing)
    }

    /// Returns the type of the arrays that are passed to the encoder.
    pub(super) fn encoded_type(&self) -> DataType {
        match self.values.data_type() {
            DataType::Utf8 => {
                DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
            }
            other => other.clone(),
        }
    }

    /// Returns the values with the given codes.
    pub(super) fn pick(&self, codes: Vec<u32>) -> Result<ArrayRef, ArrowError> {
        if *self.values.data_type() != DataType::Utf8 {
            return take(&self.values, &UInt32Array::from(codes), None);
        }
        let keys: Int32Array = if self.has_missing {
            codes.into_iter().map(|code| (code != 0).then_some(code as i32)).collect()
        } else {
            codes.into_iter().map(|code| code as i32).collect::<Vec<_>>().into()
        };
        Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(&self.values))?))
    }
}

#[cfg(test)]
mod tests {
    use arrow_schema::TimeUnit;

    use super::*;

    fn owned(values: &[&str]) -> Vec<String> {
        values.iter().map(|value| (*value).to_owned()).collect()
    }

    #[test]
    fn output_preserves_input_type_if_all_values_fit() {
        let of = |values: &[&str], data_type| {
            Palette::new(&owned(values), &data_type).field("x").data_type().clone()
        };
        assert_eq!(of(&["", "-3", "17"], DataType::Int64), DataType::Int64);
        assert_eq!(of(&["-3", "[10, 20)"], DataType::Int64), DataType::Utf8);
        assert_eq!(of(&["*"], DataType::Int64), DataType::Utf8);
        assert_eq!(of(&["007"], DataType::Int64), DataType::Utf8);
        assert_eq!(of(&["300"], DataType::UInt8), DataType::Utf8);
        assert_eq!(of(&["2020-02-29"], DataType::Date32), DataType::Date32);
        assert_eq!(of(&["2020"], DataType::Date32), DataType::Utf8);
        assert_eq!(of(&["false", "true"], DataType::Boolean), DataType::Boolean);
        assert_eq!(of(&["1.50"], DataType::Decimal128(6, 2)), DataType::Decimal128(6, 2));
        assert_eq!(of(&["1.505"], DataType::Decimal128(6, 2)), DataType::Utf8);
        assert_eq!(of(&["a"], DataType::LargeUtf8), DataType::Utf8);
        let vienna = DataType::Timestamp(TimeUnit::Nanosecond, Some("Europe/Vienna".into()));
        assert_eq!(of(&["", "2024-03-31T01:30:00.000000001Z"], vienna.clone()), vienna);
        assert_eq!(of(&["2024-03"], vienna), DataType::Utf8);
        let timestamp = DataType::Timestamp(TimeUnit::Millisecond, None);
        assert_eq!(of(&["not a time"], timestamp), DataType::Utf8);
    }

    #[test]
    fn picked_values_match_codes() {
        let palette = Palette::new(&owned(&["", "a", "b"]), &DataType::Utf8);
        let array = palette.pick(vec![2, 0, 1, 2]).unwrap();
        assert_eq!(array.data_type(), &palette.encoded_type());
        let texts = cast(&array, &DataType::Utf8).unwrap();
        let expected = StringArray::from(vec![Some("b"), None, Some("a"), Some("b")]);
        assert_eq!(texts.as_any().downcast_ref::<StringArray>(), Some(&expected));
    }

    #[test]
    fn input_dictionaries_are_unpacked() {
        let array: ArrayRef =
            Arc::new(["b", "", "b"].into_iter().collect::<DictionaryArray<Int32Type>>());
        let plain = plain_array(&array).unwrap();
        let expected = StringArray::from(vec![Some("b"), None, Some("b")]);
        assert_eq!(plain.as_any().downcast_ref::<StringArray>(), Some(&expected));
    }
}
