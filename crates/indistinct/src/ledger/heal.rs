//! Repairs releases after a run that stopped between recording a release and moving it into place.
//!
//! A release is recorded as pending while its files are in a staging folder next to its directory.
//! The release is then moved into place and marked as published. The files of a pending release are
//! therefore in place or in the staging folder, unless they were moved away later. A pending
//! release counts as published unless there is evidence that its files were never moved into place.

use std::path::Path;

use indistinct_diagnostics::warning::{Repair, RepairedRelease};
use indistinct_engine::output::{self, Residue, sha256_of_file};
use indistinct_ledger::{Ledger, Record, State};

use crate::error::Error;
use crate::files;

/// Repairs the state that interrupted runs left behind. Afterward, a release is pending only if
/// another process is working on it.
pub(super) fn heal(ledger: &mut Ledger) -> Result<Vec<RepairedRelease>, Error> {
    let mut healed = Vec::new();
    for record in ledger.releases()?.into_iter().filter(|it| it.state == State::Pending) {
        let healing = heal_one(&record)?;
        match healing {
            Repair::InUse => {}
            Repair::Published | Repair::Unknown => ledger.publish(record.id)?,
            Repair::Forgotten => ledger.forget(record.id)?,
        }
        healed.push(RepairedRelease { name: record.name, healing });
    }
    Ok(healed)
}

fn heal_one(record: &Record) -> Result<Repair, Error> {
    let directory = record.directory.as_path();
    // A missing folder contains no staged files.
    let is_reachable = directory.parent().is_some_and(Path::is_dir);
    let residue = match is_reachable {
        true => output::residue(directory)?,
        false => Residue::Nothing,
    };
    if residue == Residue::InUse {
        return Ok(Repair::InUse);
    }
    if is_reachable {
        output::recover(directory)?;
    }
    Ok(match (is_in_place(record), residue) {
        (true, _) => Repair::Published,
        (false, Residue::NeverPlaced) => Repair::Forgotten,
        (false, _) => Repair::Unknown,
    })
}

/// Returns whether the directory contains the recorded release.
pub(super) fn is_in_place(record: &Record) -> bool {
    sha256_of_file(&record.directory.join(files::CERTIFICATE))
        .is_ok_and(|digest| digest == record.certificate_sha256)
}
