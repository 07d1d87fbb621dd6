//! Indistinct publishes tables about people under stated privacy principles, checks every release independently of the
//! search that made it, and says what it does not protect against.
//!
//! This crate is what the command line calls, and what other programs call: a [`Job`] is a policy with its table;
//! [`anonymize::anonymize`] makes a release of it, [`verify::verify`] checks one from its bytes alone.
//!
//! The key decision: **a binding translates, it never decides**. All defaults stand in the policy format, all verdicts in the
//! core; an answer such as [`anonymize::Outcome`] is data, and an [`Error`] is only what keeps a question from being answered.

#![deny(missing_docs)]

pub mod anonymize;
pub mod check;
mod error;
mod files;
pub mod generate;
pub mod hierarchies;
pub mod init;
mod job;
mod key;
pub mod policy;
mod private;
pub mod profile;
mod release;
mod rules;
mod statements;
pub mod verify;

use std::io::Write;
use std::path::Path;

pub use error::{Error, Message};
pub use indistinct_core::recoding::AttributeExplanation;
pub use indistinct_core::risk::Risk;
pub use indistinct_core::{Observer, Phase, PrincipleClaim, Silent};
pub use indistinct_engine::InputSpec;
pub use indistinct_report::words;
pub use job::Job;

/// Whether cells of the table may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Values {
    /// No cell is shown.
    #[default]
    Hidden,
    /// For the eyes of the table's holder.
    Shown,
}

/// Sets the number of threads of everything that runs in parallel. To be called once, before anything else.
///
/// # Errors
/// [`Error::Threads`] if threads are already running or cannot be started.
pub fn use_threads(n: usize) -> Result<(), Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(n)
        .build_global()
        .map_err(|error| Error::Threads { reason: error.to_string() })
}

/// Writes a file that must not exist yet.
///
/// # Errors
/// [`Error::Io`] if it exists or cannot be written.
pub fn write_new_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(|error| Error::io(path, &error))
}
