//! What is wrong with a plan, or with what one is to be made of.

use indistinct_language::codes;
use std::path::PathBuf;

use indistinct_linkage::LinkageError;
use indistinct_report::words;

/// Why there is no plan, or why it cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanProblem {
    /// A file that is no plan.
    #[error("'{}'{} is not a plan of Indistinct: {what}", path.display(), place.map_or(String::new(), |(line, column)| format!(", line {line}, column {column},")))]
    NotAPlan {
        /// The file.
        path: PathBuf,
        /// Line and column, where there are such.
        place: Option<(usize, usize)>,
        /// What is wrong, without a value.
        what: &'static str,
    },
    /// A plan in a format of another version.
    #[error("'{}' is a plan in format {got}; this version reads format {known}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        got: u32,
        /// The format that this version reads.
        known: u32,
    },
    /// A plan that is not what its digests say.
    #[error("'{}' was changed: its SHA-256 is not the one that the plan names", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Parts of a plan that contradict each other.
    #[error("'{}' contradicts itself: {what}", path.display())]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// What does not fit, without a value.
        what: &'static str,
    },
    /// A plan for other columns than the policy's.
    #[error("the plan is for other columns: {}", difference.join("; "))]
    Columns {
        /// What differs, by the names of columns.
        difference: Vec<String>,
    },
    /// Rows whose quasi-identifiers the plan does not know.
    #[error(
        "{} with quasi-identifiers that the plan does not know, the first of them in row {first_row}",
        rows_are(*n_rows)
    )]
    UnknownCombinations {
        /// How many rows.
        n_rows: u64,
        /// The first of them, from 1.
        first_row: u64,
    },
    /// Rows with secrets that are impossible by the distribution of the plan.
    #[error(
        "{} with secrets that the plan's distribution does not know, the first of them in row {first_row}: the plan was made for another \
         distribution",
        rows_are(*n_rows)
    )]
    UnknownSecrets {
        /// How many rows.
        n_rows: u64,
        /// The first of them, from 1.
        first_row: u64,
    },
    /// A class whose values have no common label that the policy allows.
    #[error(
        "{} of the plan with values of '{attribute}' that have no common label up to its max_level",
        words::classes(*n_classes)
    )]
    NoLabel {
        /// The attribute.
        attribute: String,
        /// How many classes.
        n_classes: u64,
    },
    /// More classes than there can be.
    #[error("{asked} classes cannot be had: at most {most} can")]
    TooManyClasses {
        /// How many were asked for.
        asked: u64,
        /// How many there can be.
        most: u64,
    },
    /// A table of counts without a needed column.
    #[error("the table has no column '{column}'")]
    NoColumn {
        /// The column.
        column: String,
    },
    /// A policy that does not say which secret is meant, or a column that is none of its secrets.
    #[error("the policy has {} sensitive attributes: {}", known.len(), words::list(known))]
    WhichSecret {
        /// Those it has.
        known: Vec<String>,
    },
    /// An order of columns that is not one of all quasi-identifiers.
    #[error("the order of columns does not name each quasi-identifier exactly once")]
    Order {
        /// The quasi-identifiers.
        known: Vec<String>,
    },
    /// Counts or probabilities that are none.
    #[error("column '{column}' has other values than {what} in {}", words::rows(*n_rows))]
    NotWeights {
        /// The column.
        column: String,
        /// Rows that are none.
        n_rows: u64,
        /// `counts` or `probabilities`.
        what: &'static str,
    },
    /// A number of releases for which failure is to be shared out of range.
    #[error("the total failure probability is shared by 0 releases")]
    NoReleases,
    /// A parameter out of its range, or a distribution that is none.
    #[error(transparent)]
    Parameter(#[from] LinkageError),
}

fn rows_are(n: u64) -> String {
    format!("{} {}", words::rows(n), if n == 1 { "is" } else { "are" })
}

codes! {
    PlanProblem {
        Self::NotAPlan { .. } => "E-PLAN-001", "a file that is no plan",
            "give the plan.toml that 'indistinct plan -o plan.toml' wrote";
        Self::Version { .. } => "E-PLAN-002", "a plan in a format of another version",
            "use the version of Indistinct that wrote it, or a newer one";
        Self::Changed { .. } => "E-PLAN-003", "a plan that is not what its digests say",
            "get the plan anew from who made it: all releases by it need the very same one";
        Self::Contradiction { .. } => "E-PLAN-004", "parts of a plan that contradict each other",
            "get the plan anew from who made it: all releases by it need the very same one";
        Self::Columns { .. } => "E-PLAN-005", "a plan for other columns than the policy's",
            "a plan serves tables with its quasi-identifiers and its secret, under the same names";
        Self::UnknownCombinations { .. } => "E-PLAN-006", "rows whose quasi-identifiers the plan does not know",
            "a plan has a class for the combinations of its distribution only: make one that also covers these, or leave the rows out before";
        Self::UnknownSecrets { .. } => "E-PLAN-007", "rows with secrets that are impossible by the distribution of the plan",
            "make a plan for the distribution that the table is drawn from";
        Self::NoLabel { .. } => "E-PLAN-008", "a class whose values have no common label that the policy allows",
            "raise max_level, or take align = \"values\"";
        Self::TooManyClasses { .. } => "E-PLAN-009", "more classes than there can be",
            "take fewer classes, or a smaller l";
        Self::NoColumn { .. } => "E-PLAN-010", "a table of counts without a needed column",
            "name the columns with --secret, --count or --probability, and --quasi-identifiers";
        Self::WhichSecret { .. } => "E-PLAN-011", "a policy that does not say which secret is meant, or a column that is none of its secrets",
            "say which one is meant: --secret NAME";
        Self::Order { .. } => "E-PLAN-012", "an order of columns that is not one of all quasi-identifiers",
            "name all of them with --columns";
        Self::NotWeights { .. } => "E-PLAN-013", "counts or probabilities that are none",
            "probabilities are numbers of at least 0 that sum to 1";
        Self::NoReleases => "E-PLAN-014", "a number of releases for which failure is to be shared out of range",
            "give at least one release: --releases T";
        Self::Parameter(LinkageError::LAboveSecrets { .. } | LinkageError::LBelowOne) => "E-PLAN-021", "an l that the plan cannot have",
            "take an l from 1 to the number of sensitive values that occur";
        Self::Parameter(LinkageError::DeltaOutOfRange { .. }) => "E-PLAN-022", "a failure probability outside (0, 1)",
            "delta is the probability that the promise fails, such as 0.01";
        Self::Parameter(LinkageError::POutOfRange { .. }) => "E-PLAN-023", "a bound p outside (0, 1]",
            "p bounds a probability: take a number above 0 and at most 1";
        Self::Parameter(LinkageError::PTooLarge { .. }) => "E-PLAN-024", "no class can have l values of probability p",
            "take a smaller p, or a smaller l";
        Self::Parameter(LinkageError::SumIsNotOne { .. } | LinkageError::Negative { .. }) => "E-PLAN-025", "probabilities that are negative or do not sum to 1",
            "give counts instead of probabilities, or probabilities that sum to 1";
    }
    of { Self::Parameter(error) => error; }
    help {
        Self::Order { known } => format!("name all of them with --columns: {}", known.join(","));
        Self::NotWeights { what: "counts", .. } =>
            "counts are whole numbers of at least 0; for others take --probability";
    }
}
