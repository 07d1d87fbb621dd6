//! Figures and findings as text, shared by the terminal output and the reports.

mod command;
mod figure;
mod levels;
mod principle;
mod promise;
mod risk;

pub use command::in_shell;
pub use figure::figure;
pub use indistinct_diagnostics::words::*;
pub use levels::{level, not_taken, one_level_down};
pub use principle::{
    Quantity, claim, claim_name, counted_name, meaning, principle_name, promise_of_people,
    quantities,
};
pub use promise::{Piece, pieces};
pub use risk::{RiskWords, risk};
