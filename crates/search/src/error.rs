//! Errors of searches.

use indistinct_core::UnservedRequirement;
use indistinct_core::model::NotNumbers;
use indistinct_diagnostics::{codes, words};

/// The maximum number of level vectors that a sweep sorts.
pub(crate) const MAX_LEVEL_VECTORS: u128 = 1 << 22;

/// An error that prevents a search from returning a result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The observer cancelled the search.
    #[error("the search was cancelled")]
    Cancelled,
    /// The time limit expired before a recoding that satisfies the policy was found.
    #[error(
        "the time limit was reached before a recoding that satisfies the policy was found or proved impossible"
    )]
    TimeLimit,
    /// The released values of a row do not fit into the widest supported key.
    #[error(
        "{n_attributes} quasi-identifiers with that many values are more than the search can handle"
    )]
    TooManyAttributes {
        /// Number of quasi-identifiers.
        n_attributes: usize,
    },
    /// The length of a list differs from the number of quasi-identifiers.
    #[error("the search has {got} {what}, expected {expected}")]
    Length {
        /// The kind of entry.
        what: &'static str,
        /// Actual number of entries.
        got: usize,
        /// Expected number of entries.
        expected: usize,
    },
    /// The level bounds are inverted or exceed the levels of the hierarchy.
    #[error("attribute '{attribute}' has levels 0 to {highest}, but is bounded to {min} to {max}")]
    Bounds {
        /// The attribute.
        attribute: String,
        /// Requested lowest level.
        min: usize,
        /// Requested highest level.
        max: usize,
        /// Highest level of the hierarchy.
        highest: usize,
    },
    /// A weight is not a finite number of at least 0.
    #[error("the weight of attribute '{attribute}' is {got}, expected a number of at least 0")]
    Weight {
        /// The attribute.
        attribute: String,
        /// The weight.
        got: f64,
    },
    /// The policy contains a principle on a population, which the search does not support for
    /// classes with their own released values.
    #[error("'{kind}' counts people of a population, which needs one level for each attribute")]
    CountsPopulation {
        /// The principle.
        kind: &'static str,
    },
    /// The objective is not defined for classes with their own released values.
    #[error(
        "'{objective}' counts levels of whole columns, but classes have their own released values"
    )]
    NoObjectiveOfClasses {
        /// The objective.
        objective: &'static str,
    },
    /// The policy contains a principle that the union of two classes may violate.
    #[error(
        "'{kind}' cannot be guaranteed by this search: the union of two classes may violate it"
    )]
    NotPreservedByMerging {
        /// The kind.
        kind: &'static str,
    },
    /// The search does not support other sensitive attributes as quasi-identifiers.
    #[error("this search cannot serve '{kind}' with other_sensitive = \"quasi-identifier\"")]
    OthersNotServed {
        /// The kind.
        kind: &'static str,
    },
    /// The taxonomies have too many combinations of levels.
    #[error(
        "the quasi-identifiers have {n_vectors} combinations of levels, more than {MAX_LEVEL_VECTORS}"
    )]
    TooManyLevelVectors {
        /// Number of combinations of levels.
        n_vectors: u128,
    },
    /// The policy does not have exactly one requirement on generalized sensitive values.
    #[error(
        "a sweep serves one requirement on generalized sensitive values, the policy has {n_requirements}"
    )]
    NotOneTaxonomyRequirement {
        /// Number of such requirements.
        n_requirements: usize,
    },
    /// The policy contains a requirement that a sweep does not support.
    #[error("a sweep cannot serve '{kind}'")]
    NotSwept {
        /// The kind of the requirement.
        kind: &'static str,
    },
    /// All base values of a sensitive value have weight 0 (reading E-4).
    #[error("some sensitive values have only base values of weight 0")]
    NoWeight,
    /// The policy has a requirement that two separate tables cannot satisfy.
    #[error(transparent)]
    NotServed(#[from] UnservedRequirement),
    /// The table does not have exactly one sensitive attribute.
    #[error("there are {got} sensitive attributes, expected one")]
    SensitiveAttributes {
        /// Number of sensitive attributes.
        got: usize,
    },
    /// The policy stars suppressed rows, which this method does not support.
    #[error("starred rows would make a class in which sensitive values repeat")]
    Starred,
    /// The sensitive value of a person differs from earlier versions.
    #[error(
        "the sensitive value of {} in earlier versions",
        words::counted(*n_people, "person is not among those of their class", "people is not among those of their classes")
    )]
    ValueChanged {
        /// Number of affected people.
        n_people: u64,
    },
    /// A column to be aggregated does not contain valid numbers.
    #[error("attribute '{attribute}' cannot be aggregated: {problem}")]
    NoNumbers {
        /// The attribute.
        attribute: String,
        /// The reason.
        problem: NotNumbers,
    },
    /// The number of people differs from the number of rows.
    #[error("there are {} for {}", words::people(*got), words::rows(*expected))]
    People {
        /// Number of people.
        got: u64,
        /// Number of rows.
        expected: u64,
    },
}

