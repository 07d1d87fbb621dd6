//! One release as published: its labels, classes and histograms, before it is compared with others; and [`common`], which
//! maps several of them to the same domains, so that they can be [linked](crate::post_linkage::link).
//!
//! A release as published is also what a ledger records of it: labels, histograms and what labels cover; never rows.
//!
//! Equal labels are the same, and so are those that differ in case, blanks or look-alike letters alone unless a release contains both. A label covers what chains show below it, and what it says itself: numbers, intervals, parts of
//! dates, sets, masked characters. Where it cannot be known whether two labels of different releases have values in common, the
//! answer is the worse one for people: any combination of them may be somebody, and the labels are counted.

mod common;
mod domain;
mod effect;
mod meaning;
mod people;
mod sensitive;
mod spelling;
mod words;

use serde::{Deserialize, Serialize};

pub use common::{
    Common, CommonColumn, CommonSensitive, NotUnderstood, People, PeopleColumn, common,
};
pub use effect::{NamedRelease, effect};
pub use people::{MergedPeople, people};

/// A release as published.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LabeledRelease {
    /// Rows of the release.
    pub n_rows: u64,
    /// The quasi-identifiers, with their released labels.
    pub quasi_identifiers: Vec<LabeledColumn>,
    /// The sensitive attributes, with their released values.
    pub sensitive: Vec<LabeledColumn>,
    /// The classes.
    pub classes: Vec<LabeledClass>,
}

/// A released column.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LabeledColumn {
    /// Its name.
    pub name: String,
    /// The distinct released labels; classes name them by their position.
    pub labels: Vec<String>,
    /// What is known of what labels cover: paths from the finest label known up to the top. Of a release alone they are the
    /// hierarchies that it publishes (for sensitive values the taxonomy); the holder knows them from the values of the
    /// table on.
    pub chains: Vec<Vec<String>>,
    /// What the chains start with.
    #[serde(default)]
    pub bottoms: Bottoms,
    /// The positions of labels that are known to be single values of the table, ascending; of quasi-identifiers only.
    #[serde(default)]
    pub single: Vec<u32>,
}

/// What the chains of a column start with.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Bottoms {
    /// With released labels: what lies below them is not known.
    #[default]
    Labels,
    /// With values of the table, and there are chains for all values that the release can have.
    Values,
}

/// A class of a release.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LabeledClass {
    /// What it covers: for each region the label of each quasi-identifier. One region for most recodings; in Anatomy one for each
    /// distinct combination of its rows.
    pub regions: Vec<Vec<u32>>,
    /// For each sensitive attribute its labels with how often each occurs, ascending, no counts of 0.
    pub sensitive: Vec<Vec<(u32, u64)>>,
}
