//! The answer of `anonymize`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use indistinct_answers::advice::BeyondReach;
use indistinct_core::recoding::AttributeExplanation;
use indistinct_core::risk::Risk;
use indistinct_core::{Nearest, Optimality, PrincipleClaim, SearchEffort};
use indistinct_ledger::{Linkage, LinkageRefusal};
use indistinct_methods::{OfMethod, Shortfall};
use serde::Serialize;

use crate::population::SampleBeforeAfter;
use crate::release::GeneralizedValues;
use crate::verify::ReleaseLocation;

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
    /// The table that was read.
    pub input: PathBuf,
    /// What was chosen.
    pub recoding: ChosenRecoding,
    /// Rows of the input.
    pub n_rows: u64,
    /// Rows of the release.
    pub n_released: u64,
    /// Rows that were suppressed, whether dropped or starred, or in which cells were.
    pub n_suppressed: u64,
    /// Where the policy asks for single cells: for each quasi-identifier the rows in which it was suppressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed_cells: Option<BTreeMap<String, u64>>,
    /// Equivalence classes of the release.
    pub n_classes: u64,
    /// Every loss of the registry; in JSON with underscores, as other fields.
    #[serde(serialize_with = "with_underscores")]
    #[schemars(with = "BTreeMap<String, f64>")]
    pub loss: BTreeMap<&'static str, f64>,
    /// For each quasi-identifier its `loss` alone.
    pub attribute_loss: BTreeMap<String, f64>,
    /// The effort of the search.
    pub search: SearchEffort,
    /// Required and reached. None for a perturbation: nothing of its guarantee shows in the rows.
    pub principles: Vec<PrincipleClaim>,
    /// Where sensitive values are generalized, how many and what that cost: no other loss tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generalized_values: Option<GeneralizedValues>,
    /// What the method adds; in JSON fields of the same table.
    #[serde(flatten)]
    pub of_method: Option<OfMethod>,
    /// With a ledger what linking with the recorded releases does to people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linkage: Option<Linkage>,
    /// Re-identification risk of the input and of the release.
    pub risk: BeforeAfter,
    /// Where the policy says what is known of the population, or names households: the risk in it, of the input and of the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<SampleBeforeAfter>,
    /// For each attribute why it has its level, where it has one.
    pub explanation: Vec<AttributeExplanation>,
    /// The directory.
    pub release: PathBuf,
    /// The table of the input's database that has the rows, where the directory has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The directory with what only the holder may know.
    pub private: PathBuf,
    /// The address that the directory was uploaded to, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uploaded: Option<String>,
    /// What the holder should know before handing the release out.
    pub warnings: Vec<String>,
}

fn with_underscores<S: serde::Serializer>(
    losses: &BTreeMap<&'static str, f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(losses.iter().map(|(name, value)| (name.replace('-', "_"), value)))
}

/// A recoding, as JSON names it.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ChosenRecoding {
    /// The method of the policy.
    pub method: String,
    /// For each quasi-identifier its level, where the method gives it one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<BTreeMap<String, usize>>,
    /// What is known about better recodings by the method.
    pub optimality: Optimality,
    /// The objective that was minimized.
    pub objective: &'static str,
}

impl WrittenRelease {
    /// Where its rows are, and how anybody checks them.
    pub fn location(&self) -> ReleaseLocation {
        let directory = self.uploaded.as_ref().map_or_else(|| self.release.clone(), PathBuf::from);
        ReleaseLocation::of_written(directory, self.table.clone(), self.input.clone())
    }

    /// With `search.all_minimal`: the nodes that satisfy the policy while no node strictly below does.
    pub fn minimal_nodes(&self) -> Option<&[BTreeMap<String, usize>]> {
        match &self.of_method {
            Some(OfMethod::Lattice { minimal_nodes }) => Some(minimal_nodes),
            _ => None,
        }
    }
}

/// Risk before and after.
#[derive(Debug, Clone, Copy, Serialize, schemars::JsonSchema)]
pub struct BeforeAfter {
    /// Of the input.
    pub before: Risk,
    /// Of the release.
    pub after: Risk,
}

/// Why there is no release.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Infeasible {
    /// Rows of the input.
    pub n_rows: u64,
    /// The largest number of rows that the policy allows to suppress.
    pub n_suppressible: u64,
    /// Whether it is proved that no recoding of the method satisfies the policy, whichever rows are suppressed; some methods do not try all.
    pub is_proved: bool,
    /// The principles that no recoding without suppression reaches, with what is in reach: there more generalization does not help.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beyond_reach: Vec<BeyondReach>,
    /// What the table lacks, where that is known; in JSON a field of the same table.
    #[serde(flatten)]
    pub shortfall: Option<Shortfall<BTreeMap<String, usize>>>,
    /// With a ledger, where the policy can be met but too little would remain after linking with the recorded releases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linkage: Option<LinkageRefusal>,
    /// The effort of the search.
    pub search: SearchEffort,
    /// Risk of the input.
    pub risk: Risk,
}

impl Infeasible {
    /// The recoding nearest to the policy, where rows fail.
    pub fn nearest(&self) -> Option<&Nearest<BTreeMap<String, usize>>> {
        self.shortfall.as_ref()?.nearest()
    }
}
