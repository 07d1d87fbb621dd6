//! Why a release cannot be read.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use indistinct_core::TablesProblem;
use indistinct_core::hierarchy::HierarchyError;
use indistinct_core::model::PopulationError;
use indistinct_core::principle::BuildError;
use indistinct_engine::EngineError;
use indistinct_language::{CANCELLED, CodeEntry, Coded};
use indistinct_linkage::LinkageError;
use indistinct_policy::PolicyErrors;

use crate::NotTogether;

/// What keeps a release from being read. That a claim does not hold is an answer instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReleaseError {
    /// A file cannot be read or written.
    #[error("'{}': {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
    /// A directory without a certificate.
    #[error("'{}' is not a release directory: it holds no certificate.json", path.display())]
    NoCertificate {
        /// The directory.
        path: PathBuf,
    },
    /// A certificate that is no certificate.
    #[error("'{}', line {line}, column {column}: not a certificate of Indistinct", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// Where.
        line: usize,
        /// Where.
        column: usize,
    },
    /// A certificate in a format of another version.
    #[error("'{}' has format {got}; this version reads format {known}", path.display())]
    CertificateFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        got: u32,
        /// The format that this version reads.
        known: u32,
    },
    /// A release whose certificate names no data file.
    #[error("the certificate in '{}' names no data file", path.display())]
    NoData {
        /// The directory.
        path: PathBuf,
    },
    /// The released rows have other columns than the certificate.
    #[error("'{}' has other columns than the certificate", path.display())]
    Columns {
        /// The data file.
        path: PathBuf,
    },
    /// A release whose policy or statements cannot be read.
    #[error("'{}' cannot be read as a release: {reason}", path.display())]
    Unreadable {
        /// The directory.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Neither a policy was named nor is there one in a private part.
    #[error("the policy that '{}' was made with is not known: there is no private part beside it with a copy", path.display())]
    NoHoldersPolicy {
        /// The release directory.
        path: PathBuf,
    },
    /// A table that is not the original of a release.
    #[error(transparent)]
    NotTogether(#[from] NotTogether),
    /// The policy that the release was made with is wrong.
    #[error("{0}")]
    Policy(PolicyErrors),
    /// Rows or a population cannot be read.
    #[error(transparent)]
    Engine(EngineError),
    /// Hierarchies are wrong, or do not fit the table.
    #[error("{} hierarchies do not fit the table", .0.len())]
    Hierarchies(Vec<HierarchyError>),
    /// Principles cannot be used on the table.
    #[error("{} principles do not fit the table", .0.len())]
    Principles(Vec<PrincipleError>),
    /// The population table does not go with the table.
    #[error(transparent)]
    Population(#[from] PopulationError),
    /// The two tables of a release do not go together.
    #[error(transparent)]
    Tables(#[from] TablesProblem),
    /// A file that is no plan.
    #[error("'{}'{} is not a plan of Indistinct: {what}", path.display(), place.map_or(String::new(), |(line, column)| format!(", line {line}, column {column},")))]
    NotAPlan {
        /// The file.
        path: PathBuf,
        /// Line and column, where there are such.
        place: Option<(usize, usize)>,
        /// What is wrong, without a value.
        what: &'static str,
    },
    /// A plan in a format of another version.
    #[error("'{}' is a plan in format {got}; this version reads format {known}", path.display())]
    PlanVersion {
        /// The file.
        path: PathBuf,
        /// Its format.
        got: u32,
        /// The format that this version reads.
        known: u32,
    },
    /// A plan that is not what its digests say.
    #[error("'{}' was changed: its SHA-256 is not the one that the plan names", path.display())]
    PlanChanged {
        /// The file.
        path: PathBuf,
    },
    /// Parts of a plan that contradict each other.
    #[error("'{}' contradicts itself: {what}", path.display())]
    PlanContradiction {
        /// The file.
        path: PathBuf,
        /// What does not fit, without a value.
        what: &'static str,
    },
    /// A plan with a parameter out of its range.
    #[error(transparent)]
    PlanParameter(LinkageError),
    /// The observer asked to stop.
    #[error("cancelled")]
    Cancelled,
}

/// What keeps a principle from being used on a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {error}")]
pub struct PrincipleError {
    /// The principle.
    pub kind: &'static str,
    /// Its sensitive attribute.
    pub attribute: Option<String>,
    /// What is wrong.
    pub error: BuildError,
}

impl From<EngineError> for ReleaseError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Cancelled => Self::Cancelled,
            error => Self::Engine(error),
        }
    }
}

const fn entry(code: &'static str, title: &'static str, what_to_do: &'static str) -> CodeEntry {
    CodeEntry { code, title, what_to_do }
}

