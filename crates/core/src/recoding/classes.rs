//! Recodings in which each class has its own released values, such as multidimensional and local
//! recodings.

use super::Cells;

/// A part of a tuple: some of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The tuple.
    pub tuple: u32,
    /// The number of rows, at least 1.
    pub rows: u64,
}

/// A division of a table into classes with their own released values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// The parts into which tuples of the table are divided, in ascending order of tuples; `None`
    /// if no tuple is divided.
    pub parts: Option<Vec<Part>>,
    /// The class of each part (or tuple). Ignored for suppressed parts.
    pub class_of: Vec<u32>,
    /// The released value of each class and quasi-identifier, which covers the values of all rows
    /// of the class.
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
    /// The number of rows in which each quasi-identifier is suppressed.
    pub of_attribute: Vec<u64>,
}
