//! Errors of methods.

use indistinct_core::recoding::masking::MaskingProblem;
use indistinct_core::recoding::perturbation::PerturbationProblem;
use indistinct_core::{InvalidRecoding, NotCertified};
use indistinct_diagnostics::codes;
use indistinct_engine::EngineError;
use indistinct_ledger::LedgerError;
use indistinct_linkage::LinkageError;
use indistinct_release::ReleaseError;
use indistinct_search::SearchError;

use crate::invariant::PeopleProblem;
use crate::planned::PlanProblem;

/// An error that prevents a method from proposing a recoding, or a proposal from becoming a
/// release.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The search cannot start.
    #[error(transparent)]
    Search(SearchError),
    /// An internal error: the certifier rejected the proposal of the search. No file was written.
    #[error("the certifier rejected the recoding that the search proposed: {0}")]
    Refused(NotCertified),
    /// A minimum or maximum level exceeds the levels of a hierarchy.
    #[error("attribute '{attribute}' has levels 0 to {top}, but the policy requests level {level}")]
    Level {
        /// The attribute.
        attribute: String,
        /// The requested level.
        level: usize,
        /// The top level.
        top: usize,
    },
    /// The table cannot be perturbed as requested.
    #[error(transparent)]
    Perturbation(#[from] PerturbationProblem),
    /// The requested noise cannot be added to the table.
    #[error(transparent)]
    Masking(#[from] MaskingProblem),
    /// A plan cannot be created, read, or followed.
    #[error(transparent)]
    Plan(#[from] PlanProblem),
    /// The rows that belong to the same person cannot be determined.
    #[error(transparent)]
    People(#[from] PeopleProblem),
    /// The ledger, or the key for the people in the ledger, cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Releases cannot be linked or planned as requested.
    #[error(transparent)]
    Linkage(LinkageError),
    /// The operating system provides no random numbers.
    #[error("the operating system provides no random numbers: {reason}")]
    Random {
        /// The reason.
        reason: String,
    },
    /// The table cannot be read, or rows cannot be written.
    #[error(transparent)]
    Engine(EngineError),
    /// Hierarchies, principles, or a plan cannot be read or are incompatible with the table.
    #[error(transparent)]
    Release(ReleaseError),
    /// The observer requested cancellation.
    #[error("cancelled")]
    Cancelled,
}

codes! {
    Error {
        Self::Level { .. } => "E-HIERARCHY-102",
            "The policy requests a level that the hierarchy does not have.",
            "change min_level or max_level of the attribute";
        Self::Random { .. } => "E-RANDOM-001", "The operating system provides no random numbers.",
            "set a seed in [recoding]";
    }
    of {
        Self::Search(error) => error;
        Self::Refused(error) => error;
        Self::Perturbation(error) => error;
        Self::Masking(error) => error;
        Self::Plan(error) => error;
        Self::People(error) => error;
        Self::Ledger(error) => error;
        Self::Linkage(error) => error;
        Self::Engine(error) => error;
        Self::Release(error) => error;
    }
    cancelled { Self::Cancelled }
}

/// Converts errors of other crates; cancellation has a separate variant.
macro_rules! from_cancellable {
    ($($variant:ident($error:ident)),+) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                match error {
                    $error::Cancelled => Self::Cancelled,
                    error => Self::$variant(error),
                }
            }
        }
    )+};
}

from_cancellable!(
    Search(SearchError),
    Engine(EngineError),
    Linkage(LinkageError),
    Release(ReleaseError)
);

impl From<NotCertified> for Error {
    fn from(refusal: NotCertified) -> Self {
        match refusal {
            NotCertified::NotServed(error) => Self::Search(error.into()),
            NotCertified::Masking(error) => Self::Masking(error),
            refusal => Self::Refused(refusal),
        }
    }
}

impl From<InvalidRecoding> for Error {
    fn from(invalid: InvalidRecoding) -> Self {
        Self::Refused(invalid.into())
    }
}
