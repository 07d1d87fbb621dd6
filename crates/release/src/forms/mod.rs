//! The forms of a release, which determine how to read classes and which claims can be recomputed.
//!
//! Each form implements [`Form`], and [`for_policy`] is the only function that selects the form for
//! a policy. Code that reads a release uses the form and does not depend on the method.

mod generated;
mod perturbed;
mod planned;
mod regions;
mod together;
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
pub use together::{JointPromise, PlanLimit, composed, together};

use crate::ReleaseError;
use crate::certificate::Certificate;
use crate::check::Check;
use crate::files::{self, SensitiveValuesOf, report_files};
use crate::rows::{Reader, Rows};

/// A form of release, which determines how the release is read.
pub trait Form: Sync {
    /// Returns the file names for the rows.
    fn data_files(&self, policy: &PolicyFile) -> Vec<String> {
        vec![files::data(policy.output.format.name())]
    }

    /// Returns the additional files of this form.
    fn own_files(&self, _directory: &Path) -> Vec<String> {
        Vec::new()
    }

    /// Reads the rows and the information that distinguishes classes.
    ///
    /// # Errors
    /// Returns [`ReleaseError`] if a file cannot be read or its columns differ from those in the
    /// certificate.
    fn read(&self, reader: &Reader<'_>) -> Result<Rows, ReleaseError> {
        reader.one_table()
    }

    /// Determines how sensitive values are assigned to rows.
    ///
    /// # Errors
    /// Returns [`ReleaseError::Unreadable`] if the certificate does not contain the required
    /// information.
    fn attachment(
        &self,
        _directory: &Path,
        _policy: &PolicyFile,
        _certificate: &Certificate,
    ) -> Result<Attachment, ReleaseError> {
        Ok(Attachment::ToRows)
    }

    /// Returns the quasi-identifiers whose released values are centers or noise and do not show the
    /// original values.
    fn generated(&self, _policy: &PolicyFile) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether the principles can be evaluated on the released rows.
    fn shows_principles(&self) -> bool {
        true
    }

    /// Returns whether rows with equal quasi-identifiers form a class of indistinguishable rows.
    fn has_classes(&self) -> bool {
        true
    }

    /// Returns whether a class rules out sensitive values for its members, which is a requirement
    /// of linkage.
    fn rules_values_out(&self) -> bool {
        true
    }

    /// Returns [`SensitiveValuesOf::Classes`] if the report compares the sensitive values of
    /// classes with those of the whole table, and [`SensitiveValuesOf::Perturbed`] otherwise.
    fn sensitive_values_of(&self) -> SensitiveValuesOf {
        match self.shows_principles() {
            true => SensitiveValuesOf::Classes,
            false => SensitiveValuesOf::Perturbed,
        }
    }

    /// Returns the plan that the release follows, if the form uses plans.
    ///
    /// # Errors
    /// Returns [`ReleaseError`] if the plan cannot be read or does not match the rows.
    fn followed(
        &self,
        _directory: &Path,
        _policy: &PolicyFile,
        _class_numbers: &[String],
        _sensitive_values: &[PublishedSensitive],
    ) -> Result<Option<FollowedPlan>, ReleaseError> {
        Ok(None)
    }

    /// Recomputes the claims that are specific to this form.
    fn check(&self, _read: &ReadBack<'_>) -> Option<Check> {
        None
    }
}

/// Rows with their own sensitive values. A class consists of the rows with equal quasi-identifiers
/// or with the same value in a class column.
struct RowsOfClasses;

impl Form for RowsOfClasses {}

/// Two tables that are joined only by the class. One table contains unchanged quasi-identifiers,
/// and the other contains the frequencies of sensitive values.
struct TwoTablesOfClasses;

impl Form for TwoTablesOfClasses {
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

/// The parts of a release that are already in memory.
pub struct ReadBack<'a> {
    /// The release directory.
    pub directory: &'a Path,
    /// The certificate.
    pub certificate: &'a Certificate,
    /// The released policy.
    pub policy: &'a PolicyFile,
    /// The released rows.
    pub rows: &'a Rows,
}

/// Returns the form for the method of a policy. This function is the registry of forms.
pub fn for_policy(policy: &PolicyFile) -> &'static dyn Form {
    match policy.recoding.method.form {
        indistinct_policy::Form::Rows => &RowsOfClasses,
        indistinct_policy::Form::TwoTables => &TwoTablesOfClasses,
        indistinct_policy::Form::Perturbed => &perturbed::PerturbedRows,
        indistinct_policy::Form::Planned => &planned::PlannedRows,
        indistinct_policy::Form::Versions => &versions::VersionOfTable,
        indistinct_policy::Form::Centers => &generated::CentersOfClasses,
        indistinct_policy::Form::Masked => &generated::MaskedRows,
        indistinct_policy::Form::Regions => &regions::RegionsOfHierarchies,
    }
}

/// Returns the names of all files of a release with this policy, except its certificate.
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

/// Reads the rows of a release in the form that its policy specifies. The input `rows` is given if
/// the rows are in a database.
///
/// # Errors
/// Returns [`ReleaseError`] if a file cannot be read or its columns differ from those in the
/// certificate.
pub fn read_rows(
    directory: &Path,
    certificate: &Certificate,
    policy: &PolicyFile,
    rows: Option<&Input>,
    observer: &dyn Observer,
) -> Result<Rows, ReleaseError> {
    for_policy(policy).read(&Reader::new(directory, certificate, policy, rows, observer))
}
