//! Why a recoding does not fit a table.

use std::fmt;

use indistinct_diagnostics::{codes, words};

use crate::model::InvalidTable;
use crate::principle::BuildError;

/// Why a recoding does not fit a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidRecoding {
    /// A list with one entry for each tuple or attribute has another length.
    #[error("the recoding has {got} {what}, expected {expected}")]
    Length {
        /// What is listed.
        what: &'static str,
        /// How many there are.
        got: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A level that the hierarchy of an attribute does not have.
    #[error("attribute {attribute} has no level {level}")]
    Level {
        /// Position of the attribute.
        attribute: usize,
        /// The level.
        level: usize,
    },
    /// Parts that do not fit the tuples.
    #[error("the recoding does not divide the table: {0}")]
    Parts(InvalidTable),
    /// A row in a class that has no released values.
    #[error("{} in no class of the recoding", words::rows(*n_rows))]
    NoClass {
        /// Number of rows.
        n_rows: u64,
    },
    /// A released value that is none.
    #[error("attribute {attribute} of class {class}: {problem}")]
    Cell {
        /// The class.
        class: usize,
        /// Position of the attribute.
        attribute: usize,
        /// What is wrong.
        problem: CellProblem,
    },
    /// A released value of a class that is not true of some of its rows.
    #[error(
        "attribute {attribute} of class {class} does not cover the values of {} of it",
        words::rows(*n_rows)
    )]
    NotCovered {
        /// The class.
        class: usize,
        /// Position of the attribute.
        attribute: usize,
        /// Number of rows.
        n_rows: u64,
    },
    /// A principle on a population, and classes that have released values of their own: it is not known in which class a
    /// person without a row would be.
    #[error("{kind} counts people in classes, which must have one level for each attribute")]
    Population {
        /// The principle.
        kind: &'static str,
    },
    /// Single cells are suppressed, and the policy does not ask for that.
    #[error("single cells are suppressed, which the policy does not allow")]
    CellsNotRequested,
    /// Principles on people, and a recoding that does not tell whose the rows of a class are.
    #[error(
        "the recoding divides rows that are alike, so that it is not known whose the rows of a class are"
    )]
    People,
    /// People whose rows should be in one class, and are not.
    #[error("the rows of {} are in several classes", words::people(*n_people))]
    NotTogether {
        /// Number of people.
        n_people: u64,
    },
    /// Centers of a recoding that has no classes of its own.
    #[error("the recoding has no classes whose values could be aggregated")]
    NoClasses,
    /// Centers of a column whose values are no numbers.
    #[error("attribute {attribute} has values that are no numbers, and is to be aggregated")]
    NoNumbers {
        /// Position of the attribute.
        attribute: usize,
    },
    /// A released value that a search made: the certifier makes such values itself.
    #[error("the recoding has released values that are neither of the column nor labels")]
    Generated,
    /// Released sensitive values that cannot be.
    #[error("sensitive attribute {attribute}: {problem}")]
    Sensitive {
        /// Position of the sensitive attribute.
        attribute: usize,
        /// What is wrong.
        problem: SensitiveProblem,
    },
}

codes! {
    InvalidRecoding {
        _ => "E-CERTIFY-001", "a recoding that does not fit the table",
            "this is a fault of Indistinct; nothing was written. Please report it";
    }
}

pub(super) fn expect_length(
    what: &'static str,
    got: usize,
    expected: usize,
) -> Result<(), InvalidRecoding> {
    if got == expected { Ok(()) } else { Err(InvalidRecoding::Length { what, got, expected }) }
}

/// What is wrong with a released value of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CellProblem {
    /// A level or label that the hierarchy does not have.
    NoLabel,
    /// A code that the column does not have.
    NoValue,
    /// A range of values that are no numbers.
    NotNumeric,
    /// A range that ends before it begins.
    Reversed,
    /// A set without a value.
    Empty,
    /// A set whose values do not ascend.
    NotAscending,
    /// A range or a set whose text is also a value or a label that covers other values.
    Ambiguous,
    /// A label above the highest level that does not cover all.
    NotSuppressed,
}

impl fmt::Display for CellProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoLabel => "there is no such label",
            Self::NoValue => "there is no such value",
            Self::NotNumeric => "a range of values that are no numbers",
            Self::Reversed => "a range that ends before it begins",
            Self::Empty => "a set without a value",
            Self::NotAscending => "a set that names values twice or out of order",
            Self::Ambiguous => "its text is also that of a value or a label that covers others",
            Self::NotSuppressed => "it is above the highest level, and no suppressed cell",
        })
    }
}

/// What is wrong with the released values of a sensitive attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SensitiveProblem {
    /// There is no such sensitive attribute.
    NoAttribute,
    /// A label that is listed twice.
    SameLabel,
    /// A label that the taxonomy of the attribute does not have, or that does not cover the value of a row.
    NotCovered {
        /// Number of rows.
        n_rows: u64,
    },
    /// A principle that cannot be judged on generalized values.
    NotJudged {
        /// The principle.
        kind: &'static str,
    },
    /// A principle that does not fit the released values.
    Requirement {
        /// The principle.
        kind: &'static str,
        /// Why.
        error: BuildError,
    },
}

impl fmt::Display for SensitiveProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAttribute => f.write_str("there is none"),
            Self::SameLabel => f.write_str("a released label is listed twice"),
            Self::NotCovered { n_rows } => {
                write!(
                    f,
                    "released values that do not cover the true ones, in {}",
                    words::rows(*n_rows)
                )
            }
            Self::NotJudged { kind } => write!(f, "{kind} cannot be judged on generalized values"),
            Self::Requirement { kind, error } => {
                write!(f, "{kind} does not fit the released values: {error}")
            }
        }
    }
}
