//! The results of all commands as serializable types.
//!
//! The crates that compute results use these types; the crate `text` converts them into sentences.
//! The key design decision is that **a result contains no prose**. Programs can therefore compare
//! results, and sentences can change without changing a result.

#![deny(missing_docs)]

pub mod advice;
pub mod check;
pub mod comparison;
pub mod init;
pub mod ledger;
pub mod private;
pub mod profile;
pub mod release;
pub mod report;
