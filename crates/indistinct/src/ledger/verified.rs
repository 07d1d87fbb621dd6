//! Verifies that a ledger and the releases recorded in it are unchanged.

use std::path::Path;

use indistinct_answers::ledger::{DirectoryState, VerifiedLedger, VerifiedRelease};
use indistinct_engine::output::sha256_of_file;
use indistinct_ledger::{Access, Ledger, LedgerError, Record};

use super::heal;
use super::notices;
use crate::error::Error;

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
