//! The distinct values of one column, sorted, each with a code.

use std::cmp::Ordering;

use super::parse_decimal;
use crate::MISSING;

/// How the values of a dictionary are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// All values (but a missing one) are decimal numbers and are ordered by size, then by text.
    Numeric,
    /// By Unicode code points.
    Text,
}

/// The distinct values of one column; the code of a value is its position.
///
/// A missing value is the empty text and, where it occurs, has code 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dictionary {
    values: Vec<String>,
    order: Order,
}

impl Dictionary {
    /// Sorts the distinct values and returns the dictionary with, for each given value, its code.
    ///
    /// The order is numeric where every value (but a missing one) is a decimal number.
    ///
    /// # Panics
    /// If a value is given twice.
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
        assert!(sorted.windows(2).all(|pair| pair[0] != pair[1]), "a value is given twice");
        let order = if numeric { Order::Numeric } else { Order::Text };
        (Self { values: sorted, order }, code)
    }

    /// The values in the order of their codes.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// The value with the given code.
    ///
    /// # Panics
    /// If there is no such code.
    pub fn value(&self, code: u32) -> &str {
        &self.values[code as usize]
    }

    /// The code of a value, if it occurs. Linear in the number of values.
    pub fn code_of(&self, value: &str) -> Option<u32> {
        self.values.iter().position(|v| v == value).map(|at| at as u32)
    }

    /// How many distinct values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether the column has no value at all.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How the values are ordered.
    pub fn order(&self) -> Order {
        self.order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(values: &[&str]) -> Vec<String> {
        values.iter().map(|v| (*v).to_owned()).collect()
    }

    #[test]
    fn numbers_are_ordered_by_size_and_missing_comes_first() {
        let (dictionary, code) = Dictionary::from_distinct(owned(&["10", "9", "", "-1.5"]));
        assert_eq!(dictionary.values(), ["", "-1.5", "9", "10"]);
        assert_eq!(dictionary.order(), Order::Numeric);
        assert_eq!(code, [3, 2, 0, 1]);
    }

    #[test]
    fn one_text_makes_all_texts() {
        let (dictionary, _) = Dictionary::from_distinct(owned(&["10", "9", "b"]));
        assert_eq!(dictionary.values(), ["10", "9", "b"]);
        assert_eq!(dictionary.order(), Order::Text);
    }
}
