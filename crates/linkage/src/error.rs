//! Errors of linkage.

use indistinct_diagnostics::{codes, words};

/// A request that is invalid or that the data cannot satisfy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkageError {
    /// No sensitive value has a positive probability, or the domain of sensitive values is empty.
    #[error("the number of sensitive values is 0, expected at least 1")]
    NoSensitiveValues,
    /// The parameter l is 0.
    #[error("l is 0, expected at least 1")]
    LBelowOne,
    /// The parameter l exceeds the number of sensitive values.
    #[error("l is {l}, expected at most {n_sensitive_values}, the number of sensitive values")]
    LAboveSensitiveValues {
        /// The requested value.
        l: u64,
        /// The number of sensitive values with positive probability.
        n_sensitive_values: u64,
    },
    /// The parameter k is 0.
    #[error("k is 0, expected at least 1")]
    KBelowOne,
    /// The failure probability is outside (0, 1).
    #[error("delta is {got}, expected a number above 0 and below 1")]
    DeltaOutOfRange {
        /// The specified value, rounded to the nearest floating-point number.
        got: f64,
    },
    /// The bound p is outside (0, 1].
    #[error("p is {got}, expected a number above 0 and at most 1")]
    POutOfRange {
        /// The specified value, rounded to the nearest floating-point number.
        got: f64,
    },
    /// No class can have l sensitive values that each have probability p.
    #[error(
        "no class can have {l} sensitive values of probability {got}: at most {largest} is possible"
    )]
    PTooLarge {
        /// The number of sensitive values.
        l: u64,
        /// The requested value.
        got: f64,
        /// p_l: the probability of the l-th most frequent sensitive value.
        largest: f64,
    },
    /// The specified error of the distribution is outside the interval [0, 1].
    #[error("eta is {got}, expected a number from 0 to 1")]
    EtaOutOfRange {
        /// The specified value, rounded to the nearest floating-point number.
        got: f64,
    },
    /// The confidence level is outside (0, 1).
    #[error("the confidence level is {got}, expected a number between 0 and 1, both excluded")]
    ConfidenceOutOfRange {
        /// The given value, as the nearest floating-point number.
        got: f64,
    },
    /// A probability or count is negative.
    #[error("entry {entry} is negative")]
    Negative {
        /// The position of the entry, counted from 0.
        entry: usize,
    },
    /// The probabilities do not sum to 1.
    #[error("the probabilities sum to {sum}, expected 1 within {tolerance}")]
    SumIsNotOne {
        /// The sum.
        sum: f64,
        /// The tolerance.
        tolerance: f64,
    },
    /// The distribution has no quasi-identifier combinations.
    #[error("the number of quasi-identifier combinations is 0, expected at least 1")]
    NoCombinations,
    /// The sum of the counts is too large.
    #[error("the sum of the counts exceeds the limit")]
    TooLarge,
    /// A class of a release refers to labels that the release does not contain.
    #[error("class {} of release {} refers to unknown labels", .class + 1, .release + 1)]
    UnknownLabel {
        /// The index of the release, counted from 0.
        release: usize,
        /// The index of the class, counted from 0.
        class: usize,
    },
    /// Some combinations have probability 0, but every combination must have a positive
    /// probability.
    #[error(
        "the distribution contains {} with probability 0",
        words::count(*n as u64, "quasi-identifier combination")
    )]
    ImpossibleCombinations {
        /// The number of combinations.
        n: usize,
    },
    /// The distribution of some classes does not have the required diversity, regardless of the
    /// number of rows.
    #[error(
        "the distribution of {} does not have the required diversity",
        words::count(*n_classes as u64, "class")
    )]
    NotDiverse {
        /// The number of classes.
        n_classes: usize,
    },
    /// The required number of rows exceeds the limit.
    #[error("more than {limit} rows are required")]
    TooManyRows {
        /// The limit.
        limit: u64,
    },
    /// Computing the exact probability would take too long.
    #[error(
        "the exact failure probability requires about {work} steps, above the limit of {limit}"
    )]
    TooMuchWork {
        /// The estimated number of steps.
        work: u64,
        /// The limit.
        limit: u64,
    },
    /// Linkage requires at least two releases.
    #[error("{} given, expected at least 2", words::count(*got as u64, "release"))]
    TooFewReleases {
        /// The number of releases.
        got: usize,
    },
    /// A release has no quasi-identifier in common with another release.
    #[error("release {} has no quasi-identifier in common with another release", .release + 1)]
    NoCommonQuasiIdentifier {
        /// The index of the release, counted from 0.
        release: usize,
    },
    /// A release has no sensitive attribute in common with another release.
    #[error("release {} has no sensitive attribute in common with another release", .release + 1)]
    NoCommonSensitiveAttribute {
        /// The index of the release, counted from 0.
        release: usize,
    },
    /// The generalizations of a column in two releases contradict each other.
    #[error(
        "the releases disagree on the values of {} of '{column}'",
        words::count(*n_labels as u64, "label")
    )]
    HierarchiesContradict {
        /// The column.
        column: String,
        /// The number of labels.
        n_labels: usize,
    },
    /// The number of distinct combinations of classes exceeds the limit.
    #[error(
        "the releases overlap in more than {} combinations of classes",
        words::thousands(*limit as u64)
    )]
    TooManyPatterns {
        /// The limit.
        limit: usize,
    },
    /// The total number of classes in all combinations exceeds the limit.
    #[error(
        "the overlapping combinations of classes contain more than {} classes in total",
        words::thousands(*limit as u64)
    )]
    TooManyFits {
        /// The limit.
        limit: usize,
    },
    /// The observer canceled the computation.
    #[error("cancelled")]
    Cancelled,
}

