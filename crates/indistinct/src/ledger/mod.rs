//! The ledger of releases, as the commands and `anonymize` use it.
//!
//! `protocol` is how a release comes to be recorded and put in place at once, whatever stops it; `heal` what the next one
//! finds of it.

mod add;
mod heal;
mod protocol;
mod verified;

use std::path::Path;

use indistinct_ledger::{Access, Ledger};
use serde::Serialize;

use crate::error::Error;

pub use add::{AddOptions, CheckOptions, CheckedLinkage, add, check_policy, check_release};
pub use heal::{Repair, RepairedRelease};
pub use indistinct_ledger::{
    Coarser, Finding, LedgerError, Linkage, LinkageRefusal, Notice, Record, State,
};
pub use indistinct_linkage::post_linkage::{Effect, SensitiveEffect};
pub use protocol::{NoSteps, Step, Steps, anonymize};
pub use verified::{DirectoryState, VerifiedLedger, VerifiedRelease, verify};

/// What a ledger has.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Listing {
    /// The releases, in the order in which they were recorded.
    pub releases: Vec<Record>,
    /// What should be known about the file.
    pub warnings: Vec<String>,
}

/// Makes an empty ledger.
///
/// # Errors
/// [`Error::Ledger`] if there is a file, or it cannot be made.
pub fn init(path: &Path) -> Result<(), Error> {
    Ledger::create(path)?;
    Ok(())
}

/// Lists what a ledger has.
///
/// # Errors
/// [`Error::Ledger`] if it cannot be read.
pub fn list(path: &Path) -> Result<Listing, Error> {
    let ledger = Ledger::open(path, Access::Read)?;
    Ok(Listing { releases: ledger.releases()?, warnings: notices(&ledger) })
}

/// Removes a release from a ledger, for a reason that stays in it.
///
/// # Errors
/// [`Error::Ledger`] if there is no such release, or the ledger cannot be written.
pub fn remove(path: &Path, name: &str, reason: &str) -> Result<Record, Error> {
    let mut ledger = Ledger::open(path, Access::Write)?;
    let record = ledger.release(name)?;
    ledger.remove(record.id, reason)?;
    Ok(record)
}

/// What was found when a ledger was opened, in words.
pub(crate) fn notices(ledger: &Ledger) -> Vec<String> {
    let path = ledger.path().display();
    let text = |notice: &Notice| match notice {
        Notice::ModeHealed => {
            format!("others could read or write the ledger '{path}'; now only you can (mode 0600)")
        }
        Notice::ModeLax => format!("others can read or write the ledger '{path}': chmod 600"),
    };
    ledger.notices().iter().map(text).collect()
}
