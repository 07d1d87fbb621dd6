//! Formatting of numbers, counts, nouns, and lists, and descriptions of principles and risks.

mod levels;
mod principle;
mod promise;
mod risk;

use indistinct_core::Figure;

pub use indistinct_diagnostics::words::*;
pub use levels::{level, level_below, nodes_evaluated, not_taken, one_level_down};
pub use principle::{
    Quantity, claim, claim_name, counted_name, meaning, principle_name, promise_of_people,
    quantities,
};
pub use promise::{Piece, pieces};
pub use risk::{RiskWords, risk};

/// The maximum number of list elements to display. The certificate contains the complete list.
const MOST_VALUES: usize = 12;

/// Formats a number from a policy with all its digits.
pub fn figure(value: &Figure) -> String {
    match value {
        Figure::Count(count) => thousands(*count),
        Figure::Real(value) => exact(*value),
        Figure::Text(text) => label(text),
        Figure::Values(values) if values.is_empty() => "no values".to_owned(),
        Figure::Values(values) => {
            list_some(&values.iter().map(|value| label(value)).collect::<Vec<_>>(), MOST_VALUES)
        }
        Figure::Table(fields) => {
            let fields =
                fields.iter().map(|(name, value)| format!("{} = {}", label(name), figure(value)));
            list_some(&fields.collect::<Vec<_>>(), MOST_VALUES)
        }
    }
}

/// Formats a text as a sentence with a capital letter and a period.
pub fn sentence(text: &str) -> String {
    let mut letters = text.trim().chars();
    match letters.next() {
        Some(first) => {
            let rest = letters.as_str().trim_end_matches('.');
            let end = if rest.ends_with(['!', '?', ':']) { "" } else { "." };
            format!("{}{rest}{end}", first.to_uppercase())
        }
        None => String::new(),
    }
}

/// Quotes an argument if the shell requires it.
pub fn in_shell(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:+@".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_words_are_quoted_if_necessary() {
        assert_eq!(in_shell("a/b-1.toml"), "a/b-1.toml");
        assert_eq!(in_shell("a b"), "'a b'");
        assert_eq!(in_shell("it's $HOME"), "'it'\\''s $HOME'");
        assert_eq!(in_shell("postgresql://me@host/clinic"), "postgresql://me@host/clinic");
        assert_eq!(in_shell("postgresql:///?service=a"), "'postgresql:///?service=a'");
        assert_eq!(in_shell(""), "''");
    }

    #[test]
    fn sentences_have_capital_and_period() {
        assert_eq!(sentence("no policy is open"), "No policy is open.");
        assert_eq!(sentence("Is it open?"), "Is it open?");
        assert_eq!(sentence("It ends."), "It ends.");
    }
}
