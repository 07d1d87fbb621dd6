//! Errors from reading a release.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use indistinct_core::hierarchy::HierarchyError;
use indistinct_core::principle::BuildError;
use indistinct_diagnostics::{Coded, FileError, codes, words};
use indistinct_engine::EngineError;
use indistinct_linkage::LinkageError;
use indistinct_policy::PolicyErrors;

use crate::NotTogether;
use crate::linked::LinkProblem;

/// The maximum number of table values that a message lists.
const MOST_SHOWN: usize = 10;

/// An error that prevents reading a release. If a claim does not hold, this is a verification
/// result instead of an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReleaseError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The directory contains no certificate.
    #[error("'{}' is not a release directory: certificate.json is missing", path.display())]
    NoCertificate {
        /// The directory.
        path: PathBuf,
    },
    /// The certificate is invalid.
    #[error("'{}', line {line}, column {column}: the certificate is invalid", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// The line of the error.
        line: usize,
        /// The column of the error.
        column: usize,
    },
    /// The certificate has a format that this version does not support.
    #[error(
        "'{}' has format {format} (Indistinct {}); this version reads format {known}",
        path.display(),
        words::label(indistinct)
    )]
    CertificateFormat {
        /// The file.
        path: PathBuf,
        /// The format of the certificate.
        format: u32,
        /// The format that this version reads.
        known: u32,
        /// The version of Indistinct that wrote the certificate.
        indistinct: String,
    },
    /// The certificate lists no data file.
    #[error("the certificate in '{}' lists no data file", path.display())]
    NoData {
        /// The directory.
        path: PathBuf,
    },
    /// The rows of the release are in a database, but only the directory was given.
    #[error("the rows of the release are in the database table '{table}'")]
    InDatabase {
        /// The database table.
        table: String,
    },
    /// The columns of the released rows differ from the columns in the certificate.
    #[error("the columns of '{}' differ from the columns in the certificate", path.display())]
    Columns {
        /// The data file.
        path: PathBuf,
    },
    /// The policy or the facts of the release cannot be read.
    #[error("cannot read '{}' as a release: {reason}", path.display())]
    Unreadable {
        /// The directory.
        path: PathBuf,
        /// The cause.
        reason: ReadProblem,
    },
    /// No policy was specified, and no private directory contains a copy of the policy.
    #[error("the policy of '{}' is unknown: there is no private directory with a copy", path.display())]
    NoHoldersPolicy {
        /// The release directory.
        path: PathBuf,
    },
    /// The table is not the original table of the release.
    #[error(transparent)]
    NotTogether(#[from] NotTogether),
    /// The original policy of the release is invalid.
    #[error("{0}")]
    Policy(PolicyErrors),
    /// Rows or a population cannot be read.
    #[error(transparent)]
    Engine(EngineError),
    /// Hierarchies are invalid or incompatible with the table.
    #[error("{} {} not match the table", words::count(.0.len() as u64, "hierarchy"), words::either(.0.len() as u64, "does", "do"))]
    Hierarchies(Vec<HierarchyError>),
    /// Principles cannot be applied to the table.
    #[error("{} {} not match the table", words::count(.0.len() as u64, "principle"), words::either(.0.len() as u64, "does", "do"))]
    Principles(Vec<PrincipleError>),
    /// The population table is incompatible with the table, or the two tables of a release are
    /// incompatible.
    #[error(transparent)]
    Core(Box<indistinct_core::Error>),
    /// The file is not a plan.
    #[error("'{}'{} is not a valid plan: {what}", path.display(), place.map_or(String::new(), |(line, column)| format!(
        ", line {line}, column {column},")))]
    NotAPlan {
        /// The file.
        path: PathBuf,
        /// The line and column of the error, if known.
        place: Option<(usize, usize)>,
        /// The problem.
        what: PlanFault,
    },
    /// The plan has a format that this version does not support.
    #[error("the plan '{}' has format {got}; this version reads format {known}", path.display())]
    PlanVersion {
        /// The file.
        path: PathBuf,
        /// The format of the plan.
        got: u32,
        /// The format that this version reads.
        known: u32,
    },
    /// A plan does not match its digests.
    #[error(
        "'{}' was changed: its SHA-256 digest differs from the one in the plan",
        path.display()
    )]
    PlanChanged {
        /// The file.
        path: PathBuf,
    },
    /// Parts of a plan contradict each other.
    #[error("the plan '{}' is inconsistent: {what}", path.display())]
    PlanContradiction {
        /// The file.
        path: PathBuf,
        /// The contradiction.
        what: PlanFault,
    },
    /// A plan has a parameter out of range.
    #[error(transparent)]
    PlanParameter(#[from] PlanParameter),
    /// Releases cannot be linked.
    #[error(transparent)]
    Link(#[from] LinkProblem),
    /// The observer requested cancellation.
    #[error("cancelled")]
    Cancelled,
}

/// An error that prevents applying a principle to a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {error}")]
pub struct PrincipleError {
    /// The principle.
    pub kind: &'static str,
    /// The sensitive attribute of the principle.
    pub attribute: Option<String>,
    /// The problem.
    pub error: BuildError,
}

impl PrincipleError {
    /// Returns the message with the affected values in the table, for the data holder only.
    pub fn with_values(&self) -> String {
        let values = match &self.error {
            BuildError::Data(error) => error.values(),
            _ => &[],
        };
        let named: Vec<String> =
            values.iter().take(MOST_SHOWN).map(|value| format!("'{value}'")).collect();
        match values.len().saturating_sub(MOST_SHOWN) {
            _ if values.is_empty() => self.to_string(),
            0 => format!("{self}: {}", named.join(", ")),
            more => format!("{self}: {} and {more} more", named.join(", ")),
        }
    }
}

codes! {
    PrincipleError {}
    of { Self { error, .. } => error; }
}

impl From<indistinct_core::Error> for ReleaseError {
    fn from(error: indistinct_core::Error) -> Self {
        Self::Core(Box::new(error))
    }
}

impl From<HierarchyError> for ReleaseError {
    fn from(error: HierarchyError) -> Self {
        Self::Hierarchies(vec![error])
    }
}

impl From<EngineError> for ReleaseError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Cancelled => Self::Cancelled,
            error => Self::Engine(error),
        }
    }
}

