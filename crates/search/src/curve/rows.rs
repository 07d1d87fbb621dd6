//! Rows in the order of the curve.

/// An entry of the order, with the number of its rows in a class.
pub(super) type Times = (u32, u64);

/// A number of rows with equal quasi-identifiers and sensitive values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The group, as a position in the order.
    pub at: u32,
    /// The combination of evaluated sensitive values.
    pub value: u32,
    /// Number of rows.
    pub rows: u64,
}
