//! The errors of all requests.

use std::path::Path;

use indistinct_attack::AttackError;
use indistinct_core::NotCertified;
use indistinct_core::hierarchy::HierarchyError;
use indistinct_diagnostics::{Coded, errors, words};
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

errors! {
    /// The error of a request. If a policy is infeasible or a claim is false, the request returns
    /// an answer instead.
    #[non_exhaustive]
    pub enum Error {
        /// The policy is invalid or does not match the table.
        #[error("{0}")]
        #[code("E-POLICY-000", "see the message about each problem")]
        Policy(PolicyErrors),
        /// Principles specify different population tables.
        #[error("the policy specifies {n_files} different population tables")]
        #[code("E-POPULATION-003", "specify the same population table in all principles")]
        SeveralPopulations {
            /// Number of population tables.
            n_files: usize,
        },
        /// The attribute is not a quasi-identifier of the policy.
        #[error("the policy has no attribute '{name}' with a hierarchy")]
        #[code("E-HIERARCHY-101", "use one of the names listed in the message")]
        NoSuchAttribute {
            /// The requested name.
            name: String,
            /// The valid names.
            known: Vec<String>,
        },
        /// The method cannot be compared.
        #[error("cannot compare the method '{name}'")]
        #[code("E-COMPARE-001", "use one of the names listed in the message")]
        NoSuchMethod {
            /// The requested name.
            name: String,
            /// The valid names.
            known: Vec<String>,
        },
        /// No principle of the policy has the varied parameter.
        #[error("no principle of the policy has the numeric parameter '{name}'")]
        #[code("E-COMPARE-002", "use one of the names listed in the message")]
        NoSuchParameter {
            /// The principle and the parameter.
            name: String,
            /// The valid names.
            known: Vec<String>,
        },
        /// The number of threads cannot be set.
        #[error("cannot start the threads: {reason}")]
        #[code("E-THREADS-001", "use a smaller number of --threads")]
        Threads {
            /// The reason reported by the thread pool.
            reason: String,
        },
        /// The table does not have the requested column.
        #[error("the table has no column '{name}'")]
        #[code("E-PROFILE-001", "use one of the names listed in the message")]
        NoSuchColumn {
            /// The requested name.
            name: String,
            /// The valid names.
            known: Vec<String>,
        },
        /// Survey weights are not positive numbers.
        #[error("column '{column}' contains no positive weight in {}", words::rows(*n_rows))]
        #[code("E-PROFILE-002", "assign each row a weight above 0 (the number of people that it \
                represents), or omit the weights")]
        RowWeights {
            /// The name of the weight column.
            column: String,
            /// Number of rows without a valid weight.
            n_rows: u64,
        },
        /// The policy coarsens the column of survey weights.
        #[error("the policy coarsens column '{column}', so it does not contain the exact weights")]
        #[code("E-PROFILE-004", "remove 'coarsen' from the column, or omit --weights")]
        CoarsenedWeights {
            /// The name of the weight column.
            column: String,
        },
        /// The population table lacks quasi-identifiers.
        #[error(
            "the population lacks {}: {}",
            if missing.len() == 1 { "a quasi-identifier" } else { "quasi-identifiers" },
            missing.join(", ")
        )]
        #[code("E-PROFILE-003", "add every quasi-identifier of the table to the population, with \
                the same name and the same spelling of values")]
        PopulationColumns {
            /// The missing quasi-identifiers.
            missing: Vec<String>,
        },
        /// The policy requires linkage with earlier releases, but no ledger is given.
        #[error("the policy requires linkage with earlier releases, but no ledger is given")]
        #[code("E-LEDGER-101", "specify --ledger FILE ('indistinct ledger init FILE' creates a \
                ledger), or remove 'minimum' from [linkage]")]
        NoLedger,
        /// The release does not match its certificate.
        #[error("'{}' does not match its certificate", path.display())]
        #[code("E-LEDGER-103", "run `indistinct verify DIR` to list the differences; a ledger \
                records only verified releases")]
        NotVerified {
            /// The release directory.
            path: std::path::PathBuf,
        },
        /// A ledger cannot record releases with perturbed values or class centers.
        #[error("a ledger cannot link releases with perturbed values or class centers")]
        #[code("E-LEDGER-102", "omit the ledger or use a different method")]
        PerturbedInLedger,
        /// A ledger does not support people with several rows.
        #[error(
            "the ledger treats each row as one person, but [people] allows several rows per person"
        )]
        #[code("E-LEDGER-104", "omit the ledger or use a table with one row per person")]
        PeopleInLedger,
    }
    wraps {
        /// The input cannot be read, or the release cannot be written.
        Engine(EngineError),
        /// Columns that would be published look like direct identifiers.
        Gate(#[from] GateError),
        /// The method of the policy cannot be applied.
        Method(indistinct_methods::Error),
        /// Releases cannot be linked or planned as requested.
        Linkage(LinkageError),
        /// Hierarchies or principles do not match the table, or a release or another file cannot be
        /// read or written.
        Release(ReleaseError),
        /// An example cannot be written.
        Generate(GenerateError),
        /// An attack cannot be tried.
        Attack(#[from] AttackError),
        /// A measure cannot be computed.
        Measure(indistinct_measure::Error),
        /// A plan cannot be created, read, or applied.
        Plan(#[from] PlanProblem),
        /// A project of another program cannot be imported.
        Import(#[from] ImportError),
        /// The ledger cannot be used.
        Ledger(#[from] LedgerError),
    }
    cancelled {
        /// The observer canceled the request.
        Cancelled,
    }
    help {
        Self::NoSuchAttribute { known, .. }
        | Self::NoSuchMethod { known, .. }
        | Self::NoSuchParameter { known, .. }
        | Self::NoSuchColumn { known, .. } => {
            format!("valid names: {}", known.join(", "))
        };
    }
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
