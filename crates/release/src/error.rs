//! Why a release cannot be read.

use indistinct_language::codes;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use indistinct_engine::EngineError;

/// What keeps a release from being read. That a claim does not hold is an answer instead.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReleaseError {
    /// A file cannot be read or written.
    #[error("'{}': {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
}

codes! {
    ReleaseError {
        Self::Io { .. } => "E-FILE-001", "a file cannot be read or written",
            "check the path and its permissions";
    }
}

impl ReleaseError {
    /// What the operating system says of a file, in words.
    pub fn io(path: &Path, error: &std::io::Error) -> Self {
        let reason = match error.kind() {
            ErrorKind::NotFound => "no such file or folder".to_owned(),
            ErrorKind::AlreadyExists => {
                "already exists and is not replaced; name another one".to_owned()
            }
            ErrorKind::InvalidData => "not valid UTF-8".to_owned(),
            _ => error.to_string(),
        };
        Self::Io { path: path.to_owned(), reason }
    }

    /// Why the engine does not open or read a file.
    pub fn of_file(path: &Path, error: &EngineError) -> Self {
        let reason = match error {
            EngineError::Read { source, .. } => return Self::io(path, source),
            EngineError::Missing { .. } => "no such file or folder".to_owned(),
            EngineError::InvalidUtf8 { .. } => "not valid UTF-8".to_owned(),
            EngineError::NotAFile { what, .. } => format!("{what} where a file is expected"),
            EngineError::TooLarge { limit_bytes, .. } => format!("larger than {limit_bytes} bytes"),
            other => other.to_string(),
        };
        Self::Io { path: path.to_owned(), reason }
    }
}
