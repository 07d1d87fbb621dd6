//! Errors in a plan or in its data source.

use indistinct_diagnostics::{errors, words};
use indistinct_linkage::LinkageError;
use indistinct_release::{PlanColumnMismatch, PlanParameter};

fn titles(mismatches: &[PlanColumnMismatch]) -> String {
    mismatches.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

errors! {
    /// An error that prevents creating or using a plan.
    #[derive(Clone, PartialEq)]
    #[non_exhaustive]
    pub enum PlanProblem {
        /// The columns of the plan differ from the columns of the policy.
        #[error(
            "the columns of the plan differ from the columns of the policy: {}",
            titles(difference)
        )]
        #[code("E-PLAN-005", "use a plan with the same quasi-identifiers and the same sensitive \
                attribute, under the same names")]
        Columns {
            /// The differences, by column names.
            difference: Vec<PlanColumnMismatch>,
        },
        /// Rows have combinations of quasi-identifier values that the plan does not contain.
        #[error(
            "{} a combination of quasi-identifier values that the plan does not contain (first: \
             row {first_row})",
            rows_have(*n_rows)
        )]
        #[code("E-PLAN-006", "create a plan with `plan --all-combinations` (and `--domain` for \
                values that do not occur in the distribution), or remove these rows")]
        UnknownCombinations {
            /// The number of rows.
            n_rows: u64,
            /// The number of the first such row, counting from 1.
            first_row: u64,
        },
        /// Sensitive values in the table have probability 0 in the plan.
        #[error(
            "{} a sensitive value that the distribution of the plan does not contain (first: row \
             {first_row})",
            rows_have(*n_rows)
        )]
        #[code("E-PLAN-007", "create a new plan with these values, or remove the rows. For \
                --counts, a line with a small count is sufficient; --eta computes the effect of a \
                small error in the counts")]
        UnknownSensitiveValues {
            /// The number of rows.
            n_rows: u64,
            /// The number of the first such row, counting from 1.
            first_row: u64,
        },
        /// The values of a class have no common label that the policy allows.
        #[error(
            "the values of '{attribute}' in {} of the plan have no common label up to max_level",
            words::classes(*n_classes)
        )]
        #[code("E-PLAN-008", "raise max_level of the attribute")]
        NoLabel {
            /// The attribute.
            attribute: String,
            /// The number of classes.
            n_classes: u64,
        },
        /// The number of value combinations exceeds the limit for plans.
        #[error(
            "the number of combinations of {} exceeds {}",
            words::list(
                &sizes
                    .iter()
                    .map(|(name, n)| format!("'{name}' ({})", words::thousands(*n)))
                    .collect::<Vec<_>>()
            ),
            words::thousands(*limit)
        )]
        #[code("E-PLAN-015", "use coarser values (--counts with groups such as age bands) or fewer \
                quasi-identifiers, or omit --all-combinations")]
        TooManyCombinations {
            /// Each quasi-identifier with its number of values.
            sizes: Vec<(String, u64)>,
            /// The maximum number of combinations.
            limit: u64,
        },
        /// The requested number of classes is impossible.
        #[error(
            "{} not possible: the maximum is {most}",
            words::counted(*requested, "class is", "classes are")
        )]
        #[code("E-PLAN-009", "use fewer classes or a smaller l")]
        TooManyClasses {
            /// The requested number.
            requested: u64,
            /// The maximum number of classes.
            most: u64,
        },
        /// The table of counts lacks a required column.
        #[error("the table has no column '{column}'")]
        #[code("E-PLAN-010", "specify the columns with --sensitive, --count or --probability, and \
                --quasi-identifiers")]
        NoColumn {
            /// The column.
            column: String,
        },
        /// The sensitive attribute is ambiguous, or the policy does not contain it.
        #[error("the policy has {} sensitive attributes: {}", known.len(), words::list(known))]
        #[code("E-PLAN-011", "specify the sensitive attribute with --sensitive NAME")]
        WhichSensitiveAttribute {
            /// The sensitive attributes of the policy.
            known: Vec<String>,
        },
        /// The order of columns does not contain each quasi-identifier exactly once.
        #[error("the order of columns does not contain each quasi-identifier exactly once")]
        #[code("E-PLAN-012", "list all quasi-identifiers with --columns")]
        Order {
            /// The quasi-identifiers.
            known: Vec<String>,
        },
        /// Counts or probabilities are invalid.
        #[error("column '{column}' contains values other than {what} in {}", words::rows(*n_rows))]
        #[code("E-PLAN-013", "probabilities must be numbers of at least 0 that sum to 1")]
        NotWeights {
            /// The column.
            column: String,
            /// The number of rows with invalid values.
            n_rows: u64,
            /// The expected kind of value: `counts` or `probabilities`.
            what: &'static str,
        },
        /// The counted rows are too few for the confidence level of the plan.
        #[error(
            "{} of the distribution are too few for the confidence level of the plan",
            words::rows(*n_counted)
        )]
        #[code("E-PLAN-016", "count more rows, or use a lower --confidence or a smaller l. If the \
                counts are the distribution itself and not a sample, use --known-distribution")]
        TooFewCounted {
            /// The number of counted rows.
            n_counted: u64,
        },
        /// A plan guarantees an entropy, but its probabilities are lower bounds from counts.
        #[error(
            "a plan from counted rows has no upper bounds on probabilities, which an entropy \
             requires"
        )]
        #[code("E-PLAN-017", "use --known-distribution if the counts are the distribution itself, \
                or use --probability")]
        EntropyOfCounts,
        /// The failure probability is shared by zero releases.
        #[error("the total failure probability must be shared by at least one release")]
        #[code("E-PLAN-014", "specify at least one release: --releases T")]
        NoReleases,
    }
    wraps {
        /// A parameter is out of range, or the distribution is invalid.
        Parameter(PlanParameter),
    }
    help {
        Self::Order { known } =>
            format!("list all quasi-identifiers with --columns: {}", known.join(","));
        Self::NotWeights { what: "counts", .. } =>
            "counts must be whole numbers of at least 0; use --probability for other weights";
    }
}

fn rows_have(n: u64) -> String {
    words::counted(n, "row has", "rows have")
}

impl From<LinkageError> for PlanProblem {
    fn from(error: LinkageError) -> Self {
        Self::Parameter(PlanParameter(error))
    }
}
