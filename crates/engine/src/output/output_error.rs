//! Errors of writing a release.

use std::path::PathBuf;

use indistinct_diagnostics::codes;

use super::recovery::Recovery;

/// Why a release cannot be written. Nothing is left behind that could be taken for one.
///
/// Messages name files, columns, rows and counts, never a cell of the table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// Something is already there.
    #[error("'{}' already exists{}", path.display(), completed(*recovered))]
    Exists {
        /// The release directory, or the private one beside it.
        path: PathBuf,
        /// What an earlier run had left, and became of it just now.
        recovered: Recovery,
    },
    /// The existing files are not an unmodified release, so they are not replaced.
    #[error("'{}' is not an unmodified release and is not replaced: {reason}", path.display())]
    NotARelease {
        /// The directory or file.
        path: PathBuf,
        /// What does not belong to a release.
        reason: String,
    },
    /// The folder that should hold the release does not exist.
    #[error("the folder '{}' does not exist", path.display())]
    NoParent {
        /// The folder.
        path: PathBuf,
    },
    /// A path that cannot name a new directory, such as `/` or `..`.
    #[error("'{}' cannot name a release directory", path.display())]
    InvalidPath {
        /// The path.
        path: PathBuf,
    },
    /// A directory within a release, or within a private part: what is in a release is handed over.
    #[error("'{}' would be within the release '{}'", path.display(), around.display())]
    Within {
        /// The directory.
        path: PathBuf,
        /// The release, or the private part, that is there.
        around: PathBuf,
    },
    /// Another process is writing the same release.
    #[error("another process is writing '{}'", path.display())]
    Busy {
        /// The release directory.
        path: PathBuf,
    },
    /// The operating system refuses.
    #[error("'{file}' cannot be written: {source}")]
    Write {
        /// The name of the file or folder.
        file: String,
        /// Reason for the error.
        source: std::io::Error,
    },
    /// A format's encoder refuses.
    #[error("'{file}' cannot be encoded: {detail}")]
    Encode {
        /// The name of the file.
        file: String,
        /// What the encoder says.
        detail: String,
    },
    /// The rows of the second pass are not those that were counted.
    #[error("the input changed between the two passes: {what}")]
    InputChanged {
        /// What differs.
        what: &'static str,
    },
    /// A column to be written that neither the release nor the input has.
    #[error("column '{column}' cannot be written: {reason}")]
    InvalidColumn {
        /// The released name.
        column: String,
        /// Reason for the error.
        reason: &'static str,
    },
    /// A spreadsheet, for a build that writes none.
    #[error(
        "the release is a spreadsheet, and this build was compiled without spreadsheet support"
    )]
    NoSpreadsheets,
    /// More rows than a sheet has.
    #[error("a sheet has room for {limit} rows below its names, and the table has {n_rows}")]
    TooManyRows {
        /// The number of rows.
        n_rows: u64,
        /// Those of a sheet.
        limit: u64,
    },
}

/// How a message says that what is there was put in place just now.
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
