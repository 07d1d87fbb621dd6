//! The representation of a cell that recognizers examine.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A value and the properties that several recognizers need.
#[derive(Debug, Clone, Copy)]
pub struct Cell<'a> {
    /// The text without leading and trailing spaces, which is never empty.
    pub text: &'a str,
    /// The number of ASCII digits.
    pub n_digits: usize,
    /// The number of letters of any alphabet.
    pub n_letters: usize,
    /// The number of other characters.
    pub n_others: usize,
}

impl<'a> Cell<'a> {
    /// Creates a cell from a value. Returns `None` if the value is blank.
    pub fn new(value: &'a str) -> Option<Self> {
        let text = value.trim();
        if text.is_empty() {
            return None;
        }
        let (mut n_digits, mut n_letters, mut n_others) = (0, 0, 0);
        for c in text.chars() {
            match c {
                '0'..='9' => n_digits += 1,
                c if c.is_alphabetic() => n_letters += 1,
                _ => n_others += 1,
            }
        }
        Some(Self { text, n_digits, n_letters, n_others })
    }

    /// Returns the words, separated by whitespace.
    pub fn words(&self) -> impl Iterator<Item = &'a str> {
        self.text.split_whitespace()
    }

    /// Returns whether the text consists only of ASCII digits.
    pub fn is_digits(&self) -> bool {
        self.n_letters == 0 && self.n_others == 0
    }

    /// Returns the digits, if the text contains no other characters except for the given
    /// separators.
    pub fn digits(&self, separators: &[char]) -> Option<Vec<u8>> {
        let mut digits = Vec::with_capacity(self.n_digits);
        for c in self.text.chars() {
            match c {
                '0'..='9' => digits.push(c as u8 - b'0'),
                c if separators.contains(&c) => {}
                _ => return None,
            }
        }
        Some(digits)
    }

    /// Returns exactly `n` digits, if the text contains no other characters except for the given
    /// separators.
    pub fn exactly(&self, n: usize, separators: &[char]) -> Option<Vec<u8>> {
        if self.n_digits != n {
            return None;
        }
        self.digits(separators)
    }

    /// Returns the letters and digits in upper case, if all of them are ASCII and the text contains
    /// no other characters except for the given separators.
    pub fn code(&self, separators: &[char]) -> Option<String> {
        let mut code = String::with_capacity(self.text.len());
        for c in self.text.chars() {
            match c {
                c if c.is_ascii_alphanumeric() => code.push(c.to_ascii_uppercase()),
                c if separators.contains(&c) => {}
                _ => return None,
            }
        }
        Some(code)
    }
}

/// Converts a string to lower case without diacritics: `Müller`, `MULLER`, and `muller` become
/// equal. `data/names.py` performs the same conversion.
pub fn fold(text: &str) -> String {
    let lower = text.trim().to_lowercase();
    if lower.is_ascii() {
        return lower;
    }
    lower.nfd().filter(|c| *c > '\u{900}' || !is_combining_mark(*c)).nfc().collect()
}

/// Splits the name of a column into folded words: `patientID`, `patient_id`, and `Patient Id`
/// become `patient` and `id`.
pub fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_is_lower = false;
    for c in name.chars() {
        let starts = c.is_uppercase() && before_is_lower;
        if (starts || !c.is_alphanumeric()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before_is_lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words.iter().map(|word| fold(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_names_are_split_into_words() {
        assert_eq!(name_words("patientID"), ["patient", "id"]);
        assert_eq!(name_words("marital-status"), ["marital", "status"]);
        assert_eq!(name_words("Numéro de téléphone"), ["numero", "de", "telephone"]);
        assert!(name_words("--").is_empty());
    }

    #[test]
    fn folding_ignores_case_and_diacritics() {
        assert_eq!(fold(" MÜLLER "), "muller");
        assert_eq!(fold("Ёлкина"), "елкина");
        assert_eq!(fold("王"), "王");
    }

    #[test]
    fn digits_allow_only_specified_separators() {
        let cell = Cell::new(" 123-45-6789 ").expect("a value");
        assert_eq!(cell.exactly(9, &['-']), Some(vec![1, 2, 3, 4, 5, 6, 7, 8, 9]));
        assert_eq!(cell.exactly(9, &[' ']), None);
        assert_eq!(cell.exactly(8, &['-']), None);
        assert!(Cell::new("  ").is_none());
    }
}
