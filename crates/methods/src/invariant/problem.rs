//! Errors in determining the people of a table.

use indistinct_diagnostics::{codes, words};

/// An error that prevents determining the people of a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PeopleProblem {
    /// No ledger was given.
    #[error(
        "the method 'invariant' keeps what earlier versions promised, and no ledger of them is named"
    )]
    NoLedger,
    /// Some rows have no person.
    #[error("column '{column}' names nobody in {}{}", words::rows(*n_rows), numbered(.first))]
    UnidentifiedRows {
        /// The column.
        column: String,
        /// The number of rows.
        n_rows: u64,
        /// The numbers of the first such rows, from 1; empty if rows have no numbers.
        first: Vec<u64>,
    },
    /// Some people have several rows.
    #[error("{} with several rows by column '{column}': {}", words::people(*n_people), rows(.first))]
    SeveralRows {
        /// The column.
        column: String,
        /// The number of people.
        n_people: u64,
        /// The numbers of the first repeated rows, from 1.
        first: Vec<u64>,
    },
    /// The rows of the table cannot be read one by one.
    #[error(
        "whom the rows are about cannot be told by column '{column}': they cannot be read one by one"
    )]
    NotRowByRow {
        /// The column.
        column: String,
    },
    /// The rows of a person have different labels at every allowed level.
    #[error(
        "the rows of each person agree on '{attribute}' from level {level} on, and the policy allows no level above {highest}"
    )]
    NotTogether {
        /// The attribute.
        attribute: String,
        /// The lowest level at which all rows of each person have the same label.
        level: usize,
        /// The highest level that the policy allows.
        highest: usize,
    },
    /// The ledger does not contain the growing table.
    #[error("the ledger has no version of '{series}'")]
    NoSeries {
        /// The requested name.
        series: String,
        /// The growing tables in the ledger.
        known: Vec<String>,
    },
}

fn rows(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("{} {}", words::either(numbers.len() as u64, "row", "rows"), words::list(&numbers))
}

/// The row numbers after a colon, or an empty string.
fn numbered(numbers: &[u64]) -> String {
    if numbers.is_empty() { String::new() } else { format!(": {}", rows(numbers)) }
}

codes! {
    PeopleProblem {
        Self::NoLedger => "E-INVARIANT-201", "no ledger is named",
            "name it: --ledger FILE ('indistinct ledger init FILE --key KEYFILE' makes one)";
        Self::UnidentifiedRows { .. } => "E-INVARIANT-202", "rows without a person",
            "every row needs a person: fill in the column, or omit these rows out";
        Self::SeveralRows { .. } => "E-INVARIANT-203", "people with several rows",
            "keep one row for each person; the guarantee is about people, not rows";
        Self::NotRowByRow { .. } => "E-PEOPLE-003", "a table whose rows cannot be read one by one, and people with several rows",
            "give the table itself: rows that stand for several others do not say whom those are about";
        Self::NotTogether { .. } => "E-PEOPLE-001", "people whose rows agree at no level that is allowed",
            "raise max_level of the attribute, or write rows = \"independent\" in [people]";
        Self::NoSeries { .. } => "E-INVARIANT-204", "a growing table that the ledger does not know",
            "'indistinct ledger list' names what it has";
    }
    help {
        Self::NoSeries { known, .. } if known.is_empty() => "it has no version of any growing table";
        Self::NoSeries { known, .. } => format!("there are: {}", known.join(", "));
    }
}
