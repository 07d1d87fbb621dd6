//! Repairs releases after a run that stopped between recording a release and moving it into place.
//!
//! A release is recorded as pending while its files are in a staging folder next to its directory.
//! The release is then moved into place and marked as published. The files of a pending release are
//! therefore in place, still in the staging folder, or were moved away later. A pending release
//! counts as published unless there is evidence that its files were never moved into place.

use std::path::Path;

use indistinct_engine::output::{self, Residue, sha256_of_file};
use indistinct_ledger::{Ledger, Record, State};
use serde::Serialize;

use crate::error::Error;
use crate::files;

/// The outcome of repairing a pending release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// The release is in place and is now marked as published.
    Published,
    /// The release was never moved into place; its record and its staged files were removed.
    Forgotten,
    /// The release is not in place and may have been moved, so it counts as published.
    Unknown,
    /// Another process is working on the release.
    InUse,
}

/// A release that was pending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RepairedRelease {
    /// The name of the release.
    pub name: String,
    /// The outcome of the repair.
    pub healing: Repair,
}

impl RepairedRelease {
    /// Describes the outcome in words; `None` if another process is working on the release.
    pub fn text(&self) -> Option<String> {
        let name = &self.name;
        Some(match self.healing {
            Repair::Published => format!(
                "an earlier run stopped after it published the release '{name}'; the ledger now \
                 records the release as published"
            ),
            Repair::Forgotten => format!(
                "an earlier run stopped before it published the release '{name}'; the ledger no \
                 longer contains the release"
            ),
            Repair::Unknown => format!(
                "an earlier run stopped, and the directory of the release '{name}' is missing; the \
                 ledger treats the release as published. If no one received the release, remove it \
                 with 'ledger remove'"
            ),
            Repair::InUse => return None,
        })
    }
}

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

/// Whether the directory contains the recorded release.
pub(super) fn is_in_place(record: &Record) -> bool {
    sha256_of_file(&record.directory.join(files::CERTIFICATE))
        .is_ok_and(|digest| digest == record.certificate_sha256)
}
