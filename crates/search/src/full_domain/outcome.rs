//! What a search answers.

use indistinct_core::Recoding;

use super::lattice::MAX_NODES;

/// The answer of a search.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A node satisfies the policy.
    Found(Found),
    /// No node does.
    Infeasible(Infeasible),
}

/// The best node.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The level of each quasi-identifier.
    pub levels: Vec<usize>,
    /// The recoding to certify.
    pub recoding: Recoding,
    /// Rows suppressed.
    pub n_suppressed: u64,
    /// Classes of the release, that of starred rows included.
    pub n_classes: u64,
    /// The objective.
    pub objective: f64,
    /// Whether this is proved to be the optimum; false after a time limit.
    pub optimal: bool,
    /// The minimal nodes in lexicographic order, if they were asked for and the time sufficed.
    pub minimal_nodes: Option<Vec<Vec<usize>>>,
    /// The effort.
    pub statistics: Statistics,
}

/// No node satisfies the policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Infeasible {
    /// The node that comes nearest; `None` if the time was up before one was evaluated to the end.
    pub nearest: Option<Nearest>,
    /// The effort.
    pub statistics: Statistics,
}

/// The node that needs the fewest suppressed rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The level of each quasi-identifier.
    pub levels: Vec<usize>,
    /// Rows that would have to be suppressed; `None` if that does not help: starred rows fail a principle however many there
    /// are, or people of a population without a released row do.
    pub n_suppressed_needed: Option<u64>,
    /// Rows in classes in which a principle fails.
    pub n_failing_rows: u64,
}

/// The effort of a search. The same on any number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Nodes of the lattice.
    pub n_nodes: u64,
    /// Nodes whose classes were formed.
    pub n_evaluated: u64,
    /// Nodes that were decided without.
    pub n_pruned: u64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The observer cancelled.
    #[error("the search was cancelled")]
    Cancelled,
    /// The time was up before any node was found to satisfy the policy.
    #[error(
        "the time limit was reached after {n_evaluated} of {n_nodes} nodes, and none of them satisfies the policy"
    )]
    TimeLimit {
        /// Nodes evaluated.
        n_evaluated: u64,
        /// Nodes of the lattice.
        n_nodes: u64,
    },
    /// The lattice has too many nodes.
    #[error("the generalization lattice has {n_nodes} nodes, more than {MAX_NODES}")]
    LatticeTooLarge {
        /// How many; `u128::MAX` if even more.
        n_nodes: u128,
    },
    /// The labels of a row do not fit into the widest key.
    #[error(
        "{n_attributes} quasi-identifiers with that many values are more than the search can handle"
    )]
    TooManyAttributes {
        /// Number of quasi-identifiers.
        n_attributes: usize,
    },
    /// A list with an entry for each quasi-identifier has another length.
    #[error("the search has {got} {what}, expected {expected}")]
    Length {
        /// What is listed.
        what: &'static str,
        /// How many there are.
        got: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Bounds without a level of the hierarchy.
    #[error("attribute '{attribute}' has levels 0 to {highest}, but is bounded to {min} to {max}")]
    Bounds {
        /// The attribute.
        attribute: String,
        /// Lowest level asked for.
        min: usize,
        /// Highest level asked for.
        max: usize,
        /// Highest level of the hierarchy.
        highest: usize,
    },
    /// A principle on a population, of which classes with released values of their own say nothing.
    #[error("'{kind}' counts people of a population, which needs one level for each attribute")]
    CountsPopulation {
        /// The principle.
        kind: &'static str,
    },
    /// A weight that is no number of at least 0.
    #[error("the weight of attribute '{attribute}' is {got}, expected a number of at least 0")]
    Weight {
        /// The attribute.
        attribute: String,
        /// The weight.
        got: f64,
    },
    /// An objective that is not defined where classes have released values of their own.
    #[error(
        "'{objective}' counts levels of whole columns, and classes have released values of their own"
    )]
    NoObjectiveOfClasses {
        /// The objective.
        objective: &'static str,
    },
}

impl SearchError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            SearchError::Cancelled => "E-SEARCH-001",
            SearchError::TimeLimit { .. } => "E-SEARCH-002",
            SearchError::LatticeTooLarge { .. } => "E-SEARCH-003",
            SearchError::TooManyAttributes { .. } => "E-SEARCH-004",
            SearchError::Length { .. } => "E-SEARCH-005",
            SearchError::Bounds { .. } => "E-SEARCH-006",
            SearchError::Weight { .. } => "E-SEARCH-007",
            SearchError::CountsPopulation { .. } => "E-SEARCH-008",
            SearchError::NoObjectiveOfClasses { .. } => "E-SEARCH-009",
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            SearchError::Cancelled | SearchError::Length { .. } => None,
            SearchError::TimeLimit { .. } => Some(
                "raise `time_limit_seconds`, or narrow the search with minimum and maximum levels",
            ),
            SearchError::LatticeTooLarge { .. } => Some(
                "set minimum and maximum levels for some attributes, use hierarchies with fewer levels, or declare fewer quasi-identifiers",
            ),
            SearchError::TooManyAttributes { .. } => {
                Some("raise the minimum level of attributes with many values")
            }
            SearchError::Bounds { .. } => {
                Some("choose levels that the hierarchy has, the lowest first")
            }
            SearchError::Weight { .. } => Some("give a weight of 0 or more"),
            SearchError::CountsPopulation { .. } => Some("use method = \"full-domain\""),
            SearchError::NoObjectiveOfClasses { .. } => {
                Some("choose another objective, such as \"loss\", or method = \"full-domain\"")
            }
        }
    }
}
