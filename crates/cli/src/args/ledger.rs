//! What can be typed of a ledger.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum Ledger {
    /// Make an empty ledger
    Init(LedgerInit),
    /// Record a release that was made without the ledger
    Add(LedgerAdd),
    /// List the recorded releases
    List(LedgerFile),
    /// Link a release with the recorded ones, or show what a policy would lead to
    Check(LedgerCheck),
    /// Check that the ledger, and the release directories that still exist, are unchanged
    Verify(LedgerFile),
    /// Remove a release that nobody ever received
    Remove(LedgerRemove),
}

#[derive(Debug, Args)]
pub struct LedgerInit {
    /// The ledger
    pub ledger: PathBuf,
    /// Also make the key that identifies people of growing tables; keep it away from the ledger
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct LedgerFile {
    /// The ledger
    pub ledger: PathBuf,
}

#[derive(Debug, Args)]
pub struct LedgerAdd {
    /// The ledger
    pub ledger: PathBuf,
    /// The release directory
    pub directory: PathBuf,
    /// What to call it; the name of its directory if left out
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Whom it is about: releases about other populations are not linked with it; what its policy says if left out
    #[arg(long, value_name = "TEXT")]
    pub population: Option<String>,
}

#[derive(Debug, Args)]
pub struct LedgerCheck {
    /// The ledger
    pub ledger: PathBuf,
    /// A release directory, or a policy file (ending in .toml)
    pub release_or_policy: PathBuf,
    /// What must remain for everybody, or the exit status is 1: l=N, or l=N,measure=distinct|frequency|entropy; what the policy
    /// says if left out
    #[arg(long, value_name = "WHAT")]
    pub minimum: Option<String>,
    /// The table that the release was made from; the one that its private part names if left out
    #[arg(long, value_name = "DATA")]
    pub original: Option<PathBuf>,
    /// Whom it is about; what the policy says if left out
    #[arg(long, value_name = "TEXT")]
    pub population: Option<String>,
}

#[derive(Debug, Args)]
pub struct LedgerRemove {
    /// The ledger
    pub ledger: PathBuf,
    /// The name of the release, as `ledger list` shows it
    pub name: String,
    /// Why it is removed; the ledger keeps the reason
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// Do it
    #[arg(long)]
    pub yes: bool,
}
