//! Everything that can go wrong here.

use indistinct_diagnostics::codes;

use crate::belief::BeliefError;
use crate::certify::{NotCertified, TablesProblem};
use crate::hierarchy::HierarchyError;
use crate::model::PopulationError;
use crate::principle::BuildError;
use crate::recoding::perturbation::{GridError, PerturbationProblem};

/// Everything that can go wrong here, an area each. A function answers with the error of its area, whose variants say what can
/// happen there; who calls into several areas needs this one alone.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A hierarchy is wrong, or does not fit a column.
    #[error(transparent)]
    Hierarchy(#[from] HierarchyError),
    /// A principle cannot be used on a table.
    #[error(transparent)]
    Principle(#[from] BuildError),
    /// A population table does not go with a table.
    #[error(transparent)]
    Population(#[from] PopulationError),
    /// The certifier refuses what it was given.
    #[error(transparent)]
    Refused(#[from] NotCertified),
    /// Two tables are not those of one release.
    #[error(transparent)]
    Tables(#[from] TablesProblem),
    /// A table cannot be perturbed as asked.
    #[error(transparent)]
    Perturbation(#[from] PerturbationProblem),
    /// No such numbers at equal distances exist.
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
