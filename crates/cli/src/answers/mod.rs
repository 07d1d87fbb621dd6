//! Text that several commands print, and JSON answers that only the command line returns.

pub mod explain;
pub mod infeasible;
pub mod principles;
pub mod versions;
pub mod written;
