//! Strings and numbers that represent a missing value.

use indistinct_core::Rational;
use indistinct_core::model::number_of;

/// Strings that represent a missing value. A string that is a number represents all spellings of
/// this number, such as `-9` and `-9.0`, except for codes with leading zeros.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NullValues {
    texts: Vec<String>,
    numbers: Vec<Rational>,
}

impl NullValues {
    /// Creates the set from declared strings. The empty string always represents a missing value,
    /// so it is ignored.
    pub fn new<'a>(declared: impl IntoIterator<Item = &'a String>) -> Self {
        let texts: Vec<String> =
            declared.into_iter().filter(|text| !text.is_empty()).cloned().collect();
        let numbers = texts.iter().filter_map(|text| number_of(text)).collect();
        Self { texts, numbers }
    }

    /// Returns whether no string other than the empty string represents a missing value.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns whether a string represents a missing value.
    pub fn contains(&self, text: &str) -> bool {
        self.texts.iter().any(|null| null == text)
            || !self.numbers.is_empty()
                && number_of(text).is_some_and(|number| self.numbers.contains(&number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_value_and_codes_by_text() {
        let nulls = NullValues::new(&["-9", "99", "k.A.", ""].map(str::to_owned));
        for text in ["-9", "-9.0", "-9.00", " 99", "99.0", "k.A."] {
            assert!(nulls.contains(text), "{text}");
        }
        for text in ["", "9", "-90", "099", "0099", "99a", "K.A.", "990"] {
            assert!(!nulls.contains(text), "{text}");
        }
        assert!(NullValues::new(&[String::new()]).is_empty());
    }
}
