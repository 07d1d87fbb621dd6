//! `method = "invariant"`: a version of a growing table in which everybody keeps the set of sensitive values that she had in
//! earlier ones.
//!
//! `people` reads who the rows are about and what the ledger knows of them; `version` searches, and says what the release
//! has besides true rows, of which `attested` is what `verify` computes again; `check` compares what the ledger has recorded of all versions.

mod check;
mod people;
mod version;

use std::path::Path;

use indistinct_ledger::people::PeopleKey;
use serde::Serialize;

use crate::error::Error;

pub(crate) use check::of_ledger;
pub use check::{SeriesCheck, VersionCheck, across_versions};
pub use people::PeopleProblem;
pub(crate) use people::{People, Series, of_version};
pub(crate) use version::{
    InvariantMethod, NewVersion, Version, signatures, with_counterfeits, write_mapping,
};

/// What a version of a growing table is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Invariance {
    /// Which version it is, from 1.
    pub version: u32,
    /// People who were in no earlier version.
    pub n_new: u64,
    /// People who were, and keep their sets of sensitive values.
    pub n_kept: u64,
    /// Rows of the release that are about nobody.
    pub n_counterfeits: u64,
}

/// Why there is no version.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoVersion {
    /// Which version it would be, from 1.
    pub version: u32,
    /// The m that is asked for.
    pub m: u64,
    /// People who were in no earlier version.
    pub n_new: u64,
    /// People whose class in an earlier version has fewer than m sensitive values.
    pub n_short: u64,
    /// The largest m for which there is a version; the same as `m` where another principle fails.
    pub largest_m: u64,
    /// How many of the rows of new people would have to be suppressed; `None` where that does not help.
    pub n_suppressed_needed: Option<u64>,
    /// Where another principle fails: what the classes reach.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub principles: Vec<indistinct_core::PrincipleClaim>,
}

/// Makes a key under which a ledger knows people, in a file that only its owner can read.
///
/// # Errors
/// [`Error::People`] if there is a file, or it cannot be made.
pub fn make_key(path: &Path) -> Result<(), Error> {
    PeopleKey::create(path)?;
    Ok(())
}

/// Makes an empty ledger, and a key under which it knows people; both or neither.
///
/// # Errors
/// [`Error::Ledger`] or [`Error::People`] if there is such a file, or it cannot be made.
pub fn init(ledger: &Path, key: &Path) -> Result<(), Error> {
    crate::ledger::init(ledger)?;
    make_key(key).inspect_err(|_| {
        // It was made a moment ago, and is empty.
        let _ = std::fs::remove_file(ledger);
    })
}
