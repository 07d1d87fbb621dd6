//! Figures and findings in plain words, the same on the terminal and in the reports.

mod levels;
mod principle;
mod promise;
mod risk;

pub use indistinct_language::words::*;
pub use levels::{level, one_level_down};
pub use principle::{Quantity, claim, figure, meaning, principle_name, quantities};
pub use risk::{RiskWords, risk};
