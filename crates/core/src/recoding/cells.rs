//! The released values of classes. Each distinct value is stored only once.
//!
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
//! Different ranges of an attribute have different strings, and so do different sets: the separator
//! is a comma without `\` and a space, and no value contains such a comma. Ranges start with `[`,
//! sets start with `{`, and no number starts with either character, so these strings are
//! distinguishable. However, an original *text* or a label of a user-defined hierarchy may equal
//! the string of a range or set that covers different values. The certifier refuses to release such
//! a cell ([`CellProblem::Ambiguous`](crate::CellProblem::Ambiguous)). If the user gives two labels
//! of a hierarchy the same string, rows with this string form one class, because an adversary
//! cannot distinguish them.
//!
//! Recodings in which each class has its own released values, such as multidimensional and local
//! recodings.
//!
//! Recodings without generalization that separate quasi-identifiers from sensitive values: two
//! tables that are joined only by the class number.
//!
//! Generalized sensitive values.

use std::cmp::Ordering;
use std::hash::Hash;

use indistinct_labels::{closed, set};
use rustc_hash::FxHashMap;

use crate::{Dictionary, Hierarchy};

/// The released value for each combination of class and quasi-identifier.
///
/// A class takes four bytes for each quasi-identifier, because millions of classes share a few
/// hundred cells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cells {
    n_classes: usize,
    columns: Vec<CellsOfAttribute>,
}

/// The cells of one quasi-identifier.
#[derive(Debug, Clone, Default)]
pub struct CellsOfAttribute {
    /// The distinct cells, in the order in which they first occur in the classes.
    distinct: Vec<Cell>,
    /// For each class, the index of its cell in `distinct`.
    of_class: Vec<u32>,
}

impl Cells {
    /// Combines the cells of all quasi-identifiers.
    ///
    /// # Panics
    /// Panics if the number of classes of any quasi-identifier differs from `n_classes`.
    pub fn of_attributes(n_classes: usize, columns: Vec<CellsOfAttribute>) -> Self {
        let fits = |column: &CellsOfAttribute| column.of_class.len() == n_classes;
        assert!(columns.iter().all(fits), "each class must have a cell for each quasi-identifier");
        Self { n_classes, columns }
    }

    /// Returns the number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Returns the cells of each quasi-identifier, or an empty slice if there are no classes.
    pub fn attributes(&self) -> &[CellsOfAttribute] {
        &self.columns
    }

    /// Returns the cells of one quasi-identifier. The result is empty if there are no classes.
    ///
    /// # Panics
    /// Panics if the quasi-identifier does not exist, unless there are no classes.
    pub fn of_attribute(&self, attribute: usize) -> &CellsOfAttribute {
        static NONE: CellsOfAttribute =
            CellsOfAttribute { distinct: Vec::new(), of_class: Vec::new() };
        if self.n_classes == 0 { &NONE } else { &self.columns[attribute] }
    }

    /// Returns the released value of a quasi-identifier in a class.
    ///
    /// # Panics
    /// Panics if the class or the quasi-identifier does not exist.
    pub fn get(&self, class: usize, attribute: usize) -> &Cell {
        self.columns[attribute].of(class)
    }

    /// Returns the cells of a class.
    ///
    /// # Panics
    /// Panics if the class does not exist.
    pub fn of_class(&self, class: usize) -> impl ExactSizeIterator<Item = &Cell> {
        self.columns.iter().map(move |column| column.of(class))
    }

