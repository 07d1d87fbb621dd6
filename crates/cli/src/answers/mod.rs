//! What more than one command prints, in words.

pub mod infeasible;
pub mod linkage;
pub mod principles;
pub mod versions;
