//! Recodings without generalization that separate quasi-identifiers from sensitive values: two
//! tables that are joined only by the class number.

use super::Part;

/// The columns of the table of sensitive values in addition to the class: the value, and its number
/// of occurrences in the class.
pub const COLUMNS_OF_SENSITIVE: [&str; 2] = ["value", "count"];

/// The class of every row, for a release with unchanged quasi-identifiers and sensitive values in
/// separate tables (Xiao and Tao, VLDB 2006).
///
/// A class is identified only by its number, because its rows have different quasi-identifiers.
/// These numbers disclose nothing, because the release numbers the classes in a different order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anatomy {
    /// The parts into which tuples of the table are divided, in ascending order of tuples; `None`
    /// if no tuple is divided.
    pub parts: Option<Vec<Part>>,
    /// The class of each part (or tuple). Ignored for suppressed parts.
    pub class_of: Vec<u32>,
    /// Whether the rows of each part (or tuple) are suppressed. Suppressed rows are in neither
    /// table.
    pub suppressed: Vec<bool>,
}