    /// Returns the cells of each class.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Vec<Cell>> + '_ {
        (0..self.n_classes).map(|class| self.of_class(class).cloned().collect())
    }

    /// Compares two classes. Sorting by this order makes classes with the same cells adjacent.
    pub(crate) fn compare(&self, a: usize, b: usize) -> Ordering {
        let orders = self.columns.iter().map(|column| column.of_class[a].cmp(&column.of_class[b]));
        orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

impl FromIterator<Vec<Cell>> for Cells {
    /// Collects the cells of each class.
    ///
    /// # Panics
    /// Panics if classes have different numbers of cells.
    fn from_iter<T: IntoIterator<Item = Vec<Cell>>>(rows: T) -> Self {
        let mut columns: Vec<(CellsOfAttribute, FxHashMap<Cell, u32>)> = Vec::new();
        let mut n_classes = 0;
        for row in rows {
            if n_classes == 0 {
                columns.resize_with(row.len(), Default::default);
            }
            assert_eq!(
                row.len(),
                columns.len(),
                "each class must have a cell for each quasi-identifier"
            );
            for ((column, known), cell) in columns.iter_mut().zip(row) {
                let next = column.distinct.len() as u32;
                let at = *known.entry(cell).or_insert_with_key(|cell| {
                    column.distinct.push(cell.clone());
                    next
                });
                column.of_class.push(at);
            }
            n_classes += 1;
        }
        Self { n_classes, columns: columns.into_iter().map(|(column, _)| column).collect() }
    }
}

impl CellsOfAttribute {
    /// Creates the cells of classes from shorter keys. This function calls `cell` once for each
    /// distinct key; different keys must have different cells.
    pub fn of_keys<K: Copy + Eq + Hash>(
        keys: impl Iterator<Item = K>,
        cell: impl Fn(K) -> Cell,
    ) -> Self {
        let mut known: FxHashMap<K, u32> = FxHashMap::default();
        let mut distinct = Vec::new();
        let of_class = keys.map(|key| {
            *known.entry(key).or_insert_with(|| {
                distinct.push(cell(key));
                distinct.len() as u32 - 1
            })
        });
        let of_class = of_class.collect();
        Self { distinct, of_class }
    }

    /// Returns the distinct cells, in the order in which they first occur in the classes.
    pub fn distinct(&self) -> &[Cell] {
        &self.distinct
    }

    /// Returns, for each class, the index of its cell in [`distinct`](Self::distinct).
    pub fn of_classes(&self) -> &[u32] {
        &self.of_class
    }

    /// Returns the cell of a class.
    ///
    /// # Panics
    /// Panics if the class does not exist.
    pub fn of(&self, class: usize) -> &Cell {
        &self.distinct[self.of_class[class] as usize]
    }
}

/// Two lists of cells are equal if each class has the same cell in both lists, regardless of the
/// storage order.
impl PartialEq for CellsOfAttribute {
    fn eq(&self, other: &Self) -> bool {
        let n = self.of_class.len();
        n == other.of_class.len() && (0..n).all(|class| self.of(class) == other.of(class))
    }
}

impl Eq for CellsOfAttribute {}

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
    /// All numbers between two values of the column, given as codes of the dictionary. The range is
    /// released as the value itself if both values are the same, and as `[low, high]` otherwise.
    Range {
        /// The lowest value.
        low: u32,
        /// The highest value.
        high: u32,
    },
    /// A set of values, as ascending codes of the dictionary. The set is released as the value
    /// itself if it contains only one value, and as `{a, b, c}` otherwise.
    Set(Vec<u32>),
    /// A string that was generated for the class (a center or noise) and is neither a value of the
    /// column nor a label. It does not show which values it represents.
    Generated {
        /// The string.
        text: String,
        /// The original values of the rows with this string. Only the data holder knows these
        /// values.
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
    /// Returns the released string.
    ///
    /// # Panics
    /// Panics if the cell contains a code or label that does not exist.
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

    /// Returns whether the cell covers the value of the column with the given code.
    ///
    /// # Panics
    /// Panics if the cell or the code does not match the hierarchy.
    pub fn covers(&self, hierarchy: &Hierarchy, code: u32) -> bool {
        match self {
            Cell::Label { level, label } => hierarchy.level(*level).map[code as usize] == *label,
            Cell::Range { low, high } => (*low..=*high).contains(&code),
            Cell::Set(codes) => codes.binary_search(&code).is_ok(),
            Cell::Generated { of, .. } => of.covers(hierarchy, code),
        }
    }
}

/// A part of a tuple, which consists of some of the tuple's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The tuple.
    pub tuple: u32,
    /// The number of rows, at least 1.
    pub rows: u64,
}

