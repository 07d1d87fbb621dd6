//! Dictionaries, which contain the sorted distinct values of a column and assign a code to each
//! value.

use std::cmp::Ordering;
use std::hash::Hash;
use std::sync::Arc;

use indistinct_labels::look_alikes::as_displayed;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Rational, parse_decimal};
use crate::MISSING;

/// The order of the values of a dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// All values except a missing one are decimal numbers. They are ordered by number, then by
    /// text.
    Numeric,
    /// Values are ordered by Unicode code points.
    Text,
}

/// Returns a string [as it is displayed](as_displayed). A string without visible characters is
/// returned unchanged, because it is not a missing value.
pub fn folded(text: &str) -> String {
    let displayed = as_displayed(text);
    if displayed.is_empty() { text.to_owned() } else { displayed }
}

/// The distinct values of one column; the code of a value is its index.
///
/// A missing value is represented by the empty string and, if it occurs, has code 0. Clones share
/// the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dictionary {
    values: Arc<Vec<String>>,
    order: Order,
}

/// The meaning of a value, which its spelling variants share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// A number.
    Number(Rational),
    /// A text as it is displayed ([`folded`]).
    Text(String),
}

impl Meaning {
    /// Determines the meaning of a value.
    pub fn new(value: &str) -> Self {
        let displayed = folded(value);
        parse_decimal(&displayed).map_or(Self::Text(displayed), Self::Number)
    }
}

impl Dictionary {
    /// Sorts the distinct values, and returns the dictionary and the code of each given value.
    ///
    /// The order is numeric if all values except missing values are decimal numbers.
    ///
    /// # Panics
    /// Panics if a value occurs twice.
    pub fn from_distinct(values: Vec<String>) -> (Self, Vec<u32>) {
        let numbers: Vec<_> = values.iter().map(|v| parse_decimal(v).ok()).collect();
        let numeric = values.iter().zip(&numbers).all(|(v, n)| v == MISSING || n.is_some());
        let mut position: Vec<u32> = (0..values.len() as u32).collect();
        position.sort_by(|&a, &b| {
            let (a, b) = (a as usize, b as usize);
            let by_number = if numeric { numbers[a].cmp(&numbers[b]) } else { Ordering::Equal };
            by_number.then_with(|| values[a].cmp(&values[b]))
        });
        let mut code = vec![0; values.len()];
        for (new, &old) in position.iter().enumerate() {
            code[old as usize] = new as u32;
        }
        let mut sorted = vec![String::new(); values.len()];
        for (old, value) in values.into_iter().enumerate() {
            sorted[code[old] as usize] = value;
        }
        assert!(
            sorted.windows(2).all(|pair| pair[0] != pair[1]),
            "the values of a dictionary must be distinct"
        );
        let order = if numeric { Order::Numeric } else { Order::Text };
        (Self { values: Arc::new(sorted), order }, code)
    }

    /// Returns the values in the order of their codes.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Returns the value with the given code.
    ///
    /// # Panics
    /// Panics if the code does not exist.
    pub fn value(&self, code: u32) -> &str {
        &self.values[code as usize]
    }

    /// Returns the code of a value, if the value occurs. The lookup takes logarithmic time.
    pub fn code_of(&self, value: &str) -> Option<u32> {
        let at = match self.order {
            Order::Text => self.values.binary_search_by(|known| known.as_str().cmp(value)),
            // A missing value has no number and is sorted before all numbers.
            Order::Numeric => {
                let number = parse_decimal(value).ok();
                self.values.binary_search_by(|known| {
                    parse_decimal(known).ok().cmp(&number).then_with(|| known.as_str().cmp(value))
                })
            }
        };
        at.ok().map(|at| at as u32)
    }

