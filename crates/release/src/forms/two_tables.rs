//! Unchanged quasi-identifiers in one table and the frequencies of sensitive values per class in
//! another; only the class joins the two tables.

use std::path::Path;

use indistinct_core::published::Attachment;
use indistinct_policy::PolicyFile;

use super::Form;
use crate::ReleaseError;
use crate::certificate::Certificate;
use crate::files;
use crate::rows::{Reader, Rows};

/// The form of Anatomy.
pub(super) struct TwoTablesOfClasses;

impl Form for TwoTablesOfClasses {
    fn name(&self) -> &'static str {
        "two tables"
    }

    fn data_files(&self, policy: &PolicyFile) -> Vec<String> {
        files::tables(policy.output.format.name()).into()
    }

    fn read(&self, reader: &Reader<'_>) -> Result<Rows, ReleaseError> {
        reader.two_tables()
    }

    fn attachment(
        &self,
        _: &Path,
        _: &PolicyFile,
        _: &Certificate,
    ) -> Result<Attachment, ReleaseError> {
        Ok(Attachment::ToClasses)
    }
}
