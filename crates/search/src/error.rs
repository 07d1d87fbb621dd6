//! Errors of searches.

use indistinct_core::UnservedRequirement;
use indistinct_core::model::NotNumbers;
use indistinct_diagnostics::{codes, words};

/// The maximum number of level vectors that the `sweep` method sorts.
pub(crate) const MAX_LEVEL_VECTORS: u128 = 1 << 22;

/// An error that prevents a search from returning a result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The observer cancelled the search.
    #[error("the search was cancelled")]
    Cancelled,
    /// The time limit expired before a recoding that satisfies the policy was found.
    #[error("the time limit expired before the search found a recoding or proved that none exists")]
    TimeLimit,
    /// The released values of a row do not fit into the widest supported key.
    #[error(
        "the released values of {n_attributes} quasi-identifiers exceed the limit of the search"
    )]
    TooManyAttributes {
        /// Number of quasi-identifiers.
        n_attributes: usize,
    },
    /// The length of a list differs from the number of quasi-identifiers.
    #[error("the search received {got} {what}, expected {expected}")]
    Length {
        /// The kind of entry.
        what: &'static str,
        /// Actual number of entries.
        got: usize,
        /// Expected number of entries.
        expected: usize,
    },
    /// The level bounds are inverted or exceed the levels of the hierarchy.
    #[error(
        "the level bounds {min} to {max} of '{attribute}' are not within its levels 0 to {highest}"
    )]
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
    /// A weight is negative or not finite.
    #[error("the weight of attribute '{attribute}' is {got}, expected a number of at least 0")]
    Weight {
        /// The attribute.
        attribute: String,
        /// The weight.
        got: f64,
    },
    /// The policy contains a principle on a population, which the search does not support for
    /// classes with their own released values.
    #[error("'{kind}' counts people in a population, which requires full-domain recoding")]
    CountsPopulation {
        /// The principle.
        kind: &'static str,
    },
    /// The objective is not defined for classes with their own released values.
    #[error("'{objective}' is undefined if classes have their own released values")]
    NoObjectiveOfClasses {
        /// The objective.
        objective: &'static str,
    },
    /// The policy contains a principle that the union of two classes may violate.
    #[error("this search does not support '{kind}', which the union of two classes may violate")]
    NotPreservedByMerging {
        /// The kind.
        kind: &'static str,
    },
    /// The search does not support other sensitive attributes as quasi-identifiers.
    #[error("this search does not support '{kind}' with other_sensitive = \"quasi-identifier\"")]
    OthersNotServed {
        /// The kind.
        kind: &'static str,
    },
    /// The taxonomies have too many combinations of levels.
    #[error(
        "the quasi-identifiers have {n_vectors} combinations of levels, expected at most \
         {MAX_LEVEL_VECTORS}"
    )]
    TooManyLevelVectors {
        /// Number of combinations of levels.
        n_vectors: u128,
    },
    /// The policy has no requirement, or several requirements, on generalized sensitive values.
    #[error(
        "the policy has {n_requirements} requirements on generalized sensitive values, expected one"
    )]
    NotOneTaxonomyRequirement {
        /// Number of requirements on generalized sensitive values.
        n_requirements: usize,
    },
    /// The policy contains a requirement that the `sweep` method does not support.
    #[error("method \"sweep\" does not support '{kind}'")]
    NotSwept {
        /// The kind of the requirement.
        kind: &'static str,
    },
    /// All base values of a sensitive value have weight 0 (reading E-4).
    #[error("all base values of a sensitive value have weight 0")]
    NoWeight,
    /// The policy has a requirement that a release of two separate tables cannot satisfy.
    #[error(transparent)]
    NotServed(#[from] UnservedRequirement),
    /// The table does not have exactly one sensitive attribute.
    #[error("the policy has {got} sensitive attributes, expected one")]
    SensitiveAttributes {
        /// Number of sensitive attributes.
        got: usize,
    },
    /// The policy releases suppressed rows as `*`, which this method does not support.
    #[error(
        "suppressed rows cannot be released as `*`, because their class may repeat sensitive values"
    )]
    Starred,
    /// The sensitive value of a person differs from earlier versions.
    #[error(
        "the sensitive value of {} in earlier versions",
        words::counted(*n_people, "person is not among those of their class",
            "people is not among those of their classes")
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
    #[error("the request has {} for {}", words::people(*got), words::rows(*expected))]
    People {
        /// Number of people.
        got: u64,
        /// Number of rows.
        expected: u64,
    },
}

