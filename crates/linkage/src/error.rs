//! Errors of linkage.

use indistinct_diagnostics::{errors, words};

errors! {
    /// A request that is invalid or that the data cannot satisfy.
    #[derive(Clone, PartialEq)]
    #[non_exhaustive]
    pub enum LinkageError {
        /// No sensitive value has a positive probability, or the domain of sensitive values is
        /// empty.
        #[error("the number of sensitive values is 0, expected at least 1")]
        #[code("E-LINKAGE-001", "give at least one sensitive value a positive probability")]
        NoSensitiveValues,
        /// The parameter l is 0.
        #[error("l is 0, expected at least 1")]
        #[code("E-LINKAGE-002", "use an l of at least 1")]
        LBelowOne,
        /// The parameter l exceeds the number of sensitive values.
        #[error("l is {l}, expected at most {n_sensitive_values} (the number of sensitive values)")]
        #[code("E-LINKAGE-003", "use an l that does not exceed the number of sensitive values that \
                occur")]
        LAboveSensitiveValues {
            /// The requested value.
            l: u64,
            /// The number of sensitive values with positive probability.
            n_sensitive_values: u64,
        },
        /// The parameter k is 0.
        #[error("k is 0, expected at least 1")]
        #[code("E-LINKAGE-004", "use a k of at least 1")]
        KBelowOne,
        /// A guarantee for linked classes is out of range.
        #[error("{name} is {got}, expected a number from 1 to {most}")]
        #[code("E-LINKAGE-029", "use a number in this range; the l of the entropy cannot exceed \
                the l of the plan")]
        LinkedOutOfRange {
            /// The name of the parameter.
            name: &'static str,
            /// The specified value, rounded to the nearest floating-point number.
            got: f64,
            /// The largest value.
            most: u64,
        },
        /// The failure probability is outside (0, 1).
        #[error("delta is {got}, expected a number above 0 and below 1")]
        #[code("E-LINKAGE-005", "set delta to the largest acceptable failure probability, such as \
                0.01")]
        DeltaOutOfRange {
            /// The specified value, rounded to the nearest floating-point number.
            got: f64,
        },
        /// The bound p is outside (0, 1].
        #[error("p is {got}, expected a number above 0 and at most 1")]
        #[code("E-LINKAGE-006", "use a number above 0 and at most 1, because p bounds a \
                probability")]
        POutOfRange {
            /// The specified value, rounded to the nearest floating-point number.
            got: f64,
        },
        /// No class can contain l sensitive values with probability p each.
        #[error(
            "no class can contain {l} sensitive values with probability {got} each: at most \
             {largest} is possible"
        )]
        #[code("E-LINKAGE-007", "use a smaller p or a smaller l")]
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
        #[code("E-LINKAGE-008", "use an error from 0 to 1")]
        EtaOutOfRange {
            /// The specified value, rounded to the nearest floating-point number.
            got: f64,
        },
        /// The confidence level is outside (0, 1).
        #[error("the confidence level is {got}, expected a number above 0 and below 1")]
        #[code("E-LINKAGE-028", "use a level between 0 and 1, such as 0.95")]
        ConfidenceOutOfRange {
            /// The specified value, rounded to the nearest floating-point number.
            got: f64,
        },
        /// A probability or count is negative.
        #[error("entry {entry} is negative")]
        #[code("E-LINKAGE-009", "correct the distribution; probabilities and counts must be 0 or \
                more")]
        Negative {
            /// The position of the entry, counted from 0.
            entry: usize,
        },
        /// The probabilities do not sum to 1.
        #[error("the probabilities sum to {sum}, expected 1 within {tolerance}")]
        #[code("E-LINKAGE-010", "use counts, or probabilities that sum to 1")]
        SumIsNotOne {
            /// The sum.
            sum: f64,
            /// The tolerance.
            tolerance: f64,
        },
        /// The distribution has no quasi-identifier combinations.
        #[error("the number of quasi-identifier combinations is 0, expected at least 1")]
        #[code("E-LINKAGE-011", "add a column to the distribution for each quasi-identifier of the \
                policy")]
        NoCombinations,
        /// The sum of the counts is too large.
        #[error("the sum of the counts exceeds the limit")]
        #[code("E-LINKAGE-012", "use smaller counts in the same proportions; if the counts come \
                from a ledger, the ledger may be corrupt: check it with 'indistinct ledger \
                verify'")]
        TooLarge,
        /// A class of a release refers to labels that do not occur in the release.
        #[error("class {} of release {} refers to unknown labels", .class + 1, .release + 1)]
        #[code("E-LINKAGE-013", "if the release is recorded in a ledger, the ledger may be \
                corrupt: check it with 'indistinct ledger verify'")]
        UnknownLabel {
            /// The index of the release, counted from 0.
            release: usize,
            /// The index of the class, counted from 0.
            class: usize,
        },
        /// A combination has probability 0, but each combination requires a positive probability.
        #[error(
            "the distribution contains {} with probability 0",
            words::count(*n as u64, "quasi-identifier combination")
        )]
        #[code("E-LINKAGE-015", "remove combinations that do not occur")]
        ImpossibleCombinations {
            /// The number of combinations.
            n: usize,
        },
        /// The distribution of a class lacks the required diversity, regardless of the number of
        /// rows.
        #[error(
            "the distribution of {} does not have the required diversity",
            words::count(*n_classes as u64, "class")
        )]
        #[code("E-LINKAGE-016", "merge classes, or use a smaller l")]
        NotDiverse {
            /// The number of classes.
            n_classes: usize,
        },
        /// The required number of rows exceeds the limit.
        #[error("more than {limit} rows are required")]
        #[code("E-LINKAGE-017", "use a smaller l or a larger failure probability")]
        TooManyRows {
            /// The limit.
            limit: u64,
        },
        /// The exact failure probability would take too long to compute.
        #[error(
            "the exact failure probability requires about {work} steps, above the limit of {limit}"
        )]
        #[code("E-LINKAGE-018", "use the sample size of the union bound instead")]
        TooMuchWork {
            /// The estimated number of steps.
            work: u64,
            /// The limit.
            limit: u64,
        },
        /// Fewer than two releases are specified.
        #[error("{} specified, expected at least 2", words::count(*got as u64, "release"))]
        #[code("E-LINKAGE-019", "specify at least two releases")]
        TooFewReleases {
            /// The number of releases.
            got: usize,
        },
        /// A release has no quasi-identifier in common with another release.
        #[error("release {} has no quasi-identifier in common with another release", .release + 1)]
        #[code("E-LINKAGE-025", "give matching columns the same name, or exclude the release")]
        NoCommonQuasiIdentifier {
            /// The index of the release, counted from 0.
            release: usize,
        },
        /// A release has no sensitive attribute in common with another release.
        #[error(
            "release {} has no sensitive attribute in common with another release",
            .release + 1
        )]
        #[code("E-LINKAGE-026", "give matching columns the same name, or exclude the release")]
        NoCommonSensitiveAttribute {
            /// The index of the release, counted from 0.
            release: usize,
        },
        /// The generalizations of a column in two releases contradict each other.
        #[error(
            "the releases assign different values to {} of '{column}'",
            words::count(*n_labels as u64, "label")
        )]
        #[code("E-LINKAGE-027", "use labels that cover the same values in all releases")]
        HierarchiesContradict {
            /// The column.
            column: String,
            /// The number of labels.
            n_labels: usize,
        },
        /// The releases have too many distinct combinations of classes.
        #[error(
            "the releases overlap in more than {} combinations of classes",
            words::thousands(*limit as u64)
        )]
        #[code("E-LINKAGE-022", "specify the original table to link only the combinations of its \
                people")]
        TooManyPatterns {
            /// The limit.
            limit: usize,
        }
        |
        /// The total number of classes in all combinations exceeds the limit.
        #[error(
            "the overlapping combinations of classes contain more than {} classes in total",
            words::thousands(*limit as u64)
        )]
        TooManyFits {
            /// The limit.
            limit: usize,
        },
    }
    cancelled {
        /// The observer canceled the computation.
        Cancelled,
    }
}
