//! One release in its own words: what an adversary reads of it, before it is compared with others.
//!
//! This is also what a ledger keeps of a release: labels, histograms and what labels cover; never rows.

use serde::{Deserialize, Serialize};

/// A release as it reads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Seen {
    /// Rows of the release.
    pub n_rows: u64,
    /// The quasi-identifiers, with their released labels.
    pub quasi_identifiers: Vec<SeenColumn>,
    /// The secrets, with their released values.
    pub secrets: Vec<SeenColumn>,
    /// The classes.
    pub classes: Vec<SeenClass>,
}

/// A released column.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SeenColumn {
    /// Its name.
    pub name: String,
    /// The distinct released labels; classes name them by their position.
    pub labels: Vec<String>,
    /// What is known of what labels cover: paths from the finest label known up to the top. Of a release alone they are the
    /// hierarchies that it publishes (for secrets the taxonomy); the holder knows them from the values of the table on.
    pub chains: Vec<Vec<String>>,
}

/// A class of a release.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SeenClass {
    /// What it covers: for each region the label of each quasi-identifier. One region for most recodings; in Anatomy one for each
    /// distinct combination of its rows.
    pub regions: Vec<Vec<u32>>,
    /// For each secret its labels with how often each occurs, ascending, no counts of 0.
    pub secrets: Vec<Vec<(u32, u64)>>,
}
