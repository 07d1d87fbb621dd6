//! Errors of searches.

use indistinct_core::UnservedRequirement;
use indistinct_core::model::NotNumbers;
use indistinct_diagnostics::{errors, words};

/// The maximum number of level vectors that the `sweep` method sorts.
pub(crate) const MAX_LEVEL_VECTORS: u128 = 1 << 22;

errors! {
    /// An error that prevents a search from returning a result.
    #[derive(Clone, PartialEq)]
    #[non_exhaustive]
    pub enum SearchError {
        /// The search was cancelled.
        #[error("the search was cancelled")]
        #[code("E-SEARCH-001", "run the command again")]
        Cancelled,
        /// The time limit expired before the search found a recoding.
        #[error(
            "the time limit expired before the search found a recoding or proved that no recoding \
             exists"
        )]
        #[code("E-SEARCH-002", "increase time_limit_seconds, or restrict the search with minimum \
                and maximum levels")]
        TimeLimit,
        /// Too many quasi-identifiers or values for the search.
        #[error(
            "the released values of {n_attributes} quasi-identifiers exceed the limit of the search"
        )]
        #[code("E-SEARCH-004", "raise the minimum level of attributes with many values, or use \
                fewer quasi-identifiers")]
        TooManyAttributes {
            /// Number of quasi-identifiers.
            n_attributes: usize,
        },
        /// A list does not have one entry for each quasi-identifier.
        #[error("the search received {got} {what}, expected {expected}")]
        #[code("E-SEARCH-005", "this is a bug in Indistinct or in a program that calls it; please \
                report it")]
        Length {
            /// The kind of entry.
            what: &'static str,
            /// Actual number of entries.
            got: usize,
            /// Expected number of entries.
            expected: usize,
        },
        /// The level bounds of an attribute are not within its hierarchy.
        #[error(
            "the level bounds {min} to {max} of '{attribute}' are not within its levels 0 to \
             {highest}"
        )]
        #[code("E-SEARCH-006", "use levels of the hierarchy, with the minimum not above the \
                maximum")]
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
        /// The weight of an attribute is not a number of at least 0.
        #[error("the weight of attribute '{attribute}' is {got}, expected a number of at least 0")]
        #[code("E-SEARCH-007", "set the weight to a number of at least 0")]
        Weight {
            /// The attribute.
            attribute: String,
            /// The weight.
            got: f64,
        },
        /// The method does not support principles on a population.
        #[error("'{kind}' counts people in a population, which requires full-domain recoding")]
        #[code("E-SEARCH-008", "use method = \"full-domain\"")]
        CountsPopulation {
            /// The principle.
            kind: &'static str,
        },
        /// The objective is undefined if classes have their own released values.
        #[error("'{objective}' is undefined if classes have their own released values")]
        #[code("E-SEARCH-009", "choose another objective, such as \"loss\", or method = \
                \"full-domain\"")]
        NoObjectiveOfClasses {
            /// The objective.
            objective: &'static str,
        },
        /// The method does not support principles that the union of two classes may violate.
        #[error(
            "this search does not support '{kind}', which the union of two classes may violate"
        )]
        #[code("E-SEARCH-010", "use method = \"multidimensional\"")]
        NotPreservedByMerging {
            /// The kind.
            kind: &'static str,
        },
        /// The method does not support other sensitive attributes as quasi-identifiers.
        #[error(
            "this search does not support '{kind}' with other_sensitive = \"quasi-identifier\""
        )]
        #[code("E-SEARCH-011", "set other_sensitive = \"ignored\", or use another method")]
        OthersNotServed {
            /// The kind.
            kind: &'static str,
        },
        /// The taxonomies have too many combinations of levels.
        #[error(
            "the quasi-identifiers have {n_vectors} combinations of levels, expected at most \
             {MAX_LEVEL_VECTORS}"
        )]
        #[code("E-SEARCH-012", "remove levels or whole hierarchies; without a hierarchy, a \
                released value is either the original value or `*`")]
        TooManyLevelVectors {
            /// Number of combinations of levels.
            n_vectors: u128,
        },
        /// The policy does not have exactly one requirement on generalized sensitive values.
        #[error(
            "the policy has {n_requirements} requirements on generalized sensitive values, \
             expected one"
        )]
        #[code("E-SEARCH-013", "require one tau-l-diversity, alone or with k-anonymity, or use \
                another method")]
        NotOneTaxonomyRequirement {
            /// Number of requirements on generalized sensitive values.
            n_requirements: usize,
        },
        /// The method "sweep" does not support the principle.
        #[error("method \"sweep\" does not support '{kind}'")]
        #[code("E-SEARCH-014", "remove the principle, or use method = \"multidimensional\", which \
                does not generalize sensitive values")]
        NotSwept {
            /// The kind of the requirement.
            kind: &'static str,
        },
        /// All base values of a sensitive value have weight 0 (reading E-4).
        #[error("all base values of a sensitive value have weight 0")]
        #[code("E-SEARCH-015", "set the weight of at least one covered base value to a number \
                above 0")]
        NoWeight,
        /// The policy does not have exactly one sensitive attribute.
        #[error("the policy has {got} sensitive attributes, expected one")]
        #[code("E-SEARCH-016", "give exactly one attribute the role \"sensitive\", or use another \
                method")]
        SensitiveAttributes {
            /// Number of sensitive attributes.
            got: usize,
        },
        /// The method cannot release suppressed rows as `*`.
        #[error(
            "suppressed rows cannot be released as `*`, because their class may repeat sensitive \
             values"
        )]
        #[code("E-SEARCH-017", "set suppression = \"drop-rows\"")]
        Starred,
        /// A person's sensitive value differs from earlier versions.
        #[error(
            "the sensitive value of {} in earlier versions",
            words::counted(*n_people, "person is not among those of their class",
                "people is not among those of their classes")
        )]
        #[code("E-SEARCH-018", "correct the table, omit these people, or start a new series; a \
                person's sensitive value must not change")]
        ValueChanged {
            /// Number of affected people.
            n_people: u64,
        },
        /// A column of recoding.aggregate does not contain numbers.
        #[error("attribute '{attribute}' cannot be aggregated: {problem}")]
        #[code("E-SEARCH-020", "list only numeric columns in recoding.aggregate, and add \
                markers for missing values to null_values")]
        NoNumbers {
            /// The attribute.
            attribute: String,
            /// The reason.
            problem: NotNumbers,
        },
        /// The number of people differs from the number of rows.
        #[error("the request has {} for {}", words::people(*got), words::rows(*expected))]
        #[code("E-SEARCH-019", "this is a bug in Indistinct or in a program that calls it; please \
                report it")]
        People {
            /// Number of people.
            got: u64,
            /// Number of rows.
            expected: u64,
        },
    }
    wraps {
        /// The policy has a requirement that a release of two separate tables cannot satisfy.
        NotServed(#[from] UnservedRequirement),
    }
    help { Self::NoNumbers { problem: NotNumbers::TooManyDigits, .. } =>
        "round the numbers, or use a larger unit"; }
}
