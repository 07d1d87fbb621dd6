//! Errors of the ledger.

use indistinct_diagnostics::codes;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// An error in a ledger, or in a request to a ledger.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The file does not exist.
    #[error("there is no ledger '{}'", path.display())]
    NotThere {
        /// The file.
        path: PathBuf,
    },
    /// A new ledger would replace an existing file.
    #[error("'{}' already exists", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a ledger.
    #[error("'{}' is not a ledger of Indistinct", path.display())]
    NotALedger {
        /// The file.
        path: PathBuf,
    },
    /// The ledger was written by a newer version.
    #[error("the ledger '{}' has format {got}; this version reads formats up to {known}", path.display())]
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
        /// The damage.
        damage: Damage,
    },
    /// The ledger cannot be written.
    #[error("the ledger '{}' is read-only, and this command writes to it", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Another process held the ledger for too long.
    #[error("another process is writing to the ledger '{}'", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The operating system or the database reported an error.
    #[error("the ledger '{}': {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// The error message.
        reason: String,
    },
    /// The release is not recorded.
    #[error("the ledger has no release '{name}'")]
    NoSuchRelease {
        /// The requested name.
        name: String,
        /// The names of the recorded releases.
        known: Vec<String>,
    },
    /// The release is already recorded.
    #[error("the ledger already has this release, as '{name}'")]
    Recorded {
        /// The name of the release in the ledger.
        name: String,
    },
    /// Another release already has the name.
    #[error("the ledger already has another release '{name}'")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// A new key for people would replace an existing file.
    #[error("'{}' already exists", path.display())]
    KeyExists {
        /// The file.
        path: PathBuf,
    },
    /// The key does not exist.
    #[error("there is no key '{}'", path.display())]
    NoKey {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a key.
    #[error("'{}' is not a key of people: expected 64 hexadecimal digits", path.display())]
    NotAKey {
        /// The file.
        path: PathBuf,
    },
    /// Other users can read or write the key.
    #[error("the key '{}' is accessible to other users", path.display())]
    KeyOpen {
        /// The file.
        path: PathBuf,
    },
    /// The operating system failed to read or write a key.
    #[error("the key '{}': {reason}", path.display())]
    KeyFailed {
        /// The file.
        path: PathBuf,
        /// The error message.
        reason: String,
    },
    /// The key differs from the key of the earlier versions.
    #[error("the series '{series}' was begun with another key of people")]
    WrongKey {
        /// The growing table.
        series: String,
    },
    /// The entries about people cannot be read.
    #[error("the records of people of the series '{series}' cannot be read")]
    PeopleUnreadable {
        /// The growing table.
        series: String,
    },
    /// The database failed to read or write entries about people.
    #[error("the records of people in the ledger are invalid: {reason}")]
    People {
        /// The error message.
        reason: String,
    },
}

/// The damage of a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// A table or an index of the ledger is missing.
    Missing {
        /// The kind and name of the entity.
        entity: String,
    },
    /// The file contains a table, an index, a trigger, or a view that is not part of a ledger.
    Foreign {
        /// The kind and name of the entity.
        entity: String,
    },
    /// Tables have different declarations.
    OtherSchema,
    /// Pages of the file contradict each other.
    Pages,
    /// A release cannot be read.
    Release,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing { entity } => write!(f, "the {entity} is missing"),
            Self::Foreign { entity } => {
                write!(f, "it has the {entity}, which a ledger does not have")
            }
            Self::OtherSchema => f.write_str("its tables are declared differently"),
            Self::Pages => f.write_str("its pages contradict each other"),
            Self::Release => f.write_str("a recorded release cannot be read"),
        }
    }
}

codes! {
    LedgerError {
        Self::NotThere { .. } => "E-LEDGER-001", "the ledger does not exist",
            "make one: indistinct ledger init FILE";
        Self::Exists { .. } => "E-LEDGER-002", "a new ledger would replace a file",
            "name another file; a ledger is never replaced";
        Self::NotALedger { .. } => "E-LEDGER-003", "the file is not a ledger",
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
            "nothing has to be done: the ledger has it, under the name in the message";
        Self::NameTaken { .. } => "E-LEDGER-011", "a name that another release has",
            "give it another name: --name NAME";
        Self::KeyExists { .. } => "E-INVARIANT-101", "a new key would replace a file",
            "name another file; a key is never replaced";
        Self::NoKey { .. } => "E-INVARIANT-102", "there is no such key",
            "make one with 'indistinct ledger init FILE --key KEYFILE', or name the one of the earlier versions";
        Self::NotAKey { .. } => "E-INVARIANT-103", "the file is not a key of people",
            "name the file that 'ledger init --key' made";
        Self::KeyOpen { .. } => "E-INVARIANT-104", "a key that others can read or write",
            "protect it with chmod 600: anyone who has the key can find people in the ledger";
        Self::KeyFailed { .. } => "E-INVARIANT-105", "the operating system refuses to read or write a key",
            "check the path, its permissions and the space on the disk";
        Self::WrongKey { .. } => "E-INVARIANT-106", "another key than that of the earlier versions",
            "name the key of the earlier versions in [linkage] of the policy: no person is recognized with another key";
        Self::PeopleUnreadable { .. } => "E-INVARIANT-107", "entries on people that cannot be read",
            "take the last good copy of the ledger; 'indistinct ledger verify' checks it";
        Self::People { .. } => "E-INVARIANT-108", "the database refuses to read or write what is kept of people",
            "check the path, its permissions and the space on the disk";
    }
    help {
        Self::NotThere { path } => format!("make one: indistinct ledger init '{}'", path.display());
        Self::NoSuchRelease { known, .. } if known.is_empty() => "it has none at all";
        Self::NoSuchRelease { known, .. } => format!("there are: {}", known.join(", "));
    }
}

impl LedgerError {
    pub(crate) fn from_sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => LedgerError::NotALedger { path },
            Some(ErrorCode::DatabaseCorrupt) => {
                LedgerError::Corrupted { path, damage: Damage::Pages }
            }
            Some(ErrorCode::ReadOnly) => LedgerError::ReadOnly { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                LedgerError::Locked { path }
            }
            _ => LedgerError::Failed { path, reason: error.to_string() },
        }
    }
}
