//! The common error type of this crate.

use indistinct_diagnostics::errors;

use crate::belief::BeliefError;
use crate::certify::{NotCertified, TablesProblem};
use crate::hierarchy::HierarchyError;
use crate::model::PopulationError;
use crate::principle::BuildError;
use crate::recoding::perturbation::{GridError, PerturbationProblem};

errors! {
    /// All errors of this crate, with one variant for each area. Functions return the specific
    /// error type of their area; callers that use several areas can convert all errors to this
    /// type.
    #[derive(Clone, PartialEq)]
    pub enum Error {
    }
    wraps {
        /// A hierarchy is invalid or does not match a column.
        Hierarchy(#[from] HierarchyError),
        /// A principle cannot be used on a table.
        Principle(#[from] BuildError),
        /// A population table does not match a table.
        Population(#[from] PopulationError),
        /// The certifier rejects a proposal.
        Refused(#[from] NotCertified),
        /// Two tables do not belong to the same release.
        Tables(#[from] TablesProblem),
        /// A table cannot be perturbed with the requested settings.
        Perturbation(#[from] PerturbationProblem),
        /// The definition of a grid of equidistant numbers is invalid.
        Grid(#[from] GridError),
        /// A release and a prior contradict each other.
        Belief(#[from] BeliefError),
    }
}
