//! What columns hold that are not counted as tuples.

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnScan {
    /// Name of the column.
    pub column: String,
    /// Rows with a value.
    pub n_present: u64,
    /// Distinct values; about as many where there are very many.
    pub n_distinct: u64,
    /// Rows whose value no other row has; about as many where there are very many distinct values.
    pub n_unique: u64,
    /// Rows of the most frequent value that was followed.
    pub most_rows: u64,
    /// Distinct values with their rows: those with the smallest hashes, so that the same table always gives the same.
    pub sample: Vec<(String, u64)>,
}

/// Columns, and what some of them tell together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scan {
    /// For each column asked for, in that order.
    pub columns: Vec<ColumnScan>,
    /// Rows that have a combination of values in the columns asked for `together` that no other row has.
    pub n_unique_together: u64,
    /// Rows of the table.
    pub n_rows: u64,
}