codes! {
    SearchError {
        Self::Cancelled => "E-SEARCH-001", "the observer cancelled",
            "start it again";
        Self::TimeLimit => "E-SEARCH-002", "the time was up before anything was found to satisfy the policy",
            "raise time_limit_seconds, or narrow the search with minimum and maximum levels";
        Self::TooManyAttributes { .. } => "E-SEARCH-004", "the released values of a row do not fit into the widest key",
            "raise the minimum level of attributes with many values, or take fewer quasi-identifiers";
        Self::Length { .. } => "E-SEARCH-005", "a list with an entry for each quasi-identifier has another length",
            "this is a fault of Indistinct, or of a program that calls it. Please report it";
        Self::Bounds { .. } => "E-SEARCH-006", "bounds without a level of the hierarchy",
            "choose levels that the hierarchy has, the lowest first";
        Self::Weight { .. } => "E-SEARCH-007", "a weight is not a number of at least 0",
            "give a weight of 0 or more";
        Self::CountsPopulation { .. } => "E-SEARCH-008", "a principle on a population, which classes with their own released values cannot satisfy",
            "use method = \"full-domain\"";
        Self::NoObjectiveOfClasses { .. } => "E-SEARCH-009", "an objective that is not defined if classes have their own released values",
            "choose another objective, such as \"loss\", or method = \"full-domain\"";
        Self::NotPreservedByMerging { .. } => "E-SEARCH-010", "a principle that the union of two classes may violate",
            "method = \"multidimensional\" serves such principles";
        Self::OthersNotServed { .. } => "E-SEARCH-011", "other sensitive attributes as quasi-identifiers",
            "take other_sensitive = \"ignored\", or another method";
        Self::TooManyLevelVectors { .. } => "E-SEARCH-012", "the taxonomies have too many combinations of levels",
            "take fewer levels in the hierarchies of some attributes, or leave a hierarchy out: then a value is itself or `*`";
        Self::NotOneTaxonomyRequirement { .. } => "E-SEARCH-013", "not one requirement that is judged on the nodes of a taxonomy",
            "a sweep supports one tau-l-diversity in addition to k-anonymity; other methods support other principles";
        Self::NotSwept { .. } => "E-SEARCH-014", "a requirement that a sweep cannot serve",
            "take it out of the policy, or take method = \"multidimensional\", which generalizes no sensitive value";
        Self::NoWeight => "E-SEARCH-015", "a sensitive value has only base values of weight 0 (reading E-4)",
            "give at least one of the base values that it covers a weight above 0";
        Self::SensitiveAttributes { .. } => "E-SEARCH-016", "not exactly one sensitive attribute",
            "give one attribute the role \"sensitive\", or take another method";
        Self::Starred => "E-SEARCH-017", "suppressed rows that are to be written",
            "take suppression = \"drop-rows\"";
        Self::ValueChanged { .. } => "E-SEARCH-018", "the sensitive value of a person differs from earlier versions",
            "a sensitive value must not change from version to version: correct the table, omit these people, or start a new series";
        Self::NoNumbers { .. } => "E-SEARCH-020", "a column without numbers, whose numbers are to be aggregated",
            "name columns of numbers in recoding.aggregate, and texts that stand for a missing value in null_values; other columns stay as they are within a class";
        Self::People { .. } => "E-SEARCH-019", "not one person for each row",
            "this is a fault of Indistinct, or of a program that calls it. Please report it";
    }
    of { Self::NotServed(error) => error; }
    help { Self::NoNumbers { problem: NotNumbers::TooManyDigits, .. } => "round the numbers, or write them in a larger unit"; }
}