    /// Merges different spellings of a number (`5`, `5.0`, ` 5`) into one value, and returns the
    /// new code for each old code. Returns `None` if no number has several spellings.
    ///
    /// The shortest spelling is kept. A whole number with leading zeros, such as `007`, is a code
    /// and remains unchanged, except for zero itself. Other values of the column have no effect:
    /// `5` and `5.0` are merged even if the column also contains text.
    pub fn unified(&self) -> Option<(Self, Vec<u32>)> {
        self.unified_by(|value| number_of(value))
    }

    /// Merges strings that are displayed in the same way ([`folded`]), and equal numbers, into one
    /// value, and returns the new code for each old code. Returns `None` if all values differ.
    ///
    /// The shortest spelling is kept. If several spellings are equally short, the first in text
    /// order is kept.
    pub fn unified_texts(&self) -> Option<(Self, Vec<u32>)> {
        self.unified_by(|value| Some(Meaning::new(value)))
    }

    /// Merges values with equal keys into one value.
    fn unified_by<K: Eq + Hash>(
        &self,
        key: impl Fn(&String) -> Option<K>,
    ) -> Option<(Self, Vec<u32>)> {
        let keys: Vec<Option<K>> = self.values.iter().map(key).collect();
        let mut first_of = FxHashMap::default();
        let mut retained: Vec<usize> = Vec::new();
        let mut place = Vec::with_capacity(keys.len());
        for (at, key) in keys.iter().enumerate() {
            let known = key.as_ref().map(|key| *first_of.entry(key).or_insert(retained.len()));
            match known.filter(|known| *known < retained.len()) {
                Some(known) => {
                    let (old, new) = (&self.values[retained[known]], &self.values[at]);
                    if (new.len(), new) < (old.len(), old) {
                        retained[known] = at;
                    }
                    place.push(known);
                }
                None => {
                    place.push(retained.len());
                    retained.push(at);
                }
            }
        }
        if retained.len() == self.values.len() {
            return None;
        }
        let values = retained.iter().map(|&at| self.values[at].clone()).collect();
        let (unified, code) = Self::from_distinct(values);
        Some((unified, place.into_iter().map(|at| code[at]).collect()))
    }

    /// Returns the number of values that are displayed like a previous value ([`folded`]), or are
    /// the same number.
    pub fn n_alike(&self) -> usize {
        let distinct: FxHashSet<Meaning> =
            self.values.iter().map(|value| Meaning::new(value)).collect();
        self.values.len() - distinct.len()
    }

    /// Returns the number of distinct values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether the column has no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the order of the values.
    pub fn order(&self) -> Order {
        self.order
    }
}

