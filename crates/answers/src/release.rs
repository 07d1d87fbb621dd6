//! The answer of `anonymize`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use indistinct_core::recoding::AttributeExplanation;
use indistinct_core::risk::{Risk, UniqueRows};
use indistinct_core::{Nearest, Optimality, PrincipleClaim, SearchEffort};
use indistinct_diagnostics::warning::Warning;
use indistinct_ledger::{Linkage, LinkageRefusal};
use indistinct_methods::{OfMethod, Shortfall};
use indistinct_release::facts::GeneralizedValues;
use serde::Serialize;

use crate::advice::BeyondReach;
use crate::private::PrivateContent;
use crate::profile::SampleBeforeAfter;
use crate::report::Marginal;

/// The answer of `anonymize`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum Outcome {
    /// A release was written.
    Released(Box<WrittenRelease>),
    /// No recoding satisfies the policy; nothing was written.
    Infeasible(Box<Infeasible>),
}

/// A release that was written.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct WrittenRelease {
    /// The path of the input table.
    pub input: PathBuf,
    /// The chosen recoding.
    pub recoding: ChosenRecoding,
    /// Number of rows in the input.
    pub n_rows: u64,
    /// Number of rows in the release.
    pub n_released: u64,
    /// Number of rows that were dropped, replaced by `*`, or released with suppressed cells.
    pub n_suppressed: u64,
    /// For each quasi-identifier, the number of rows in which its cell was suppressed, if the
    /// policy suppresses individual cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed_cells: Option<BTreeMap<String, u64>>,
    /// Number of equivalence classes in the release.
    pub n_classes: u64,
    /// Every loss in the registry. In JSON, the names contain underscores, like the names of other
    /// fields.
    #[serde(serialize_with = "with_underscores")]
    #[schemars(with = "BTreeMap<String, f64>")]
    pub loss: BTreeMap<&'static str, f64>,
    /// The `loss` of each quasi-identifier.
    pub attribute_loss: BTreeMap<String, f64>,
    /// The duration of the search and the amount of work that it performed.
    pub search: SearchEffort,
    /// The required and achieved parameters of each principle. The list is empty for a
    /// perturbation, because its guarantee cannot be verified from the rows.
    pub principles: Vec<PrincipleClaim>,
    /// The number and the cost of generalized sensitive values, if any; no other loss includes this
    /// cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generalized_values: Option<GeneralizedValues>,
    /// The loss of each column that the policy coarsens: the mean spread of the original numbers
    /// that a released value represents, as a fraction of the range of the column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub coarsening_loss: BTreeMap<String, f64>,
    /// Counts of the released rows that are unique.
    pub unique_rows: UniqueRows,
    /// Method-specific figures. In JSON, they are fields of the enclosing object.
    #[serde(flatten)]
    pub of_method: Option<OfMethod>,
    /// With a ledger, what an adversary learns about people by linking this release with the
    /// recorded releases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linkage: Option<Linkage>,
    /// Re-identification risk of the input and of the release.
    pub risk: BeforeAfter,
    /// The population risk of the input and of the release, if the policy describes the population
    /// or names households.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<SampleBeforeAfter>,
    /// The reason for the level of each attribute that has a level.
    pub explanation: Vec<AttributeExplanation>,
    /// The release directory.
    pub release: PathBuf,
    /// The database table that contains the rows, if the directory does not contain them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The private directory, for the data holder only; absent if it was omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<PathBuf>,
    /// The content that no file contains, because the private directory was omitted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub omitted_private: Vec<PrivateContent>,
    /// The address to which the directory was uploaded, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uploaded: Option<String>,
    /// Warnings for the data holder to consider before sharing the release.
    pub warnings: Vec<Warning>,
    /// The value frequencies before and after, which the private report shows; empty if the private
    /// directory was omitted. JSON does not contain them.
    #[serde(skip)]
    pub marginals: Vec<Marginal>,
}

fn with_underscores<S: serde::Serializer>(
    losses: &BTreeMap<&'static str, f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(losses.iter().map(|(name, value)| (name.replace('-', "_"), value)))
}

/// A recoding in the answer.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ChosenRecoding {
    /// The method of the policy.
    pub method: String,
    /// The level of each quasi-identifier, if the method assigns levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<BTreeMap<String, usize>>,
    /// Whether the recoding is proved to be optimal for the method.
    pub optimality: Optimality,
    /// The objective that was minimized.
    pub objective: &'static str,
}

impl WrittenRelease {
    /// If `search.all_minimal` is set, returns the minimal nodes: satisfying nodes that have no
    /// satisfying node below them.
    pub fn minimal_nodes(&self) -> Option<&[BTreeMap<String, usize>]> {
        match &self.of_method {
            Some(OfMethod::Lattice { minimal_nodes }) => Some(minimal_nodes),
            _ => None,
        }
    }
}

/// Re-identification risk before and after recoding.
#[derive(Debug, Clone, Copy, Serialize, schemars::JsonSchema)]
pub struct BeforeAfter {
    /// The risk of the input.
    pub before: Risk,
    /// The risk of the release.
    pub after: Risk,
}

/// Why the policy cannot be satisfied.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Infeasible {
    /// Number of rows in the input.
    pub n_rows: u64,
    /// The largest number of rows that the policy allows to be suppressed.
    pub n_suppressible: u64,
    /// Whether it is proved that no recoding of the method satisfies the policy, regardless of
    /// which rows are suppressed. Some methods do not try all recodings.
    pub is_proved: bool,
    /// The principles that no recoding without suppression satisfies, with the best reachable
    /// level. More generalization does not help.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beyond_reach: Vec<BeyondReach>,
    /// The properties that the table lacks, if known; in JSON, fields of the enclosing object.
    #[serde(flatten)]
    pub shortfall: Option<Shortfall<BTreeMap<String, usize>>>,
    /// With a ledger, the reason why linking with the recorded releases would disclose too much,
    /// although the policy itself can be satisfied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linkage: Option<LinkageRefusal>,
    /// The duration of the search and the amount of work that it performed.
    pub search: SearchEffort,
    /// The re-identification risk of the input.
    pub risk: Risk,
}

impl Infeasible {
    /// Returns the recoding that is closest to satisfying the policy, if some rows violate the
    /// policy.
    pub fn nearest(&self) -> Option<&Nearest<BTreeMap<String, usize>>> {
        self.shortfall.as_ref()?.nearest()
    }
}
