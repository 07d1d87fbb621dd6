//! Reads the certificate and the policy of a release directory.

use std::path::Path;

use indistinct_policy::{AttributeSpec, HierarchySpec, Method, PolicyFile, Purpose};

use serde::Deserialize;

use crate::certificate::{Certificate, FORMAT};
use crate::error::ReadProblem;
use crate::{ReleaseError, files};

/// The fields that all versions of Indistinct use to identify the certificate format.
#[derive(Deserialize)]
struct FormatVersion {
    format: u32,
    indistinct: String,
}

/// Reads the certificate of a release directory.
///
/// # Errors
/// Returns [`ReleaseError`] if the path is not a release directory or the certificate cannot be
/// read.
pub fn read_certificate(directory: &Path) -> Result<Certificate, ReleaseError> {
    let path = directory.join(files::CERTIFICATE);
    if directory.is_dir() && !path.is_file() {
        return Err(ReleaseError::NoCertificate { path: directory.to_owned() });
    }
    std::fs::metadata(directory).map_err(|error| ReleaseError::io(directory, &error))?;
    let text = files::read_text(&path)?;
    let version = serde_json::from_str::<FormatVersion>(&text).ok();
    if let Some(FormatVersion { format, indistinct }) = version.filter(|it| it.format != FORMAT) {
        return Err(ReleaseError::CertificateFormat { path, format, known: FORMAT, indistinct });
    }
    Certificate::parse(&text).map_err(|error| ReleaseError::Certificate {
        path,
        line: error.line(),
        column: error.column(),
    })
}

/// Reads the released policy. The policy must use one of the given methods.
pub(crate) fn read_policy(methods: &[Method], directory: &Path) -> Result<PolicyFile, ReadProblem> {
    let path = directory.join(files::POLICY);
    let text = files::read_text(&path).map_err(|_| ReadProblem::PolicyMissing)?;
    let policy = PolicyFile::parse_with(methods, Purpose::Released, &text, files::POLICY)
        .map_err(ReadProblem::PolicyInvalid)?;
    // Reject hierarchy paths outside the release, because a policy could contain the path of any
    // file.
    let is_own = |attribute: &AttributeSpec| match &attribute.hierarchy {
        Some(HierarchySpec::Csv(path)) => *path == files::hierarchy(&attribute.name),
        _ => true,
    };
    match policy.attributes.iter().find(|attribute| !is_own(attribute)) {
        Some(attribute) => Err(ReadProblem::ForeignHierarchy { column: attribute.name.clone() }),
        None => Ok(policy),
    }
}

/// Reads the released policy. The policy must use one of the given methods.
///
/// # Errors
/// Returns [`ReleaseError::Unreadable`] if the policy is missing or invalid.
pub fn policy_of(methods: &[Method], directory: &Path) -> Result<PolicyFile, ReleaseError> {
    read_policy(methods, directory)
        .map_err(|reason| ReleaseError::Unreadable { path: directory.to_owned(), reason })
}
