//! The main job: count, search, certify, write.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indistinct_core::recoding::{AttributeExplanation, claims_of_levels, explain_attribute};
use indistinct_core::risk::Risk;
use indistinct_core::{
    Claims, FrequencyTable, Observer, PrincipleClaim, Recoding, Release, Requirement,
    certify_perturbed, check_rows, loss,
};
use indistinct_engine::output::{Staging, private_dir};
use indistinct_search as search;
use rayon::prelude::*;
use serde::Serialize;

use crate::anatomy;
use crate::certified::{Certified, Proposed};
use crate::error::Error;
use crate::invariant::{self, PeopleProblem};
use crate::job::{Job, Prepared};
use crate::key::Key;
use crate::ledger::{Linkage, Refusal};
use crate::methods::{self, Answer, NotFound, Proposal, Quality};
use crate::perturbation;
use crate::planned;
use crate::release;

pub use crate::anatomy::Separation;
pub use crate::invariant::{Invariance, NoVersion};
pub use crate::perturbation::{BoundedFor, Noise, NoiseAlone};
pub use crate::planned::{ByPlan, NotByPlan};
pub use indistinct_engine::output::Replace;

/// The answer of `anonymize`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum Outcome {
    /// A release was written.
    Released(Box<Released>),
    /// No recoding satisfies the policy; nothing was written.
    Infeasible(Box<Infeasible>),
}

/// A release that was written.
#[derive(Debug, Clone, Serialize)]
pub struct Released {
    /// The table that was read.
    pub input: PathBuf,
    /// What was chosen.
    pub recoding: ChosenRecoding,
    /// Rows of the input.
    pub n_rows: u64,
    /// Rows of the release.
    pub n_released: u64,
    /// Rows that were suppressed, whether dropped or starred.
    pub n_suppressed: u64,
    /// Equivalence classes of the release.
    pub n_classes: u64,
    /// Every loss of the registry; in JSON with underscores, as other fields.
    #[serde(serialize_with = "with_underscores")]
    pub loss: BTreeMap<&'static str, f64>,
    /// For each quasi-identifier its `loss` alone.
    pub attribute_loss: BTreeMap<String, f64>,
    /// What the search did.
    pub search: SearchFigures,
    /// With `search.all_minimal`: the nodes that satisfy the policy while no node strictly below does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimal_nodes: Option<Vec<BTreeMap<String, usize>>>,
    /// Required and reached. None for a perturbation: nothing of its guarantee shows in the rows.
    pub principles: Vec<PrincipleClaim>,
    /// For a perturbation how secrets were perturbed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perturbation: Option<Noise>,
    /// For Anatomy what a reader of the two tables can no longer tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separation: Option<Separation>,
    /// For a planned release what the plan promises, and whether its designated secrets occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned: Option<ByPlan>,
    /// For a version of a growing table what it is made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invariance: Option<Invariance>,
    /// With a ledger what linking with the recorded releases does to people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linkage: Option<Linkage>,
    /// Re-identification risk of the input and of the release.
    pub risk: BeforeAfter,
    /// For each attribute why it has its level, where it has one.
    pub explanation: Vec<AttributeExplanation>,
    /// The directory.
    pub release: PathBuf,
    /// The directory with what only the holder may know.
    pub private: PathBuf,
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
#[derive(Debug, Clone, Serialize)]
pub struct ChosenRecoding {
    /// The method of the policy.
    pub method: String,
    /// For each quasi-identifier its level, where the method gives it one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<BTreeMap<String, usize>>,
    /// Whether no other recoding of the method is better; false after a time limit, and for methods that do not try all.
    pub optimal: bool,
    /// The objective that was minimized.
    pub objective: &'static str,
}

/// What a search did.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SearchFigures {
    /// Nodes of the lattice, where one was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_nodes: Option<u64>,
    /// Nodes whose classes were formed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_evaluated: Option<u64>,
    /// Nodes that a proof ruled out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_pruned: Option<u64>,
    /// Wall time.
    pub seconds: f64,
}

/// Risk before and after.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct BeforeAfter {
    /// Of the input.
    pub before: Risk,
    /// Of the release.
    pub after: Risk,
}

