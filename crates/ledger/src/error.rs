//! Errors of the ledger.

use indistinct_diagnostics::{errors, words};
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

errors! {
    /// An error in a ledger, or in an operation on a ledger.
    #[derive(Clone, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum LedgerError {
        /// The ledger does not exist.
        #[error("the ledger '{0}' does not exist")]
        #[code("E-LEDGER-001", "create a ledger: indistinct ledger init FILE")]
        NotThere(PathBuf),
        /// A new ledger would replace an existing file.
        #[error("'{0}' already exists")]
        #[code("E-LEDGER-002", "choose another file; a ledger is never replaced")]
        Exists(PathBuf),
        /// The file is not a ledger.
        #[error("'{0}' is not a ledger of Indistinct")]
        #[code("E-LEDGER-003", "specify the path of a file created by 'indistinct ledger init'")]
        NotALedger(PathBuf),
        /// The ledger was written by a newer version of Indistinct.
        #[error(
            "the ledger '{}' has format {got}, but this version supports formats up to {known}",
            path.display()
        )]
        #[code("E-LEDGER-004", "use the version of Indistinct that wrote the ledger, or a newer \
                version")]
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
        #[code("E-LEDGER-005", "restore the last intact copy, and add the releases created since \
                then with 'indistinct ledger add'")]
        Corrupted {
            /// The file.
            path: PathBuf,
            /// What is damaged.
            damage: Damage,
        },
        /// The ledger is read-only.
        #[error("the ledger '{0}' is read-only, but this command requires write access")]
        #[code("E-LEDGER-006", "grant yourself write permission (on Unix: chmod u+w)")]
        ReadOnly(PathBuf),
        /// Another process has locked the ledger for too long.
        #[error("another process is writing to the ledger '{0}'")]
        #[code("E-LEDGER-007", "wait until the other process has finished, and try again")]
        Locked(PathBuf),
        /// The ledger cannot be read or written.
        #[error("the ledger '{}' cannot be read or written: {reason}", path.display())]
        #[code("E-LEDGER-008", "check the path, its permissions, and the free disk space")]
        Failed {
            /// The file.
            path: PathBuf,
            /// The error message.
            reason: String,
        },
        /// The release is not recorded.
        #[error("the ledger contains no release '{name}'")]
        #[code("E-LEDGER-009", "list the recorded releases: indistinct ledger list")]
        NoSuchRelease {
            /// The requested name.
            name: String,
            /// The names of the recorded releases.
            known: Vec<String>,
        },
        /// The release is already recorded.
        #[error("the ledger already contains this release as '{0}'")]
        #[code("E-LEDGER-010", "no action is required; the ledger contains the release under the \
                name given in the message")]
        Recorded(String),
        /// Another release already has the name.
        #[error("the ledger already contains another release named '{0}'")]
        #[code("E-LEDGER-011", "choose another name: --name NAME")]
        NameTaken(String),
        /// The plan of the release permits no further release.
        #[error(
            "the plan permits {}, and the ledger already contains {n_recorded}",
            words::count(*n_releases, "release")
        )]
        #[code("E-LEDGER-012", "create a plan for more releases with 'indistinct plan --releases'; \
                it does not extend the guarantee of the recorded releases")]
        PlanExhausted {
            /// The number of releases that the plan permits.
            n_releases: u64,
            /// The number of recorded releases that follow the plan.
            n_recorded: u64,
        },
        /// A new key would replace an existing file.
        #[error("'{0}' already exists")]
        #[code("E-INVARIANT-101", "choose another file; a key is never replaced")]
        KeyExists(PathBuf),
        /// The key does not exist.
        #[error("the key '{0}' does not exist")]
        #[code("E-INVARIANT-102", "create a key with 'indistinct ledger init FILE --key KEYFILE', \
                or use the key of the earlier versions")]
        NoKey(PathBuf),
        /// The file does not contain a valid person key.
        #[error("'{0}' is not a valid person key: expected 64 hexadecimal digits")]
        #[code("E-INVARIANT-103", "specify the path of a key created by 'indistinct ledger init \
                --key'")]
        NotAKey(PathBuf),
        /// Other users can read or write the key.
        #[error("the key '{0}' is accessible to other users")]
        #[code("E-INVARIANT-104", "restrict access to yourself, with chmod 600 or on Windows with \
                icacls; anyone who has the key can find people in the ledger")]
        KeyOpen(PathBuf),
        /// The key cannot be read or written.
        #[error("the key '{}' cannot be read or written: {reason}", path.display())]
        #[code("E-INVARIANT-105", "check the path, its permissions, and the free disk space")]
        KeyFailed {
            /// The file.
            path: PathBuf,
            /// The error message.
            reason: String,
        },
        /// The key differs from the key of the earlier versions.
        #[error("the series '{0}' was started with another key for people")]
        #[code("E-INVARIANT-106", "set the key of the earlier versions in [linkage] of the policy; \
                people cannot be recognized with any other key")]
        WrongKey(String),
        /// Entries about people cannot be read.
        #[error("the entries about people of the series '{0}' cannot be read")]
        #[code("E-INVARIANT-107", "restore the last intact copy of the ledger, and check it with \
                'indistinct ledger verify'")]
        PeopleUnreadable(String),
        /// Entries about people cannot be read or written.
        #[error("the entries about people in the ledger cannot be read or written: {0}")]
        #[code("E-INVARIANT-108", "check the path, its permissions, and the free disk space")]
        People(String),
    }
    help {
        Self::NotThere(path) =>
            format!("create a ledger: indistinct ledger init '{}'", path.display());
        Self::NoSuchRelease { known, .. } if known.is_empty() => "the ledger contains no releases";
        Self::NoSuchRelease { known, .. } => format!("recorded releases: {}", known.join(", "));
    }
}

/// What is damaged in a ledger.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// A table or an index of the ledger is missing.
    #[error("the {0} is missing")]
    Missing(String),
    /// The file contains a schema object, such as a table or a view, that is not part of a ledger.
    #[error("the file contains the {0}, which is not part of a ledger")]
    Foreign(String),
    /// Some tables have unexpected declarations.
    #[error("the declarations of the tables are invalid")]
    OtherSchema,
    /// The pages of the file are inconsistent.
    #[error("the pages of the file are inconsistent")]
    Pages,
    /// A release cannot be read.
    #[error("a recorded release cannot be read")]
    Release,
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
