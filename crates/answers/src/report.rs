//! The distributions of values for reports.

/// The distribution of a sensitive attribute in the classes that differ most from the whole table.
#[derive(Debug, Clone, PartialEq)]
pub struct Contrast {
    /// The name of the sensitive attribute.
    pub attribute: String,
    /// The values of the attribute, or ranges of values if the attribute is numeric.
    pub columns: Vec<SensitiveColumn>,
    /// The classes, in descending order of their difference from the whole table.
    pub classes: Vec<ClassContrast>,
    /// Number of classes in the release.
    pub n_classes: u64,
    /// Number of released rows.
    pub n_rows: u64,
    /// The largest share that a single value has in any class; 0 if the release has no classes.
    pub largest_share: f64,
}

/// One value, or several values that are combined into one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SensitiveColumn {
    /// The displayed label.
    pub label: String,
    /// Number of values that are combined.
    pub n_values: u64,
    /// Number of released rows with one of the combined values.
    pub n_rows: u64,
}

/// The distribution of a sensitive attribute in one class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassContrast {
    /// The released quasi-identifiers of the class.
    pub labels: Vec<String>,
    /// Number of rows in the class.
    pub n_rows: u64,
    /// Number of rows of the class for each column of [`Contrast::columns`].
    pub counts: Vec<u64>,
    /// The total variation distance between the class and the whole table, computed over the
    /// columns, from 0 to 1.
    pub distance: f64,
}

/// The frequencies of an attribute's values in the original and in the release.
#[derive(Debug, Clone, PartialEq)]
pub struct Marginal {
    /// The name of the attribute.
    pub attribute: String,
    /// Each value with its number of rows in the original and in the release, in display order. The
    /// rows of a released value that covers several original values are distributed evenly among
    /// these values.
    pub values: Vec<(String, u64, f64)>,
    /// The groups to display; `None` to display individual values or ranges of numbers.
    pub groups: Option<Vec<Group>>,
    /// Whether at least one released value covers several original values.
    pub is_spread: bool,
}

/// Values that are displayed as one group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The displayed label.
    pub label: String,
    /// Indices of the values in [`Marginal::values`].
    pub values: Vec<usize>,
}
