//! The principles that a table can satisfy: findings as sentences, and the page of `indistinct advise`.

pub(crate) mod findings;
mod page;

pub use findings::*;
pub use page::describe_advice;
