//! Why a project cannot be imported.

use std::path::PathBuf;

use indistinct_language::{FileError, codes};

/// What keeps a project from becoming a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file that is no project of ARX.
    #[error("{}: {reason}", path.display())]
    NotAProject {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A project of ARX without a part that it needs.
    #[error("{}: the project has no {part} that can be read", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// The part of the archive.
        part: String,
    },
}

codes! {
    ImportError {
        Self::NotAProject { .. } => "E-IMPORT-001", "a file that is no project of ARX",
            "give the .deid file that ARX saves; a table as such goes to `indistinct init`";
        Self::Part { .. } => "E-IMPORT-002", "a project of ARX without a part that is needed",
            "open the project in ARX 3 and save it again, with its data";
    }
    of { Self::File(error) => error; }
}
