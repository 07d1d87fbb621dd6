//! What a sweep answers.

use std::sync::Arc;

use indistinct_core::Recoding;
use indistinct_core::model::Taxonomy;

use super::order::MAX_LEVEL_VECTORS;

/// The answer of a sweep.
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
    /// The recoding to certify: classes, parts of tuples where rows of one are in several, generalized secrets where
    /// there are any, and what is suppressed.
    pub recoding: Recoding,
    /// For each part (or tuple) the released node of the secret. Of no matter where it is suppressed.
    pub secrets: Vec<u32>,
    /// The taxonomy of the secret.
    pub taxonomy: Arc<Taxonomy>,
    /// Rows with a generalized secret.
    pub n_generalized: u64,
    /// Rows suppressed.
    pub n_suppressed: u64,
    /// Classes.
    pub n_classes: u64,
    /// The mean loss of the quasi-identifiers' cells (the `loss` of the registry).
    pub loss: f64,
    /// The share of the table's information that is retained, secrets included; suppressed rows retain none. ((tau, l)
    /// text, Definition 5)
    pub utility: f64,
    /// What the guarantee rests on; `None` where no secret is generalized.
    pub assumes: Option<&'static str>,
}

/// No recoding was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Infeasible {
    /// Whether it is proved that there is none that suppresses no row. With base values of unequal weights, or where some
    /// attribute may not be generalized to its root, there might be one.
    pub is_proved: bool,
    /// Rows that would have to be suppressed; `None` if no class of all rows holds either.
    pub n_suppressed_needed: Option<u64>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The observer cancelled.
    #[error("the sweep was cancelled")]
    Cancelled,
    /// The time was up.
    #[error("the time limit was reached before the sweep came to its end")]
    TimeLimit,
    /// The taxonomies have too many combinations of levels.
    #[error(
        "the quasi-identifiers have {n_vectors} combinations of levels, more than {MAX_LEVEL_VECTORS}"
    )]
    TooManyLevelVectors {
        /// How many.
        n_vectors: u128,
    },
    /// The nodes of a class do not fit into a key.
    #[error(
        "{n_attributes} quasi-identifiers with that many values are more than a sweep can handle"
    )]
    TooManyAttributes {
        /// Number of quasi-identifiers.
        n_attributes: usize,
    },
    /// Not one requirement that is judged on the nodes of a taxonomy.
    #[error(
        "a sweep serves one requirement on generalized secrets, the policy has {n_requirements}"
    )]
    NotOneTaxonomyRequirement {
        /// How many there are.
        n_requirements: usize,
    },
    /// A requirement that a sweep cannot serve.
    #[error("a sweep cannot serve '{kind}'")]
    NotServed {
        /// Its kind.
        kind: &'static str,
    },
    /// Other sensitive attributes as quasi-identifiers.
    #[error("a sweep cannot serve '{kind}' with others = \"quasi-identifier\"")]
    OthersNotServed {
        /// The kind of the requirement.
        kind: &'static str,
    },
    /// A secret has only base values of weight 0 (reading E-4).
    #[error("some secrets have only base values of weight 0")]
    NoWeight,
    /// A list with an entry for each quasi-identifier has another length.
    #[error("the sweep has {got} {what}, expected {expected}")]
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
}

impl SweepError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            SweepError::Cancelled => "E-SWEEP-001",
            SweepError::TimeLimit => "E-SWEEP-002",
            SweepError::TooManyLevelVectors { .. } => "E-SWEEP-003",
            SweepError::TooManyAttributes { .. } => "E-SWEEP-004",
            SweepError::NotOneTaxonomyRequirement { .. } => "E-SWEEP-005",
            SweepError::NotServed { .. } => "E-SWEEP-006",
            SweepError::OthersNotServed { .. } => "E-SWEEP-007",
            SweepError::NoWeight => "E-SWEEP-008",
            SweepError::Length { .. } => "E-SWEEP-009",
            SweepError::Bounds { .. } => "E-SWEEP-010",
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            SweepError::Cancelled | SweepError::Length { .. } | SweepError::NoWeight => None,
            SweepError::TimeLimit => Some("raise time_limit_seconds, or take fewer levels"),
            SweepError::TooManyLevelVectors { .. } => Some(
                "bound the levels of some attributes with min_level and max_level, or take fewer levels in their hierarchies",
            ),
            SweepError::TooManyAttributes { .. } => {
                Some("take fewer quasi-identifiers, or method = \"multidimensional\"")
            }
            SweepError::NotOneTaxonomyRequirement { .. } => Some(
                "a sweep is for one tau-l-diversity, beside k-anonymity; other methods serve other principles",
            ),
            SweepError::NotServed { .. } => Some(
                "take it out of the policy, or take method = \"multidimensional\", which generalizes no secret",
            ),
            SweepError::OthersNotServed { .. } => {
                Some("take others = \"ignored\", or another method")
            }
            SweepError::Bounds { .. } => Some("take levels that the hierarchy has"),
        }
    }
}
