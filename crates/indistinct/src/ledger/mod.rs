//! The ledger of releases for the `ledger` commands and for `anonymize`.
//!
//! A participant takes part in a run that creates a release, records the release, and moves it
//! into place atomically. The `heal` module repairs the state after an interruption.

mod add;
mod heal;
mod participant;
mod verified;

use std::collections::BTreeMap;
use std::path::Path;

use indistinct_diagnostics::warning::Warning;
use indistinct_ledger::{Access, Ledger};
use indistinct_release::plan::{PlanFile, SharedFailure};
use serde::Serialize;

use crate::error::Error;
use crate::files;

pub use crate::anonymize::anonymize_with_ledger as anonymize;
pub use add::{AddOptions, CheckOptions, add, check_policy, check_release};
pub use indistinct_answers::ledger::{
    CheckedLinkage, DirectoryState, VerifiedLedger, VerifiedRelease,
};
pub use indistinct_diagnostics::warning::{Repair, RepairedRelease};
pub use indistinct_ledger::{
    Coarser, Finding, LedgerError, Linkage, LinkageRefusal, Notice, Record, State,
};
pub use indistinct_linkage::post_linkage::{Effect, SensitiveEffect};
pub use participant::Step;
pub(crate) use participant::{Participant, Recording};
pub use verified::verify;

/// The content of a ledger.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Listing {
    /// The releases, in the order in which they were recorded.
    pub releases: Vec<Record>,
    /// Warnings about the ledger file.
    pub warnings: Vec<Warning>,
}

/// Creates an empty ledger.
///
/// # Errors
/// [`Error::Ledger`] if the file already exists, or if it cannot be created.
pub fn init(path: &Path) -> Result<(), Error> {
    Ledger::create(path)?;
    Ok(())
}

/// Lists the content of a ledger.
///
/// # Errors
/// [`Error::Ledger`] if the ledger cannot be read.
pub fn list(path: &Path) -> Result<Listing, Error> {
    let ledger = Ledger::open(path, Access::Read)?;
    Ok(Listing { releases: ledger.releases()?, warnings: notices(&ledger) })
}

/// Removes a release from a ledger and records the reason.
///
/// # Errors
/// [`Error::Ledger`] if the release is unknown, or if the ledger cannot be written.
pub fn remove(path: &Path, name: &str, reason: &str) -> Result<Record, Error> {
    let mut ledger = Ledger::open(path, Access::Write)?;
    let record = ledger.release(name)?;
    ledger.remove(record.id, reason)?;
    Ok(record)
}

/// Checks that the plan of a release, if it follows one, permits a further release. `files`
/// contains the digests of the files of the release.
fn check_plan(
    directory: &Path,
    files: &BTreeMap<String, String>,
    recorded: &[Record],
) -> Result<(), Error> {
    let Some(digest) = files.get(files::PLAN) else { return Ok(()) };
    let plan = PlanFile::read(&directory.join(files::PLAN))?;
    let Some(SharedFailure { releases: n_releases, .. }) = plan.shared else { return Ok(()) };
    let follows = |record: &&Record| record.files.get(files::PLAN) == Some(digest);
    let n_recorded = recorded.iter().filter(follows).count() as u64;
    match n_recorded < n_releases {
        true => Ok(()),
        false => Err(LedgerError::PlanExhausted { n_releases, n_recorded }.into()),
    }
}

/// Returns the notices of an opened ledger.
pub(crate) fn notices(ledger: &Ledger) -> Vec<Warning> {
    let path = || ledger.path().to_owned();
    let warning = |notice: &Notice| match notice {
        Notice::ModeHealed => Warning::LedgerRestricted { ledger: path() },
        Notice::ModeLax => Warning::LedgerAccessible { ledger: path() },
    };
    ledger.notices().iter().map(warning).collect()
}
