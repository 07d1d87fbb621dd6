//! From cells to the codes of a counted column, for the second pass.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use arrow_array::Array;
use indistinct_core::Dictionary;
use rustc_hash::FxHasher;

use super::encode::{Encoder, Intern};
use crate::EngineError;

#[derive(Debug)]
struct Fixed {
    codes: HashMap<String, u32, BuildHasherDefault<FxHasher>>,
}

/// Stands for a value that the dictionary does not have; dictionaries of Arrow may hold values that no row has.
const UNKNOWN: u32 = u32::MAX - 1;

impl Intern for Fixed {
    fn intern(&mut self, text: &str) -> Result<u32, EngineError> {
        Ok(self.codes.get(text).copied().unwrap_or(UNKNOWN))
    }
}

/// From the cells of one column to the codes of a dictionary, for the second pass.
///
/// Dictionary arrays are looked up once for each distinct value; of others, values met before are remembered.
#[derive(Debug)]
pub struct Lookup {
    column: String,
    encoder: Encoder<Fixed>,
}

impl Lookup {
    /// Prepares for the values of a counted column.
    pub fn new(column: &str, dictionary: &Dictionary) -> Self {
        let values = dictionary.values().iter().enumerate();
        let codes = values.map(|(code, value)| (value.clone(), code as u32)).collect();
        Self { column: column.to_owned(), encoder: Encoder::new(column, Fixed { codes }) }
    }

    /// Appends the code of each row of `array` to `codes`.
    ///
    /// # Errors
    /// [`EngineError::UnknownValue`] if a value is not in the dictionary, [`EngineError::UnsupportedType`].
    pub fn codes(&mut self, array: &dyn Array, codes: &mut Vec<u32>) -> Result<(), EngineError> {
        let start = codes.len();
        self.encoder.array(array, codes)?;
        if codes[start..].contains(&UNKNOWN) {
            return Err(EngineError::UnknownValue { column: self.column.clone() });
        }
        Ok(())
    }
}
