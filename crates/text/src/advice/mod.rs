//! The page of `indistinct advise` and its sentences about the principles that a table can satisfy.

pub(crate) mod findings;
mod page;

pub use findings::*;
pub use page::describe_advice;
