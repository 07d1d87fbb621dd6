//! The arguments of `indistinct ledger`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum Ledger {
    /// Create an empty ledger
    Init(LedgerInit),
    /// Record a release that was created without the ledger
    Add(LedgerAdd),
    /// List the recorded releases
    List(LedgerFile),
    /// Link a release with the recorded releases, or preview the effect of a policy
    Check(LedgerCheck),
    /// Verify that the ledger and all existing release directories are unchanged
    Verify(LedgerFile),
    /// Remove a release that no recipient has received
    Remove(LedgerRemove),
}

#[derive(Debug, Args)]
pub struct LedgerInit {
    /// The ledger file
    pub ledger: PathBuf,
    /// Also create the key for recognizing people in growing tables; do not store the key next to
    /// the ledger
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct LedgerFile {
    /// The ledger file
    pub ledger: PathBuf,
}

#[derive(Debug, Args)]
pub struct LedgerAdd {
    /// The ledger file
    pub ledger: PathBuf,
    /// The release directory
    pub directory: PathBuf,
    /// The name of the release in the ledger [default: the name of its directory]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The population of the release, which is linked only with releases of the same population
    /// [default: the population in its policy]
    #[arg(long, value_name = "TEXT")]
    pub population: Option<String>,
}

#[derive(Debug, Args)]
pub struct LedgerCheck {
    /// The ledger file
    pub ledger: PathBuf,
    /// A release directory, or a policy file (ending in .toml)
    pub release_or_policy: PathBuf,
    /// The required minimum for every person, l=N or l=N,measure=distinct|frequency|entropy; exit
    /// with status 1 if it does not hold [default: the minimum in the policy]
    #[arg(long, value_name = "WHAT")]
    pub minimum: Option<String>,
    /// The original table of the release [default: the table named in its private directory]
    #[arg(long, value_name = "DATA")]
    pub original: Option<PathBuf>,
    /// The population of the release [default: the population in its policy]
    #[arg(long, value_name = "TEXT")]
    pub population: Option<String>,
}

#[derive(Debug, Args)]
pub struct LedgerRemove {
    /// The ledger file
    pub ledger: PathBuf,
    /// The name of the release, as shown by `ledger list`
    pub name: String,
    /// The reason for the removal, which the ledger records
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// Confirm the removal
    #[arg(long)]
    pub yes: bool,
}
