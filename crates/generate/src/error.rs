//! Why an example table cannot be written.

use std::io;
use std::path::Path;

use indistinct_diagnostics::{FileError, codes};
use indistinct_engine::EngineError;

/// Everything that can go wrong while an example is written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A file or a folder is in the way, or cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The rows that were just written cannot be read again, or not be written as Parquet.
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
    /// What makes an error of the operating system one about this file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| FileError::new(path, &error).into()
    }
}
