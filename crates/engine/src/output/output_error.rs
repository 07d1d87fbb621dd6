//! Errors of writing a release.

use std::path::PathBuf;

use indistinct_diagnostics::codes;

use super::recovery::Recovery;

/// The reason that a release cannot be written. A failed write leaves nothing behind that could be
/// mistaken for a release.
///
/// Messages contain file names, column names, row numbers, and counts, but never a cell of the
/// table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The destination already exists.
    #[error("'{}' already exists{}", path.display(), completed(*recovered))]
    Exists {
        /// The release directory or its private directory.
        path: PathBuf,
        /// Result of recovering from an earlier run.
        recovered: Recovery,
    },
    /// The existing files are not an unmodified release, so they are not replaced.
    #[error("'{}' is not an unmodified release and is not replaced: {reason}", path.display())]
    NotARelease {
        /// The directory or file.
        path: PathBuf,
        /// Reason that the existing files are not an unmodified release.
        reason: String,
    },
    /// The parent folder of the release does not exist.
    #[error("the folder '{}' does not exist", path.display())]
    NoParent {
        /// Path of the parent folder.
        path: PathBuf,
    },
    /// The path cannot name a new directory, such as `/` or `..`.
    #[error("'{}' cannot name a release directory", path.display())]
    InvalidPath {
        /// The invalid path.
        path: PathBuf,
    },
    /// The directory is inside a release or a private part. Files inside a release would be shared
    /// with the recipient.
    #[error("'{}' would be within the release '{}'", path.display(), around.display())]
    Within {
        /// Path of the directory.
        path: PathBuf,
        /// Path of the enclosing release or private part.
        around: PathBuf,
    },
    /// Another process is writing the same release.
    #[error("another process is writing '{}'", path.display())]
    Busy {
        /// Path of the release directory.
        path: PathBuf,
    },
    /// The operating system refuses.
    #[error("'{file}' cannot be written: {source}")]
    Write {
        /// Name of the file or folder.
        file: String,
        /// Reason for the error.
        source: std::io::Error,
    },
    /// The encoder of a format reports an error.
    #[error("'{file}' cannot be encoded: {detail}")]
    Encode {
        /// Name of the file.
        file: String,
        /// Message of the encoder.
        detail: String,
    },
    /// The rows of the second pass differ from the counted rows.
    #[error("the input changed between the two passes: {what}")]
    InputChanged {
        /// Description of the difference.
        what: &'static str,
    },
    /// The release and the input do not contain the requested column.
    #[error("column '{column}' cannot be written: {reason}")]
    InvalidColumn {
        /// Released name of the column.
        column: String,
        /// Reason for the error.
        reason: &'static str,
    },
    /// This build was compiled without spreadsheet support.
    #[error(
        "the release is a spreadsheet, and this build was compiled without spreadsheet support"
    )]
    NoSpreadsheets,
    /// The number of rows exceeds the limit of a sheet.
    #[error("a sheet has room for {limit} rows below its names, and the table has {n_rows}")]
    TooManyRows {
        /// Number of rows.
        n_rows: u64,
        /// Maximum number of rows in a sheet.
        limit: u64,
    },
}

/// Returns the part of a message that reports a release completed by recovery.
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
        Self::NotARelease { .. } => "E-OUTPUT-002", "the existing files are not an unmodified release, so they are not replaced",
            "what is replaced is gone, so only a folder whose every file its certificate (or, of the private part, its PRIVATE.txt) knows by name ever is: name another directory or move away what is not part of the release";
        Self::NoParent { .. } => "E-OUTPUT-003", "the folder that should hold the release does not exist",
            "create the folder first, or name another";
        Self::InvalidPath { .. } => "E-OUTPUT-004", "a path that cannot name a new directory, such as `/` or `..`",
            "name a directory that is to be made, such as `release`, in UTF-8";
        Self::Within { .. } => "E-OUTPUT-013", "a release within another one, which would be handed over with it",
            "name a directory outside of it";
        Self::Busy { .. } => "E-OUTPUT-005", "another process is writing the same release",
            "wait for it to end, or name another directory";
        Self::Write { .. } => "E-OUTPUT-006", "the operating system refuses",
            "nothing was left behind; check the folder's permissions and disk, or name another";
        Self::Encode { .. } => "E-OUTPUT-007", "a format's encoder refuses",
            "nothing was left behind; write the other format: `format` in [output]";
        Self::InputChanged { .. } => "E-OUTPUT-008", "the rows of the second pass are not those that were counted",
            "nothing was written; run the command again while no other process writes to the input";
        Self::InvalidColumn { .. } => "E-OUTPUT-009", "a column to be written that neither the release nor the input has",
            "nothing was written; this is a fault of Indistinct. Please report it";
        Self::NoSpreadsheets => "E-OUTPUT-012", "a spreadsheet, for a build that writes none",
            "build the program with `--features excel`, or write another format: `format` in [output]; `spreadsheet_safe` makes a CSV file safe to open in one";
        Self::TooManyRows { .. } => "E-OUTPUT-011", "more rows than a sheet has",
            "nothing was written; write another format: `format` in [output]";
    }
    help {
        Self::Write { source, .. } if source.kind() == std::io::ErrorKind::StorageFull =>
            "nothing was left behind; make room or write to another disk";
    }
}
