//! The errors of all requests.

use std::path::Path;

use indistinct_attack::AttackError;
use indistinct_core::NotCertified;
use indistinct_core::hierarchy::HierarchyError;
use indistinct_diagnostics::{Coded, codes, words};
use indistinct_engine::EngineError;
use indistinct_generate::GenerateError;
use indistinct_import::ImportError;
use indistinct_ledger::LedgerError;
use indistinct_linkage::LinkageError;
use indistinct_methods::planned::PlanProblem;
use indistinct_profiling::gate::GateError;
use indistinct_release::ReleaseError;
use indistinct_release::linked::LinkProblem;

use crate::Values;
use crate::policy::PolicyErrors;

/// The error of a request. If a policy is infeasible or a claim is false, the request returns an
/// answer instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The policy is invalid or does not match the table.
    #[error("{0}")]
    Policy(PolicyErrors),
    /// The input cannot be read, or the release cannot be written.
    #[error(transparent)]
    Engine(EngineError),
    /// The principles name different population tables.
    #[error("the policy specifies {n_files} different population tables")]
    SeveralPopulations {
        /// Number of population tables.
        n_files: usize,
    },
    /// Columns that would be published look like direct identifiers or single out rows.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The method of the policy cannot be applied.
    #[error(transparent)]
    Method(indistinct_methods::Error),
    /// Releases cannot be linked or planned as requested.
    #[error(transparent)]
    Linkage(LinkageError),
    /// Hierarchies or principles do not match the table, or a release or another file cannot be
    /// read or written.
    #[error(transparent)]
    Release(ReleaseError),
    /// The attribute is not a quasi-identifier of the policy.
    #[error("the policy has no attribute '{name}' with a hierarchy")]
    NoSuchAttribute {
        /// The requested name.
        name: String,
        /// The valid names.
        known: Vec<String>,
    },
    /// The method cannot be compared.
    #[error("cannot compare the method '{name}'")]
    NoSuchMethod {
        /// The requested name.
        name: String,
        /// The valid names.
        known: Vec<String>,
    },
    /// No principle of the policy has the parameter.
    #[error("no principle of the policy has the numeric parameter '{name}'")]
    NoSuchParameter {
        /// The principle and the parameter.
        name: String,
        /// The valid names.
        known: Vec<String>,
    },
    /// An example cannot be written.
    #[error(transparent)]
    Generate(GenerateError),
    /// An attack cannot be tried.
    #[error(transparent)]
    Attack(#[from] AttackError),
    /// A measure cannot be computed.
    #[error(transparent)]
    Measure(indistinct_measure::Error),
    /// A plan cannot be created, read, or applied.
    #[error(transparent)]
    Plan(#[from] PlanProblem),
    /// The number of threads cannot be set.
    #[error("cannot start the threads: {reason}")]
    Threads {
        /// The reason reported by the thread pool.
        reason: String,
    },
    /// The table has no such column.
    #[error("the table has no column '{name}'")]
    NoSuchColumn {
        /// The requested name.
        name: String,
        /// The valid names.
        known: Vec<String>,
    },
    /// Some survey weights are not positive numbers.
    #[error("column '{column}' contains no positive weight in {}", words::rows(*n_rows))]
    RowWeights {
        /// The name of the weight column.
        column: String,
        /// Number of rows without a valid weight.
        n_rows: u64,
    },
    /// The population lacks quasi-identifiers of the table.
    #[error("the population lacks {}: {}", if missing.len() == 1 { "a quasi-identifier" } else { "quasi-identifiers" }, missing.join(", "))]
    PopulationColumns {
        /// The missing quasi-identifiers.
        missing: Vec<String>,
    },
    /// A project of another program cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The policy has a requirement on earlier releases, but no ledger is given.
    #[error("the policy requires linkage with earlier releases, but no ledger is given")]
    NoLedger,
    /// A release to be recorded does not match its certificate.
    #[error("'{}' does not match its certificate", path.display())]
    NotVerified {
        /// The release directory.
        path: std::path::PathBuf,
    },
    /// The ledger does not support releases with generated sensitive values, such as perturbed
    /// values.
    #[error("a ledger cannot link releases with perturbed values or class centers")]
    PerturbedInLedger,
    /// The ledger treats every row as one person, but the policy allows several rows per person.
    #[error(
        "the ledger treats each row as one person, but [people] allows several rows per person"
    )]
    PeopleInLedger,
    /// The observer canceled the request.
    #[error("cancelled")]
    Cancelled,
}

/// An error message that is ready to be displayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The stable error code.
    pub code: String,
    /// The problem and its location.
    pub text: String,
    /// How to resolve the problem.
    pub help: Option<String>,
}

impl Message {
    fn from_error(error: &dyn Coded) -> Self {
        Self { code: error.code().to_owned(), text: error.to_string(), help: error.help() }
    }
}

impl From<PolicyErrors> for Error {
    fn from(errors: PolicyErrors) -> Self {
        Error::Policy(errors)
    }
}

impl From<EngineError> for Error {
    fn from(error: EngineError) -> Self {
        if matches!(error, EngineError::Cancelled) {
            Error::Cancelled
        } else {
            Error::Engine(error)
        }
    }
}

impl From<GenerateError> for Error {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Engine(error) => error.into(),
            error => Error::Generate(error),
        }
    }
}

impl From<HierarchyError> for Error {
    fn from(error: HierarchyError) -> Self {
        ReleaseError::from(error).into()
    }
}

