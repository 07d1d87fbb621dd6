//! The answers, as JSON, of commands that only write or show something.

use std::path::{Path, PathBuf};

use indistinct::ledger::Record;
use indistinct::plan::{PlanAnswer, TooFewRows};
use serde::Serialize;

/// The answer of `generate`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GeneratedFiles<'a> {
    /// Rows of the table.
    pub n_rows: u64,
    /// The files that were written: the table first, then its policy and what that names.
    pub files: &'a [PathBuf],
}

/// The answer of `hierarchy build`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuiltHierarchy<'a> {
    /// The attribute.
    pub attribute: &'a str,
    /// The file that was written, where one was named.
    pub file: Option<&'a Path>,
    /// The hierarchy in the format of ARX: a line for each value, with its labels from fine to
    /// coarse.
    pub csv: &'a str,
}

/// The answer of `hierarchy show`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShownHierarchy<'a> {
    /// The hierarchy as a tree, a line for each label.
    pub tree: &'a str,
}

/// The answer of `ledger init`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewLedger<'a> {
    /// The file of the ledger.
    pub ledger: &'a Path,
    /// The file of the key of people, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<&'a Path>,
}

/// The answer of `ledger remove`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RemovedRelease<'a> {
    /// What was recorded of the release.
    pub removed: &'a Record,
    /// Why it was removed.
    pub reason: &'a str,
}

/// The answer of `plan`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum PlannedFiles<'a> {
    /// A plan.
    Planned {
        /// The plan, and what else could have been chosen.
        plan: &'a PlanAnswer,
        /// The files that were written.
        files: &'a [PathBuf],
    },
    /// So few rows do not suffice even for a single class.
    TooFewRows(&'a TooFewRows),
}

/// The answer of `drivers`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Drivers {
    /// The kinds of databases that this build knows; none where it was built without them.
    pub databases: Vec<Driver>,
    /// The kinds of object stores that this build knows; none where it was built without them.
    pub stores: Vec<Store>,
}

/// A kind of database, and what it is spoken to by.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Driver {
    /// Its name.
    pub database: &'static str,
    /// How its addresses begin, before the colon.
    pub schemes: &'static [&'static str],
    /// The file of its driver, if there is one.
    pub driver: Option<PathBuf>,
    /// What brings the driver.
    pub package: &'static str,
    /// The command that puts it where it is looked for.
    pub install: String,
}

/// A kind of object store, and who asks it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Store {
    /// Its name.
    pub store: &'static str,
    /// How its addresses begin, before the colon.
    pub schemes: &'static [&'static str],
    /// The variable of the environment that says who asks, if one does; never what it holds.
    pub configured_by: Option<&'static str>,
    /// What may say it.
    pub variables: &'static str,
}
