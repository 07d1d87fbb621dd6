//! Errors of writing a release.

use std::io;
use std::path::PathBuf;

use indistinct_diagnostics::errors;

/// Result of [`recover`](super::recover).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// No recovery was necessary.
    Nothing,
    /// The files of an incomplete release were removed.
    Removed,
    /// A complete release was moved into place.
    Completed,
}

errors! {
    /// The reason that a release cannot be written. A failed write leaves nothing behind that could
    /// be mistaken for a release.
    ///
    /// Messages contain file names, column names, row numbers, and counts, but never a cell from
    /// the table.
    #[non_exhaustive]
    pub enum OutputError {
        /// The output path already exists.
        #[error("'{}' already exists{}", path.display(), completed(*recovered))]
        #[code("E-OUTPUT-001", "choose another directory, or replace the existing release with \
                `--force`")]
        Exists {
            /// The release directory or its private directory.
            path: PathBuf,
            /// Result of recovering from an earlier run.
            recovered: Recovery,
        },
        /// The existing files are not a release or have been modified, so they are not replaced.
        #[error(
            "'{}' was not replaced, because it is not a release or has been modified: {reason}",
            path.display()
        )]
        #[code("E-OUTPUT-002", "choose another directory, or move unrelated files elsewhere; a \
                folder is replaced only if its certificate (or PRIVATE.txt in the private \
                directory) lists all of its files")]
        NotARelease {
            /// The directory or file.
            path: PathBuf,
            /// Evidence that the existing files are not a release or have been modified.
            reason: String,
        },
        /// The parent folder of the release does not exist.
        #[error("the folder '{}' does not exist", path.display())]
        #[code("E-OUTPUT-003", "create the folder, or choose another one")]
        NoParent {
            /// Path of the parent folder.
            path: PathBuf,
        },
        /// The path does not name a new directory (for example, `/` or `..`).
        #[error("'{}' cannot name a release directory", path.display())]
        #[code("E-OUTPUT-004", "specify the path of a new directory, such as `release`, in valid \
                UTF-8")]
        InvalidPath {
            /// The invalid path.
            path: PathBuf,
        },
        /// The release would be inside another release and would be published with that release.
        #[error("'{}' would be inside the release '{}'", path.display(), around.display())]
        #[code("E-OUTPUT-013", "choose a directory outside the other release")]
        Within {
            /// Path of the directory.
            path: PathBuf,
            /// Path of the enclosing release or private directory.
            around: PathBuf,
        },
        /// The private directory and the release directory have the same path.
        #[error(
            "'{}' cannot be both the release directory and the private directory",
            path.display()
        )]
        #[code("E-OUTPUT-014", "choose another path for `--private`, because the release directory \
                is published")]
        PrivateIsRelease {
            /// Path of both directories.
            path: PathBuf,
        },
        /// A private directory of an earlier release is next to the new release.
        #[error(
            "'{}' already exists and would be mistaken for the new private directory",
            path.display()
        )]
        #[code("E-OUTPUT-015", "move or delete the earlier private directory, or omit `--private`")]
        OtherPrivate {
            /// Path of the existing directory.
            path: PathBuf,
        },
        /// The private directory is an address instead of a local directory.
        #[error("the private directory is an address instead of a local directory")]
        #[code("E-OUTPUT-016", "choose a local directory for `--private`, or `none`; private files \
                are never uploaded")]
        PrivateIsAddress,
        /// The private files of an interrupted run are on a disk that is not mounted.
        #[error(
            "the private directory of an interrupted run is missing or on a disk that is not \
             mounted: see '{}'",
            folder.join("private-location.json").display()
        )]
        #[code("E-OUTPUT-017", "mount the disk and run the command again; delete the folder of \
                this file only if the private files of the interrupted run no longer exist")]
        PrivateUnavailable {
            /// Staging folder of the interrupted run.
            folder: PathBuf,
        },
        /// Another process is writing the same release.
        #[error("another process is writing '{}'", path.display())]
        #[code("E-OUTPUT-005", "wait until the other process has finished, or choose another \
                directory")]
        Busy {
            /// Path of the release directory.
            path: PathBuf,
        },
        /// A file or folder cannot be written.
        #[error("'{file}' cannot be written: {source}")]
        #[code("E-OUTPUT-006", "no files were left behind; check the permissions and the free \
                space of the folder, or choose another folder")]
        Write {
            /// Name of the file or folder.
            file: String,
            /// Reason for the error.
            source: io::Error,
        },
        /// A file cannot be encoded in its format.
        #[error("'{file}' cannot be encoded: {detail}")]
        #[code("E-OUTPUT-007", "no files were left behind; choose another `format` in [output]")]
        Encode {
            /// Name of the file.
            file: String,
            /// Message of the encoder.
            detail: String,
        },
        /// The rows read in the second pass differ from the counted rows.
        #[error("the input changed between the two passes: {what}")]
        #[code("E-OUTPUT-008", "nothing was written; run the command again while no other process \
                writes to the input")]
        InputChanged {
            /// Description of the difference.
            what: &'static str,
        },
        /// Neither the release nor the input contains a requested column.
        #[error("column '{column}' cannot be written: {reason}")]
        #[code("E-OUTPUT-009", "nothing was written; please report this bug in Indistinct")]
        InvalidColumn {
            /// Released name of the column.
            column: String,
            /// Reason for the error.
            reason: &'static str,
        },
        /// This build was compiled without spreadsheet support.
        #[error(
            "the release cannot be a spreadsheet: this build was compiled without spreadsheet \
             support"
        )]
        #[code("E-OUTPUT-012", "build Indistinct with `--features excel`, or choose another \
                `format` in [output]; with `spreadsheet_safe`, a CSV file is safe to open in a \
                spreadsheet program")]
        NoSpreadsheets,
        /// The table has more rows than a sheet can contain.
        #[error(
            "the table has {n_rows} rows, but a sheet can contain at most {limit} rows below its \
             header"
        )]
        #[code("E-OUTPUT-011", "nothing was written; choose another `format` in [output]")]
        TooManyRows {
            /// Number of rows.
            n_rows: u64,
            /// Maximum number of rows in a sheet.
            limit: u64,
        },
    }
    help {
        Self::Write { source, .. } if source.kind() == io::ErrorKind::StorageFull =>
            "no files were left behind; free some space, or write to another disk";
    }
}

/// Returns the text of the message that recovery has completed a release.
fn completed(recovered: Recovery) -> &'static str {
    match recovered {
        Recovery::Completed => {
            ": an earlier run was interrupted while moving this release into place; the release is \
             now complete"
        }
        Recovery::Nothing | Recovery::Removed => "",
    }
}
