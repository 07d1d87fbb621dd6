//! Formatting of numbers, counts, nouns, and lists, shared by the terminal, the reports, and the
//! certificate.

mod numbers;
mod text;

pub use numbers::{
    exact, number, number_next_to, odds, ordinal, percent, percent_exact, share, thousands,
};
pub use text::{a, classes, count, counted, either, label, list, list_some, people, plural, rows};
