//! Encoding of cells as codes.
//!
//! Each thread has an encoder for each column, which caches the codes of previous values. Short
//! texts and numbers are cached as two words, longer texts by hash, and dictionaries as a whole.
//! Only new values are looked up in the underlying dictionary.

use std::hash::{BuildHasher, BuildHasherDefault};

use arrow_array::types::{
    ArrowDictionaryKeyType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType,
    Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, DictionaryArray, GenericStringArray, OffsetSizeTrait,
    cast::AsArray, downcast_dictionary_array,
};
use arrow_buffer::ArrowNativeType;
use arrow_schema::{DataType, TimeUnit};
use hashbrown::HashTable;
use indistinct_core::MISSING;
use rustc_hash::FxHasher;

use super::words::{SHORT, WordTable, short_text};
use crate::EngineError;
use crate::input::text::cell_text;

/// Assigns codes to values.
pub(super) trait Intern {
    /// Returns the code of a canonical text.
    fn intern(&mut self, text: &str) -> Result<u32, EngineError>;
}

/// Cache of a thread for the values of a column.
#[derive(Debug)]
pub(super) struct Encoder<I> {
    column: String,
    behind: I,
    words: WordTable,
    long: HashTable<(u64, Box<[u8]>, u32)>,
    missing: Option<u32>,
    /// The last dictionary, with the codes of its values. Keeping a reference prevents its address
    /// from being reused.
    dictionary: Option<(ArrayRef, Vec<u32>)>,
    failure: Option<EngineError>,
}

/// Converts a native value to two words; different values have different words.
trait Words: ArrowNativeType {
    fn words(self) -> [u64; 2];
}

macro_rules! words_of_integers {
    ($($native:ty),*) => { $(
        impl Words for $native {
            #[inline]
            fn words(self) -> [u64; 2] {
                [self as u64, 0]
            }
        }
    )* };
}
words_of_integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Words for f32 {
    #[inline]
    fn words(self) -> [u64; 2] {
        [u64::from(self.to_bits()), 0]
    }
}

impl Words for f64 {
    #[inline]
    fn words(self) -> [u64; 2] {
        [self.to_bits(), 0]
    }
}

impl Words for i128 {
    #[inline]
    fn words(self) -> [u64; 2] {
        [self as u64, (self >> 64) as u64]
    }
}

impl<I: Intern> Encoder<I> {
    pub(super) fn new(column: &str, behind: I) -> Self {
        Self {
            column: column.to_owned(),
            behind,
            words: WordTable::new(),
            long: HashTable::new(),
            missing: None,
            dictionary: None,
            failure: None,
        }
    }

    /// Returns the first error since the last call, if any. Codes that were returned after this
    /// error are meaningless.
    pub(super) fn take_failure(&mut self) -> Result<(), EngineError> {
        self.failure.take().map_or(Ok(()), Err)
    }

    fn intern(&mut self, text: &str) -> u32 {
        self.behind.intern(text).unwrap_or_else(|error| {
            self.failure.get_or_insert(error);
            0
        })
    }

    fn missing(&mut self) -> u32 {
        match self.missing {
            Some(code) => code,
            None => {
                let code = self.intern(MISSING);
                self.missing = Some(code);
                code
            }
        }
    }

    /// Returns the code of the text `bytes[start..end]`, which must be UTF-8.
    #[inline]
    pub(super) fn text(&mut self, bytes: &[u8], start: usize, end: usize) -> u32 {
        if end - start > SHORT {
            return self.long_text(&bytes[start..end]);
        }
        let key = short_text(bytes, start, end);
        match self.words.get(key) {
            Some(code) => code,
            None => self.new_text(key, &bytes[start..end]),
        }
    }

    #[cold]
    fn new_text(&mut self, key: [u64; 2], text: &[u8]) -> u32 {
        let code = self.intern(&String::from_utf8_lossy(text));
        self.words.insert(key, code);
        code
    }

    fn long_text(&mut self, text: &[u8]) -> u32 {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(text);
        let found = self.long.find(hash, |entry| entry.0 == hash && *entry.1 == *text);
        if let Some(entry) = found {
            return entry.2;
        }
        let code = self.intern(&String::from_utf8_lossy(text));
        self.long.insert_unique(hash, (hash, text.into(), code), |entry| entry.0);
        code
    }

