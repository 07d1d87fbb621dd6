//! The recorded releases that a candidate is linked with, and the outcome.

use indistinct_core::Observer;
use indistinct_linkage::LinkageError;
use indistinct_linkage::as_published::{LabeledRelease, NamedRelease, People, effect};
use indistinct_linkage::post_linkage::{Effect, Options, RemainingRequirement};
use serde::Serialize;

use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::record::Record;

/// That the recoding was made coarser, and what that cost.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Coarser {
    /// How many recodings were tried, this one included.
    pub n_tried: u64,
    /// The loss that was made small.
    pub objective: &'static str,
    /// The loss of the recoding that would have been taken otherwise.
    pub without: Option<f64>,
    /// The loss of this one.
    pub with: Option<f64>,
    /// How many people the other one would have harmed.
    pub n_harmed_without: u64,
}

/// What the ledger has to do with a release.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Linkage {
    /// The name under which the ledger has the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What linking it with the recorded ones does to people.
    pub effect: Effect,
    /// Where the recoding was made coarser so that enough remains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coarser: Option<Coarser>,
}

/// Why there is no release, although the policy can be met.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LinkageRefusal {
    /// What linking with the recorded releases would do to people, of the recoding that came nearest.
    pub effect: Effect,
    /// How many recodings were tried.
    pub n_tried: u64,
}

/// Recorded releases.
#[derive(Debug, Default)]
pub struct EarlierReleases {
    names: Vec<String>,
    releases: Vec<LabeledRelease>,
    /// The last hash of the ledger when they were read.
    pub head: String,
}

/// Whether people may be in both populations; one that is not named may be any.
fn overlap(one: Option<&str>, other: Option<&str>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}

impl EarlierReleases {
    /// Reads the releases about people of a population, but for the one with a certificate.
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

    /// What they say, the latest first.
    pub fn latest(&self) -> impl Iterator<Item = &LabeledRelease> {
        self.releases.iter().rev()
    }

    /// What linking a candidate with them does to people.
    ///
    /// # Errors
    /// [`LinkageError`] if they cannot be linked, or the observer cancels.
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
