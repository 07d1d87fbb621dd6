//! A published release, with its labels, classes, and histograms, before it is compared with other
//! releases. [`common`] maps several releases to the same domains for
//! [linkage](crate::post_linkage::link).
//!
//! The ledger stores releases in this form: labels, histograms, and the values that labels cover,
//! but no rows.
//!
//! Equal labels have the same meaning, unless one release shows that the label is a single value,
//! and another that it covers several values. Labels that differ only in case, blanks, or
//! look-alike letters count as equal, unless one release contains both. A label covers the values
//! below it in chains, and the values that its text describes: numbers, intervals, parts of dates,
//! sets, and masked characters. If it is unknown whether two labels from different releases
//! overlap, the result is conservative: any combination of these labels may belong to a person, and
//! the labels are counted.

mod common;
mod domain;
mod effect;
mod people;
mod sensitive;
mod spelling;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use common::{
    Common, CommonColumn, CommonSensitive, NotUnderstood, People, PeopleColumn, common,
};
pub use effect::{NamedRelease, effect};
pub use people::{MergedPeople, one_person, people};

/// A release as published.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LabeledRelease {
    /// The number of rows in the release.
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
    /// The column name.
    pub name: String,
    /// The distinct released labels. Classes refer to labels by index.
    pub labels: Vec<String>,
    /// Paths from the finest known labels to the root. The paths determine the values that labels
    /// cover. A recipient obtains the paths from the published hierarchies or from the taxonomy of
    /// a sensitive attribute. The data holder's paths start at the original values.
    pub chains: Vec<Vec<String>>,
    /// The kind of the first label of each chain.
    #[serde(default)]
    pub bottoms: Bottoms,
    /// The indexes of labels that are known to be single original values, in ascending order; only
    /// for quasi-identifiers.
    #[serde(default)]
    pub single: Vec<u32>,
    /// The number of values that each label covers, if the release contains this number. The labels
    /// include those above the released labels. Only quasi-identifiers have these numbers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub n_covered: BTreeMap<String, u64>,
}

/// The kind of the first label of each chain.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Bottoms {
    /// The first labels are released labels, and the values below these labels are unknown.
    #[default]
    Labels,
    /// The first labels are original values, and there is a chain for every value that can occur in
    /// the release.
    Values,
}

/// A class of a release.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LabeledClass {
    /// The regions that the class covers, each with the label of every quasi-identifier. Most
    /// recodings have one region per class; Anatomy has one region for each distinct combination in
    /// the class.
    pub regions: Vec<Vec<u32>>,
    /// For each sensitive attribute, its labels with their positive counts, in ascending order of
    /// labels.
    pub sensitive: Vec<Vec<(u32, u64)>>,
}
