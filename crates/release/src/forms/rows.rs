//! Rows with their own sensitive values. A class consists of the rows with equal quasi-identifiers
//! or with the same value in a class column.

use super::Form;

/// The default form of releases.
pub(super) struct RowsOfClasses;

impl Form for RowsOfClasses {
    fn name(&self) -> &'static str {
        "rows"
    }
}
