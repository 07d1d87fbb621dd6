//! Errors in a plan or in its data source.

use indistinct_diagnostics::{codes, words};
use indistinct_linkage::LinkageError;
use indistinct_release::{PlanColumnMismatch, PlanParameter};

fn titles(mismatches: &[PlanColumnMismatch]) -> String {
    mismatches.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// An error that prevents creating or using a plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanProblem {
    /// The plan is for other columns than those of the policy.
    #[error("the plan is for other columns: {}", titles(difference))]
    Columns {
        /// The differences, by column names.
        difference: Vec<PlanColumnMismatch>,
    },
    /// Some rows have quasi-identifiers that do not occur in the plan.
    #[error(
        "{} with quasi-identifiers that the plan does not know, the first of them in row {first_row}",
        rows_are(*n_rows)
    )]
    UnknownCombinations {
        /// The number of rows.
        n_rows: u64,
        /// The number of the first such row, from 1.
        first_row: u64,
    },
    /// Some rows have sensitive values with probability 0 in the distribution of the plan.
    #[error(
        "{} with sensitive values that the plan's distribution does not know, the first of them in row {first_row}: the plan was made for another \
         distribution",
        rows_are(*n_rows)
    )]
    UnknownSensitiveValues {
        /// The number of rows.
        n_rows: u64,
        /// The number of the first such row, from 1.
        first_row: u64,
    },
    /// The values of a class have no common label that the policy allows.
    #[error(
        "{} of the plan with values of '{attribute}' that have no common label up to its max_level",
        words::classes(*n_classes)
    )]
    NoLabel {
        /// The attribute.
        attribute: String,
        /// The number of classes.
        n_classes: u64,
    },
    /// The number of value combinations exceeds the limit of a plan.
    #[error(
        "all combinations of {} are more than {}",
        words::list(&sizes.iter().map(|(name, n)| format!("'{name}' ({})", words::thousands(*n))).collect::<Vec<_>>()),
        words::thousands(*limit)
    )]
    TooManyCombinations {
        /// Each quasi-identifier with its number of values.
        sizes: Vec<(String, u64)>,
        /// The maximum number of combinations.
        limit: u64,
    },
    /// The requested number of classes is impossible.
    #[error("{} not possible: at most {most} are", words::counted(*requested, "class is", "classes are"))]
    TooManyClasses {
        /// The requested number.
        requested: u64,
        /// The maximum number of classes.
        most: u64,
    },
    /// A table of counts lacks a required column.
    #[error("the table has no column '{column}'")]
    NoColumn {
        /// The column.
        column: String,
    },
    /// The sensitive attribute is ambiguous, or the given column is not a sensitive attribute of
    /// the policy.
    #[error("the policy has {} sensitive attributes: {}", known.len(), words::list(known))]
    WhichSensitiveAttribute {
        /// The sensitive attributes of the policy.
        known: Vec<String>,
    },
    /// The order of columns does not contain every quasi-identifier exactly once.
    #[error("the order of columns does not name each quasi-identifier exactly once")]
    Order {
        /// The quasi-identifiers.
        known: Vec<String>,
    },
    /// Some counts or probabilities are invalid.
    #[error("column '{column}' has other values than {what} in {}", words::rows(*n_rows))]
    NotWeights {
        /// The column.
        column: String,
        /// The number of rows with invalid values.
        n_rows: u64,
        /// The expected kind of value: `counts` or `probabilities`.
        what: &'static str,
    },
    /// The failure probability is shared by 0 releases.
    #[error("the total failure probability is shared by 0 releases")]
    NoReleases,
    /// A parameter is out of range, or the distribution is invalid.
    #[error(transparent)]
    Parameter(PlanParameter),
}

fn rows_are(n: u64) -> String {
    format!("{} {}", words::rows(n), if n == 1 { "is" } else { "are" })
}

codes! {
    PlanProblem {
        Self::Columns { .. } => "E-PLAN-005", "a plan for other columns than the policy's",
            "a plan serves tables with its quasi-identifiers and its sensitive attribute, under the same names";
        Self::UnknownCombinations { .. } => "E-PLAN-006", "rows whose quasi-identifiers the plan does not know",
            "a plan has a class for the combinations of its distribution only: make one with `plan --all-combinations` (and `--domain` for values that did not occur), or leave the rows out before";
        Self::UnknownSensitiveValues { .. } => "E-PLAN-007", "rows with sensitive values that are impossible by the distribution of the plan",
            "create a new plan with these values: in a table of --counts a line with a small count is enough, and --eta says what a small error of the counts costs; or leave the rows out before";
        Self::NoLabel { .. } => "E-PLAN-008", "a class whose values have no common label that the policy allows",
            "raise max_level of the attribute";
        Self::TooManyClasses { .. } => "E-PLAN-009", "more classes than there can be",
            "take fewer classes, or a smaller l";
        Self::NoColumn { .. } => "E-PLAN-010", "a table of counts without a needed column",
            "name the columns with --sensitive, --count or --probability, and --quasi-identifiers";
        Self::WhichSensitiveAttribute { .. } => "E-PLAN-011", "a policy that does not say which sensitive attribute is meant, or the column is not one of its sensitive attributes",
            "say which one is meant: --sensitive NAME";
        Self::Order { .. } => "E-PLAN-012", "an order of columns that is not one of all quasi-identifiers",
            "name all of them with --columns";
        Self::NotWeights { .. } => "E-PLAN-013", "counts or probabilities are invalid",
            "probabilities are numbers of at least 0 that sum to 1";
        Self::NoReleases => "E-PLAN-014", "a number of releases for which failure is to be shared out of range",
            "give at least one release: --releases T";
        Self::TooManyCombinations { .. } => "E-PLAN-015", "more combinations of values than a plan can cover",
            "take coarser values (--counts with groups such as age bands), fewer quasi-identifiers, or omit --all-combinations";
    }
    of { Self::Parameter(error) => error; }
    help {
        Self::Order { known } => format!("name all of them with --columns: {}", known.join(","));
        Self::NotWeights { what: "counts", .. } =>
            "counts are whole numbers of at least 0; for others take --probability";
    }
}

impl From<LinkageError> for PlanProblem {
    fn from(error: LinkageError) -> Self {
        Self::Parameter(PlanParameter(error))
    }
}
