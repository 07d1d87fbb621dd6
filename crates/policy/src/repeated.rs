//! A warning about repeated identifiers in a policy without `[people]`. Such identifiers may belong
//! to people with several rows.

use indistinct_diagnostics::words;

use crate::toml_text;

/// An identifier with repeated values, which may identify people with several rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedIdentifier {
    /// The name of the column.
    pub column: String,
    /// The maximum number of rows that share a value.
    pub most_rows: u64,
}

impl RepeatedIdentifier {
    /// Returns the warning. `fewest` is the smallest number of distinct values in any class, if
    /// known.
    pub fn warning(&self, fewest: Option<u64>) -> String {
        let Self { column, most_rows } = self;
        let k = match fewest {
            Some(fewest) => format!(
                "some class has rows of only {}, so k for people is {fewest}",
                words::people(fewest)
            ),
            None => format!(
                "a class of {} may belong to one person, so k for people may be as low as k \
                 divided by {most_rows}, rounded up",
                words::rows(*most_rows)
            ),
        };
        format!(
            "the identifier '{column}' is repeated: up to {} have the same value. If this column \
             identifies people, principles count rows instead of people, and {k}. To count people, \
             add [people] with id = {}",
            words::rows(*most_rows),
            toml_text(column)
        )
    }
}
