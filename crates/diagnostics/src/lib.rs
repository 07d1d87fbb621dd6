//! Error codes, help, and locations, and the words for numbers that messages use.
//!
//! Every other crate may depend on this one; it depends on none of them. Error titles and help stay with
//! their errors, so the few phrases that they share (counts with their nouns, lists) are here as well.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

mod error;
mod file_error;
pub mod words;

pub use error::{CANCELLED, CodeEntry, Coded, Location};
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
