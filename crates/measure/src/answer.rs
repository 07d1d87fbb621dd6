//! The answer of `measure`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::Summary;
use crate::classification::Accuracy;
use crate::losses::Losses;
use crate::marginals::Marginals;
use crate::population::uniqueness::Uniqueness;
use crate::queries::QueryErrors;
use crate::tau_l::Utility;

/// The answer of `measure`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Measurement {
    /// The release directory.
    pub release: PathBuf,
    /// Rows of the original.
    pub n_rows: u64,
    /// Rows of the release.
    pub n_released: u64,
    /// Rows that were suppressed, whether dropped or starred.
    pub n_suppressed: u64,
    /// Classes of the released rows that are not suppressed.
    pub n_classes: u64,
    /// What was lost.
    #[serde(flatten)]
    pub losses: Losses,
    /// For each quasi-identifier the share of what its original values say that released values still say: comparable between releases
    /// of one table, whatever their hierarchies. `None` where it is not known which row became which.
    pub mutual_information: Option<BTreeMap<String, f64>>,
    /// For each quasi-identifier with numbers how narrow the classes are (revised information loss metric): 1 where each has one number, 0
    /// where each has all of them; comparable in the same way. `None` where it is not known which row became which.
    pub rilm: Option<BTreeMap<String, f64>>,
    /// How much of the original's information is retained.
    pub information_utility: Utility,
    /// For each (tau, l)-diversity of the policy how much more is hidden than it asks for.
    pub excessive_protection: Vec<Excess>,
    /// Distances of one- and two-way distributions.
    pub marginals: Marginals,
    /// How far answers to count queries are off.
    pub queries: QueryErrors,
    /// How well an attribute is still predicted; `None` where it is not known which row became which.
    pub classification: Option<Accuracy>,
    /// People of the population who are unique with their released values, where the sampling fraction is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniqueness: Option<Uniqueness>,
    /// What could not be measured, and what the figures include.
    pub notes: Vec<Note>,
}

/// How much more classes hide than a (tau, l)-diversity asks for.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Excess {
    /// The sensitive attribute.
    pub attribute: String,
    /// The largest share of a base value.
    pub tau: f64,
    /// Where shares may be everything.
    pub l: f64,
    /// Of the classes.
    pub of_classes: Option<Summary>,
}

/// Something that was not measured, or that the figures include.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub enum Note {
    /// The KL divergence is undefined.
    KlDivergence,
    /// No model was trained, because it is unknown which released row each row of the original became.
    ModelsWithoutLinks,
    /// No model was trained, because there are too few rows.
    ModelsWithFewRows,
    /// Pairs of attributes with too many combinations of values were not compared.
    LargePairs,
    /// Count queries have no estimate, because all released sensitive values are noise.
    QueriesOnNoise,
    /// Released rows are counterfeits.
    Counterfeits {
        /// How many.
        n_rows: u64,
        /// Whether it is known which rows these are.
        are_known: bool,
    },
}
