//! How cells are released as texts.
//!
//! | cell | text |
//! |---|---|
//! | label | the label of the hierarchy |
//! | range, set of one value | the value itself |
//! | range | `[low, high]`, both ends included |
//! | set | `{a, b, c}`, a `\` before each `\`, `,`, `{` and `}` of a value |
//! | made | the text that was made |
//!
//! Different ranges of an attribute have different texts, and so have different sets: between two values stands a comma
//! without `\` and one blank, and no value contains such a comma. A range starts with `[` and a set with `{`, so that
//! neither can be taken for the other, and no number starts with either. A raw *text* or the label of a user's hierarchy may
//! look like a range or a set that covers other values, though: the certifier refuses to release such a cell
//! ([`CellProblem::Ambiguous`](crate::CellProblem::Ambiguous)). Two labels of one hierarchy with equal text are the user's
//! choice; what an adversary cannot tell apart is one class then, whatever it covers.

use indistinct_labels::{closed, set};

use crate::{Dictionary, Hierarchy};

/// The released value of one quasi-identifier of a class, and what it covers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// A label of the attribute's hierarchy.
    Label {
        /// The level.
        level: usize,
        /// The label's position in the level.
        label: u32,
    },
    /// All numbers from one value to another that both occur, as codes of the dictionary. Released as the value itself where
    /// both are the same, otherwise as `[low, high]`.
    Range {
        /// The lowest value.
        low: u32,
        /// The highest value.
        high: u32,
    },
    /// Some of the values, as ascending codes of the dictionary. Released as the value itself where there is one,
    /// otherwise as `{a, b, c}`.
    Set(Vec<u32>),
    /// A text that was made for the class, and is neither one of the column's values nor a label: a center, or noise. It does not
    /// say what it stands for.
    Generated {
        /// The text.
        text: String,
        /// What the rows with this text come from, which only the holder knows.
        of: Box<Cell>,
    },
}

impl Cell {
    /// What its rows come from: itself, but for a cell that was made.
    pub fn stands_for(&self) -> &Cell {
        match self {
            Cell::Generated { of, .. } => of.stands_for(),
            cell => cell,
        }
    }
}

impl Cell {
    /// What is released for it.
    ///
    /// # Panics
    /// If the cell names a code or label that there is not.
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

    /// Whether it covers a value of the column, given by its code.
    ///
    /// # Panics
    /// If the cell or the code does not fit the hierarchy.
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
    fn cells_have_the_documented_texts() {
        let ages = ["7", "9", "10"];
        assert_eq!(text(&ages, &Cell::Range { low: 0, high: 2 }), "[7, 10]");
        assert_eq!(text(&ages, &Cell::Range { low: 1, high: 1 }), "9");
        assert_eq!(text(&ages, &Cell::Set(vec![0, 2])), "{7, 10}");
        assert_eq!(text(&ages, &Cell::Set(vec![2])), "10");
        assert_eq!(text(&ages, &Cell::Label { level: 1, label: 0 }), "*");
        assert_eq!(text(&["a,b", "{c}", "\\"], &Cell::Set(vec![0, 1, 2])), r"{\\, a\,b, \{c\}}");
    }

    #[test]
    fn different_sets_have_different_texts() {
        let values = ["", " ", "a", "a, a", ", ", "a,", " a", "\\", "\\,", "{", "}", "a}"];
        let mut texts = std::collections::BTreeSet::new();
        for chosen in 1u32..1 << values.len() {
            let codes = (0..values.len() as u32).filter(|code| chosen >> code & 1 == 1).collect();
            texts.insert(text(&values, &Cell::Set(codes)));
        }
        assert_eq!(texts.len(), (1 << values.len()) - 1);
    }
}
