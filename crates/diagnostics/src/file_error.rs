//! The error for a file that cannot be read or written.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::codes;

/// A file or folder that cannot be read or written, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{}': {reason}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The reason, as reported by the operating system.
    pub reason: String,
    kind: ErrorKind,
}

codes! {
    FileError {
        _ => "E-FILE-001", "A file cannot be read or written.",
            "check the path and its permissions";
    }
    help {
        Self { kind: ErrorKind::AlreadyExists, .. } =>
            "choose another name; existing files are not replaced";
        Self { kind: ErrorKind::InvalidData, .. } => "save the file as UTF-8 text";
    }
}

impl FileError {
    /// Creates an error about a file from an operating system error.
    pub fn new(path: &Path, error: &io::Error) -> Self {
        let reason = match error.kind() {
            ErrorKind::NotFound => "no such file or directory".to_owned(),
            ErrorKind::AlreadyExists => "already exists and is not replaced".to_owned(),
            ErrorKind::InvalidData => "not valid UTF-8".to_owned(),
            _ => error.to_string(),
        };
        Self { path: path.to_owned(), reason, kind: error.kind() }
    }

    /// Creates an error with a different reason.
    pub fn because(path: &Path, reason: &str) -> Self {
        Self { path: path.to_owned(), reason: reason.to_owned(), kind: ErrorKind::Other }
    }
}
