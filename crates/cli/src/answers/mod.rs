//! JSON answers that are specific to the command line, and the answers of `explain`.

pub mod explain;
pub mod written;
