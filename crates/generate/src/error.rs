//! Errors that occur while generating example tables.

use std::io;
use std::path::Path;

use indistinct_diagnostics::{FileError, codes};
use indistinct_engine::EngineError;

/// An error that occurred while generating an example.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A file or folder already exists or cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The generated rows cannot be read back or written as Parquet.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

codes! {
    GenerateError {}
    of {
        Self::File(error) => error;
        Self::Engine(error) => error;
    }
}

impl GenerateError {
    /// Returns a function that attaches the file to an operating system error.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| FileError::new(path, &error).into()
    }
}