codes! {
    SearchError {
        Self::Cancelled => "E-SEARCH-001", "the search was cancelled",
            "run the command again";
        Self::TimeLimit => "E-SEARCH-002",
            "the time limit expired before the search found a recoding",
            "increase time_limit_seconds, or narrow the search with minimum and maximum levels";
        Self::TooManyAttributes { .. } => "E-SEARCH-004",
            "too many quasi-identifiers or values for the search",
            "raise the minimum level of attributes with many values, or use fewer quasi-identifiers";
        Self::Length { .. } => "E-SEARCH-005",
            "a list does not have one entry for each quasi-identifier",
            "this is a bug in Indistinct or in a program that calls it; please report it";
        Self::Bounds { .. } => "E-SEARCH-006",
            "the level bounds of an attribute are not within its hierarchy",
            "use levels of the hierarchy, with the minimum not above the maximum";
        Self::Weight { .. } => "E-SEARCH-007",
            "the weight of an attribute is not a number of at least 0",
            "set the weight to a number of at least 0";
        Self::CountsPopulation { .. } => "E-SEARCH-008",
            "the method does not support principles on a population",
            "use method = \"full-domain\"";
        Self::NoObjectiveOfClasses { .. } => "E-SEARCH-009",
            "the objective is undefined if classes have their own released values",
            "choose another objective, such as \"loss\", or method = \"full-domain\"";
        Self::NotPreservedByMerging { .. } => "E-SEARCH-010",
            "the method does not support principles that the union of two classes may violate",
            "use method = \"multidimensional\"";
        Self::OthersNotServed { .. } => "E-SEARCH-011",
            "the method does not support other sensitive attributes as quasi-identifiers",
            "set other_sensitive = \"ignored\", or use another method";
        Self::TooManyLevelVectors { .. } => "E-SEARCH-012",
            "the taxonomies have too many combinations of levels",
            "remove levels or whole hierarchies; without a hierarchy, a released value is the \
             original or `*`";
        Self::NotOneTaxonomyRequirement { .. } => "E-SEARCH-013",
            "the policy does not have exactly one requirement on generalized sensitive values",
            "require one tau-l-diversity, alone or with k-anonymity, or use another method";
        Self::NotSwept { .. } => "E-SEARCH-014", "method \"sweep\" does not support the principle",
            "remove the principle, or use method = \"multidimensional\", which does not \
             generalize sensitive values";
        Self::NoWeight => "E-SEARCH-015",
            "all base values of a sensitive value have weight 0 (reading E-4)",
            "set the weight of at least one covered base value to a number above 0";
        Self::SensitiveAttributes { .. } => "E-SEARCH-016",
            "the policy does not have exactly one sensitive attribute",
            "give exactly one attribute the role \"sensitive\", or use another method";
        Self::Starred => "E-SEARCH-017", "the method cannot release suppressed rows as `*`",
            "set suppression = \"drop-rows\"";
        Self::ValueChanged { .. } => "E-SEARCH-018",
            "the sensitive value of a person differs from earlier versions",
            "correct the table, omit these people, or start a new series; a person's sensitive \
             value must not change";
        Self::NoNumbers { .. } => "E-SEARCH-020",
            "a column of recoding.aggregate does not contain numbers",
            "list only numeric columns in recoding.aggregate, and add markers for missing values \
             to null_values";
        Self::People { .. } => "E-SEARCH-019",
            "the number of people differs from the number of rows",
            "this is a bug in Indistinct or in a program that calls it; please report it";
    }
    of { Self::NotServed(error) => error; }
    help { Self::NoNumbers { problem: NotNumbers::TooManyDigits, .. } =>
        "round the numbers, or use a larger unit"; }
}
