//! What a run that was stopped left behind, between recording a release and putting it in place.
//!
//! A release is recorded as pending while all of it lies in a staging folder beside its directory; then it is put in place,
//! then marked as published. So a pending release is either in place, or still has its staging folder, or was put in place and
//! has been moved since: it counts as published unless it can be seen that it never was.

use std::path::Path;

use indistinct_engine::output::{self, Residue, sha256_of_file};
use indistinct_ledger::{Ledger, Record, State};
use serde::Serialize;

use crate::error::Error;
use crate::files;

/// What became of a release that was pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// It is in place, and now marked so.
    Published,
    /// It was never put in place: the record is gone, and so are its leftovers.
    Forgotten,
    /// It is neither in place nor is there a sign that it never was; it counts as published.
    Unknown,
    /// Another process is at work on it.
    InUse,
}

/// A release that was pending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RepairedRelease {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub healing: Repair,
}

impl RepairedRelease {
    /// What happened, in words; nothing where another process is at work.
    pub fn text(&self) -> Option<String> {
        let name = &self.name;
        Some(match self.healing {
            Repair::Published => format!(
                "an earlier run was stopped after it had put the release '{name}' in place; the ledger now says so"
            ),
            Repair::Forgotten => format!(
                "an earlier run was stopped before it put the release '{name}' in place; nothing is left of it"
            ),
            Repair::Unknown => format!(
                "an earlier run was stopped, and the release '{name}' is not where it was put: it counts as published. If nobody \
                 has it, take it out with 'ledger remove'"
            ),
            Repair::InUse => return None,
        })
    }
}

/// Heals what earlier runs left: afterwards a pending release is one that another process is at work on.
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
    // A folder that is not there holds nothing either.
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

/// Whether the release that is in the directory is the recorded one.
pub(super) fn is_in_place(record: &Record) -> bool {
    sha256_of_file(&record.directory.join(files::CERTIFICATE))
        .is_ok_and(|digest| digest == record.certificate_sha256)
}
