//! Errors for recodings that do not match a table.

use indistinct_diagnostics::{codes, words};

use crate::model::InvalidTable;
use crate::principle::BuildError;

/// The reason why a recoding does not match a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRecoding {
    /// A list does not have exactly one entry for each tuple or attribute.
    #[error("the recoding has {got} {what}, expected {expected}")]
    Length {
        /// The contents of the list.
        what: &'static str,
        /// The length of the list.
        got: usize,
        /// The expected length.
        expected: usize,
    },
    /// A level does not exist in the hierarchy of an attribute.
    #[error("attribute {attribute} has no level {level}")]
    Level {
        /// The index of the attribute.
        attribute: usize,
        /// The level.
        level: usize,
    },
    /// The parts of the recoding do not match the tuples of the table.
    #[error("the parts of the recoding do not match the table: {0}")]
    Parts(InvalidTable),
    /// Some rows are in a class without released values.
    #[error("the recoding assigns no class to {}", words::rows(*n_rows))]
    NoClass {
        /// The number of affected rows.
        n_rows: u64,
    },
    /// An invalid released value.
    #[error("attribute {attribute} of class {class}: {problem}")]
    Cell {
        /// The class.
        class: usize,
        /// The index of the attribute.
        attribute: usize,
        /// The problem.
        problem: CellProblem,
    },
    /// A released value does not cover the values of all rows of its class.
    #[error(
        "attribute {attribute} of class {class} does not cover the values of {}",
        words::rows(*n_rows)
    )]
    NotCovered {
        /// The class.
        class: usize,
        /// The index of the attribute.
        attribute: usize,
        /// The number of rows with values that are not covered.
        n_rows: u64,
    },
    /// A principle requires a population, but classes have their own released values, so the class
    /// of a person without a row is unknown.
    #[error(
        "{kind} counts the people in the population who match each class, which requires a single \
         level for each attribute"
    )]
    Population {
        /// The principle.
        kind: &'static str,
    },
    /// Individual cells are suppressed although the policy does not allow cell suppression.
    #[error("the recoding suppresses individual cells, which the policy does not allow")]
    CellsNotRequested,
    /// A principle counts people, but the recoding does not determine which people have rows in a
    /// class.
    #[error("the recoding divides equal rows, so the people in each class are unknown")]
    People,
    /// All of a person's rows must be in the same class, but the rows of some people are in several
    /// classes.
    #[error("the rows of {} are in several classes", words::people(*n_people))]
    NotTogether {
        /// The number of affected people.
        n_people: u64,
    },
    /// Values are aggregated, but the recoding does not define classes.
    #[error("the recoding has no classes, which are required to aggregate values")]
    NoClasses,
    /// An aggregated column contains values that are not numbers.
    #[error(
        "attribute {attribute} cannot be aggregated, because it contains values that are not \
         numbers"
    )]
    NoNumbers {
        /// The index of the attribute.
        attribute: usize,
    },
    /// A search proposed a synthetic released value. Only the certifier may generate synthetic
    /// values.
    #[error("the recoding contains released values that are neither column values nor labels")]
    Generated,
    /// Invalid released sensitive values.
    #[error("sensitive attribute {attribute}: {problem}")]
    Sensitive {
        /// The index of the sensitive attribute.
        attribute: usize,
        /// The problem.
        problem: SensitiveProblem,
    },
}

codes! {
    InvalidRecoding {
        _ => "E-CERTIFY-001", "The recoding does not match the table.",
            "nothing was written; please report this bug in Indistinct";
    }
}

pub(super) fn expect_length(
    what: &'static str,
    got: usize,
    expected: usize,
) -> Result<(), InvalidRecoding> {
    if got == expected { Ok(()) } else { Err(InvalidRecoding::Length { what, got, expected }) }
}

/// A problem with a released value of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CellProblem {
    /// A level or label does not exist in the hierarchy.
    #[error("the label does not exist")]
    NoLabel,
    /// A code does not exist in the column.
    #[error("the value does not exist")]
    NoValue,
    /// A range contains values that are not numbers.
    #[error("the range contains values that are not numbers")]
    NotNumeric,
    /// A range ends before it starts.
    #[error("the range ends before it starts")]
    Reversed,
    /// A set is empty.
    #[error("the set is empty")]
    Empty,
    /// The values of a set are not in ascending order.
    #[error("the values of the set are not distinct and in ascending order")]
    NotAscending,
    /// The text of a range or set is also an original value, or a label that covers different
    /// values.
    #[error("the text is also a value, or a label that covers different values")]
    Ambiguous,
    /// A label is above the highest allowed level but is not the top label.
    #[error("the label is above the highest allowed level, but does not suppress the cell")]
    NotSuppressed,
}

/// A problem with the released values of a sensitive attribute.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SensitiveProblem {
    /// The sensitive attribute does not exist.
    #[error("the attribute does not exist")]
    NoAttribute,
    /// A label is listed twice.
    #[error("a released label is listed twice")]
    SameLabel,
    /// A label is missing from the taxonomy of the attribute or does not cover the value of a row.
    #[error(
        "the released values do not cover the original values in {}",
        words::rows(*n_rows)
    )]
    NotCovered {
        /// The number of affected rows.
        n_rows: u64,
    },
    /// The principle is not defined for generalized values.
    #[error("{kind} is not defined for generalized values")]
    NotJudged {
        /// The principle.
        kind: &'static str,
    },
    /// The principle cannot be used on the released values.
    #[error("{kind} does not support the released values: {error}")]
    Requirement {
        /// The principle.
        kind: &'static str,
        /// The reasons.
        error: BuildError,
    },
}