/// Why there is no release.
#[derive(Debug, Clone, Serialize)]
pub struct Infeasible {
    /// Rows of the input.
    pub n_rows: u64,
    /// The largest number of rows that the policy allows to suppress.
    pub n_suppressible: u64,
    /// Whether it is proved that no recoding of the method satisfies the policy; some methods do not try all.
    pub is_proved: bool,
    /// What comes nearest.
    pub nearest: Option<Nearest>,
    /// For a perturbation what comes nearest: for each principle what noise alone would reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise_alone: Option<Vec<NoiseAlone>>,
    /// For a planned release what keeps the table from being one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned: Option<NotByPlan>,
    /// For a growing table why there is no version of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_version: Option<NoVersion>,
    /// With a ledger, where the policy can be met but too little would remain after linking with the recorded releases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linkage: Option<Refusal>,
    /// What the search did.
    pub search: SearchFigures,
    /// With `search.all_minimal`: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimal_nodes: Option<Vec<BTreeMap<String, usize>>>,
    /// Risk of the input.
    pub risk: Risk,
}

/// The recoding that comes nearest to the policy.
#[derive(Debug, Clone, Serialize)]
pub struct Nearest {
    /// For each quasi-identifier its level. Empty where no attribute has one: all rows are one class.
    pub levels: BTreeMap<String, usize>,
    /// Rows in classes that fail a principle.
    pub n_failing_rows: u64,
    /// Rows that would have to be suppressed; `None` if starred rows fail a principle however many there are.
    pub n_suppressed_needed: Option<u64>,
    /// What each principle reaches without suppressing anything.
    pub principles: Vec<PrincipleClaim>,
}

/// Searches for the recoding with the least loss, certifies it and writes a release directory.
///
/// Nothing is left behind unless the answer is [`Outcome::Released`].
///
/// # Errors
/// [`Error`] if the input cannot be read or does not fit the policy, the directory cannot be written, the input changed
/// between the two passes, or the observer cancels. [`Error::NoLedger`] if the policy asks for what only a ledger can tell.
pub fn anonymize(
    job: &Job,
    directory: &Path,
    replace: Replace,
    observer: &dyn Observer,
) -> Result<Outcome, Error> {
    if job.policy().linkage.minimum.is_some() {
        return Err(Error::NoLedger);
    }
    if invariant::is_asked_for(job.policy()) {
        return Err(PeopleProblem::NoLedger.into());
    }
    indistinct_engine::output::recover(directory)?;
    let staging = Staging::create(directory, replace)?;
    let prepared = job.prepare(observer)?;
    let started = Instant::now();
    let key = Key::new(job.policy().recoding.seed, &prepared.counted.fingerprint)?;
    let answer = methods::propose(job, &prepared, &key, observer)?;
    let seconds = started.elapsed().as_secs_f64();
    let (table, policy) = (&prepared.counted.table, &prepared.policy);
    let (proposal, certified) = match answer {
        Answer::Found(proposal) => {
            let certified = Certified::of(table, policy, &proposal.recoding)?;
            (*proposal, certified)
        }
        Answer::Perturb { domain, retention } => {
            let perturbation = perturbation::of(domain, retention, key.for_noise());
            let (certified, recoding) =
                certify_perturbed(table, policy, &perturbation).map_err(Error::Refused)?;
            (Proposal::of_perturbation(recoding), Certified::Rows(certified))
        }
        none => {
            let infeasible = without_proposal(job, &prepared, none, seconds);
            return Ok(Outcome::Infeasible(Box::new(infeasible)));
        }
    };
    let writing = Writing { job, prepared: &prepared, key: &key, directory, seconds };
    let released = writing.write(&proposal, &certified, &staging, observer, |_| {})?;
    if observer.is_cancelled() {
        return Err(Error::Cancelled);
    }
    staging.commit()?;
    Ok(Outcome::Released(Box::new(released)))
}

