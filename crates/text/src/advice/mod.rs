//! Sentences about the principles that a table can satisfy, and the page of `indistinct advise`.

pub(crate) mod findings;
mod page;

pub use findings::*;
pub use page::describe_advice;
