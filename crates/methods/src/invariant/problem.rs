//! Errors in determining the people in a table.

use indistinct_diagnostics::{errors, words};

errors! {
    /// An error that prevents determining the people in a table.
    #[derive(Clone, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum PeopleProblem {
        /// No ledger is given.
        #[error(
            "the method 'invariant' requires a ledger of the earlier versions, but none is given"
        )]
        #[code("E-INVARIANT-201", "specify the ledger with --ledger FILE ('indistinct ledger init \
                FILE --key KEYFILE' creates one)")]
        NoLedger,
        /// Rows do not identify a person.
        #[error(
            "column '{column}' does not identify a person in {}{}",
            words::rows(*n_rows), numbered(.first)
        )]
        #[code("E-INVARIANT-202", "fill in the column for every row, or remove the rows without a \
                person")]
        UnidentifiedRows {
            /// The column.
            column: String,
            /// The number of rows.
            n_rows: u64,
            /// The numbers of the first of these rows, counting from 1; empty if rows have no
            /// numbers.
            first: Vec<u64>,
        },
        /// People have several rows.
        #[error(
            "{} with several rows according to column '{column}': {}",
            words::people(*n_people), rows(.first)
        )]
        #[code("E-INVARIANT-203", "keep one row for each person, because the guarantee applies to \
                people, not rows")]
        SeveralRows {
            /// The column.
            column: String,
            /// The number of people.
            n_people: u64,
            /// The numbers of the first repeated rows, counting from 1.
            first: Vec<u64>,
        },
        /// People may have several rows, but the rows cannot be read one by one.
        #[error(
            "column '{column}' cannot identify people because the rows cannot be read one by one"
        )]
        #[code("E-PEOPLE-003", "use a table with one row per record, because a row with a count \
                does not identify the people that it represents")]
        NotRowByRow {
            /// The column.
            column: String,
        },
        /// Identifiers of people have spelling variants, and the policy does not state their
        /// meaning.
        #[error(
            "{} of column '{column}' differ from another value only in spelling, so the people \
             cannot be counted", words::counted(*n_values, "value", "values")
        )]
        #[code("E-PEOPLE-004", "set spelling_variants in [people]: \"merged\" if spelling variants \
                identify the same person, or \"distinct\" if they identify different people")]
        SpellingVariants {
            /// The column.
            column: String,
            /// The number of distinct values with another spelling.
            n_values: u64,
        },
        /// A person's rows have different values at all levels that the policy allows.
        #[error(
            "the rows of each person have equal values of '{attribute}' only from level {level} \
             upward, but the policy allows at most level {highest}"
        )]
        #[code("E-PEOPLE-001", "raise max_level of the attribute, or set rows = \"independent\" in \
                [people]")]
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
        #[code("E-INVARIANT-204", "run 'indistinct ledger list' to list the growing tables")]
        NoSeries {
            /// The requested name.
            series: String,
            /// The growing tables in the ledger.
            known: Vec<String>,
        },
    }
    help {
        Self::NoSeries { known, .. } if known.is_empty() =>
            "the ledger has no version of any growing table";
        Self::NoSeries { known, .. } =>
            format!("growing tables in the ledger: {}", known.join(", "));
    }
}

fn rows(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("{} {}", words::either(numbers.len() as u64, "row", "rows"), words::list(&numbers))
}

/// Returns the row numbers preceded by a colon, or an empty string if there are no numbers.
fn numbered(numbers: &[u64]) -> String {
    if numbers.is_empty() { String::new() } else { format!(": {}", rows(numbers)) }
}
