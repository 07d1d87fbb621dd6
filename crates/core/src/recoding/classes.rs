//! Recodings that give every class released values of its own: by region, by record, or by what is dealt out.

use super::Cells;

/// Some rows of one tuple of a frequency table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The tuple.
    pub tuple: u32,
    /// Number of rows, at least 1.
    pub rows: u64,
}

/// Classes that each have released values of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// The tuples of the table in ascending order, some of them divided into several parts; `None` where every tuple
    /// stays whole.
    pub parts: Option<Vec<Part>>,
    /// For each part (or tuple) its class. Ignored if it is suppressed.
    pub class_of: Vec<u32>,
    /// For each class and quasi-identifier the released value, which covers the values of all its rows.
    pub cells: Cells,
    /// Where single cells are suppressed: the highest level of each quasi-identifier that a label is generalized to. A label above
    /// it is a suppressed cell, and covers all.
    pub highest: Option<Vec<usize>>,
}

/// How many cells are suppressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressedCells {
    /// Rows with at least one.
    pub n_rows: u64,
    /// For each quasi-identifier the rows in which it is suppressed.
    pub of_attribute: Vec<u64>,
}
