//! The JSON answers of commands that only write files or print text.

use std::path::{Path, PathBuf};

use indistinct::ledger::Record;
use indistinct::plan::{JointPromise, PlanAnswer, TooFewRows, WorstCase};
use serde::Serialize;

/// The answer of `generate`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GeneratedFiles<'a> {
    /// The number of rows in the table.
    pub n_rows: u64,
    /// The files that were written: the table first, followed by its policy and the files to which
    /// the policy refers.
    pub files: &'a [PathBuf],
}

/// The answer of `hierarchy build`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuiltHierarchy<'a> {
    /// The name of the attribute.
    pub attribute: &'a str,
    /// The file that was written, if an output file was specified.
    pub file: Option<&'a Path>,
    /// The hierarchy as ARX CSV, in which each line contains a value and its labels from fine to
    /// coarse.
    pub csv: &'a str,
}

/// The answer of `hierarchy show`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShownHierarchy<'a> {
    /// The hierarchy as a tree with one line for each label.
    pub tree: &'a str,
}

/// The answer of `ledger init`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewLedger<'a> {
    /// The path of the ledger file.
    pub ledger: &'a Path,
    /// The file with the key for recognizing people, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<&'a Path>,
}

/// The answer of `ledger remove`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RemovedRelease<'a> {
    /// The record of the removed release.
    pub removed: &'a Record,
    /// The reason for the removal.
    pub reason: &'a str,
}

/// The answer of `plan`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum PlannedFiles<'a> {
    /// A plan was created.
    Planned {
        /// The plan with its alternatives.
        plan: &'a PlanAnswer,
        /// The files that were written.
        files: &'a [PathBuf],
    },
    /// The table has too few rows for even a single class.
    TooFewRows(&'a TooFewRows),
    /// The joint guarantee of existing plans.
    Composed(&'a JointPromise),
    /// The worst case for releases without a common plan.
    WorstCase(&'a WorstCase),
}

/// The answer of `drivers`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Drivers {
    /// The kinds of databases that this build supports; empty in a build without database support.
    pub databases: Vec<Driver>,
    /// The kinds of object stores that this build supports. Empty in a build without object store
    /// support.
    pub stores: Vec<Store>,
}

/// A kind of database and its driver.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Driver {
    /// The name of the database.
    pub database: &'static str,
    /// The address schemes of the database, without the colon.
    pub schemes: &'static [&'static str],
    /// The file of the installed driver, if any.
    pub driver: Option<PathBuf>,
    /// The package that contains the driver.
    pub package: &'static str,
    /// The command that installs the driver.
    pub install: String,
}

/// A kind of object store and the configuration of its credentials.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Store {
    /// The name of the object store.
    pub store: &'static str,
    /// The address schemes of the object store, without the colon.
    pub schemes: &'static [&'static str],
    /// The environment variable that configures the credentials, if one is set. Its value is never
    /// included.
    pub configured_by: Option<&'static str>,
    /// The environment variables that can configure the credentials.
    pub variables: &'static str,
}
