//! Encoding of cells as codes.
//!
//! Each thread has an encoder for each column, which caches the codes of previous values. Short
//! strings and numbers are cached as two words, longer strings by hash, and dictionaries as a
//! whole. Only new values are looked up in the underlying dictionary.

use std::hash::{BuildHasher, BuildHasherDefault};

use arrow_array::types::ArrowDictionaryKeyType;
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, DictionaryArray, GenericStringArray, OffsetSizeTrait,
    PrimitiveArray, cast::AsArray, downcast_dictionary_array, downcast_primitive_array,
};
use arrow_buffer::{ArrowNativeType, ToByteSlice};
use arrow_schema::DataType;
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

/// Per-thread cache of the values of a column.
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
    /// error are invalid.
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

    /// Returns the code of the string `bytes[start..end]`, which must be UTF-8.
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
        downcast_primitive_array!(
            array => self.numbers(array, codes)?,
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
            _ => self.texts(array, codes)?,
        );
        self.take_failure()
    }

    /// Formats the values of an array as strings and appends their codes.
    fn texts(&mut self, array: &dyn Array, codes: &mut Vec<u32>) -> Result<(), EngineError> {
        for row in 0..array.len() {
            let text = cell_text(array, row, &self.column)?;
            codes.push(self.text(text.as_bytes(), 0, text.len()));
        }
        Ok(())
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
        array: &PrimitiveArray<T>,
        codes: &mut Vec<u32>,
    ) -> Result<(), EngineError> {
        let size = size_of::<T::Native>();
        if size > size_of::<[u64; 2]>() {
            return self.texts(array, codes);
        }
        for (row, value) in array.values().iter().enumerate() {
            let code = if array.is_null(row) {
                self.missing()
            } else {
                // Different values have different words.
                let mut words = [0; 16];
                words[..size].copy_from_slice(value.to_byte_slice());
                let whole = u128::from_le_bytes(words);
                let key = [whole as u64, (whole >> 64) as u64];
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