/// A plan parameter is out of range, or no plan exists for the distribution.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(transparent)]
pub struct PlanParameter(pub LinkageError);

codes! {
    ReleaseError {
        Self::NoCertificate { .. } | Self::Certificate { .. } | Self::NoData { .. } => "E-VERIFY-001",
            "The directory is not a release, or its certificate is unreadable.",
            "specify the release directory that 'indistinct anonymize' wrote";
        Self::CertificateFormat { .. } => "E-VERIFY-002",
            "The certificate has a format that this version does not support.",
            "use the version of Indistinct that wrote the file, or a newer one";
        Self::InDatabase { .. } => "E-VERIFY-008", "The rows of the release are in a database.",
            "verify the table in the database: `indistinct verify postgresql://HOST/DATABASE \
             --table TABLE`";
        Self::Columns { .. } => "E-VERIFY-003",
            "The columns of the released rows differ from the columns in the certificate.",
            "restore the original files of the release, because a file was changed or replaced";
        Self::Unreadable { .. } => "E-VERIFY-004",
            "The policy or the facts of the release cannot be read.",
            "run 'indistinct verify' to list all problems with the release";
        Self::Policy(_) => "E-VERIFY-005", "The data holder's policy of the release is invalid.",
            "see the messages about the individual problems";
        Self::Hierarchies(_) => "E-HIERARCHY-000",
            "Hierarchies are invalid or do not match the table.",
            "see the messages about the individual problems";
        Self::Principles(_) => "E-PRINCIPLE-000", "Principles cannot be applied to the table.",
            "see the messages about the individual problems";
        Self::NoHoldersPolicy { .. } => "E-ORIGINAL-007", "The policy of the release is unknown.",
            "specify the policy with --policy FILE";
        Self::NotAPlan { .. } => "E-PLAN-001", "The file is not a plan.",
            "specify the plan.toml that 'indistinct plan -o plan.toml' wrote";
        Self::PlanVersion { .. } => "E-PLAN-002", "The plan has a format that this version does \
                                                   not support.",
            "use the version of Indistinct that wrote the file, or a newer one";
        Self::PlanChanged { .. } => "E-PLAN-003", "The plan does not match its digests.",
            "request the plan from its author again, because all releases require exactly the same \
             plan";
        Self::PlanContradiction { .. } => "E-PLAN-004", "Parts of the plan contradict each other.",
            "request the plan from its author again, because all releases require exactly the same \
             plan";
    }
    of {
        Self::NotTogether(error) => error;
        Self::Engine(error) => error;
        Self::File(error) => error;
        Self::Core(error) => &**error;
        Self::PlanParameter(error) => error;
        Self::Link(error) => error;
    }
    cancelled { Self::Cancelled }
}

