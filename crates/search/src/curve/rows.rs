//! Rows in the order of the curve.

/// A row of the order, and the number of times that it is in a class.
pub(super) type Times = (u32, u64);

/// Rows of a tuple.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The group, as a position in the order.
    pub at: u32,
    /// The combination of evaluated sensitive values.
    pub value: u32,
    /// Number of rows.
    pub rows: u64,
}
