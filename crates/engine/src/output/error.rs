//! What can go wrong when a release is written.

use indistinct_language::codes;
use std::io;
use std::path::{Path, PathBuf};

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;

use super::recovery::Recovery;
use crate::EngineError;

/// Why a release cannot be written. Nothing is left behind that could be taken for one.
///
/// Messages name files, columns and counts, never a cell of the table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// Something is already there.
    #[error("'{}' already exists{}", path.display(), completed(*recovered))]
    Exists {
        /// The release directory, or the private one beside it.
        path: PathBuf,
        /// What an earlier run had left, and became of it just now.
        recovered: Recovery,
    },
    /// What is there is not wholly a release, so it is not replaced.
    #[error("'{}' is not wholly a release of Indistinct and is not replaced: {reason}", path.display())]
    NotARelease {
        /// The directory or file.
        path: PathBuf,
        /// What does not belong to a release.
        reason: String,
    },
    /// The folder that should hold the release does not exist.
    #[error("the folder '{}' does not exist", path.display())]
    NoParent {
        /// The folder.
        path: PathBuf,
    },
    /// A path that cannot name a new directory, such as `/` or `..`.
    #[error("'{}' cannot name a release directory", path.display())]
    InvalidPath {
        /// The path.
        path: PathBuf,
    },
    /// Another process is writing the same release.
    #[error("another process is writing '{}'", path.display())]
    Busy {
        /// The release directory.
        path: PathBuf,
    },
    /// The operating system refuses.
    #[error("'{file}' cannot be written: {source}")]
    Write {
        /// The name of the file or folder.
        file: String,
        /// The reason.
        source: io::Error,
    },
    /// A format's encoder refuses.
    #[error("'{file}' cannot be encoded: {detail}")]
    Encode {
        /// The name of the file.
        file: String,
        /// What the encoder says.
        detail: String,
    },
    /// The rows of the second pass are not those that were counted.
    #[error("the input changed between the two passes: {what}")]
    InputChanged {
        /// What differs.
        what: &'static str,
    },
    /// A column to be written that neither the release nor the input has.
    #[error("column '{column}' cannot be written: {reason}")]
    InvalidColumn {
        /// The released name.
        column: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The input cannot be read a second time.
    #[error(transparent)]
    Input(EngineError),
    /// The observer asked to stop.
    #[error("cancelled")]
    Cancelled,
}

/// How a message says that what is there was put in place just now.
fn completed(recovered: Recovery) -> &'static str {
    match recovered {
        Recovery::Completed => {
            ": an earlier run was stopped while it put this release in place, which is now complete"
        }
        Recovery::Nothing | Recovery::Removed => "",
    }
}

codes! {
    OutputError {
        Self::Exists { .. } => "E-OUTPUT-001", "something is already there",
            "name another directory, or replace the release that is there with `--force`";
        Self::NotARelease { .. } => "E-OUTPUT-002", "what is there is not wholly a release, so it is not replaced",
            "what is replaced is gone, so only a folder whose every file its certificate (or, of the private part, its PRIVATE.txt) knows by name ever is: name another directory or move away what is not part of the release";
        Self::NoParent { .. } => "E-OUTPUT-003", "the folder that should hold the release does not exist",
            "create the folder first";
        Self::InvalidPath { .. } => "E-OUTPUT-004", "a path that cannot name a new directory, such as `/` or `..`",
            "name a directory that is to be made, such as `release`, in UTF-8";
        Self::Busy { .. } => "E-OUTPUT-005", "another process is writing the same release",
            "wait for it to end, or name another directory";
        Self::Write { .. } => "E-OUTPUT-006", "the operating system refuses",
            "nothing was left behind; check the folder's permissions and disk";
        Self::Encode { .. } => "E-OUTPUT-007", "a format's encoder refuses",
            "";
        Self::InputChanged { .. } => "E-OUTPUT-008", "the rows of the second pass are not those that were counted",
            "nothing was written; run again when nobody writes to the input";
        Self::InvalidColumn { .. } => "E-OUTPUT-009", "a column to be written that neither the release nor the input has",
            "";
    }
    of { Self::Input(error) => error; }
    cancelled { Self::Cancelled }
    help {
        Self::Write { source, .. } if source.kind() == io::ErrorKind::StorageFull =>
            "nothing was left behind; make room or write to another disk";
    }
}

impl OutputError {
    /// The operating system's refusal to write a file or folder, of which the message names the last part.
    pub(super) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write { file: name_of(path), source }
    }

    /// A refusal of the Parquet encoder or of the file below it.
    pub(super) fn parquet(path: &Path, error: ParquetError) -> Self {
        match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(source) => Self::write(path, *source),
                Err(other) => Self::Encode { file: name_of(path), detail: other.to_string() },
            },
            other => Self::Encode { file: name_of(path), detail: other.to_string() },
        }
    }

    /// A refusal of an Arrow kernel or of the temporary file below it.
    pub(super) fn arrow(path: &Path, error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, source) => Self::write(path, source),
            other => Self::Encode { file: name_of(path), detail: other.to_string() },
        }
    }
}

impl From<EngineError> for OutputError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Cancelled => Self::Cancelled,
            EngineError::Changed { .. } => Self::InputChanged { what: "its bytes differ" },
            EngineError::UnknownValue { .. } => {
                Self::InputChanged { what: "it has a value that was not counted" }
            }
            other => Self::Input(other),
        }
    }
}

pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