/// A division of a table into classes, each with its own released values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// The parts into which tuples of the table are divided, in ascending order of tuples, or
    /// `None` if no tuple is divided.
    pub parts: Option<Vec<Part>>,
    /// The class of each part (or of each tuple, if no tuple is divided). The classes of suppressed
    /// parts are ignored.
    pub class_of: Vec<u32>,
    /// The released value for each combination of class and quasi-identifier, which covers the
    /// values of all rows of the class.
    pub cells: Cells,
    /// If cells may be suppressed, the highest level to which each quasi-identifier may be
    /// generalized. A label above this level is a suppressed cell and must cover all values.
    pub highest: Option<Vec<usize>>,
}

/// The number of suppressed cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressedCells {
    /// The number of rows with at least one suppressed cell.
    pub n_rows: u64,
    /// For each quasi-identifier, the number of rows in which its cell is suppressed.
    pub of_attribute: Vec<u64>,
}

/// The columns of the table of sensitive values in addition to the class: the value, and its number
/// of occurrences in the class.
pub const COLUMNS_OF_SENSITIVE: [&str; 2] = ["value", "count"];

/// The class of every row, for a release with unchanged quasi-identifiers and sensitive values in
/// separate tables (Xiao and Tao, VLDB 2006).
///
/// A class is identified only by its number, because its rows have different quasi-identifiers. The
/// class numbers disclose nothing, because the classes are renumbered in a different order for the
/// release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anatomy {
    /// The parts into which tuples of the table are divided, in ascending order of tuples, or
    /// `None` if no tuple is divided.
    pub parts: Option<Vec<Part>>,
    /// The class of each part (or of each tuple, if no tuple is divided). The classes of suppressed
    /// parts are ignored.
    pub class_of: Vec<u32>,
    /// Whether the rows of each part (or tuple) are suppressed. Suppressed rows are in neither
    /// table.
    pub suppressed: Vec<bool>,
}

/// The released labels of a sensitive attribute.
///
/// The labels are nodes of the taxonomy with which the policy's principles on the attribute were
/// built. Without a taxonomy, the labels are the original values and [`STAR`](crate::STAR). All
/// principles of the policy on this attribute must be [evaluated on taxonomy
/// nodes](crate::Principle::taxonomy).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SensitiveLabels {
    /// The index of the sensitive attribute.
    pub attribute: usize,
    /// The released labels, without duplicates.
    pub labels: Vec<String>,
    /// The index of the label of each tuple of the frequency table (or each part, if tuples are
    /// divided). Ignored for dropped rows. Suppressed rows that are released keep their sensitive
    /// values.
    pub of: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_cells_are_stored_once() {
        let (low, high) = (Cell::Range { low: 0, high: 1 }, Cell::Range { low: 2, high: 3 });
        let star = Cell::Label { level: 1, label: 0 };
        let rows = [
            vec![high.clone(), star.clone()],
            vec![low.clone(), star.clone()],
            vec![high.clone(), star.clone()],
        ];
        let cells: Cells = rows.iter().cloned().collect();
        assert_eq!(cells.attributes()[0].distinct(), [high.clone(), low.clone()]);
        assert_eq!(cells.attributes()[0].of_classes(), [0, 1, 0]);
        assert_eq!(cells.attributes()[1].distinct(), [star]);
        assert!(cells.rows().eq(rows) && cells.n_classes() == 3);
        assert!(cells.compare(0, 2).is_eq() && cells.compare(0, 1).is_ne());
        let of_keys = CellsOfAttribute::of_keys([2u8, 0, 2].into_iter(), |key| match key {
            2 => high.clone(),
            _ => low.clone(),
        });
        assert_eq!(cells.attributes()[0], of_keys);
        assert_ne!(cells.attributes()[1], of_keys);
    }

    #[test]
    fn empty_class_list_has_no_cells() {
        let none = Cells::from_iter([]);
        assert_eq!((none.n_classes(), none.attributes().len()), (0, 0));
    }

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
