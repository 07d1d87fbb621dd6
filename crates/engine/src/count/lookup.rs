//! From cells to the codes of a counted column, for the second pass.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use arrow_array::Array;
use indistinct_core::model::{Order, folded};
use indistinct_core::{Dictionary, FrequencyTable, Rational, parse_decimal};
use rustc_hash::FxHasher;

use super::encode::{Encoder, Intern};
use crate::EngineError;

#[derive(Debug)]
struct Fixed {
    codes: HashMap<String, u32, BuildHasherDefault<FxHasher>>,
    /// Of a numeric column the code of each number, for one that is written in another way.
    of_number: HashMap<Rational, u32, BuildHasherDefault<FxHasher>>,
    /// Of texts the code of each as a reader sees it, where no two values have the same.
    of_text: HashMap<String, u32, BuildHasherDefault<FxHasher>>,
}

/// Stands for a value that the dictionary does not have; dictionaries of Arrow may hold values that no row has.
const UNKNOWN: u32 = u32::MAX - 1;

impl Intern for Fixed {
    fn intern(&mut self, text: &str) -> Result<u32, EngineError> {
        if let Some(code) = self.codes.get(text) {
            return Ok(*code);
        }
        if !self.of_text.is_empty() {
            return Ok(self.of_text.get(&folded(text)).copied().unwrap_or(UNKNOWN));
        }
        let number = parse_decimal(text).ok().filter(|_| !self.of_number.is_empty());
        Ok(number.and_then(|number| self.of_number.get(&number)).copied().unwrap_or(UNKNOWN))
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
        Self::with_others(column, dictionary, HashMap::default(), HashMap::default())
    }

    /// For the columns of a counted table, quasi-identifiers first.
    pub fn of_table(table: &FrequencyTable) -> Vec<Self> {
        let quasi_identifiers =
            table.quasi_identifiers().iter().map(|it| Self::new(&it.name, &it.dictionary));
        let sensitive =
            table.sensitive().iter().map(|it| Self::of_sensitive(&it.name, &it.dictionary));
        quasi_identifiers.chain(sensitive).collect()
    }

    /// As [`Lookup::new`] for a sensitive attribute, of which the pass has [unified](Dictionary::unified) the numbers, and may have unified
    /// the texts.
    pub fn of_sensitive(column: &str, dictionary: &Dictionary) -> Self {
        let values = || dictionary.values().iter().zip(0..);
        let (mut numbers, mut texts) = (HashMap::default(), HashMap::default());
        match dictionary.order() {
            Order::Text if dictionary.n_alike() > 0 => {}
            Order::Text => texts = values().map(|(value, code)| (folded(value), code)).collect(),
            Order::Numeric => {
                numbers = values()
                    .filter_map(|(value, code)| Some((parse_decimal(value).ok()?, code)))
                    .collect();
            }
        }
        Self::with_others(column, dictionary, numbers, texts)
    }

    fn with_others(
        column: &str,
        dictionary: &Dictionary,
        of_number: HashMap<Rational, u32, BuildHasherDefault<FxHasher>>,
        of_text: HashMap<String, u32, BuildHasherDefault<FxHasher>>,
    ) -> Self {
        let values = dictionary.values().iter().enumerate();
        let codes = values.map(|(code, value)| (value.clone(), code as u32)).collect();
        let fixed = Fixed { codes, of_number, of_text };
        Self { column: column.to_owned(), encoder: Encoder::new(column, fixed) }
    }

    /// Appends the code of each row of `array` to `codes`.
    ///
    /// # Errors
    /// Returns [`EngineError::UnknownValue`] if a value is not in the dictionary, [`EngineError::UnsupportedType`].
    pub fn codes(&mut self, array: &dyn Array, codes: &mut Vec<u32>) -> Result<(), EngineError> {
        let start = codes.len();
        self.encoder.array(array, codes)?;
        if codes[start..].contains(&UNKNOWN) {
            return Err(EngineError::UnknownValue { column: self.column.clone() });
        }
        Ok(())
    }
}