/// Returns the number that a value represents. Returns `None` for text, and for a whole number with
/// leading zeros, such as `007`, because it is a code.
pub fn number_of(value: &str) -> Option<Rational> {
    let digits = value.trim().trim_start_matches(['-', '+']);
    let is_code = digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && digits.bytes().any(|byte| byte != b'0');
    (!is_code).then(|| parse_decimal(value).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(values: &[&str]) -> Vec<String> {
        values.iter().map(|v| (*v).to_owned()).collect()
    }

    #[test]
    fn numbers_are_sorted_after_missing_value() {
        let (dictionary, code) = Dictionary::from_distinct(owned(&["10", "9", "", "-1.5"]));
        assert_eq!(dictionary.values(), ["", "-1.5", "9", "10"]);
        assert_eq!(dictionary.order(), Order::Numeric);
        assert_eq!(code, [3, 2, 0, 1]);
    }

    #[test]
    fn lookup_finds_exactly_listed_values() {
        let texts = ["", "b", "a", "10", "9", "Z", "ä"];
        let numbers = ["", "10", "9", "-1.5", "9.0", "0", "-0", "1e3", " 7"];
        for values in [&texts[..], &numbers, &texts[1..], &numbers[1..], &["5"], &[]] {
            let (dictionary, code) = Dictionary::from_distinct(owned(values));
            for (value, code) in values.iter().zip(code) {
                assert_eq!(dictionary.code_of(value), Some(code), "{value:?}");
            }
            for other in ["none", "11", "9.00", "-", "~", "1000"] {
                assert_eq!(dictionary.code_of(other), None, "{other:?} among {values:?}");
            }
        }
        assert_eq!(Dictionary::from_distinct(owned(&["1"])).0.code_of(""), None);
    }

    #[test]
    fn number_spellings_are_unified() {
        let values = owned(&["5.0", "7", " 5", "5", "5.00", "", "007", "1e1", "10"]);
        let (dictionary, code) = Dictionary::from_distinct(values);
        let (unified, new) = dictionary.unified().expect("some numbers have several spellings");
        assert_eq!(unified.values(), ["", "5", "007", "7", "10"]);
        let values: Vec<&str> =
            code.iter().map(|&code| unified.value(new[code as usize])).collect();
        assert_eq!(values, ["5", "7", "5", "5", "5", "", "007", "10", "10"]);
        for alone in [&["5", "6", "007", "07", ""][..], &["5", "x"], &[]] {
            assert_eq!(Dictionary::from_distinct(owned(alone)).0.unified(), None);
        }
        // Two spellings of a number are merged even if the column also contains a string.
        for text in ["unknown", "1e999999999999"] {
            let values = owned(&["3000", "3000.0", "0", "00", "-0", text]);
            let (unified, _) = Dictionary::from_distinct(values).0.unified().expect("two numbers");
            assert_eq!(unified.len(), 3, "{:?}", unified.values());
        }
    }

    #[test]
    fn text_case_and_whitespace_are_unified() {
        let values = owned(&["flu ", "Flu", "flu", "a  B", "A b", "ulcer", "", " "]);
        let (dictionary, code) = Dictionary::from_distinct(values);
        let (unified, new) = dictionary.unified_texts().expect("some texts have several spellings");
        assert_eq!(unified.values(), ["", " ", "A b", "Flu", "ulcer"]);
        let values: Vec<&str> =
            code.iter().map(|&code| unified.value(new[code as usize])).collect();
        assert_eq!(values, ["Flu", "Flu", "Flu", "A b", "A b", "ulcer", "", " "]);
        let values = owned(&["HIV", "\u{41d}IV", "\u{c9}p", "E\u{301}p"]);
        let (unified, _) = Dictionary::from_distinct(values).0.unified_texts().expect("alike");
        assert_eq!(unified.values(), ["HIV", "\u{c9}p"]);
        let (unified, _) =
            Dictionary::from_distinct(owned(&["7", "007", "x"])).0.unified_texts().expect("alike");
        assert_eq!(unified.values(), ["7", "x"]);
        for alone in [&["flu", "ulcer", ""][..], &["5", "6"], &[]] {
            assert_eq!(Dictionary::from_distinct(owned(alone)).0.unified_texts(), None);
        }
    }

    #[test]
    fn similar_texts_are_counted() {
        let alike = |values: &[&str]| Dictionary::from_distinct(owned(values)).0.n_alike();
        assert_eq!(alike(&["flu", "Flu", "flu ", "a b", "a  b", "ulcer"]), 3);
        assert_eq!(alike(&["flu", "ulcer", ""]), 0);
        assert_eq!(alike(&["7", "007", "7.0", "x"]), 2);
        assert_eq!(alike(&["7", "7\u{200b}", "1e3", "1000"]), 2);
        // The strings of the first pair differ in a combining mark, and those of the second pair in
        // a Cyrillic letter.
        assert_eq!(alike(&["\u{c9}pilepsie", "E\u{301}pilepsie", "HIV", "\u{41d}IV"]), 2);
    }

    #[test]
    fn single_text_selects_text_order() {
        let (dictionary, _) = Dictionary::from_distinct(owned(&["10", "9", "b"]));
        assert_eq!(dictionary.values(), ["10", "9", "b"]);
        assert_eq!(dictionary.order(), Order::Text);
    }
}
