//! The words of Indistinct: what an error is called and what to do about it, how numbers are written, and what a
//! released label means.
//!
//! Every other crate may use this one, and it uses none of them. So the terminal, the reports and the certificate say
//! one thing in one way: because they call the same function.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

mod error;
mod file_error;
pub mod formulas;
pub mod labels;
pub mod look_alikes;
pub mod words;

pub use error::{CANCELLED, CodeEntry, Coded, Place};
pub use file_error::FileError;

/// Whether cells of the table may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Values {
    /// No cell is shown.
    #[default]
    Hidden,
    /// For the eyes of the table's holder.
    Shown,
}
