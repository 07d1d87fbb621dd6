//! Rows with their own sensitive values; classes are rows with equal quasi-identifiers, or those of a class column.

use super::Form;

/// The form of most methods.
pub(super) struct RowsOfClasses;

impl Form for RowsOfClasses {
    fn name(&self) -> &'static str {
        "rows"
    }
}
