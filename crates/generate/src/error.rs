//! Why an example table cannot be written.

use std::io;
use std::path::{Path, PathBuf};

use indistinct_engine::EngineError;

/// Everything that can go wrong while an example is written.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// A file or a folder is in the way, or cannot be written.
    #[error("'{}': {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// The rows that were just written cannot be read again, or not be written as Parquet.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl GenerateError {
    /// What makes an error of the operating system one about this file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| GenerateError::File { path, error }
    }
}
