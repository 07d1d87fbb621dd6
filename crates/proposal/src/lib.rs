//! What is proposed for a table that nobody has written a policy for: the policy's text, how columns are written, and what a checklist of
//! identifiers finds in it. [`looks`] looks at a table through the engine; the rest is data and text.
//!
//! Invariant: a proposal holds no cell of the table, but for conventional texts such as `NA` that stand for a missing value.

#![deny(missing_docs)]

pub mod checklist;
pub mod combinations;
pub mod looks;
pub mod text;
pub mod writing;