codes! {
    PlanParameter {
        Self(LinkageError::LAboveSensitiveValues { .. } | LinkageError::LBelowOne) => "E-PLAN-021",
            "The value of l is impossible for the plan.",
            "use an l from 1 to the number of sensitive values that occur";
        Self(LinkageError::LinkedOutOfRange { .. }) => "E-PLAN-026",
            "The k or the entropy for linked classes is out of range.",
            "use a k from 1 to 1,000,000, and for the entropy an l from 1 to the l of the plan";
        Self(LinkageError::DeltaOutOfRange { .. }) => "E-PLAN-022",
            "The failure probability is outside (0, 1).",
            "use a failure probability above 0 and below 1, such as 0.01";
        Self(LinkageError::POutOfRange { .. }) => "E-PLAN-023", "The bound p is outside (0, 1].",
            "use a number above 0 and at most 1, because p is a bound on a probability";
        Self(LinkageError::PTooLarge { .. }) => "E-PLAN-024",
            "No class can contain l sensitive values with probability p each.",
            "use a smaller p or a smaller l";
        Self(LinkageError::SumIsNotOne { .. } | LinkageError::Negative { .. }) => "E-PLAN-025",
            "Probabilities are negative or do not sum to 1.",
            "specify counts instead of probabilities, or probabilities that sum to 1";
    }
    of { Self(error) => error; }
}

impl ReleaseError {
    /// Describes an I/O error for a file.
    pub fn io(path: &Path, error: &std::io::Error) -> Self {
        FileError::new(path, error).into()
    }

    /// Explains why the engine cannot open or read a file.
    pub fn of_file(path: &Path, error: &EngineError) -> Self {
        let reason = match error {
            EngineError::Read { source, .. } => return Self::io(path, source),
            EngineError::Missing { .. } => return Self::io(path, &ErrorKind::NotFound.into()),
            EngineError::InvalidUtf8 { .. } => {
                return Self::io(path, &ErrorKind::InvalidData.into());
            }
            EngineError::NotAFile { what, .. } => format!("expected a file, found {what}"),
            EngineError::TooLarge { limit_bytes, .. } => {
                format!("the file exceeds {limit_bytes} bytes")
            }
            other => other.to_string(),
        };
        FileError::because(path, &reason).into()
    }

    /// Returns the messages of all errors, including the affected values in the table, for the data
    /// holder only.
    pub fn each(&self) -> Vec<(&dyn Coded, String)> {
        fn coded(error: &impl Coded) -> &dyn Coded {
            error
        }
        match self {
            Self::Hierarchies(errors) => {
                errors.iter().map(|error| (coded(error), error.with_values())).collect()
            }
            Self::Principles(errors) => {
                errors.iter().map(|error| (coded(error), error.with_values())).collect()
            }
            other => vec![(coded(other), other.to_string())],
        }
    }

    /// Returns the messages of all errors, without values from the table.
    pub fn texts(&self) -> Vec<String> {
        match self {
            Self::Policy(errors) => {
                errors.problems.iter().map(|problem| problem.message.clone()).collect()
            }
            other => other.each().into_iter().map(|(error, _)| error.to_string()).collect(),
        }
    }
}

