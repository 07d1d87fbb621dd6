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
    #[error("{}: {part} is missing or cannot be read", path.display())]
    Part {
        /// The path of the file.
        path: PathBuf,
        /// The name of the part in the archive, or of the section in the certificate.
        part: String,
    },
    /// The file is a certificate, and this build does not support PDF files.
    #[error("{}: this build was compiled without PDF support", path.display())]
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
        Self::NotOfArx { .. } => "E-IMPORT-001", "a file that is neither an ARX project nor an ARX \
                                                  certificate",
            "specify an ARX project (.deid) or an ARX certificate; for a table, use `indistinct \
             init`";
        Self::Part { .. } => "E-IMPORT-002", "an ARX project or certificate without a required \
                                              part",
            "open the project in ARX 3 and save it again with its data, or create the certificate \
             again";
        Self::NoPdf { .. } => "E-IMPORT-003", "an ARX certificate in a build without PDF support",
            "build with `--features pdf`, or import the project (.deid), which contains more \
             information";
    }
    of { Self::File(error) => error; }
}
