//! Text that several commands print, and JSON answers that exist only on the command line.

pub mod explain;
pub mod infeasible;
pub mod principles;
pub mod versions;
pub mod written;