/// A reason why a release cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadProblem {
    /// The policy is missing or unreadable.
    #[error("policy.toml is missing or unreadable")]
    PolicyMissing,
    /// The policy is invalid.
    #[error("policy.toml is invalid: {0}")]
    PolicyInvalid(PolicyErrors),
    /// The policy refers to a hierarchy that is not part of the release.
    #[error("policy.toml does not use the published hierarchy of '{column}'")]
    ForeignHierarchy {
        /// The column.
        column: String,
    },
    /// A published hierarchy contains formula cells, although the policy forbids such cells.
    #[error("the policy forbids formula cells, but the hierarchy of '{column}' contains some")]
    UnsafeHierarchy {
        /// The column.
        column: String,
    },
    /// The release contains formula cells, although the policy forbids such cells.
    #[error("the policy forbids formula cells, but the release contains some")]
    UnsafeCells,
    /// The certificate has no valid fact about the perturbation.
    #[error("the certificate contains no valid fact 'perturbation'")]
    NoPerturbation,
    /// The release contains classes or sensitive values that do not occur in the plan.
    #[error("the release contains classes or sensitive values that the plan does not contain")]
    OtherPlan,
}

/// A reason why a plan is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanFault {
    /// A key is missing, unknown, or of the wrong type.
    #[error("a key is missing, unknown, or of the wrong type")]
    Keys,
    /// The plan refers to a file outside its folder.
    #[error("the plan refers to a file outside its folder")]
    ForeignFile,
    /// A line does not have the format of a plan table.
    #[error("the line does not have the format of a plan table")]
    Line,
    /// The number of classes is wrong.
    #[error("the number of classes is wrong")]
    ClassCount,
    /// The plan has no quasi-identifier, or its total is 0.
    #[error("the plan has no quasi-identifier, or its total is 0")]
    Empty,
    /// A combination has the wrong number of values.
    #[error("a combination has the wrong number of values")]
    CombinationLength,
    /// A designated value is not among the sensitive values.
    #[error("a designated value is not among the sensitive values")]
    DesignatedValue,
    /// The number of classes or combinations is wrong.
    #[error("the number of classes or combinations is wrong")]
    Counts,
    /// The basis is unknown.
    #[error("the basis of the plan is unknown")]
    Basis,
    /// Only one of `releases` and `total_failure` is present, but each requires the other.
    #[error("only one of `releases` and `total_failure` is present")]
    SharedFailure,
    /// The confidence level or the number of counted rows is missing or invalid.
    #[error("`confidence` or `counted_rows` is missing or invalid")]
    Confidence,
    /// A fraction is invalid.
    #[error("a fraction is invalid")]
    Fraction,
    /// The plan has no class.
    #[error("the plan has no class")]
    NoClass,
    /// The plan requires no rows.
    #[error("the plan requires no rows")]
    NoRows,
    /// A column is repeated.
    #[error("a column is repeated")]
    RepeatedColumn,
    /// A sensitive value is repeated.
    #[error("a sensitive value is repeated")]
    RepeatedValue,
    /// A combination occurs in two classes, or twice in one class.
    #[error("a combination occurs in two classes, or twice in one class")]
    RepeatedCombination,
    /// A class has no combination.
    #[error("a class has no combination")]
    EmptyClass,
    /// A class does not have l distinct designated values.
    #[error("a class does not have l distinct designated values")]
    DesignatedCount,
    /// The entropy of linked classes does not follow from the slack, or one of both is missing.
    #[error(
        "the entropy of linked classes does not follow from `slack`, or one of both is missing"
    )]
    Slack,
    /// The plan requires too few rows for its failure probability.
    #[error("the plan requires too few rows for its failure probability")]
    TooFewRows,
}

/// A difference between the columns of a policy and those of a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, serde::Serialize, schemars::JsonSchema)]
#[serde(tag = "mismatch", rename_all = "kebab-case")]
pub enum PlanColumnMismatch {
    /// A quasi-identifier of the plan is not a quasi-identifier of the policy.
    #[error("'{column}' is a quasi-identifier of the plan, but not of the policy")]
    OnlyInPlan {
        /// The column.
        column: String,
    },
    /// A quasi-identifier of the policy is not a quasi-identifier of the plan.
    #[error("'{column}' is a quasi-identifier of the policy, but not of the plan")]
    OnlyInPolicy {
        /// The column.
        column: String,
    },
    /// The sensitive attribute of the plan is not sensitive in the policy.
    #[error("the sensitive attribute '{column}' of the plan is not sensitive in the policy")]
    NotSensitive {
        /// The column.
        column: String,
    },
}
