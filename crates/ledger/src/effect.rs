//! The recorded releases that a candidate is linked with, and what that does to people.

use indistinct_core::Observer;
use indistinct_core::model::to_f64;
use indistinct_diagnostics::words;
use indistinct_linkage::LinkageError;
use indistinct_linkage::post_linkage::{self, Options, RemainingRequirement};
use indistinct_linkage::seen::{Common, People, SeenRelease, common};
use serde::Serialize;

use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::record::Record;

/// What linking a candidate with the recorded releases does to people.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Effect {
    /// Whether nobody is left with less than required because of it, as far as is known for everybody; true where nothing is required.
    pub holds: bool,
    /// What is required to remain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<RequiredLevel>,
    /// The releases that it was linked with.
    pub linked_with: Vec<String>,
    /// Releases about the same people that share no quasi-identifier or no sensitive attribute with the others.
    pub nothing_in_common: Vec<String>,
    /// Whether it is known who the people are. Otherwise anybody counts whom the releases could cover.
    pub people_known: bool,
    /// Whom the candidate and another release cover.
    pub n_people: u64,
    /// How many combinations of classes these are in.
    pub n_combinations: u64,
    /// Whose classes share no sensitive value as they are written: they cannot be in all of them, but for those of `n_unclear`.
    pub n_contradictory: u64,
    /// Of these the people who may be in all of them nevertheless, if their values are written in different ways.
    pub n_unclear: u64,
    /// How many combinations of classes these are in.
    pub n_unclear_combinations: u64,
    /// Released labels of which it is not known what they cover; anything, to be safe.
    pub n_labels_not_understood: u64,
    /// Each sensitive attribute.
    pub sensitive: Vec<SensitiveEffect>,
}

/// What is required to remain.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RequiredLevel {
    /// At least so much.
    pub l: f64,
    /// By this measure.
    pub measure: &'static str,
}

/// What linking does to one sensitive attribute.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SensitiveEffect {
    /// Its name.
    pub attribute: String,
    /// The fewest sensitive values that remain for somebody; `None` if nobody is linked.
    pub distinct_l: Option<u64>,
    /// 1 / the largest share of one sensitive value.
    pub frequency_l: Option<f64>,
    /// The least exponential of the entropy.
    pub entropy_l: Option<f64>,
    /// Whom the candidate takes below what is required, or further below.
    pub n_harmed: u64,
    /// How many combinations of classes these are in.
    pub n_harmed_combinations: u64,
    /// The earlier releases that do it together with the candidate.
    pub harmed_with: Vec<String>,
    /// Who was below before, and is as she was.
    pub n_below_before: u64,
    /// Classes of the candidate that are below what is required by themselves.
    pub n_classes_below: u64,
    /// Their rows.
    pub n_rows_below: u64,
}

/// That the recoding was made coarser, and what that cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

impl Coarser {
    /// What happened, in words.
    pub fn text(&self) -> String {
        let cost = match (self.without, self.with) {
            (Some(without), Some(with)) => format!(
                ": {} {} instead of {}",
                self.objective,
                words::number(with),
                words::number(without)
            ),
            _ => String::new(),
        };
        format!(
            "the recoding was made coarser, so that enough remains after linking with earlier releases{cost}"
        )
    }
}

