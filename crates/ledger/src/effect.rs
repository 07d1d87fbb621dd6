//! Links recorded releases with a candidate and reports the effect.

use indistinct_core::Observer;
use indistinct_linkage::LinkageError;
use indistinct_linkage::as_published::{LabeledRelease, NamedRelease, People, effect};
use indistinct_linkage::post_linkage::{Effect, Options, RemainingRequirement};
use serde::Serialize;

use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::record::Record;

/// The cost of a coarser recoding.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Coarser {
    /// The number of recodings that were tried, including the chosen recoding.
    pub n_tried: u64,
    /// The name of the loss that was minimized.
    pub objective: &'static str,
    /// The loss of the recoding that the search would choose without the ledger.
    pub without: Option<f64>,
    /// The loss of the chosen recoding.
    pub with: Option<f64>,
    /// The number of violations with the recoding that the search would choose without the ledger,
    /// summed over all sensitive attributes: people who would retain too few values or whose
    /// remaining values are unknown (combinations of classes, if the people are unknown), plus rows
    /// in classes below the requirement.
    pub n_harmed_without: u64,
}

/// The name of a release in the ledger, and the effect of linking this release.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Linkage {
    /// The name of the release in the ledger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The effect on people if the release is linked with the recorded releases.
    pub effect: Effect,
    /// The cost of a coarser recoding, if a coarser recoding was necessary to retain enough values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coarser: Option<Coarser>,
}

/// The reason why a release was refused although the policy can be satisfied: linkage would harm
/// people.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LinkageRefusal {
    /// The effect on people of linking with the recorded releases, for the recoding with the fewest
    /// violations.
    pub effect: Effect,
    /// The number of recodings that were tried.
    pub n_tried: u64,
}

/// Recorded releases about one population.
#[derive(Debug, Default)]
pub struct EarlierReleases {
    names: Vec<String>,
    releases: Vec<LabeledRelease>,
    /// The last hash of the ledger when the releases were read.
    pub head: String,
}

/// Returns whether people may be in both populations. An unspecified population may overlap with
/// any other.
fn overlap(one: Option<&str>, other: Option<&str>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}

impl EarlierReleases {
    /// Reads the releases about a population, except for the one whose certificate has the digest
    /// `but`.
    ///
    /// # Errors
    /// [`LedgerError`] if the ledger cannot be read.
    pub fn read(
        ledger: &Ledger,
        population: Option<&str>,
        but: Option<&str>,
    ) -> Result<Self, LedgerError> {
        let mut earlier = Self { head: ledger.head()?, ..Self::default() };
        let is_meant = |record: &&Record| {
            overlap(record.population.as_deref(), population)
                && but != Some(record.certificate_sha256.as_str())
        };
        for record in ledger.releases()?.iter().filter(is_meant) {
            earlier.names.push(record.name.clone());
            earlier.releases.push(ledger.as_published(record.id)?);
        }
        Ok(earlier)
    }

    /// Returns the published views of the releases, with the latest release first.
    pub fn latest(&self) -> impl Iterator<Item = &LabeledRelease> {
        self.releases.iter().rev()
    }

    /// Computes how people would be affected if a candidate release were linked with the recorded
    /// releases.
    ///
    /// # Errors
    /// [`LinkageError`] if the releases cannot be linked, or the observer cancels.
    pub fn effect(
        &self,
        candidate: &LabeledRelease,
        people: Option<&People<'_>>,
        required: Option<&RemainingRequirement>,
        observer: &dyn Observer,
    ) -> Result<Effect, LinkageError> {
        let names = self.names.iter().map(String::as_str);
        let earlier: Vec<NamedRelease<'_>> = names.zip(&self.releases).collect();
        let options = Options { required: required.copied(), observer, ..Options::default() };
        effect(&earlier, candidate, people, &options)
    }
}
