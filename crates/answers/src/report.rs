//! The distributions of values that reports show.

/// A sensitive attribute in the classes that differ most from all rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Contrast {
    /// The attribute.
    pub attribute: String,
    /// Its values, or ranges of them where it is numeric.
    pub columns: Vec<SensitiveColumn>,
    /// The classes, the one that differs most first.
    pub classes: Vec<ClassContrast>,
    /// Number of all classes.
    pub n_classes: u64,
    /// Number of released rows.
    pub n_rows: u64,
    /// The largest share that one value has in any of all classes; 0 where there is none.
    pub largest_share: f64,
}

/// A value, or several values together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SensitiveColumn {
    /// The label.
    pub label: String,
    /// The number of values.
    pub n_values: u64,
    /// Released rows that have one of them.
    pub n_rows: u64,
}

/// A class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassContrast {
    /// Its released quasi-identifiers.
    pub labels: Vec<String>,
    /// Its rows.
    pub n_rows: u64,
    /// For each column the rows that have it.
    pub counts: Vec<u64>,
    /// The total variation distance between the class and the whole table, over the columns: from 0 to 1.
    pub distance: f64,
}

/// The frequencies of the values of an attribute, before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Marginal {
    /// The attribute.
    pub attribute: String,
    /// Each value with its rows in the original and in the release, in display order. Rows of a released value that covers
    /// several original values are distributed evenly among these.
    pub values: Vec<(String, u64, f64)>,
    /// The groups to show; `None` if each value is shown on its own, or numbers in ranges.
    pub groups: Option<Vec<Group>>,
    /// Whether any released value covers several original values.
    pub is_spread: bool,
}

/// Values that are shown together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The label.
    pub label: String,
    /// The positions of the values.
    pub values: Vec<usize>,
}
