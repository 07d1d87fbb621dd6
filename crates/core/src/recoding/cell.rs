//! The text representation of released cells.
//!
//! | cell | text |
//! |---|---|
//! | label | the label of the hierarchy |
//! | range or set of one value | the value itself |
//! | range | `[low, high]`, including both ends |
//! | set | `{a, b, c}`, with a `\` before each `\`, `,`, `{`, and `}` of a value |
//! | synthetic | the generated text |
//!
//! Different ranges of an attribute have different texts, and so do different sets: the separator
//! is a comma without `\` and a space, and no value contains such a comma. Ranges start with `[`,
//! sets start with `{`, and no number starts with either character, so these texts are
//! distinguishable. However, an original *text* or a label of a user-defined hierarchy may equal
//! the text of a range or set that covers different values. The certifier refuses to release such a
//! cell ([`CellProblem::Ambiguous`](crate::CellProblem::Ambiguous)). If the user gives two labels
//! of a hierarchy the same text, rows with this text form one class, because an adversary cannot
//! distinguish them.

use indistinct_labels::{closed, set};

use crate::{Dictionary, Hierarchy};

/// The released value of one quasi-identifier of a class, and the values that it covers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// A label of the attribute's hierarchy.
    Label {
        /// The level.
        level: usize,
        /// The index of the label in the level.
        label: u32,
    },
    /// All numbers between two values of the column, given as codes of the dictionary. Released as
    /// the value itself if both values are the same, and as `[low, high]` otherwise.
    Range {
        /// The lowest value.
        low: u32,
        /// The highest value.
        high: u32,
    },
    /// A set of values, as ascending codes of the dictionary. Released as the value itself if there
    /// is only one, and as `{a, b, c}` otherwise.
    Set(Vec<u32>),
    /// A text that was generated for the class (a center or noise) and is neither a value of the
    /// column nor a label. It does not show which values it represents.
    Generated {
        /// The text.
        text: String,
        /// The original values of the rows with this text, which only the data holder knows.
        of: Box<Cell>,
    },
}

impl Cell {
    /// Returns the cell with the original values of the rows, which differs from `self` only for
    /// generated cells.
    pub fn stands_for(&self) -> &Cell {
        match self {
            Cell::Generated { of, .. } => of.stands_for(),
            cell => cell,
        }
    }
}

impl Cell {
    /// Returns the released text.
    ///
    /// # Panics
    /// If the cell contains a code or label that does not exist.
    pub fn text(&self, dictionary: &Dictionary, hierarchy: &Hierarchy) -> String {
        match self {
            Cell::Label { level, label } => hierarchy.level(*level).labels[*label as usize].clone(),
            Cell::Range { low, high } if low == high => dictionary.value(*low).to_owned(),
            Cell::Range { low, high } => closed(dictionary.value(*low), dictionary.value(*high)),
            Cell::Set(codes) if codes.len() == 1 => dictionary.value(codes[0]).to_owned(),
            Cell::Set(codes) => set(codes.iter().map(|&code| dictionary.value(code))),
            Cell::Generated { text, .. } => text.clone(),
        }
    }

    /// Returns whether the cell covers a value of the column, given by its code.
    ///
    /// # Panics
    /// If the cell or the code does not match the hierarchy.
    pub fn covers(&self, hierarchy: &Hierarchy, code: u32) -> bool {
        match self {
            Cell::Label { level, label } => hierarchy.level(*level).map[code as usize] == *label,
            Cell::Range { low, high } => (*low..=*high).contains(&code),
            Cell::Set(codes) => codes.binary_search(&code).is_ok(),
            Cell::Generated { of, .. } => of.covers(hierarchy, code),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(values: &[&str], cell: &Cell) -> String {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        let (dictionary, _) = Dictionary::from_distinct(values);
        cell.text(&dictionary, &Hierarchy::flat(&dictionary))
    }

    #[test]
    fn cells_have_documented_text() {
        let ages = ["7", "9", "10"];
        assert_eq!(text(&ages, &Cell::Range { low: 0, high: 2 }), "[7, 10]");
        assert_eq!(text(&ages, &Cell::Range { low: 1, high: 1 }), "9");
        assert_eq!(text(&ages, &Cell::Set(vec![0, 2])), "{7, 10}");
        assert_eq!(text(&ages, &Cell::Set(vec![2])), "10");
        assert_eq!(text(&ages, &Cell::Label { level: 1, label: 0 }), "*");
        assert_eq!(text(&["a,b", "{c}", "\\"], &Cell::Set(vec![0, 1, 2])), r"{\\, a\,b, \{c\}}");
    }

    #[test]
    fn distinct_sets_have_distinct_texts() {
        let values = ["", " ", "a", "a, a", ", ", "a,", " a", "\\", "\\,", "{", "}", "a}"];
        let mut texts = std::collections::BTreeSet::new();
        for chosen in 1u32..1 << values.len() {
            let codes = (0..values.len() as u32).filter(|code| chosen >> code & 1 == 1).collect();
            texts.insert(text(&values, &Cell::Set(codes)));
        }
        assert_eq!(texts.len(), (1 << values.len()) - 1);
    }
}
