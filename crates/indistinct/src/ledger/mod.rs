//! The ledger of releases, which the `ledger` commands and `anonymize` use.
//!
//! A [`Participant`] takes part in a run that creates a release, records the release, and moves it
//! into place atomically. The `heal` module repairs the state after an interruption.

mod add;
mod heal;
mod participant;
mod verified;

use std::path::Path;

use indistinct_ledger::{Access, Ledger};
use serde::Serialize;

use crate::error::Error;

pub use crate::anonymize::anonymize_with_ledger as anonymize;
pub use add::{AddOptions, CheckOptions, CheckedLinkage, add, check_policy, check_release};
pub use heal::{Repair, RepairedRelease};
pub use indistinct_ledger::{
    Coarser, Finding, LedgerError, Linkage, LinkageRefusal, Notice, Record, State,
};
pub use indistinct_linkage::post_linkage::{Effect, SensitiveEffect};
pub use participant::Step;
pub(crate) use participant::{Participant, Recording};
pub use verified::{DirectoryState, VerifiedLedger, VerifiedRelease, verify};

/// The content of a ledger.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Listing {
    /// The releases, in the order in which they were recorded.
    pub releases: Vec<Record>,
    /// Warnings about the ledger file.
    pub warnings: Vec<String>,
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

/// Describes the notices of an opened ledger in words.
pub(crate) fn notices(ledger: &Ledger) -> Vec<String> {
    let path = ledger.path().display();
    let text = |notice: &Notice| match notice {
        Notice::ModeHealed => {
            format!(
                "other users could read or write the ledger '{path}'; access is now restricted to \
                 you (mode 0600)"
            )
        }
        Notice::ModeLax => {
            format!("other users can read or write the ledger '{path}': run chmod 600")
        }
    };
    ledger.notices().iter().map(text).collect()
}
