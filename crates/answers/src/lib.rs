//! The results of all commands as serializable types.
//!
//! The crates that compute results use these types; the crate `text` converts them into sentences.
//! The key design decision is that **a result contains no prose**. Programs can therefore compare
//! results, and sentences can change without changing a result.

#![deny(missing_docs)]

pub mod advice;
pub mod comparison;
mod method_words;
pub mod private;
pub mod report;
pub mod warning;

pub use method_words::MethodWords;

/// The name of the loss of a release in two tables, which separate the quasi-identifiers from the
/// sensitive values.
pub const RECONSTRUCTION_ERROR: &str = "reconstruction-error";
