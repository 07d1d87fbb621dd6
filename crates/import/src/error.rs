//! Errors that occur while importing ARX files.

use std::path::{Path, PathBuf};

use indistinct_diagnostics::{FileError, errors};

errors! {
    /// The reason why a project or a certificate cannot be imported.
    #[derive(Clone, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum ImportError {
        /// A file that is neither an ARX project nor an ARX certificate.
        #[error("{}: {reason}", path.display())]
        #[code("E-IMPORT-001", "specify an ARX project (.deid) or an ARX certificate; for a table, \
                use `indistinct init`")]
        NotOfArx {
            /// The path of the file.
            path: PathBuf,
            /// The reason in words.
            reason: String,
        },
        /// An ARX project or certificate without a required part.
        #[error("{}: {part} is missing or cannot be read", path.display())]
        #[code("E-IMPORT-002", "open the project in ARX 3 and save it again with its data, or \
                create the certificate again")]
        Part {
            /// The path of the file.
            path: PathBuf,
            /// The name of the part in the archive, or of the section in the certificate.
            part: String,
        },
        /// An ARX certificate in a build without PDF support.
        #[error("{}: this build was compiled without PDF support", path.display())]
        #[code("E-IMPORT-003", "build with `--features pdf`, or import the project (.deid), which \
                contains more information")]
        NoPdf {
            /// The path of the file.
            path: PathBuf,
        },
    }
    wraps {
        /// A file cannot be read or written.
        File(#[from] FileError),
    }
}

impl ImportError {
    pub(crate) fn not_of_arx(path: &Path, reason: &str) -> Self {
        Self::NotOfArx { path: path.to_owned(), reason: reason.to_owned() }
    }
}
