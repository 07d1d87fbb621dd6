//! The common error type of this crate.

use indistinct_diagnostics::codes;

use crate::belief::BeliefError;
use crate::certify::{NotCertified, TablesProblem};
use crate::hierarchy::HierarchyError;
use crate::model::PopulationError;
use crate::principle::BuildError;
use crate::recoding::perturbation::{GridError, PerturbationProblem};

/// All errors of this crate, with one variant for each area. Functions return the specific error
/// type of their area; callers that use several areas can convert all errors to this type.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A hierarchy is invalid or does not match a column.
    #[error(transparent)]
    Hierarchy(#[from] HierarchyError),
    /// A principle cannot be used on a table.
    #[error(transparent)]
    Principle(#[from] BuildError),
    /// A population table does not match a table.
    #[error(transparent)]
    Population(#[from] PopulationError),
    /// The certifier rejects a proposal.
    #[error(transparent)]
    Refused(#[from] NotCertified),
    /// Two tables do not belong to one release.
    #[error(transparent)]
    Tables(#[from] TablesProblem),
    /// A table cannot be perturbed with the requested settings.
    #[error(transparent)]
    Perturbation(#[from] PerturbationProblem),
    /// The definition of a grid of equidistant numbers is invalid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A release and a prior contradict each other.
    #[error(transparent)]
    Belief(#[from] BeliefError),
}

codes! {
    Error {}
    of {
        Self::Hierarchy(error) => error;
        Self::Principle(error) => error;
        Self::Population(error) => error;
        Self::Refused(error) => error;
        Self::Tables(error) => error;
        Self::Perturbation(error) => error;
        Self::Grid(error) => error;
        Self::Belief(error) => error;
    }
}
