//! Recodings that generalize nothing and separate quasi-identifiers from sensitive values: two tables, joined by the
//! class only.

use super::Part;

/// The columns of the table of sensitive values, besides the class: the value, and how often it occurs in the class.
pub const COLUMNS_OF_SENSITIVE: [&str; 2] = ["value", "count"];

/// Which class every row goes to, where quasi-identifiers are released as they are, in another table than the sensitive
/// values (Xiao and Tao, VLDB 2006).
///
/// A class is known by its number alone: its rows have different quasi-identifiers. Numbers say nothing; they are
/// released in another order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anatomy {
    /// The tuples of the table in ascending order, some of them divided into several parts; `None` where every tuple
    /// stays whole.
    pub parts: Option<Vec<Part>>,
    /// For each part (or tuple) its class. Ignored if it is suppressed.
    pub class_of: Vec<u32>,
    /// For each part (or tuple) whether its rows are suppressed: they are in neither table.
    pub suppressed: Vec<bool>,
}
