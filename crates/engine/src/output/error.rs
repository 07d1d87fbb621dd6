//! Conversion of errors that occur while writing a release.

use std::io;
use std::path::Path;

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;

use super::output_error::OutputError;
use crate::EngineError;

impl EngineError {
    /// Converts an I/O error for a file or folder. The message contains only the last component of
    /// the path.
    pub(super) fn write(path: &Path, source: io::Error) -> Self {
        OutputError::Write { file: name_of(path), source }.into()
    }

    /// Converts an error from the Parquet encoder or the underlying file.
    pub(super) fn parquet(path: &Path, error: ParquetError) -> Self {
        match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(source) => Self::write(path, *source),
                Err(other) => Self::encode(path, other.to_string()),
            },
            other => Self::encode(path, other.to_string()),
        }
    }

    fn encode(path: &Path, detail: String) -> Self {
        OutputError::Encode { file: name_of(path), detail }.into()
    }

    /// Converts an error of an Arrow kernel or the underlying temporary file.
    pub(super) fn arrow(path: &Path, error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, source) => Self::write(path, source),
            other => Self::encode(path, other.to_string()),
        }
    }

    /// Converts a read error in the second pass, which indicates that the rows differ from the
    /// counted rows.
    pub(super) fn in_second_pass(self) -> Self {
        match self {
            Self::Changed { .. } => {
                OutputError::InputChanged { what: "the content of the files differs" }.into()
            }
            Self::UnknownValue { .. } => {
                OutputError::InputChanged { what: "a value was not counted in the first pass" }
                    .into()
            }
            other => other,
        }
    }
}

pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
