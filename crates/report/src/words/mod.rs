//! Figures and findings in plain words, the same on the terminal and in the reports.

mod levels;
mod numbers;
mod principle;
mod promise;
mod risk;
mod text;

pub use levels::{level, one_level_down};
pub use numbers::{
    exact, number, number_beside, odds, ordinal, percent, percent_exact, share, thousands,
};
pub use principle::{Quantity, claim, figure, meaning, principle_name, quantities};
pub use risk::{RiskWords, risk};
pub use text::{classes, counted, label, list, list_some, rows};
