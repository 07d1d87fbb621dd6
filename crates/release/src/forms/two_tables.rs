//! A release in two tables that are joined only by the class: one contains unchanged
//! quasi-identifiers, the other the frequencies of sensitive values.

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
