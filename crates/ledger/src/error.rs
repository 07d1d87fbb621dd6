//! Errors of the ledger.

use indistinct_diagnostics::{codes, words};
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// An error in a ledger, or in an operation on a ledger.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The file does not exist.
    #[error("the ledger '{}' does not exist", .0.display())]
    NotThere(PathBuf),
    /// A new ledger would replace an existing file.
    #[error("'{}' already exists", .0.display())]
    Exists(PathBuf),
    /// The file is not a ledger.
    #[error("'{}' is not a ledger of Indistinct", .0.display())]
    NotALedger(PathBuf),
    /// The ledger was written by a newer version.
    #[error(
        "the ledger '{}' has format {got}, but this version supports formats up to {known}",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The format of the ledger.
        got: i64,
        /// The newest format that this version reads.
        known: i64,
    },
    /// The ledger is damaged.
    #[error("the ledger '{}' is damaged: {damage}", path.display())]
    Corrupted {
        /// The file.
        path: PathBuf,
        /// What is damaged.
        damage: Damage,
    },
    /// The ledger cannot be written.
    #[error("the ledger '{}' is read-only, but this command requires write access", .0.display())]
    ReadOnly(PathBuf),
    /// Another process locked the ledger for too long.
    #[error("another process is writing to the ledger '{}'", .0.display())]
    Locked(PathBuf),
    /// The operating system or the database reported an error.
    #[error("the ledger '{}' cannot be read or written: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// The error message.
        reason: String,
    },
    /// The release is not recorded.
    #[error("the ledger contains no release '{name}'")]
    NoSuchRelease {
        /// The requested name.
        name: String,
        /// The names of the recorded releases.
        known: Vec<String>,
    },
    /// The release is already recorded.
    #[error("the ledger already contains this release as '{0}'")]
    Recorded(String),
    /// Another release already has the name.
    #[error("the ledger already contains another release named '{0}'")]
    NameTaken(String),
    /// The plan of the release permits no further release.
    #[error(
        "the plan permits {}, and the ledger already contains {n_recorded}",
        words::count(*n_releases, "release")
    )]
    PlanExhausted {
        /// The number of releases that the plan permits.
        n_releases: u64,
        /// The number of recorded releases that follow the plan.
        n_recorded: u64,
    },
    /// A new key for people would replace an existing file.
    #[error("'{}' already exists", .0.display())]
    KeyExists(PathBuf),
    /// The key does not exist.
    #[error("the key '{}' does not exist", .0.display())]
    NoKey(PathBuf),
    /// The file is not a key.
    #[error("'{}' is not a key for people: expected 64 hexadecimal digits", .0.display())]
    NotAKey(PathBuf),
    /// Other users can read or write the key.
    #[error("the key '{}' is accessible to other users", .0.display())]
    KeyOpen(PathBuf),
    /// The operating system failed to read or write a key.
    #[error("the key '{}' cannot be read or written: {reason}", path.display())]
    KeyFailed {
        /// The file.
        path: PathBuf,
        /// The error message.
        reason: String,
    },
    /// The key differs from the key of the earlier versions.
    #[error("the series '{0}' was started with another key for people")]
    WrongKey(String),
    /// The entries about people cannot be read.
    #[error("the entries about people of the series '{0}' cannot be read")]
    PeopleUnreadable(String),
    /// The database failed to read or write entries about people.
    #[error("the entries about people in the ledger cannot be read or written: {0}")]
    People(String),
}

/// What is damaged in a ledger.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// A table or an index of the ledger is missing.
    #[error("the {0} is missing")]
    Missing(String),
    /// The file contains a schema object, such as a table or a view, that is not part of a ledger.
    #[error("it contains the {0}, which is not part of a ledger")]
    Foreign(String),
    /// Some tables have unexpected declarations.
    #[error("the declarations of its tables are invalid")]
    OtherSchema,
    /// The pages of the file are inconsistent.
    #[error("its pages are inconsistent")]
    Pages,
    /// A release cannot be read.
    #[error("a recorded release cannot be read")]
    Release,
}

