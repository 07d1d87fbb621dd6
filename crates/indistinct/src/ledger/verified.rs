//! Whether a ledger, and the releases that it knows, are as they were recorded.

use std::path::Path;

use indistinct_engine::output::sha256_of_file;
use indistinct_ledger::{Access, Finding, Ledger, LedgerError, Record};
use serde::Serialize;

use super::heal::{self, RepairedRelease};
use super::notices;
use crate::error::Error;

/// The answer of `ledger verify`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct VerifiedLedger {
    /// Whether all is as it was recorded.
    pub holds: bool,
    /// Releases.
    pub n_releases: u64,
    /// What happened to the ledger.
    pub n_events: u64,
    /// The last hash of the chain of what happened: noted elsewhere, it also shows whether the whole file was exchanged.
    pub head: String,
    /// What is wrong with the ledger.
    pub findings: Vec<Finding>,
    /// What an earlier run had left.
    pub healed: Vec<RepairedRelease>,
    /// Each release, with what became of its directory.
    pub releases: Vec<VerifiedRelease>,
    /// What should be known about the file.
    pub warnings: Vec<String>,
}

/// A recorded release, and what became of its directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct VerifiedRelease {
    /// Its name.
    pub name: String,
    /// What became of its directory.
    pub directory: DirectoryState,
    /// How many of its files are changed or missing.
    pub n_files_changed: u64,
}

/// What became of the directory of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DirectoryState {
    /// All files are as recorded.
    AsRecorded,
    /// It is not there: moved, or handed out and removed.
    NotThere,
    /// Another recorded release is there.
    Replaced,
    /// Files are changed or missing.
    Changed,
    /// Another process is about to put it there.
    Pending,
}

/// Verifies a ledger: its file, its chain, its records, and the release directories that are still there.
///
/// Where it can be written, what an earlier run left is healed first.
///
/// # Errors
/// [`Error::Ledger`] if it cannot be read at all.
pub fn verify(path: &Path) -> Result<VerifiedLedger, Error> {
    let mut healed = Vec::new();
    let ledger = match Ledger::open(path, Access::Write) {
        Ok(mut ledger) => {
            // What is damaged must not be written to.
            if ledger.verify()?.findings.is_empty() {
                healed = heal::heal(&mut ledger)?;
            }
            ledger
        }
        Err(LedgerError::ReadOnly { .. }) => Ledger::open(path, Access::Read)?,
        Err(error) => return Err(error.into()),
    };
    let found = ledger.verify()?;
    let records = ledger.releases()?;
    let releases: Vec<VerifiedRelease> =
        records.iter().map(|record| location(record, &records)).collect();
    let changed = |it: &VerifiedRelease| it.directory == DirectoryState::Changed;
    Ok(VerifiedLedger {
        holds: found.findings.is_empty() && !releases.iter().any(changed),
        n_releases: found.n_releases,
        n_events: found.n_events,
        head: found.head,
        findings: found.findings,
        healed,
        releases,
        warnings: notices(&ledger),
    })
}

fn location(record: &Record, all: &[Record]) -> VerifiedRelease {
    let found = |directory, n_files_changed| VerifiedRelease {
        name: record.name.clone(),
        directory,
        n_files_changed,
    };
    if !record.directory.is_dir() {
        let is_pending = record.state == indistinct_ledger::State::Pending;
        return match is_pending {
            true => found(DirectoryState::Pending, 0),
            false => found(DirectoryState::NotThere, 0),
        };
    }
    let is_in_place = heal::is_in_place(record);
    let is_here = |other: &&Record| other.directory == record.directory && heal::is_in_place(other);
    if !is_in_place && all.iter().any(|other| is_here(&other)) {
        return found(DirectoryState::Replaced, 0);
    }
    let differs = |(path, digest): &(&String, &String)| {
        sha256_of_file(&record.directory.join(path)).ok().as_ref() != Some(*digest)
    };
    let n_changed = record.files.iter().filter(differs).count() as u64 + u64::from(!is_in_place);
    match n_changed {
        0 => found(DirectoryState::AsRecorded, 0),
        n => found(DirectoryState::Changed, n),
    }
}
