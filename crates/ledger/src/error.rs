//! Why a ledger cannot be used.

use indistinct_language::codes;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Everything that can be wrong with a ledger, or with what is asked of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// There is no such file.
    #[error("there is no ledger '{}'", path.display())]
    NotThere {
        /// The file.
        path: PathBuf,
    },
    /// A new ledger would replace a file.
    #[error("'{}' already exists", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file of another kind.
    #[error("'{}' is not a ledger of Indistinct", path.display())]
    NotALedger {
        /// The file.
        path: PathBuf,
    },
    /// A ledger of a newer version.
    #[error("the ledger '{}' has format {got}; this version reads formats up to {known}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        got: i64,
        /// The newest format that this version reads.
        known: i64,
    },
    /// A ledger that is damaged.
    #[error("the ledger '{}' is damaged: {reason}", path.display())]
    Corrupted {
        /// The file.
        path: PathBuf,
        /// What is wrong; no cell of a table.
        reason: String,
    },
    /// A ledger that cannot be written.
    #[error("the ledger '{}' may only be read, and this must write to it", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Another process has held the ledger for too long.
    #[error("another process is writing to the ledger '{}'", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The operating system or the database refuses.
    #[error("the ledger '{}': {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What it says.
        reason: String,
    },
    /// A release that is not recorded.
    #[error("the ledger has no release '{name}'")]
    NoSuchRelease {
        /// What was asked for.
        name: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// A release that is recorded already.
    #[error("the ledger already has this release, as '{name}'")]
    Recorded {
        /// The name under which it has it.
        name: String,
    },
    /// A name that another release has.
    #[error("the ledger already has another release '{name}'")]
    NameTaken {
        /// The name.
        name: String,
    },
}

codes! {
    LedgerError {
        Self::NotThere { .. } => "E-LEDGER-001", "there is no such ledger",
            "make one: indistinct ledger init FILE";
        Self::Exists { .. } => "E-LEDGER-002", "a new ledger would replace a file",
            "name another file; a ledger is never replaced";
        Self::NotALedger { .. } => "E-LEDGER-003", "a file that is no ledger",
            "name the file that 'indistinct ledger init' made";
        Self::Newer { .. } => "E-LEDGER-004", "a ledger of a newer version",
            "use the version of Indistinct that wrote it, or a newer one";
        Self::Corrupted { .. } => "E-LEDGER-005", "a ledger that is damaged",
            "take the last good copy, and add the releases made since: indistinct ledger add";
        Self::ReadOnly { .. } => "E-LEDGER-006", "a ledger that may not be written",
            "give yourself the right to write to it: chmod u+w";
        Self::Locked { .. } => "E-LEDGER-007", "another process has held the ledger for too long",
            "wait until it has ended, and try again";
        Self::Failed { .. } => "E-LEDGER-008", "the operating system or the database refuses",
            "check the path, its permissions and the space on the disk";
        Self::NoSuchRelease { .. } => "E-LEDGER-009", "a release that is not recorded",
            "indistinct ledger list names those that are recorded";
        Self::Recorded { .. } => "E-LEDGER-010", "a release that is recorded already",
            "";
        Self::NameTaken { .. } => "E-LEDGER-011", "a name that another release has",
            "give it another name: --name NAME";
    }
    help {
        Self::NotThere { path } => format!("make one: indistinct ledger init '{}'", path.display());
        Self::NoSuchRelease { known, .. } if known.is_empty() => "it has none at all";
        Self::NoSuchRelease { known, .. } => format!("there are: {}", known.join(", "));
    }
}

impl LedgerError {
    pub(crate) fn of(path: &Path, error: &rusqlite::Error) -> Self {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => LedgerError::NotALedger { path },
            Some(ErrorCode::DatabaseCorrupt) => LedgerError::Corrupted {
                path,
                reason: "its pages contradict each other".to_owned(),
            },
            Some(ErrorCode::ReadOnly) => LedgerError::ReadOnly { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                LedgerError::Locked { path }
            }
            _ => LedgerError::Failed { path, reason: error.to_string() },
        }
    }
}
