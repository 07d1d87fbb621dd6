//! Verifies that a ledger and the releases recorded in it are unchanged.

use std::path::Path;

use indistinct_answers::warning::{RepairedRelease, Warning};
use indistinct_engine::output::sha256_of_file;
use indistinct_ledger::{Access, Finding, Ledger, LedgerError, Record};
use serde::Serialize;

use super::heal;
use super::notices;
use crate::error::Error;

/// The answer of `ledger verify`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct VerifiedLedger {
    /// Whether the ledger and the recorded releases are unchanged.
    pub holds: bool,
    /// Number of releases.
    pub n_releases: u64,
    /// Number of events in the ledger.
    pub n_events: u64,
    /// The last hash of the event chain. If a copy of this hash is stored elsewhere, a replacement
    /// of the whole file can be detected.
    pub head: String,
    /// The problems found in the ledger.
    pub findings: Vec<Finding>,
    /// The releases that were repaired after an interrupted run.
    pub healed: Vec<RepairedRelease>,
    /// Each release with the state of its directory.
    pub releases: Vec<VerifiedRelease>,
    /// Warnings about the ledger file.
    pub warnings: Vec<Warning>,
}

/// A recorded release and the state of its directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct VerifiedRelease {
    /// The name of the release.
    pub name: String,
    /// The state of the release directory.
    pub directory: DirectoryState,
    /// Number of changed or missing files.
    pub n_files_changed: u64,
}

/// The state of a release directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DirectoryState {
    /// All files are as recorded.
    AsRecorded,
    /// The directory does not exist, because it was moved or removed.
    NotThere,
    /// The directory contains another recorded release.
    Replaced,
    /// Some files are changed or missing.
    Changed,
    /// Another process is about to create the directory.
    Pending,
}

/// Verifies the file, the event chain, and the records of a ledger, and all release directories
/// that still exist.
///
/// If the ledger is writable, releases of interrupted runs are repaired first.
///
/// # Errors
/// [`Error::Ledger`] if the ledger cannot be read.
pub fn verify(path: &Path) -> Result<VerifiedLedger, Error> {
    let mut healed = Vec::new();
    let ledger = match Ledger::open(path, Access::Write) {
        Ok(mut ledger) => {
            // A damaged ledger must not be modified.
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
