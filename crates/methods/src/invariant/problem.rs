//! Errors in determining the people in a table.

use indistinct_diagnostics::{codes, words};

/// An error that prevents determining the people in a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PeopleProblem {
    /// No ledger was given.
    #[error("the method 'invariant' requires a ledger of the earlier versions, but none is given")]
    NoLedger,
    /// Some rows are not assigned to a person.
    #[error("column '{column}' does not identify a person in {}{}", words::rows(*n_rows), numbered(.first))]
    UnidentifiedRows {
        /// The column.
        column: String,
        /// The number of rows.
        n_rows: u64,
        /// The numbers of the first such rows, counting from 1; empty if rows have no numbers.
        first: Vec<u64>,
    },
    /// Some people have several rows.
    #[error("{} with several rows according to column '{column}': {}", words::people(*n_people), rows(.first))]
    SeveralRows {
        /// The column.
        column: String,
        /// The number of people.
        n_people: u64,
        /// The numbers of the first repeated rows, counting from 1.
        first: Vec<u64>,
    },
    /// The rows of the table cannot be read one by one.
    #[error("column '{column}' cannot identify people because the rows cannot be read one by one")]
    NotRowByRow {
        /// The column.
        column: String,
    },
    /// The rows of a person have different labels at every allowed level.
    #[error(
        "the rows of each person agree on '{attribute}' only from level {level}; the policy allows \
         at most {highest}"
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

/// Returns the row numbers preceded by a colon, or an empty string if there are no numbers.
fn numbered(numbers: &[u64]) -> String {
    if numbers.is_empty() { String::new() } else { format!(": {}", rows(numbers)) }
}

codes! {
    PeopleProblem {
        Self::NoLedger => "E-INVARIANT-201", "no ledger is given",
            "specify the ledger with --ledger FILE ('indistinct ledger init FILE --key KEYFILE' \
             creates one)";
        Self::UnidentifiedRows { .. } => "E-INVARIANT-202", "rows do not identify a person",
            "fill in the column for every row, or remove the rows without a person";
        Self::SeveralRows { .. } => "E-INVARIANT-203", "people have several rows",
            "keep one row for each person, because the guarantee applies to people, not rows";
        Self::NotRowByRow { .. } => "E-PEOPLE-003",
            "people may have several rows, but the rows cannot be read one by one",
            "use a table with one row per record, because an aggregated row does not identify its \
             people";
        Self::NotTogether { .. } => "E-PEOPLE-001",
            "the rows of a person agree at no level that the policy allows",
            "raise max_level of the attribute, or set rows = \"independent\" in [people]";
        Self::NoSeries { .. } => "E-INVARIANT-204", "the ledger does not contain the growing table",
            "run 'indistinct ledger list' to list the growing tables";
    }
    help {
        Self::NoSeries { known, .. } if known.is_empty() =>
            "the ledger has no version of any growing table";
        Self::NoSeries { known, .. } => format!("growing tables in the ledger: {}", known.join(", "));
    }
}
