//! Why there is no answer.

/// A request that makes no sense, or that needs more than there is.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkageError {
    /// No secret has a positive probability, or the domain of secrets is empty.
    #[error("there are no secrets")]
    NoSecrets,
    /// l of 0.
    #[error("l is 0, expected at least 1")]
    LBelowOne,
    /// More values are asked for than there are.
    #[error("l is {l}, but there are only {n_secrets} secrets")]
    LAboveSecrets {
        /// What is asked for.
        l: u64,
        /// How many secrets have a positive probability.
        n_secrets: u64,
    },
    /// k of 0.
    #[error("k is 0, expected at least 1")]
    KBelowOne,
    /// A failure probability outside (0, 1).
    #[error("delta is {got}, expected a number above 0 and below 1")]
    DeltaOutOfRange {
        /// The nearest double.
        got: f64,
    },
    /// A bound p outside (0, 1].
    #[error("p is {got}, expected a number above 0 and at most 1")]
    POutOfRange {
        /// The nearest double.
        got: f64,
    },
    /// No class can have l secrets of probability p.
    #[error("no class can have {l} secrets of probability {got}: at most {largest} is possible")]
    PTooLarge {
        /// The number of secrets.
        l: u64,
        /// What is asked for.
        got: f64,
        /// p_l: the probability of the l-th most frequent secret.
        largest: f64,
    },
    /// An error of the distribution outside [0, 1].
    #[error("eta is {got}, expected a number from 0 to 1")]
    EtaOutOfRange {
        /// The nearest double.
        got: f64,
    },
    /// A negative probability or count.
    #[error("entry {entry} is negative")]
    Negative {
        /// The position of the entry, from 0.
        entry: usize,
    },
    /// Probabilities that do not sum to 1.
    #[error("the probabilities sum to {sum}, expected 1 within {tolerance}")]
    SumIsNotOne {
        /// Their sum.
        sum: f64,
        /// By how much it may differ.
        tolerance: f64,
    },
    /// A distribution without quasi-identifier combinations.
    #[error("there are no quasi-identifier combinations")]
    NoCombinations,
    /// Counts whose sum is too large.
    #[error("the counts sum to more than can be counted")]
    TooLarge,
    /// An entry refers to a combination or a secret that there is not.
    #[error("entry {entry} is about {what} {got}, but there are {n}")]
    UnknownCode {
        /// The position of the entry, from 0.
        entry: usize,
        /// `combination`, `secret`, `code`.
        what: &'static str,
        /// The code.
        got: u64,
        /// How many there are.
        n: u64,
    },
    /// An order that is not a permutation of the combinations.
    #[error("the order does not name each of the {n} combinations exactly once")]
    NotAnOrder {
        /// How many combinations there are.
        n: usize,
    },
    /// A combination that has probability 0 where each must have some.
    #[error("{n} quasi-identifier combinations have probability 0")]
    ImpossibleCombinations {
        /// How many.
        n: usize,
    },
    /// Classes whose secrets leave no room: no number of rows would do.
    #[error("{n_classes} classes do not have the required diversity in the distribution itself")]
    NotDiverse {
        /// How many classes.
        n_classes: usize,
    },
    /// More rows than can be counted would be needed.
    #[error("more than {limit} rows would be needed")]
    TooManyRows {
        /// The limit.
        limit: u64,
    },
    /// An exact probability that takes too long to compute.
    #[error("the exact failure probability needs about {work} steps, above the limit of {limit}")]
    TooMuchWork {
        /// How many.
        work: u64,
        /// The limit.
        limit: u64,
    },
    /// Linkage of fewer than two releases.
    #[error("{got} releases are given, expected at least 2")]
    TooFewReleases {
        /// How many.
        got: usize,
    },
    /// A list with an entry for each attribute or secret has another length.
    #[error("release {release} has {got} {what}, expected {expected}")]
    Length {
        /// The release, from 0.
        release: usize,
        /// What is listed.
        what: &'static str,
        /// How many there are.
        got: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A cover whose codes do not ascend, or whose first code lies above its last.
    #[error("the codes of class {class} of release {release} do not ascend")]
    NotAscending {
        /// The release, from 0.
        release: usize,
        /// The class, from 0.
        class: usize,
    },
    /// A person with another number of quasi-identifiers than the releases.
    #[error("{got} codes of people are given, expected {expected}")]
    People {
        /// How many there are.
        got: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Two releases generalize secrets in ways that contradict each other.
    #[error("{n_labels} labels of secret {secret} cover different values in different releases")]
    TaxonomiesContradict {
        /// The secret, from 0.
        secret: usize,
        /// How many labels.
        n_labels: usize,
    },
    /// A release without a quasi-identifier of another one.
    #[error("release {} has no quasi-identifier in common with another one", .release + 1)]
    NoCommonQuasiIdentifier {
        /// The release, from 0.
        release: usize,
    },
    /// A release without a secret of another one.
    #[error("release {} has no secret in common with another one", .release + 1)]
    NoCommonSecret {
        /// The release, from 0.
        release: usize,
    },
    /// Two releases generalize a column in ways that contradict each other.
    #[error("{n_labels} labels of '{column}' cover different values in different releases")]
    HierarchiesContradict {
        /// The column.
        column: String,
        /// How many labels.
        n_labels: usize,
    },
    /// Too many different combinations of classes.
    #[error("the releases overlap in more than {limit} combinations of classes")]
    TooManyPatterns {
        /// The limit.
        limit: usize,
    },
}

impl LinkageError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            LinkageError::NoSecrets => "E-LINKAGE-001",
            LinkageError::LBelowOne => "E-LINKAGE-002",
            LinkageError::LAboveSecrets { .. } => "E-LINKAGE-003",
            LinkageError::KBelowOne => "E-LINKAGE-004",
            LinkageError::DeltaOutOfRange { .. } => "E-LINKAGE-005",
            LinkageError::POutOfRange { .. } => "E-LINKAGE-006",
            LinkageError::PTooLarge { .. } => "E-LINKAGE-007",
            LinkageError::EtaOutOfRange { .. } => "E-LINKAGE-008",
            LinkageError::Negative { .. } => "E-LINKAGE-009",
            LinkageError::SumIsNotOne { .. } => "E-LINKAGE-010",
            LinkageError::NoCombinations => "E-LINKAGE-011",
            LinkageError::TooLarge => "E-LINKAGE-012",
            LinkageError::UnknownCode { .. } => "E-LINKAGE-013",
            LinkageError::NotAnOrder { .. } => "E-LINKAGE-014",
            LinkageError::ImpossibleCombinations { .. } => "E-LINKAGE-015",
            LinkageError::NotDiverse { .. } => "E-LINKAGE-016",
            LinkageError::TooManyRows { .. } => "E-LINKAGE-017",
            LinkageError::TooMuchWork { .. } => "E-LINKAGE-018",
            LinkageError::TooFewReleases { .. } => "E-LINKAGE-019",
            LinkageError::Length { .. } => "E-LINKAGE-020",
            LinkageError::TaxonomiesContradict { .. } => "E-LINKAGE-021",
            LinkageError::TooManyPatterns { .. } => "E-LINKAGE-022",
            LinkageError::NotAscending { .. } => "E-LINKAGE-023",
            LinkageError::People { .. } => "E-LINKAGE-024",
            LinkageError::NoCommonQuasiIdentifier { .. } => "E-LINKAGE-025",
            LinkageError::NoCommonSecret { .. } => "E-LINKAGE-026",
            LinkageError::HierarchiesContradict { .. } => "E-LINKAGE-027",
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            LinkageError::LAboveSecrets { .. } => {
                Some("take an l of at most the number of secrets that occur")
            }
            LinkageError::PTooLarge { .. } => Some("take a smaller p, or a smaller l"),
            LinkageError::SumIsNotOne { .. } => {
                Some("give counts instead of probabilities, or probabilities that sum to 1")
            }
            LinkageError::DeltaOutOfRange { .. } => {
                Some("delta is the probability that the promise fails, such as 0.01")
            }
            LinkageError::ImpossibleCombinations { .. } => {
                Some("leave out combinations that nobody has")
            }
            LinkageError::NotDiverse { .. } => Some("merge classes, or take a smaller l"),
            LinkageError::TooMuchWork { .. } => {
                Some("take the sample size from the union bound instead")
            }
            LinkageError::TooFewReleases { .. } => Some("linkage joins two releases or more"),
            LinkageError::NoCommonQuasiIdentifier { .. } | LinkageError::NoCommonSecret { .. } => {
                Some("columns are matched by name: rename them alike, or leave the release out")
            }
            LinkageError::TaxonomiesContradict { .. }
            | LinkageError::HierarchiesContradict { .. } => {
                Some("a label must cover the same values in all releases")
            }
            LinkageError::TooManyPatterns { .. } => {
                Some("give the original table, so that only combinations of people are linked")
            }
            _ => None,
        }
    }
}
