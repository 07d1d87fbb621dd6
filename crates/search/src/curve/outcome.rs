//! What the curve answers.

use indistinct_core::Recoding;

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Every class holds.
    Found(Box<Found>),
    /// None was found in which every class holds.
    Infeasible(Infeasible),
}

/// A recoding in which every class holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The recoding to certify: classes, parts of tuples where rows of one are in several, and what is suppressed.
    pub recoding: Recoding,
    /// Rows suppressed.
    pub n_suppressed: u64,
    /// Classes.
    pub n_classes: u64,
    /// The mean loss of the cells (the `loss` of the registry).
    pub loss: f64,
}

/// No recoding was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Infeasible {
    /// Whether it is proved that no recoding satisfies the policy: certain where no row may be suppressed. Otherwise some
    /// other choice of suppressed rows might do.
    pub is_proved: bool,
    /// Rows in blocks that fail as a whole; a block are the rows that may be generalized to the same values.
    pub n_failing_rows: u64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CurveError {
    /// The observer cancelled.
    #[error("the search was cancelled")]
    Cancelled,
    /// The time was up.
    #[error("the time limit was reached before all rows were in a class")]
    TimeLimit,
    /// A principle that the union of two classes may violate.
    #[error("consecutive classes are no way to '{kind}': the union of two classes may violate it")]
    NotKeptByMerging {
        /// The kind.
        kind: &'static str,
    },
    /// A principle that counts a population.
    #[error(
        "classes with values of their own are no way to '{kind}', which counts the people of a population"
    )]
    CountsPopulation {
        /// The kind.
        kind: &'static str,
    },
    /// Other sensitive attributes as quasi-identifiers.
    #[error("method \"curve\" cannot serve '{kind}' with others = \"quasi-identifier\"")]
    OthersNotServed {
        /// The kind.
        kind: &'static str,
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
    /// A weight that is no number of at least 0.
    #[error("the weight of attribute '{attribute}' is {got}, expected a number of at least 0")]
    Weight {
        /// The attribute.
        attribute: String,
        /// The weight.
        got: f64,
    },
}

impl CurveError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            CurveError::Cancelled => "E-CURVE-001",
            CurveError::TimeLimit => "E-CURVE-002",
            CurveError::NotKeptByMerging { .. } => "E-CURVE-003",
            CurveError::CountsPopulation { .. } => "E-CURVE-004",
            CurveError::OthersNotServed { .. } => "E-CURVE-005",
            CurveError::Length { .. } => "E-CURVE-006",
            CurveError::Bounds { .. } => "E-CURVE-007",
            CurveError::Weight { .. } => "E-CURVE-008",
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            CurveError::Cancelled | CurveError::Length { .. } => None,
            CurveError::TimeLimit => Some("raise time_limit_seconds"),
            CurveError::NotKeptByMerging { .. } => {
                Some("method = \"multidimensional\" serves such principles")
            }
            CurveError::CountsPopulation { .. } => {
                Some("method = \"full-domain\" serves such principles")
            }
            CurveError::OthersNotServed { .. } => {
                Some("take others = \"ignored\", or another method")
            }
            CurveError::Bounds { .. } => Some("take levels that the hierarchy has"),
            CurveError::Weight { .. } => Some("take a weight of at least 0"),
        }
    }
}
