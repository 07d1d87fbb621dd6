//! Error codes, help texts, and locations, and the formatting of numbers in messages.
//!
//! Every other crate may depend on this crate, which depends on no other crate of the workspace.
//! Error titles and help are defined with their error types. The phrases that they share (counts
//! with nouns, lists) are defined here.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

mod error;
mod file_error;
pub mod platform;
pub mod warning;
mod word;
pub mod words;

pub use error::{CANCELLED, CodeEntry, Coded, Location};
pub use file_error::FileError;
pub use word::Word;

/// Whether messages may show cells from the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Values {
    /// Messages show no cells.
    #[default]
    Hidden,
    /// Messages may show cells, because only the data holder reads them.
    Shown,
}