    /// Appends the code of every row.
    pub(super) fn array(
        &mut self,
        array: &dyn Array,
        codes: &mut Vec<u32>,
    ) -> Result<(), EngineError> {
        codes.reserve(array.len());
        match array.data_type() {
            DataType::Null => {
                let missing = self.missing();
                codes.resize(codes.len() + array.len(), missing);
            }
            DataType::Utf8 => self.strings(array.as_string::<i32>(), codes),
            DataType::LargeUtf8 => self.strings(array.as_string::<i64>(), codes),
            DataType::Utf8View => {
                for text in array.as_string_view() {
                    let text = text.unwrap_or(MISSING).as_bytes();
                    codes.push(self.text(text, 0, text.len()));
                }
            }
            DataType::Boolean => {
                for value in array.as_boolean() {
                    let text = value.map_or(MISSING, |value| if value { "true" } else { "false" });
                    codes.push(self.text(text.as_bytes(), 0, text.len()));
                }
            }
            DataType::Dictionary(..) => downcast_dictionary_array!(
                array => self.dictionary(array, codes)?,
                _ => unreachable!("the array has a dictionary type")
            ),
            DataType::Int8 => self.numbers::<Int8Type>(array, codes)?,
            DataType::Int16 => self.numbers::<Int16Type>(array, codes)?,
            DataType::Int32 => self.numbers::<Int32Type>(array, codes)?,
            DataType::Int64 => self.numbers::<Int64Type>(array, codes)?,
            DataType::UInt8 => self.numbers::<UInt8Type>(array, codes)?,
            DataType::UInt16 => self.numbers::<UInt16Type>(array, codes)?,
            DataType::UInt32 => self.numbers::<UInt32Type>(array, codes)?,
            DataType::UInt64 => self.numbers::<UInt64Type>(array, codes)?,
            DataType::Float32 => self.numbers::<Float32Type>(array, codes)?,
            DataType::Float64 => self.numbers::<Float64Type>(array, codes)?,
            DataType::Date32 => self.numbers::<Date32Type>(array, codes)?,
            DataType::Date64 => self.numbers::<Date64Type>(array, codes)?,
            DataType::Decimal32(..) => self.numbers::<Decimal32Type>(array, codes)?,
            DataType::Decimal64(..) => self.numbers::<Decimal64Type>(array, codes)?,
            DataType::Decimal128(..) => self.numbers::<Decimal128Type>(array, codes)?,
            DataType::Time32(TimeUnit::Second) => self.numbers::<Time32SecondType>(array, codes)?,
            DataType::Time32(_) => self.numbers::<Time32MillisecondType>(array, codes)?,
            DataType::Time64(TimeUnit::Microsecond) => {
                self.numbers::<Time64MicrosecondType>(array, codes)?;
            }
            DataType::Time64(_) => self.numbers::<Time64NanosecondType>(array, codes)?,
            DataType::Timestamp(TimeUnit::Second, _) => {
                self.numbers::<TimestampSecondType>(array, codes)?;
            }
            DataType::Timestamp(TimeUnit::Millisecond, _) => {
                self.numbers::<TimestampMillisecondType>(array, codes)?;
            }
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                self.numbers::<TimestampMicrosecondType>(array, codes)?;
            }
            DataType::Timestamp(TimeUnit::Nanosecond, _) => {
                self.numbers::<TimestampNanosecondType>(array, codes)?;
            }
            _ => {
                for row in 0..array.len() {
                    let text = cell_text(array, row, &self.column)?;
                    codes.push(self.text(text.as_bytes(), 0, text.len()));
                }
            }
        }
        self.take_failure()
    }

    fn strings<O: OffsetSizeTrait>(&mut self, array: &GenericStringArray<O>, codes: &mut Vec<u32>) {
        let bytes = array.value_data();
        for (row, ends) in array.value_offsets().windows(2).enumerate() {
            let code = if array.is_null(row) {
                self.missing()
            } else {
                self.text(bytes, ends[0].as_usize(), ends[1].as_usize())
            };
            codes.push(code);
        }
    }

    fn numbers<T: ArrowPrimitiveType>(
        &mut self,
        array: &dyn Array,
        codes: &mut Vec<u32>,
    ) -> Result<(), EngineError>
    where
        T::Native: Words,
    {
        let typed = array.as_primitive::<T>();
        for (row, value) in typed.values().iter().enumerate() {
            let code = if typed.is_null(row) {
                self.missing()
            } else {
                let key = value.words();
                match self.words.get(key) {
                    Some(code) => code,
                    None => {
                        let text = cell_text(array, row, &self.column)?;
                        let code = self.intern(&text);
                        self.words.insert(key, code);
                        code
                    }
                }
            };
            codes.push(code);
        }
        Ok(())
    }

    fn dictionary<K: ArrowDictionaryKeyType>(
        &mut self,
        array: &DictionaryArray<K>,
        codes: &mut Vec<u32>,
    ) -> Result<(), EngineError> {
        let values = array.values();
        let map = match self.dictionary.take() {
            Some((known, map)) if is_same(&known, values) => map,
            _ => {
                let mut map = Vec::with_capacity(values.len());
                self.array(values.as_ref(), &mut map)?;
                map
            }
        };
        let keys = array.keys();
        if keys.null_count() == 0 {
            codes.extend(keys.values().iter().map(|key| map[key.as_usize()]));
        } else {
            let missing = self.missing();
            codes.extend(keys.iter().map(|key| key.map_or(missing, |key| map[key.as_usize()])));
        }
        self.dictionary = Some((ArrayRef::clone(values), map));
        Ok(())
    }
}

/// Returns whether two arrays share the same memory.
fn is_same(a: &ArrayRef, b: &ArrayRef) -> bool {
    std::sync::Arc::ptr_eq(a, b) || (a.len() == b.len() && a.to_data().ptr_eq(&b.to_data()))
}
