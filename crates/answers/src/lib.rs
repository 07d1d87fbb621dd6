//! The results of all commands as serializable types.
//!
//! The crates that compute a result fill in these types; the crate `text` turns them into
//! sentences. The key decision: **a result contains no prose**. Programs can therefore compare
//! results, and sentences can change without changing a result.

#![deny(missing_docs)]

pub mod advice;
pub mod comparison;
mod method_words;
pub mod report;

pub use method_words::MethodWords;

/// The name of the loss of a release that consists of two tables, one with the quasi-identifiers
/// and one with the sensitive values, linked only by the class.
pub const RECONSTRUCTION_ERROR: &str = "reconstruction-error";