/// The answer of a search without a proposal.
pub(crate) fn without_proposal(
    job: &Job,
    prepared: &Prepared,
    answer: Answer,
    seconds: f64,
) -> Infeasible {
    let proved = NotFound { nearest: None, is_proved: true, lattice: None };
    match answer {
        Answer::NotFound(not_found) => infeasible(job, prepared, &not_found, seconds),
        Answer::NotByPlan(planned) => {
            Infeasible { planned: Some(planned), ..infeasible(job, prepared, &proved, seconds) }
        }
        Answer::NoiseAlone(reached) => {
            Infeasible { noise_alone: Some(reached), ..infeasible(job, prepared, &proved, seconds) }
        }
        Answer::NoVersion(no_version) => {
            let is_proved = no_version.is_proved;
            let not_found = NotFound { is_proved, ..proved };
            let infeasible = infeasible(job, prepared, &not_found, seconds);
            Infeasible { no_version: Some(no_version), ..infeasible }
        }
        Answer::Found(_) | Answer::Perturb { .. } | Answer::Version(_) => {
            unreachable!("there is a proposal")
        }
    }
}

/// Everything that a release is written from, but for the recoding.
pub(crate) struct Writing<'a> {
    pub(crate) job: &'a Job,
    pub(crate) prepared: &'a Prepared,
    pub(crate) key: &'a Key,
    pub(crate) directory: &'a Path,
    /// What the search took.
    pub(crate) seconds: f64,
}

impl Writing<'_> {
    /// Writes a certified release to its staging folder; `tell` adds to the answer what is known of it besides.
    pub(crate) fn write(
        &self,
        proposal: &Proposal,
        certified: &Certified<'_>,
        staging: &Staging,
        observer: &dyn Observer,
        tell: impl FnOnce(&mut Released),
    ) -> Result<Released, Error> {
        let (job, prepared) = (self.job, self.prepared);
        let before = prepared.before();
        let mut released = describe(job, prepared, proposal, certified, &before, self.seconds);
        released.release = self.directory.to_owned();
        released.private = private_dir(self.directory)?;
        tell(&mut released);
        let making = release::Making {
            job,
            prepared,
            certified,
            proposal,
            before: &before,
            released: &released,
            key: self.key,
        };
        making.write(staging, observer)?;
        Ok(released)
    }
}

fn levels_by_name(prepared: &Prepared, levels: &[usize]) -> BTreeMap<String, usize> {
    let columns = prepared.counted.table.quasi_identifiers();
    columns.iter().map(|column| column.name.clone()).zip(levels.iter().copied()).collect()
}

fn figures(lattice: Option<&search::Statistics>, seconds: f64) -> SearchFigures {
    SearchFigures {
        n_nodes: lattice.map(|lattice| lattice.n_nodes),
        n_evaluated: lattice.map(|lattice| lattice.n_evaluated),
        n_pruned: lattice.map(|lattice| lattice.n_pruned),
        seconds,
    }
}

/// Every loss of the registry that is defined for a certified recoding.
pub(crate) fn losses(
    release: &Release<'_>,
    prepared: &Prepared,
    recoding: &Recoding,
    weights: &[f64],
) -> BTreeMap<&'static str, f64> {
    // Of the joint distribution with perturbed secrets it would say nothing.
    let is_defined = |name| release.perturbed().is_none() || name != "kl-divergence";
    loss::REGISTRY
        .iter()
        .filter(|loss| is_defined(loss.name))
        .filter_map(|loss| {
            let value = loss::of_release(loss, release, &prepared.policy, recoding, weights)?;
            Some((loss.name, value))
        })
        .collect()
}