/// What the ledger has to do with a release.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    seen: Vec<SeenRelease>,
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
            earlier.seen.push(ledger.seen(record.id)?);
        }
        Ok(earlier)
    }

    /// What they say, the latest first.
    pub fn latest(&self) -> impl Iterator<Item = &SeenRelease> {
        self.seen.iter().rev()
    }

    /// What linking a candidate with them does to people.
    ///
    /// # Errors
    /// [`LinkageError`] if they cannot be linked, or the observer cancels.
    pub fn effect(
        &self,
        candidate: &SeenRelease,
        people: Option<&People<'_>>,
        required: Option<&RemainingRequirement>,
        observer: &dyn Observer,
    ) -> Result<Effect, LinkageError> {
        let mut names: Vec<&String> = self.names.iter().collect();
        let mut seen: Vec<&SeenRelease> = self.seen.iter().collect();
        let mut nothing_in_common = Vec::new();
        seen.push(candidate);
        let common = loop {
            match common(&seen, people) {
                Err(
                    LinkageError::NoCommonQuasiIdentifier { release }
                    | LinkageError::NoCommonSensitiveAttribute { release },
                ) if release + 1 < seen.len() => {
                    seen.remove(release);
                    nothing_in_common.push(names.remove(release).clone());
                }
                // The candidate has nothing in common with any of them, or there are none.
                Err(
                    LinkageError::NoCommonQuasiIdentifier { .. }
                    | LinkageError::NoCommonSensitiveAttribute { .. }
                    | LinkageError::TooFewReleases { .. },
                ) => {
                    nothing_in_common.extend(names.drain(..).cloned());
                    break by_itself(candidate, people)?;
                }
                Err(error) => return Err(error),
                Ok(common) => break common,
            }
        };
        let found = effect_of(&common, required, observer)?;
        let mut answer = Effect {
            holds: required.is_none() || found.holds(),
            required: required.map(|required| RequiredLevel {
                l: to_f64(&required.l),
                measure: required.measure.name(),
            }),
            linked_with: names.iter().map(|name| (*name).clone()).collect(),
            nothing_in_common,
            people_known: common.people.is_some(),
            n_people: found.linked.n_people,
            n_combinations: found.linked.n_patterns,
            n_contradictory: found.contradictory.n_people,
            n_unclear: found.unclear.n_people,
            n_unclear_combinations: found.unclear.n_patterns,
            n_labels_not_understood: not_understood(&common),
            sensitive: Vec::new(),
        };
        for (sensitive, effect) in common.sensitive.iter().zip(found.sensitive) {
            let with = names.iter().zip(&effect.harmed_with);
            let with = with.filter(|(_, tally)| tally.n_patterns > 0);
            answer.sensitive.push(SensitiveEffect {
                attribute: sensitive.name.clone(),
                distinct_l: effect.distinct_l,
                frequency_l: effect.frequency_l.as_ref().map(to_f64),
                entropy_l: effect.entropy_l,
                n_harmed: effect.harmed.n_people,
                n_harmed_combinations: effect.harmed.n_patterns,
                harmed_with: with.map(|(name, _)| (*name).clone()).collect(),
                n_below_before: effect.below_before.n_people,
                n_classes_below: effect.alone.n_patterns,
                n_rows_below: effect.alone.n_people,
            });
        }
        if answer.linked_with.is_empty() {
            answer.forget_itself();
        } else if candidate.sensitive.iter().any(|own| !answer.tells_of(&own.name)) {
            answer.add_own(candidate, people, required, observer)?;
        }
        Ok(answer)
    }
}

/// What the last of several releases does to people.
fn effect_of(
    common: &Common,
    required: Option<&RemainingRequirement>,
    observer: &dyn Observer,
) -> Result<post_linkage::Effect, LinkageError> {
    let options = Options { required: required.copied(), observer, ..Options::default() };
    let last = common.releases.len() - 1;
    let (setting, releases) = (&common.setting, &common.releases);
    post_linkage::effect(setting, releases, last, common.candidates(), &options)
}

/// A candidate beside itself: what its classes show, whoever else publishes.
fn by_itself(candidate: &SeenRelease, people: Option<&People<'_>>) -> Result<Common, LinkageError> {
    common(&[candidate, candidate], people)
}

impl Effect {
    /// Figures of a candidate that was only linked with itself are about nobody.
    fn forget_itself(&mut self) {
        (self.n_people, self.n_combinations, self.n_contradictory) = (0, 0, 0);
        (self.n_unclear, self.n_unclear_combinations) = (0, 0);
        self.n_labels_not_understood = 0;
        for sensitive in &mut self.sensitive {
            (sensitive.distinct_l, sensitive.frequency_l, sensitive.entropy_l) = (None, None, None);
            sensitive.n_below_before = 0;
        }
    }

    fn tells_of(&self, sensitive: &str) -> bool {
        self.sensitive.iter().any(|it| it.attribute == sensitive)
    }

    /// Adds the sensitive attributes that no other release has: what the candidate's classes show of them by
    /// themselves.
    fn add_own(
        &mut self,
        candidate: &SeenRelease,
        people: Option<&People<'_>>,
        required: Option<&RemainingRequirement>,
        observer: &dyn Observer,
    ) -> Result<(), LinkageError> {
        let common = by_itself(candidate, people)?;
        let found = effect_of(&common, required, observer)?;
        for (sensitive, effect) in common.sensitive.iter().zip(found.sensitive) {
            if self.tells_of(&sensitive.name) {
                continue;
            }
            self.holds &= effect.alone.n_patterns == 0;
            self.sensitive.push(SensitiveEffect {
                attribute: sensitive.name.clone(),
                distinct_l: None,
                frequency_l: None,
                entropy_l: None,
                n_harmed: 0,
                n_harmed_combinations: 0,
                harmed_with: Vec::new(),
                n_below_before: 0,
                n_classes_below: effect.alone.n_patterns,
                n_rows_below: effect.alone.n_people,
            });
        }
        Ok(())
    }

    /// People and rows that are in the way.
    pub fn n_in_the_way(&self) -> u64 {
        let of = |it: &SensitiveEffect| it.n_harmed.max(it.n_harmed_combinations) + it.n_rows_below;
        let unclear = self.n_unclear.max(self.n_unclear_combinations);
        unclear + self.sensitive.iter().map(of).sum::<u64>()
    }
}

fn not_understood(common: &Common) -> u64 {
    common.not_understood.iter().map(|it| it.n_labels as u64).sum()
}
