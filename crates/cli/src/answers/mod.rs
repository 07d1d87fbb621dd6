//! What more than one command prints, in words; and answers as JSON that are of the command line
//! alone.

pub mod infeasible;
pub mod principles;
pub mod versions;
pub mod written;