codes! {
    LinkageError {
        Self::NoSensitiveValues => "E-LINKAGE-001",
            "no sensitive value has a positive probability, or the domain of sensitive values is \
             empty",
            "give at least one sensitive value a positive probability";
        Self::LBelowOne => "E-LINKAGE-002", "l is 0",
            "use an l of at least 1";
        Self::LAboveSensitiveValues { .. } => "E-LINKAGE-003",
            "l exceeds the number of sensitive values",
            "use an l of at most the number of sensitive values that occur";
        Self::KBelowOne => "E-LINKAGE-004", "k is 0",
            "use a k of at least 1";
        Self::DeltaOutOfRange { .. } => "E-LINKAGE-005",
            "the failure probability is outside (0, 1)",
            "set delta to the largest acceptable failure probability, such as 0.01";
        Self::POutOfRange { .. } => "E-LINKAGE-006", "the bound p is outside (0, 1]",
            "use a number above 0 and at most 1, because p bounds a probability";
        Self::PTooLarge { .. } => "E-LINKAGE-007",
            "no class can have l sensitive values of probability p",
            "use a smaller p or a smaller l";
        Self::EtaOutOfRange { .. } => "E-LINKAGE-008",
            "the error of the distribution is outside [0, 1]",
            "use an error from 0 to 1";
        Self::Negative { .. } => "E-LINKAGE-009", "a probability or count is negative",
            "correct the distribution; probabilities and counts must be 0 or more";
        Self::SumIsNotOne { .. } => "E-LINKAGE-010", "the probabilities do not sum to 1",
            "use counts, or probabilities that sum to 1";
        Self::NoCombinations => "E-LINKAGE-011",
            "the distribution has no quasi-identifier combinations",
            "add a column to the distribution for each quasi-identifier of the policy";
        Self::TooLarge => "E-LINKAGE-012", "the sum of the counts is too large",
            "use smaller counts in the same proportions; if the counts come from a ledger, the \
             ledger may be corrupt: check it with 'indistinct ledger verify'";
        Self::UnknownLabel { .. } => "E-LINKAGE-013",
            "a class of a release refers to labels that the release does not have",
            "if the release is recorded in a ledger, the ledger may be corrupt: check it with \
             'indistinct ledger verify'";
        Self::ImpossibleCombinations { .. } => "E-LINKAGE-015",
            "a combination has probability 0, but each combination requires a positive probability",
            "remove combinations that do not occur";
        Self::NotDiverse { .. } => "E-LINKAGE-016",
            "the distribution of a class lacks the required diversity, regardless of the number of \
             rows",
            "merge classes, or use a smaller l";
        Self::TooManyRows { .. } => "E-LINKAGE-017",
            "the required number of rows exceeds the limit",
            "use a smaller l or a larger failure probability";
        Self::TooMuchWork { .. } => "E-LINKAGE-018",
            "the exact failure probability would take too long to compute",
            "use the sample size of the union bound instead";
        Self::TooFewReleases { .. } => "E-LINKAGE-019", "fewer than two releases are given",
            "give at least two releases";
        Self::TooManyPatterns { .. } | Self::TooManyFits { .. } => "E-LINKAGE-022",
            "the releases have too many distinct combinations of classes",
            "give the original table to link only the combinations of its people";
        Self::NoCommonQuasiIdentifier { .. } => "E-LINKAGE-025",
            "a release has no quasi-identifier in common with another release",
            "give matching columns the same name, or exclude the release";
        Self::NoCommonSensitiveAttribute { .. } => "E-LINKAGE-026",
            "a release has no sensitive attribute in common with another release",
            "give matching columns the same name, or exclude the release";
        Self::HierarchiesContradict { .. } => "E-LINKAGE-027",
            "two releases generalize a column in contradictory ways",
            "use labels that cover the same values in all releases";
        Self::ConfidenceOutOfRange { .. } => "E-LINKAGE-028",
            "the confidence level is outside (0, 1)",
            "use a level between 0 and 1, such as 0.95";
    }
    cancelled { Self::Cancelled }
}
