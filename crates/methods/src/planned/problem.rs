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
    /// The columns of the plan differ from those of the policy.
    #[error(
        "the columns of the plan differ from the columns of the policy: {}",
        titles(difference)
    )]
    Columns {
        /// The differences, by column names.
        difference: Vec<PlanColumnMismatch>,
    },
    /// Some rows have quasi-identifiers that do not occur in the plan.
    #[error(
        "{} outside the quasi-identifier combinations of the plan (the first one is row \
         {first_row})",
        rows_are(*n_rows)
    )]
    UnknownCombinations {
        /// The number of rows.
        n_rows: u64,
        /// The number of the first such row, counting from 1.
        first_row: u64,
    },
    /// Some rows have sensitive values with probability 0 in the distribution of the plan.
    #[error(
        "{} outside the sensitive values of the plan's distribution (the first one is row \
         {first_row})",
        rows_are(*n_rows)
    )]
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
    NoLabel {
        /// The attribute.
        attribute: String,
        /// The number of classes.
        n_classes: u64,
    },
    /// The number of value combinations exceeds the limit of a plan.
    #[error(
        "the number of combinations of {} exceeds {}",
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
    #[error("{} not possible: the maximum is {most}", words::counted(*requested, "class is", "classes are"))]
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
    #[error("the order of columns does not contain each quasi-identifier exactly once")]
    Order {
        /// The quasi-identifiers.
        known: Vec<String>,
    },
    /// Some counts or probabilities are invalid.
    #[error("column '{column}' contains values other than {what} in {}", words::rows(*n_rows))]
    NotWeights {
        /// The column.
        column: String,
        /// The number of rows with invalid values.
        n_rows: u64,
        /// The expected kind of value: `counts` or `probabilities`.
        what: &'static str,
    },
    /// With the given confidence, the counted rows do not show that any class has l sensitive
    /// values with a positive probability.
    #[error(
        "{} of the distribution are too few for the confidence level of the plan",
        words::rows(*n_counted)
    )]
    TooFewCounted {
        /// The number of counted rows.
        n_counted: u64,
    },
    /// The number of releases that share the failure probability is zero.
    #[error("the total failure probability must be shared by at least one release")]
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
        Self::Columns { .. } => "E-PLAN-005",
            "the columns of the plan differ from the columns of the policy",
            "use a plan with the same quasi-identifiers and the same sensitive attribute, under \
             the same names";
        Self::UnknownCombinations { .. } => "E-PLAN-006",
            "rows of the table are outside the quasi-identifier combinations of the plan",
            "create a plan with `plan --all-combinations` (and `--domain` for values that do not \
             occur in the distribution), or remove these rows";
        Self::UnknownSensitiveValues { .. } => "E-PLAN-007",
            "sensitive values in the table have probability 0 in the plan",
            "create a new plan with these values, or remove the rows. For --counts, a line with a \
             small count is sufficient; --eta computes the effect of a small error in the counts";
        Self::NoLabel { .. } => "E-PLAN-008",
            "the values of a class have no common label that the policy allows",
            "raise max_level of the attribute";
        Self::TooManyClasses { .. } => "E-PLAN-009",
            "the requested number of classes is impossible",
            "use fewer classes or a smaller l";
        Self::NoColumn { .. } => "E-PLAN-010", "the table of counts lacks a required column",
            "specify the columns with --sensitive, --count or --probability, and \
             --quasi-identifiers";
        Self::WhichSensitiveAttribute { .. } => "E-PLAN-011",
            "the sensitive attribute is ambiguous, or the policy does not contain it",
            "specify the sensitive attribute with --sensitive NAME";
        Self::Order { .. } => "E-PLAN-012",
            "the order of columns does not contain each quasi-identifier exactly once",
            "list all quasi-identifiers with --columns";
        Self::NotWeights { .. } => "E-PLAN-013", "counts or probabilities are invalid",
            "probabilities must be numbers of at least 0 that sum to 1";
        Self::NoReleases => "E-PLAN-014",
            "the number of releases that share the failure probability is zero",
            "specify at least one release: --releases T";
        Self::TooFewCounted { .. } => "E-PLAN-016",
            "the counted rows are too few for the confidence level of the plan",
            "count more rows, or use a lower --confidence or a smaller l. If the counts are the \
             distribution itself and not a sample, use --known-distribution";
        Self::TooManyCombinations { .. } => "E-PLAN-015",
            "the number of value combinations exceeds the limit of a plan",
            "use coarser values (--counts with groups such as age bands) or fewer \
             quasi-identifiers, or omit --all-combinations";
    }
    of { Self::Parameter(error) => error; }
    help {
        Self::Order { known } => format!("list all quasi-identifiers with --columns: {}", known.join(","));
        Self::NotWeights { what: "counts", .. } =>
            "counts must be whole numbers of at least 0; use --probability for other weights";
    }
}

impl From<LinkageError> for PlanProblem {
    fn from(error: LinkageError) -> Self {
        Self::Parameter(PlanParameter(error))
    }
}
