//! The forms that a release can take: how its files become classes, and what can be computed again of it.
//!
//! A form is a value behind [`Form`], and [`of`] is the one place that tells which form a policy asks for. Everybody who reads a
//! release asks the form; nobody asks by which method it was made.

mod centers;
mod masked;
mod perturbed;
mod planned;
mod rows;
mod together;
mod two_tables;
mod versions;

use std::path::Path;

use indistinct_core::published::{Attachment, PublishedSensitive};
use indistinct_core::{Observer, Role};
use indistinct_engine::Input;
use indistinct_policy::{HierarchySpec, PolicyFile};

pub use perturbed::{MILLION, bounded_for, risk_allowed};
pub use planned::{
    ByPlan, FollowedPlan, Hits, facts_of_plan, other_columns, place_of_sensitive_values, requires_l,
};
pub use together::{JointPromise, together};

use crate::ReleaseError;
use crate::certificate::Certificate;
use crate::check::Check;
use crate::files::{self, SensitiveValuesOf, report_files};
use crate::rows::{Reader, Rows};

/// How a release is read back.
pub trait Form: Sync {
    /// Its name, for people.
    fn name(&self) -> &'static str;

    /// The files of the rows.
    fn data_files(&self, policy: &PolicyFile) -> Vec<String> {
        vec![files::data(policy.output.format.name())]
    }

    /// The files that only this form has.
    fn own_files(&self, _directory: &Path) -> Vec<String> {
        Vec::new()
    }

    /// Reads the rows and what tells classes apart.
    ///
    /// # Errors
    /// [`ReleaseError`] if a file cannot be read, or its columns are not those of the certificate.
    fn read(&self, reader: &Reader<'_>) -> Result<Rows, ReleaseError> {
        reader.one_table()
    }

    /// How the sensitive values go with the rows.
    ///
    /// # Errors
    /// [`ReleaseError::Unreadable`] if the certificate does not say what is needed.
    fn attachment(
        &self,
        _directory: &Path,
        _policy: &PolicyFile,
        _certificate: &Certificate,
    ) -> Result<Attachment, ReleaseError> {
        Ok(Attachment::ToRows)
    }

    /// The quasi-identifiers whose released values are made (centers, noise): they do not say what they stand for.
    fn generated(&self, _policy: &PolicyFile) -> Vec<String> {
        Vec::new()
    }

    /// Whether the released rows show what the principles are about.
    fn shows_principles(&self) -> bool {
        true
    }

    /// Whether rows that look alike are a class, in which none can be told from the others.
    fn has_classes(&self) -> bool {
        true
    }

    /// Whether a class shows which sensitive values its people cannot have: what joining releases rests on.
    fn rules_values_out(&self) -> bool {
        true
    }

    /// Whose sensitive values the report lays beside those of the whole table.
    fn sensitive_values_of(&self) -> SensitiveValuesOf {
        SensitiveValuesOf::Classes
    }

    /// The plan that the release is by, for forms that follow one.
    ///
    /// # Errors
    /// [`ReleaseError`] if the plan cannot be read or is not that of the rows.
    fn followed(
        &self,
        _directory: &Path,
        _policy: &PolicyFile,
        _class_numbers: &[String],
        _sensitive_values: &[PublishedSensitive],
    ) -> Result<Option<FollowedPlan>, ReleaseError> {
        Ok(None)
    }

    /// What can be computed again beyond what every release has.
    fn check(&self, _read: &ReadBack<'_>) -> Option<Check> {
        None
    }
}

/// A release as far as it was read.
pub struct ReadBack<'a> {
    /// Its directory.
    pub directory: &'a Path,
    /// Its certificate.
    pub certificate: &'a Certificate,
    /// Its policy.
    pub policy: &'a PolicyFile,
    /// Its rows.
    pub rows: &'a Rows,
}

/// The form that a policy asks for: the registry of forms, by what the policy says of its method.
pub fn for_policy(policy: &PolicyFile) -> &'static dyn Form {
    match policy.recoding.method.form {
        indistinct_policy::Form::Rows => &rows::RowsOfClasses,
        indistinct_policy::Form::TwoTables => &two_tables::TwoTablesOfClasses,
        indistinct_policy::Form::Perturbed => &perturbed::PerturbedRows,
        indistinct_policy::Form::Planned => &planned::PlannedRows,
        indistinct_policy::Form::Versions => &versions::VersionOfTable,
        indistinct_policy::Form::Centers => &centers::CentersOfClasses,
        indistinct_policy::Form::Masked => &masked::MaskedRows,
    }
}

/// All files of a release by a policy but for its certificate.
pub fn files_of(policy: &PolicyFile, directory: &Path) -> Vec<String> {
    let form = for_policy(policy);
    let taxonomies = policy
        .attributes_of(Role::Sensitive)
        .filter(|attribute| matches!(attribute.hierarchy, Some(HierarchySpec::Csv(_))))
        .map(|attribute| attribute.name.clone());
    let known = policy.names(Role::QuasiIdentifier);
    let hierarchies = known.iter().cloned().chain(taxonomies);
    let hierarchies = hierarchies.map(|attribute| files::hierarchy(&attribute));
    let others = [files::POLICY.to_owned(), files::REPORT.to_owned()];
    let plots = report_files(&known, &policy.names(Role::Sensitive), form.sensitive_values_of());
    let data = match policy.output.table {
        Some(_) => Vec::new(),
        None => form.data_files(policy),
    };
    let data = data.into_iter().chain(form.own_files(directory));
    hierarchies.chain(others).chain(plots).chain(data).collect()
}

/// Reads the rows of a release in the form that its policy asks for; `rows` are those of a database, where they are in one.
///
/// # Errors
/// [`ReleaseError`] if a file cannot be read, or its columns are not those of the certificate.
pub fn read_rows(
    directory: &Path,
    certificate: &Certificate,
    policy: &PolicyFile,
    rows: Option<&Input>,
    observer: &dyn Observer,
) -> Result<Rows, ReleaseError> {
    for_policy(policy).read(&Reader::new(directory, certificate, policy, rows, observer))
}
