//! Recodings in which each class has its own released values, such as multidimensional and local
//! recodings.

use super::Cells;

/// Some rows of one tuple of a frequency table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The tuple.
    pub tuple: u32,
    /// The number of rows, at least 1.
    pub rows: u64,
}

/// Classes that each have their own released values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// The parts of the tuples of the table, in ascending order of tuples; `None` if every tuple is
    /// whole.
    pub parts: Option<Vec<Part>>,
    /// The class of each part (or tuple). Ignored for suppressed parts.
    pub class_of: Vec<u32>,
    /// The released value of each class and quasi-identifier, which covers the values of all rows
    /// of the class.
    pub cells: Cells,
    /// If cells are suppressed, the highest level of each quasi-identifier for generalization. A
    /// label above this level is a suppressed cell and must cover all values.
    pub highest: Option<Vec<usize>>,
}

/// The number of suppressed cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressedCells {
    /// The number of rows with at least one suppressed cell.
    pub n_rows: u64,
    /// The number of rows in which each quasi-identifier is suppressed.
    pub of_attribute: Vec<u64>,
}