codes! {
    LedgerError {
        Self::NotThere { .. } => "E-LEDGER-001", "the ledger does not exist",
            "create a ledger: indistinct ledger init FILE";
        Self::Exists { .. } => "E-LEDGER-002", "a new ledger would replace an existing file",
            "choose another file; a ledger is never replaced";
        Self::NotALedger { .. } => "E-LEDGER-003", "the file is not a ledger",
            "give the path of a file created by 'indistinct ledger init'";
        Self::Newer { .. } => "E-LEDGER-004",
            "the ledger was written by a newer version of Indistinct",
            "use the version of Indistinct that wrote the ledger, or a newer version";
        Self::Corrupted { .. } => "E-LEDGER-005", "the ledger is damaged",
            "restore the last intact copy, and add the releases created since then with \
             'indistinct ledger add'";
        Self::ReadOnly { .. } => "E-LEDGER-006", "the ledger is read-only",
            "grant yourself write permission: chmod u+w";
        Self::Locked { .. } => "E-LEDGER-007", "another process has locked the ledger for too long",
            "wait until the other process has finished, and try again";
        Self::Failed { .. } => "E-LEDGER-008", "the ledger cannot be read or written",
            "check the path, its permissions, and the free disk space";
        Self::NoSuchRelease { .. } => "E-LEDGER-009", "the release is not recorded",
            "list the recorded releases: indistinct ledger list";
        Self::Recorded { .. } => "E-LEDGER-010", "the release is already recorded",
            "no action is required; the ledger contains the release under the name given in the message";
        Self::NameTaken { .. } => "E-LEDGER-011", "another release already has the name",
            "choose another name: --name NAME";
        Self::PlanExhausted { .. } => "E-LEDGER-012",
            "the plan of the release permits no further release",
            "create a plan for more releases with 'indistinct plan --releases'; it does not extend \
             the guarantee of the recorded releases";
        Self::KeyExists { .. } => "E-INVARIANT-101", "a new key would replace an existing file",
            "choose another file; a key is never replaced";
        Self::NoKey { .. } => "E-INVARIANT-102", "the key does not exist",
            "create a key with 'indistinct ledger init FILE --key KEYFILE', or use the key of the \
             earlier versions";
        Self::NotAKey { .. } => "E-INVARIANT-103", "the file is not a key for people",
            "give the path of a key created by 'indistinct ledger init --key'";
        Self::KeyOpen { .. } => "E-INVARIANT-104", "other users can read or write the key",
            "restrict access with chmod 600; anyone who has the key can find people in the ledger";
        Self::KeyFailed { .. } => "E-INVARIANT-105", "the key cannot be read or written",
            "check the path, its permissions, and the free disk space";
        Self::WrongKey { .. } => "E-INVARIANT-106",
            "the key differs from the key of the earlier versions",
            "set the key of the earlier versions in [linkage] of the policy; people cannot be \
             recognized with any other key";
        Self::PeopleUnreadable { .. } => "E-INVARIANT-107", "entries about people cannot be read",
            "restore the last intact copy of the ledger, and check it with 'indistinct ledger \
             verify'";
        Self::People { .. } => "E-INVARIANT-108", "entries about people cannot be read or written",
            "check the path, its permissions, and the free disk space";
    }
    help {
        Self::NotThere(path) =>
            format!("create a ledger: indistinct ledger init '{}'", path.display());
        Self::NoSuchRelease { known, .. } if known.is_empty() => "the ledger contains no releases";
        Self::NoSuchRelease { known, .. } => format!("recorded releases: {}", known.join(", "));
    }
}

impl LedgerError {
    pub(crate) fn from_sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => LedgerError::NotALedger(path),
            Some(ErrorCode::DatabaseCorrupt) => {
                LedgerError::Corrupted { path, damage: Damage::Pages }
            }
            Some(ErrorCode::ReadOnly) => LedgerError::ReadOnly(path),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => LedgerError::Locked(path),
            _ => LedgerError::Failed { path, reason: error.to_string() },
        }
    }
}