fn describe(
    job: &Job,
    prepared: &Prepared,
    proposal: &Proposal,
    certified: &Certified<'_>,
    before: &Claims,
    seconds: f64,
) -> Released {
    let table = &prepared.counted.table;
    let recoding = &job.policy().recoding;
    let levels = proposal.levels();
    let nodes = proposal.minimal_nodes.as_ref();
    let (loss, attribute_loss) = match (certified, &proposal.recoding) {
        (Certified::Rows(release), Proposed::Rows(recoding)) => (
            losses(release, prepared, recoding, &job.weights()),
            attribute_losses(release, prepared, recoding),
        ),
        (Certified::Tables(release), _) => {
            (anatomy::losses(release), anatomy::attribute_losses(release))
        }
        (Certified::Rows(_), Proposed::Tables(_)) => unreachable!("rows were not proposed"),
    };
    let n_released = certified.claims().n_released;
    let noise = certified.perturbed().map(|it| perturbation::noise(job.policy(), it));
    let mut warnings = prepared.warnings.clone();
    warnings.extend(invariant::warnings(prepared, n_released));
    warnings.extend(noise.iter().flat_map(|noise| perturbation::warnings(job.policy(), noise)));
    Released {
        input: job.input_path().to_owned(),
        recoding: ChosenRecoding {
            method: recoding.method.name().to_owned(),
            levels: levels.map(|levels| levels_by_name(prepared, levels)),
            optimal: matches!(proposal.quality, Quality::Optimal | Quality::LargestRetention),
            objective: match certified {
                Certified::Rows(_) => job.objective().name,
                Certified::Tables(_) => anatomy::OBJECTIVE,
            },
        },
        n_rows: prepared.original().n_rows(),
        n_released,
        n_suppressed: certified.n_suppressed(),
        n_classes: certified.claims().n_classes,
        loss,
        attribute_loss,
        search: figures(proposal.lattice.as_ref(), seconds),
        minimal_nodes: nodes
            .map(|nodes| nodes.iter().map(|levels| levels_by_name(prepared, levels)).collect()),
        principles: certified.claims().principles.clone(),
        perturbation: noise,
        separation: certified.tables().map(anatomy::separation),
        invariance: prepared.made.as_ref().map(|made| made.invariance),
        planned: job.plan().map(|plan| planned::by_plan(plan, table)),
        linkage: None,
        risk: BeforeAfter { before: before.risk, after: certified.claims().risk },
        explanation: (0..levels.map_or(0, <[usize]>::len))
            .into_par_iter()
            .filter_map(|at| Some(explain_attribute(table, &prepared.policy, levels?, at)))
            .collect(),
        release: PathBuf::new(),
        private: PathBuf::new(),
        warnings,
    }
}

/// The `loss` of each quasi-identifier alone.
fn attribute_losses(
    release: &Release<'_>,
    prepared: &Prepared,
    recoding: &Recoding,
) -> BTreeMap<String, f64> {
    let columns = prepared.counted.table.quasi_identifiers();
    let Some(loss) = loss::find("loss") else { return BTreeMap::new() };
    let of = |at: usize| {
        let only = |other: usize| if other == at { 1.0 } else { 0.0 };
        let weights: Vec<f64> = (0..columns.len()).map(only).collect();
        loss::of_release(loss, release, &prepared.policy, recoding, &weights)
    };
    let each = columns.iter().enumerate();
    each.filter_map(|(at, column)| Some((column.name.clone(), of(at)?))).collect()
}

pub(crate) fn infeasible(
    job: &Job,
    prepared: &Prepared,
    not_found: &NotFound,
    seconds: f64,
) -> Infeasible {
    let table = &prepared.counted.table;
    Infeasible {
        n_rows: table.n_rows(),
        n_suppressible: prepared.policy.max_suppressed(table),
        is_proved: not_found.is_proved,
        nearest: not_found.nearest.as_ref().map(|nearest| Nearest {
            levels: levels_by_name(prepared, &nearest.levels),
            n_failing_rows: nearest.n_failing_rows,
            n_suppressed_needed: nearest.n_suppressed_needed,
            principles: match nearest.levels.as_slice() {
                [] => as_one_class(table, &prepared.policy.requirements),
                levels => claims_of_levels(table, &prepared.policy, levels.to_vec()),
            }
            .principles,
        }),
        noise_alone: None,
        planned: None,
        no_version: None,
        linkage: None,
        search: figures(not_found.lattice.as_ref(), seconds),
        minimal_nodes: matches!(job.minimal_nodes(), search::full_domain::Minimal::List)
            .then(Vec::new),
        risk: prepared.before().risk,
    }
}

/// What all rows of a table hold together.
fn as_one_class(table: &FrequencyTable, requirements: &[Requirement]) -> Claims {
    let (secrets, rows) = (table.sensitive().to_vec(), table.counts().to_vec());
    let together = FrequencyTable::new(Vec::new(), secrets, rows);
    let together = together.expect("columns of one table are of one length");
    check_rows(&together, requirements).claims
}
