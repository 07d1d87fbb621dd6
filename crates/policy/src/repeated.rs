//! An identifier that may be that of people with several rows, where a policy has no `[people]`.

use indistinct_diagnostics::words;

use crate::toml_text;

/// An identifier that repeats as that of people with several rows does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedIdentifier {
    /// The column.
    pub column: String,
    /// The most rows that have one value.
    pub most_rows: u64,
}

impl RepeatedIdentifier {
    /// What that means, where it is known how many different values the class with the fewest has.
    pub fn warning(&self, fewest: Option<u64>) -> String {
        let Self { column, most_rows } = self;
        let k = match fewest {
            Some(fewest) => format!(
                "some class has rows of {} only: counted by people, k is {fewest}",
                words::people(fewest)
            ),
            None => format!(
                "a class of {} may be one person, so that k by people may be as low as k divided by {most_rows}, rounded up",
                words::rows(*most_rows)
            ),
        };
        format!(
            "the identifier '{column}' repeats: up to {} have one value. If it names people, principles count rows of people and not \
             people, and {k}. [people] with id = {} makes them count people",
            words::rows(*most_rows),
            toml_text(column)
        )
    }
}
