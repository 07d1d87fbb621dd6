//! Versions of a growing table: the key under which a ledger knows people, and what all versions keep.

use std::path::Path;

use indistinct_ledger::people::PeopleKey;
pub use indistinct_methods::invariant::{
    Invariance, NoVersion, PeopleProblem, SeriesCheck, VersionCheck,
};

use crate::error::Error;

/// Compares all versions of a series that a ledger has recorded: from the people that it keeps, and the histograms of the releases.
///
/// # Errors
/// [`Error::Ledger`] or [`Error::Method`] if the ledger cannot be read.
pub fn across_versions(ledger: &Path, series: &str) -> Result<SeriesCheck, Error> {
    Ok(indistinct_methods::invariant::across_versions(ledger, series)?)
}

/// Makes a key under which a ledger knows people, in a file that only its owner can read.
///
/// # Errors
/// [`Error::Ledger`] if there is a file, or it cannot be made.
pub fn make_key(path: &Path) -> Result<(), Error> {
    PeopleKey::create(path)?;
    Ok(())
}

/// Makes an empty ledger, and a key under which it knows people; both or neither.
///
/// # Errors
/// [`Error::Ledger`] if there is such a file, or it cannot be made.
pub fn init(ledger: &Path, key: &Path) -> Result<(), Error> {
    crate::ledger::init(ledger)?;
    make_key(key).inspect_err(|_| {
        // It was made a moment ago, and is empty.
        let _ = std::fs::remove_file(ledger);
    })
}
