//! Compares the versions of a growing table, and creates the key with which a ledger identifies
//! people.

use std::path::Path;

use indistinct_ledger::people::PeopleKey;
pub use indistinct_methods::invariant::{
    Invariance, NoVersion, PeopleProblem, SeriesCheck, VersionCheck,
};

use crate::error::Error;

/// Compares all versions of a series in a ledger, based on the recorded people and the histograms
/// of the releases.
///
/// # Errors
/// [`Error::Ledger`] or [`Error::Method`] if the ledger cannot be read.
pub fn across_versions(ledger: &Path, series: &str) -> Result<SeriesCheck, Error> {
    Ok(indistinct_methods::invariant::across_versions(ledger, series)?)
}

/// Creates the key that a ledger uses to identify people, in a file that only its owner can read.
///
/// # Errors
/// [`Error::Ledger`] if the file already exists, or if it cannot be created.
pub fn make_key(path: &Path) -> Result<(), Error> {
    PeopleKey::create(path)?;
    Ok(())
}

/// Creates an empty ledger and the key with which it identifies people. If one of the two files
/// cannot be created, the other is not created either.
///
/// # Errors
/// [`Error::Ledger`] if one of the files already exists, or if it cannot be created.
pub fn init(ledger: &Path, key: &Path) -> Result<(), Error> {
    crate::ledger::init(ledger)?;
    make_key(key).inspect_err(|_| {
        // The new ledger is empty.
        let _ = std::fs::remove_file(ledger);
    })
}
