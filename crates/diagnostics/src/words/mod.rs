//! Numbers, counts, nouns and lists as people read them, the same on the terminal, in the reports and in the certificate.

mod numbers;
mod text;

pub use numbers::{
    exact, number, number_next_to, odds, ordinal, percent, percent_exact, share, thousands,
};
pub use text::{a, classes, count, counted, either, label, list, list_some, people, plural, rows};
