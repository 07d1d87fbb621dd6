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
    /// The number of rows in the original table.
    pub n_rows: u64,
    /// The number of rows of the release.
    pub n_released: u64,
    /// The number of suppressed rows, which are dropped or shown as `*`.
    pub n_suppressed: u64,
    /// The number of classes, which consist of the released rows that are not suppressed.
    pub n_classes: u64,
    /// The losses of the release.
    #[serde(flatten)]
    pub losses: Losses,
    /// The loss of each sensitive or insensitive column that the policy coarsens: the mean spread
    /// of the original numbers that a released value represents, as a fraction of the range of the
    /// column. All other figures compare the release with coarsened values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub coarsening_loss: BTreeMap<String, f64>,
    /// For each quasi-identifier, the fraction of the information in the original values that
    /// released values retain. This figure can be compared across releases of one table, whatever
    /// their hierarchies. `None` if the correspondence between original and released rows is
    /// unknown.
    pub mutual_information: Option<BTreeMap<String, f64>>,
    /// For each numeric quasi-identifier, the narrowness of the classes (revised information loss
    /// metric), which is 1 if each class has a single number and 0 if each class spans all numbers.
    /// This figure can be compared across releases of one table. `None` if the correspondence
    /// between original and released rows is unknown.
    pub rilm: Option<BTreeMap<String, f64>>,
    /// The fraction of the information in the original that the release retains.
    pub information_utility: Utility,
    /// For each (tau, l)-diversity requirement of the policy, the protection beyond the
    /// requirement.
    pub excessive_protection: Vec<Excess>,
    /// The distances between original and released distributions of single attributes and of pairs.
    pub marginals: Marginals,
    /// The errors in the answers to count queries.
    pub queries: QueryErrors,
    /// The accuracy with which an attribute can be predicted. `None` if the correspondence between
    /// original and released rows is unknown.
    pub classification: Option<Accuracy>,
    /// The number of people whose released values are unique in the population, if the sampling
    /// fraction is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniqueness: Option<Uniqueness>,
    /// Notes on figures that could not be measured, and remarks on other figures.
    pub notes: Vec<Note>,
}

/// The protection that classes have beyond a (tau, l)-diversity requirement.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Excess {
    /// The sensitive attribute.
    pub attribute: String,
    /// The maximum frequency of a base value.
    pub tau: f64,
    /// The parameter l. The total frequency of l or more base values is not limited.
    pub l: f64,
    /// The excessive protection of the classes.
    pub of_classes: Option<Summary>,
}

/// A note on a figure that was not measured, or a remark on other figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub enum Note {
    /// The KL divergence is undefined.
    KlDivergence,
    /// No model was trained, because the links between original and released rows are unknown.
    ModelsWithoutLinks,
    /// No model was trained, because there are too few rows.
    ModelsWithFewRows,
    /// Pairs of attributes with too many combinations of values were not compared.
    LargePairs,
    /// Count queries cannot be estimated, because all released sensitive values are noise.
    QueriesOnNoise,
    /// Some released rows are counterfeits.
    Counterfeits {
        /// The number of counterfeit rows.
        n_rows: u64,
        /// Whether the counterfeit rows are known.
        are_known: bool,
    },
}
