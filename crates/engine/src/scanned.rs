//! Statistics on columns that are not counted as combinations.

/// Statistics on a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnScan {
    /// Name of the column.
    pub column: String,
    /// Number of rows with a value.
    pub n_present: u64,
    /// Number of distinct values; approximate if the number is very large.
    pub n_distinct: u64,
    /// Number of rows with a unique value; approximate if the number of distinct values is very
    /// large.
    pub n_unique: u64,
    /// Number of rows with the most frequent value among the counted values.
    pub most_rows: u64,
    /// Sample of distinct values with their number of rows. The sample contains the values with the
    /// smallest hashes, so it is deterministic.
    pub sample: Vec<(String, u64)>,
}

/// Statistics on columns, individually and combined.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scan {
    /// Statistics on each requested column, in request order.
    pub columns: Vec<ColumnScan>,
    /// Number of rows with a unique combination of values in the columns requested as `together`.
    pub n_unique_together: u64,
    /// Number of rows in the table.
    pub n_rows: u64,
}
