//! What refusals mean when a release is written.

use std::io;
use std::path::Path;

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;

use crate::EngineError;

impl EngineError {
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

    /// What an error of reading means in the second pass: the rows are not those that were counted.
    pub(super) fn in_second_pass(self) -> Self {
        match self {
            Self::Changed { .. } => Self::InputChanged { what: "its bytes differ" },
            Self::UnknownValue { .. } => {
                Self::InputChanged { what: "it has a value that was not counted" }
            }
            other => other,
        }
    }
}

pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
