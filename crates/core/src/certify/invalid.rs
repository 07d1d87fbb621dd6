//! Why a recoding does not fit a table.

use indistinct_language::words;

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
    /// Released sensitive values that cannot be.
    #[error("sensitive attribute {attribute}: {problem}")]
    Sensitive {
        /// Position of the sensitive attribute.
        attribute: usize,
        /// What is wrong.
        problem: SensitiveProblem,
    },
}

pub(super) fn expect_length(
    what: &'static str,
    got: usize,
    expected: usize,
) -> Result<(), InvalidRecoding> {
    if got == expected { Ok(()) } else { Err(InvalidRecoding::Length { what, got, expected }) }
}

/// What is wrong with a released value of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CellProblem {
    /// A level or label that the hierarchy does not have.
    #[error("there is no such label")]
    NoLabel,
    /// A code that the column does not have.
    #[error("there is no such value")]
    NoValue,
    /// A range of values that are no numbers.
    #[error("a range of values that are no numbers")]
    NotNumeric,
    /// A range that ends before it begins.
    #[error("a range that ends before it begins")]
    Reversed,
    /// A set without a value.
    #[error("a set without a value")]
    Empty,
    /// A set whose values do not ascend.
    #[error("a set that names values twice or out of order")]
    NotAscending,
    /// A range or a set whose text is also a value or a label that covers other values.
    #[error("its text is also that of a value or a label that covers others")]
    Ambiguous,
}

/// What is wrong with the released values of a sensitive attribute.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SensitiveProblem {
    /// There is no such sensitive attribute.
    #[error("there is none")]
    NoAttribute,
    /// A label that is listed twice.
    #[error("a released label is listed twice")]
    SameLabel,
    /// A label that the taxonomy of the attribute does not have, or that does not cover the value of a row.
    #[error("released values that do not cover the true ones, in {}", words::rows(*n_rows))]
    NotCovered {
        /// Number of rows.
        n_rows: u64,
    },
    /// A principle that cannot be judged on generalized values.
    #[error("{kind} cannot be judged on generalized values")]
    NotJudged {
        /// The principle.
        kind: &'static str,
    },
    /// A principle that does not fit the released values.
    #[error("{kind} does not fit the released values: {error}")]
    Requirement {
        /// The principle.
        kind: &'static str,
        /// Why.
        error: BuildError,
    },
}
