//! Why a file of ARX cannot be imported.

use std::path::{Path, PathBuf};

use indistinct_diagnostics::{FileError, codes};

/// What keeps a project or a certificate from becoming a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file that is neither a project nor a certificate of ARX.
    #[error("{}: {reason}", path.display())]
    NotOfArx {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A project or a certificate of ARX without a part that it needs.
    #[error("{}: it has no {part} that can be read", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// The part of the archive, or the section of the certificate.
        part: String,
    },
    /// A certificate, for a build that reads none.
    #[error("{}: a PDF, and this program was built without reading any", path.display())]
    NoPdf {
        /// The file.
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
        Self::NotOfArx { .. } => "E-IMPORT-001", "a file that is neither a project nor a certificate of ARX",
            "give the .deid file that ARX saves, or its certificate; a table as such goes to `indistinct init`";
        Self::Part { .. } => "E-IMPORT-002", "a project or a certificate of ARX without a part that is needed",
            "open the project in ARX 3 and save it again with its data, or make the certificate again";
        Self::NoPdf { .. } => "E-IMPORT-003", "a certificate of ARX, for a build that reads no PDF",
            "build the program with `--features pdf`, or give the project (.deid), which has more";
    }
    of { Self::File(error) => error; }
}
