//! Why it is not known who a table is about.

use indistinct_diagnostics::{codes, words};

/// Why it is not known who a table is about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PeopleProblem {
    /// No ledger is named.
    #[error(
        "the method 'invariant' keeps what earlier versions promised, and no ledger of them is named"
    )]
    NoLedger,
    /// Rows without a person.
    #[error("column '{column}' names nobody in {}{}", words::rows(*n_rows), numbered(.first))]
    UnidentifiedRows {
        /// The column.
        column: String,
        /// How many rows.
        n_rows: u64,
        /// The numbers of the first of them, from 1; none where rows have no numbers.
        first: Vec<u64>,
    },
    /// People with several rows.
    #[error("{} with several rows by column '{column}': {}", words::people(*n_people), rows(.first))]
    SeveralRows {
        /// The column.
        column: String,
        /// How many people.
        n_people: u64,
        /// The numbers of the first repeated rows, from 1.
        first: Vec<u64>,
    },
    /// A table whose rows cannot be read one by one.
    #[error(
        "whom the rows are about cannot be told by column '{column}': they cannot be read one by one"
    )]
    NotRowByRow {
        /// The column.
        column: String,
    },
    /// People whose rows agree at no level that is allowed.
    #[error(
        "the rows of each person agree on '{attribute}' from level {level} on, and the policy allows no level above {highest}"
    )]
    NotTogether {
        /// The attribute.
        attribute: String,
        /// The lowest level at which all rows of each person have one label.
        level: usize,
        /// The highest level that the policy allows.
        highest: usize,
    },
    /// A growing table that the ledger does not know.
    #[error("the ledger has no version of '{series}'")]
    NoSeries {
        /// The requested value.
        series: String,
        /// The growing tables that it has.
        known: Vec<String>,
    },
}

fn rows(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("{} {}", words::either(numbers.len() as u64, "row", "rows"), words::list(&numbers))
}

/// The same behind a colon, where there are any.
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