impl From<ReleaseError> for Error {
    fn from(error: ReleaseError) -> Self {
        match error {
            ReleaseError::Cancelled => Error::Cancelled,
            ReleaseError::Policy(errors) => Error::Policy(errors),
            ReleaseError::Engine(error) => Error::Engine(error),
            error => Error::Release(error),
        }
    }
}

impl From<LinkageError> for Error {
    fn from(error: LinkageError) -> Self {
        match error {
            LinkageError::Cancelled => Error::Cancelled,
            error => Error::Linkage(error),
        }
    }
}

impl From<indistinct_measure::Error> for Error {
    fn from(error: indistinct_measure::Error) -> Self {
        match error {
            indistinct_measure::Error::Cancelled => Error::Cancelled,
            error => Error::Measure(error),
        }
    }
}

impl From<LinkProblem> for Error {
    fn from(problem: LinkProblem) -> Self {
        ReleaseError::from(problem).into()
    }
}

impl From<indistinct_methods::Error> for Error {
    fn from(error: indistinct_methods::Error) -> Self {
        use indistinct_methods::Error as OfMethod;
        match error {
            OfMethod::Engine(error) => error.into(),
            OfMethod::Release(error) => error.into(),
            OfMethod::Ledger(error) => error.into(),
            OfMethod::Linkage(error) => error.into(),
            OfMethod::Plan(error) => error.into(),
            OfMethod::Cancelled => Error::Cancelled,
            error => Error::Method(error),
        }
    }
}

impl From<NotCertified> for Error {
    fn from(refusal: NotCertified) -> Self {
        indistinct_methods::Error::from(refusal).into()
    }
}

impl Error {
    pub(crate) fn io(path: &Path, error: &std::io::Error) -> Self {
        ReleaseError::io(path, error).into()
    }

    /// Returns whether the observer canceled the request.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Error::Cancelled)
    }

    /// Returns all problems, each with a stable code and, if available, help text.
    ///
    /// With [`Values::Shown`], messages and help text may contain values from the table.
    pub fn messages(&self, values: Values) -> Vec<Message> {
        match self {
            Error::Policy(errors) => errors
                .problems
                .iter()
                .map(|problem| Message {
                    code: problem.code.as_str().to_owned(),
                    text: problem.message.clone(),
                    help: problem.help.clone(),
                })
                .collect(),
            Error::Release(error) => {
                let message = |(error, shown): (&dyn Coded, String)| match values {
                    Values::Shown => Message { text: shown, ..Message::from_error(error) },
                    Values::Hidden => Message::from_error(error),
                };
                error.each().into_iter().map(message).collect()
            }
            error => vec![Message::from_error(error)],
        }
    }
}

codes! {
    Error {
        Self::Policy(_) => "E-POLICY-000", "the policy is invalid or does not match the table",
            "see the message of each problem";
        Self::SeveralPopulations { .. } => "E-POPULATION-003",
            "principles specify different population tables",
            "specify the same population table in all principles";
        Self::NoSuchColumn { .. } => "E-PROFILE-001",
            "the table does not have the requested column",
            "use one of the names listed in the message";
        Self::RowWeights { .. } => "E-PROFILE-002", "survey weights are not positive numbers",
            "assign each row a weight above 0 (the number of people that it represents), or omit \
             --weights";
        Self::PopulationColumns { .. } => "E-PROFILE-003",
            "the population table lacks quasi-identifiers",
            "add every quasi-identifier of the table to the population, with the same name and the \
             same spelling of values";
        Self::NoSuchAttribute { .. } => "E-HIERARCHY-101", "the attribute is not a quasi-identifier of the policy",
            "use one of the names listed in the message";
        Self::NoSuchMethod { .. } => "E-COMPARE-001", "the method cannot be compared",
            "use one of the names listed in the message";
        Self::NoSuchParameter { .. } => "E-COMPARE-002",
            "no principle of the policy has the varied parameter",
            "use one of the names listed in the message";
        Self::Threads { .. } => "E-THREADS-001", "the number of threads cannot be set",
            "use a smaller number of --threads";
        Self::NoLedger => "E-LEDGER-101",
            "the policy requires linkage with earlier releases, but no ledger is given",
            "specify --ledger FILE ('indistinct ledger init FILE' creates a ledger), or remove \
             'minimum' from [linkage]";
        Self::PerturbedInLedger => "E-LEDGER-102",
            "a ledger cannot record releases with perturbed values or class centers",
            "omit the ledger or use a different method";
        Self::PeopleInLedger => "E-LEDGER-104",
            "a ledger does not support people with several rows",
            "omit the ledger or use a table with one row per person";
        Self::NotVerified { .. } => "E-LEDGER-103", "the release does not match its certificate",
            "run `indistinct verify DIR` to list the differences; a ledger records only verified \
             releases";
    }
    of {
        Self::Engine(error) => error;
        Self::Gate(error) => error;
        Self::Method(error) => error;
        Self::Release(error) => error;
        Self::Linkage(error) => error;
        Self::Attack(error) => error;
        Self::Import(error) => error;
        Self::Measure(error) => error;
        Self::Generate(error) => error;
        Self::Plan(error) => error;
        Self::Ledger(error) => error;
    }
    cancelled { Self::Cancelled }
    help {
        Self::NoSuchAttribute { known, .. }
        | Self::NoSuchMethod { known, .. }
        | Self::NoSuchParameter { known, .. }
        | Self::NoSuchColumn { known, .. } => {
            format!("valid names: {}", known.join(", "))
        };
    }
}
