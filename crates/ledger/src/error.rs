//! Why a ledger cannot be used.

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
    /// A ledger that may not be written.
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

impl LedgerError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            LedgerError::NotThere { .. } => "E-LEDGER-001",
            LedgerError::Exists { .. } => "E-LEDGER-002",
            LedgerError::NotALedger { .. } => "E-LEDGER-003",
            LedgerError::Newer { .. } => "E-LEDGER-004",
            LedgerError::Corrupted { .. } => "E-LEDGER-005",
            LedgerError::ReadOnly { .. } => "E-LEDGER-006",
            LedgerError::Locked { .. } => "E-LEDGER-007",
            LedgerError::Failed { .. } => "E-LEDGER-008",
            LedgerError::NoSuchRelease { .. } => "E-LEDGER-009",
            LedgerError::Recorded { .. } => "E-LEDGER-010",
            LedgerError::NameTaken { .. } => "E-LEDGER-011",
        }
    }

    /// What to do.
    pub fn help(&self) -> Option<String> {
        let text = match self {
            LedgerError::NotThere { path } => {
                return Some(format!("make one: indistinct ledger init '{}'", path.display()));
            }
            LedgerError::Exists { .. } => "name another file; a ledger is never replaced",
            LedgerError::NotALedger { .. } => "name the file that 'indistinct ledger init' made",
            LedgerError::Newer { .. } => {
                "use the version of Indistinct that wrote it, or a newer one"
            }
            LedgerError::Corrupted { .. } => {
                "take the last good copy, and add the releases made since: indistinct ledger add"
            }
            LedgerError::ReadOnly { .. } => "give yourself the right to write to it: chmod u+w",
            LedgerError::Locked { .. } => "wait until it has ended, and try again",
            LedgerError::Failed { .. } => {
                "check the path, its permissions and the space on the disk"
            }
            LedgerError::NoSuchRelease { known, .. } if known.is_empty() => "it has none at all",
            LedgerError::NoSuchRelease { known, .. } => {
                return Some(format!("there are: {}", known.join(", ")));
            }
            LedgerError::Recorded { .. } => return None,
            LedgerError::NameTaken { .. } => "give it another name: --name NAME",
        };
        Some(text.to_owned())
    }

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