impl ReleaseError {
    /// The codes of this error, with what to do; those of the errors that it wraps are theirs.
    pub const CODES: &'static [CodeEntry] = &[
        entry(
            "E-FILE-001",
            "a file cannot be read or written",
            "check the path and its permissions",
        ),
        entry(
            "E-VERIFY-001",
            "a directory that is no release",
            "give the release directory that 'indistinct anonymize' wrote",
        ),
        entry(
            "E-VERIFY-002",
            "a certificate of another version",
            "use the version of Indistinct that wrote it, or a newer one",
        ),
        entry("E-VERIFY-003", "released rows with other columns than the certificate", ""),
        entry(
            "E-VERIFY-004",
            "a release whose policy or statements cannot be read",
            "'indistinct verify' says what else is wrong with it",
        ),
        entry(
            "E-ORIGINAL-007",
            "the policy that a release was made with is not known",
            "give it with --policy FILE",
        ),
        entry(
            "E-PLAN-001",
            "a file that is no plan",
            "give the plan.toml that 'indistinct plan -o plan.toml' wrote",
        ),
        entry(
            "E-PLAN-002",
            "a plan of another version",
            "use the version of Indistinct that wrote it, or a newer one",
        ),
        entry(
            "E-PLAN-003",
            "a plan that was changed",
            "get the plan anew from who made it: all releases by it need the very same one",
        ),
        entry(
            "E-PLAN-004",
            "a plan that contradicts itself",
            "get the plan anew from who made it: all releases by it need the very same one",
        ),
    ];

    /// What the operating system says of a file, in words.
    pub fn io(path: &Path, error: &std::io::Error) -> Self {
        let reason = match error.kind() {
            ErrorKind::NotFound => "no such file or folder".to_owned(),
            ErrorKind::AlreadyExists => {
                "already exists and is not replaced; name another one".to_owned()
            }
            ErrorKind::InvalidData => "not valid UTF-8".to_owned(),
            _ => error.to_string(),
        };
        Self::Io { path: path.to_owned(), reason }
    }

    /// All that is wrong, in words without values of the table.
    pub fn texts(&self) -> Vec<String> {
        match self {
            Self::Hierarchies(errors) => errors.iter().map(ToString::to_string).collect(),
            Self::Principles(errors) => errors.iter().map(ToString::to_string).collect(),
            Self::Policy(errors) => {
                errors.problems.iter().map(|problem| problem.message.clone()).collect()
            }
            other => vec![other.to_string()],
        }
    }

    /// The code of an error of this crate's own.
    fn own_code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "E-FILE-001",
            Self::CertificateFormat { .. } => "E-VERIFY-002",
            Self::Columns { .. } => "E-VERIFY-003",
            Self::Unreadable { .. } => "E-VERIFY-004",
            Self::NoHoldersPolicy { .. } => "E-ORIGINAL-007",
            Self::NotAPlan { .. } => "E-PLAN-001",
            Self::PlanVersion { .. } => "E-PLAN-002",
            Self::PlanChanged { .. } => "E-PLAN-003",
            Self::PlanContradiction { .. } => "E-PLAN-004",
            _ => "E-VERIFY-001",
        }
    }
}

/// The code of a parameter that no plan can have, or of a distribution that none can be made for.
pub fn code_of_parameter(error: &LinkageError) -> &'static str {
    match error {
        LinkageError::LAboveSecrets { .. } | LinkageError::LBelowOne => "E-PLAN-021",
        LinkageError::DeltaOutOfRange { .. } => "E-PLAN-022",
        LinkageError::POutOfRange { .. } => "E-PLAN-023",
        LinkageError::PTooLarge { .. } => "E-PLAN-024",
        LinkageError::SumIsNotOne { .. } | LinkageError::Negative { .. } => "E-PLAN-025",
        error => error.code(),
    }
}

impl Coded for ReleaseError {
    fn code(&self) -> &'static str {
        match self {
            Self::NotTogether(error) => error.code(),
            Self::Engine(error) => error.code(),
            Self::Hierarchies(errors) => {
                errors.first().map_or(self.own_code(), |error| error.code())
            }
            Self::Principles(_) => "E-POLICY-PARAMETER",
            Self::Policy(errors) => {
                errors.problems.first().map_or(self.own_code(), |problem| problem.code.as_str())
            }
            Self::Population(error) => error.code(),
            Self::Tables(error) => error.code(),
            Self::PlanParameter(error) => code_of_parameter(error),
            Self::Cancelled => CANCELLED.code,
            own => own.own_code(),
        }
    }

    fn help(&self) -> Option<String> {
        let text = |help: &str| Some(help.to_owned());
        match self {
            Self::NotTogether(error) => text(error.help()),
            Self::Engine(error) => error.help(),
            Self::Population(error) => text(error.help()),
            Self::PlanParameter(error) => error.help().map(str::to_owned),
            Self::Hierarchies(errors) => errors.first().map(HierarchyError::help),
            Self::Principles(_) | Self::Policy(_) | Self::Tables(_) | Self::Cancelled => None,
            own => {
                let entry = Self::CODES.iter().find(|entry| entry.code == own.own_code());
                entry.map(|entry| entry.what_to_do).filter(|help| !help.is_empty()).and_then(text)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_this_crate_are_listed_with_what_to_do() {
        let path = PathBuf::from("release");
        let own = [
            ReleaseError::Io { path: path.clone(), reason: String::new() },
            ReleaseError::NoCertificate { path: path.clone() },
            ReleaseError::CertificateFormat { path: path.clone(), got: 2, known: 1 },
            ReleaseError::Columns { path: path.clone() },
            ReleaseError::Unreadable { path: path.clone(), reason: String::new() },
            ReleaseError::NoHoldersPolicy { path: path.clone() },
            ReleaseError::NotAPlan { path: path.clone(), place: None, what: "" },
            ReleaseError::PlanVersion { path: path.clone(), got: 2, known: 1 },
            ReleaseError::PlanChanged { path: path.clone() },
            ReleaseError::PlanContradiction { path, what: "" },
        ];
        let codes: Vec<&str> = own.iter().map(Coded::code).collect();
        let listed: Vec<&str> = ReleaseError::CODES.iter().map(|entry| entry.code).collect();
        assert_eq!(codes, listed);
        for (error, entry) in own.iter().zip(ReleaseError::CODES) {
            assert_eq!(error.help().unwrap_or_default(), entry.what_to_do);
        }
        assert_eq!(ReleaseError::Cancelled.help(), None);
    }
}
