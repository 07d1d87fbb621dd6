//! Rows with their own sensitive values. Classes are rows with equal quasi-identifiers, or rows
//! with the same value in a class column.

use super::Form;

/// The default form of releases.
pub(super) struct RowsOfClasses;

impl Form for RowsOfClasses {
    fn name(&self) -> &'static str {
        "rows"
    }
}
