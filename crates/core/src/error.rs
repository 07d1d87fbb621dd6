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
        Hierarchy(HierarchyError),
        /// A principle cannot be used on a table.
        Principle(BuildError),
        /// A population table does not match a table.
        Population(PopulationError),
        /// The certifier rejects a proposal.
        Refused(NotCertified),
        /// Two tables do not belong to the same release.
        Tables(TablesProblem),
        /// A table cannot be perturbed with the requested settings.
        Perturbation(PerturbationProblem),
        /// The definition of a grid of equidistant numbers is invalid.
        Grid(GridError),
        /// A release and a prior contradict each other.
        Belief(BeliefError),
    }
}
