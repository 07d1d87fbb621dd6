//! What refusals mean when a release is written.

use std::io;
use std::path::Path;

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;

use super::output_error::OutputError;
use crate::EngineError;

impl EngineError {
    /// The operating system's refusal to write a file or folder, of which the message names the last part.
    pub(super) fn write(path: &Path, source: io::Error) -> Self {
        OutputError::Write { file: name_of(path), source }.into()
    }

    /// A refusal of the Parquet encoder or of the file below it.
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

    /// A refusal of an Arrow kernel or of the temporary file below it.
    pub(super) fn arrow(path: &Path, error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, source) => Self::write(path, source),
            other => Self::encode(path, other.to_string()),
        }
    }

    /// What an error of reading means in the second pass: the rows are not those that were counted.
    pub(super) fn in_second_pass(self) -> Self {
        match self {
            Self::Changed { .. } => OutputError::InputChanged { what: "its bytes differ" }.into(),
            Self::UnknownValue { .. } => {
                OutputError::InputChanged { what: "it has a value that was not counted" }.into()
            }
            other => other,
        }
    }
}

pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
