//! The errors of importing a file of ARX.

use std::path::{Path, PathBuf};

use indistinct_diagnostics::{FileError, codes};

/// The reason why a project or a certificate cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is neither a project nor a certificate of ARX.
    #[error("{}: {reason}", path.display())]
    NotOfArx {
        /// The path of the file.
        path: PathBuf,
        /// The reason in words.
        reason: String,
    },
    /// A project or certificate of ARX lacks a required part.
    #[error("{}: it has no {part} that can be read", path.display())]
    Part {
        /// The path of the file.
        path: PathBuf,
        /// The name of the part in the archive, or of the section in the certificate.
        part: String,
    },
    /// The file is a certificate, and this build does not support PDF files.
    #[error("{}: a PDF, and this program was built without reading any", path.display())]
    NoPdf {
        /// The path of the file.
        path: PathBuf,
    },
}

impl ImportError {
    pub(crate) fn not_of_arx(path: &Path, reason: &str) -> Self {
        Self::NotOfArx { path: path.to_owned(), reason: reason.to_owned() }
    }
}

codes! {
    ImportError {
        Self::NotOfArx { .. } => "E-IMPORT-001", "a file that is neither a project nor a \
                                                  certificate of ARX",
            "give the .deid file that ARX saves, or its certificate; a table as such goes to \
             `indistinct init`";
        Self::Part { .. } => "E-IMPORT-002", "a project or a certificate of ARX without a part \
                                              that is needed",
            "open the project in ARX 3 and save it again with its data, or make the certificate \
             again";
        Self::NoPdf { .. } => "E-IMPORT-003", "a certificate of ARX, for a build that reads no PDF",
            "build the program with `--features pdf`, or give the project (.deid), which has more";
    }
    of { Self::File(error) => error; }
}
