//! Looks up the codes of a counted column during the second pass.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use arrow_array::Array;
use indistinct_core::model::folded;
use indistinct_core::{Dictionary, FrequencyTable, Rational, parse_decimal};
use rustc_hash::FxHasher;

use super::encode::{Encoder, Intern};
use crate::EngineError;

#[derive(Debug)]
struct Fixed {
    codes: HashMap<String, u32, BuildHasherDefault<FxHasher>>,
    /// The code of each number in a numeric column, used to match different spellings of a number.
    of_number: HashMap<Rational, u32, BuildHasherDefault<FxHasher>>,
    /// The code of each normalized string, if strings were unified.
    of_text: HashMap<String, u32, BuildHasherDefault<FxHasher>>,
}

/// Marker for a value that is not in the dictionary. Arrow dictionaries may contain values that do
/// not occur in any row.
const UNKNOWN: u32 = u32::MAX - 1;

impl Intern for Fixed {
    fn intern(&mut self, text: &str) -> Result<u32, EngineError> {
        if let Some(code) = self.codes.get(text) {
            return Ok(*code);
        }
        let folded = if self.of_text.is_empty() { text.to_owned() } else { folded(text) };
        if let Some(code) = self.of_text.get(&folded) {
            return Ok(*code);
        }
        let number = parse_decimal(&folded).ok().filter(|_| !self.of_number.is_empty());
        Ok(number.and_then(|number| self.of_number.get(&number)).copied().unwrap_or(UNKNOWN))
    }
}

/// Lookup of the dictionary codes for the cells of a column in the second pass.
///
/// The values of a dictionary array are looked up once. For other arrays, previous values are
/// cached.
#[derive(Debug)]
pub struct Lookup {
    column: String,
    encoder: Encoder<Fixed>,
}

impl Lookup {
    /// Creates a lookup for the values of a counted column.
    pub fn new(column: &str, dictionary: &Dictionary) -> Self {
        Self::with_others(column, dictionary, HashMap::default(), HashMap::default())
    }

    /// Creates lookups for the columns of a counted table, quasi-identifiers first.
    pub fn of_table(table: &FrequencyTable) -> Vec<Self> {
        let quasi_identifiers =
            table.quasi_identifiers().iter().map(|it| Self::new(&it.name, &it.dictionary));
        let sensitive =
            table.sensitive().iter().map(|it| Self::of_sensitive(&it.name, &it.dictionary));
        quasi_identifiers.chain(sensitive).collect()
    }

    /// Creates a lookup for a sensitive attribute, whose numbers are [unified](Dictionary::unified)
    /// and whose strings may be unified.
    pub fn of_sensitive(column: &str, dictionary: &Dictionary) -> Self {
        let values = || dictionary.values().iter().zip(0..);
        let mut numbers: Vec<(Rational, u32)> =
            values().filter_map(|(value, code)| Some((parse_decimal(value).ok()?, code))).collect();
        // Later entries of the same number replace earlier ones, so `7` takes precedence over
        // `007`.
        numbers.sort_by_key(|&(_, code)| Reverse(dictionary.value(code).len()));
        let numbers = numbers.into_iter().collect();
        let texts = match dictionary.n_alike() {
            0 => values().map(|(value, code)| (folded(value), code)).collect(),
            // No strings were unified, so the dictionary contains every spelling.
            _ => HashMap::default(),
        };
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
    /// Returns [`EngineError::UnknownValue`] if a value is not in the dictionary, or
    /// [`EngineError::UnsupportedType`] if the type has no plain text format.
    pub fn codes(&mut self, array: &dyn Array, codes: &mut Vec<u32>) -> Result<(), EngineError> {
        let start = codes.len();
        self.encoder.array(array, codes)?;
        if codes[start..].contains(&UNKNOWN) {
            return Err(EngineError::UnknownValue { column: self.column.clone() });
        }
        Ok(())
    }
}
