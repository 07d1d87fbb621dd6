//! The main job: count, search, certify, write.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indistinct_core::recoding::{AttributeExplanation, claims_of_levels, explain_attribute};
use indistinct_core::risk::Risk;
use indistinct_core::{
    Claims, FrequencyTable, Observer, PrincipleClaim, Recoding, Release, Requirement, check_rows,
    loss,
};
use indistinct_engine::output::{Staging, private_dir};
use indistinct_search as search;
use rayon::prelude::*;
use serde::Serialize;

use crate::anatomy;
use crate::certified::Certified;
use crate::error::Error;
use crate::generalized_values::{self, GeneralizedValues};
use crate::invariant::PeopleProblem;
use crate::job::{Job, Prepared};
use crate::key::Key;
use crate::ledger::{Linkage, LinkageRefusal};
use crate::methods::full_domain::by_name;
use crate::methods::{Answer, NotFound, Proposal, Solution, Task};
use crate::policy::InLedger;
use crate::release;

pub use crate::anatomy::Separation;
pub use crate::invariant::{Invariance, NoVersion};
pub use crate::methods::{NotPossible, OfMethod};
pub use crate::perturbation::{BoundedFor, Noise, NoiseAlone};
pub use crate::planned::{ByPlan, NotByPlan};
pub use indistinct_engine::output::Replace;

/// The answer of `anonymize`.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum Outcome {
    /// A release was written.
    Released(Box<WrittenRelease>),
    /// No recoding satisfies the policy; nothing was written.
    Infeasible(Box<Infeasible>),
}

/// A release that was written.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WrittenRelease {
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
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, f64>"))]
    pub loss: BTreeMap<&'static str, f64>,
    /// For each quasi-identifier its `loss` alone.
    pub attribute_loss: BTreeMap<String, f64>,
    /// What the search did.
    pub search: SearchFigures,
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

impl WrittenRelease {
    /// With `search.all_minimal`: the nodes that satisfy the policy while no node strictly below does.
    pub fn minimal_nodes(&self) -> Option<&[BTreeMap<String, usize>]> {
        match &self.of_method {
            Some(OfMethod::Lattice { minimal_nodes }) => Some(minimal_nodes),
            _ => None,
        }
    }
}

/// Risk before and after.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BeforeAfter {
    /// Of the input.
    pub before: Risk,
    /// Of the release.
    pub after: Risk,
}

/// Why there is no release.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Infeasible {
    /// Rows of the input.
    pub n_rows: u64,
    /// The largest number of rows that the policy allows to suppress.
    pub n_suppressible: u64,
    /// Whether it is proved that no recoding of the method satisfies the policy; some methods do not try all.
    pub is_proved: bool,
    /// What comes nearest.
    pub nearest: Option<Nearest>,
    /// What the method adds; in JSON fields of the same table.
    #[serde(flatten)]
    pub of_method: Option<NotPossible>,
    /// With a ledger, where the policy can be met but too little would remain after linking with the recorded releases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linkage: Option<LinkageRefusal>,
    /// What the search did.
    pub search: SearchFigures,
    /// Risk of the input.
    pub risk: Risk,
}

/// The recoding that comes nearest to the policy.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    if job.policy().recoding.method.ledger == InLedger::Series {
        return Err(PeopleProblem::NoLedger.into());
    }
    let staging = Staging::create(directory, replace)?;
    let healed = staging.recovered().text(directory);
    let mut prepared = job.prepare(observer)?;
    let started = Instant::now();
    let key = Key::new(job.policy().recoding.seed, &prepared.counted.fingerprint)?;
    let task = Task { job, prepared: &prepared, key: &key };
    let answer = job.method().propose(&task, observer)?;
    let seconds = started.elapsed().as_secs_f64();
    let mut proposal = match answer {
        Answer::Found(proposal) => proposal,
        Answer::NotFound(not_found) => {
            let infeasible = infeasible(&task, *not_found, seconds);
            return Ok(Outcome::Infeasible(Box::new(infeasible)));
        }
    };
    prepared.take_up(&mut proposal);
    let (table, policy) = (&prepared.counted.table, &prepared.policy);
    let certified = Certified::of(table, policy, &proposal.recoding)?;
    let writing = WriteContext { job, prepared: &prepared, key: &key, directory, seconds };
    let released = writing.write(&proposal, &certified, &staging, observer, |released| {
        released.warnings.extend(healed);
    })?;
    if observer.is_cancelled() {
        return Err(Error::Cancelled);
    }
    staging.commit()?;
    Ok(Outcome::Released(Box::new(released)))
}

/// Everything that a release is written from, but for the recoding.
pub(crate) struct WriteContext<'a> {
    pub(crate) job: &'a Job,
    pub(crate) prepared: &'a Prepared,
    pub(crate) key: &'a Key,
    pub(crate) directory: &'a Path,
    /// What the search took.
    pub(crate) seconds: f64,
}

impl WriteContext<'_> {
    /// Writes a certified release to its staging folder; `tell` adds to the answer what is known of it besides.
    pub(crate) fn write(
        &self,
        proposal: &Proposal,
        certified: &Certified<'_>,
        staging: &Staging,
        observer: &dyn Observer,
        tell: impl FnOnce(&mut WrittenRelease),
    ) -> Result<WrittenRelease, Error> {
        let (job, prepared) = (self.job, self.prepared);
        let before = prepared.before();
        let task = Task { job, prepared, key: self.key };
        let solution = Solution { task, proposal, certified };
        let mut released = describe(&solution, &before, self.seconds);
        released.release = self.directory.to_owned();
        released.private = private_dir(self.directory)?;
        tell(&mut released);
        let making = release::ReleaseParts {
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
    // Of the joint distribution with perturbed sensitive values it would say nothing.
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

fn describe(solution: &Solution<'_>, before: &Claims, seconds: f64) -> WrittenRelease {
    let Solution { task, proposal, certified } = *solution;
    let Task { job, prepared, .. } = task;
    let table = &prepared.counted.table;
    let method = job.method();
    let levels = proposal.levels();
    let (loss, attribute_loss) = match certified {
        Certified::Rows(release, recoding) => (
            losses(release, prepared, recoding, &job.weights()),
            attribute_losses(release, prepared, recoding),
        ),
        Certified::Tables(release) => {
            (anatomy::losses(release), anatomy::attribute_losses(release))
        }
    };
    let mut warnings = prepared.warnings.clone();
    warnings.extend(method.warnings(solution));
    WrittenRelease {
        input: job.input_path().to_owned(),
        recoding: ChosenRecoding {
            method: method.kind().name.to_owned(),
            levels: levels.map(|levels| by_name(&task, levels)),
            optimal: proposal.quality.is_optimal(),
            objective: method.objective(&task),
        },
        n_rows: prepared.original().n_rows(),
        n_released: certified.claims().n_released,
        n_suppressed: certified.n_suppressed(),
        n_classes: certified.claims().n_classes,
        loss,
        attribute_loss,
        search: figures(proposal.lattice.as_ref(), seconds),
        principles: certified.claims().principles.clone(),
        generalized_values: match certified {
            Certified::Rows(release, _) if proposal.assumes.is_some() => {
                generalized_values::of(release, &prepared.policy)
            }
            _ => None,
        },
        of_method: method.answer(solution),
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

/// The answer of a search without a proposal.
pub(crate) fn infeasible(task: &Task<'_>, not_found: NotFound, seconds: f64) -> Infeasible {
    let (table, policy) = (task.table(), task.policy());
    Infeasible {
        n_rows: table.n_rows(),
        n_suppressible: policy.max_suppressed(table),
        is_proved: not_found.is_proved,
        nearest: not_found.nearest.as_ref().map(|nearest| Nearest {
            levels: by_name(task, &nearest.levels),
            n_failing_rows: nearest.n_failing_rows,
            n_suppressed_needed: nearest.n_suppressed_needed,
            principles: match nearest.levels.as_slice() {
                [] => as_one_class(table, &policy.requirements),
                levels => claims_of_levels(table, policy, levels.to_vec()),
            }
            .principles,
        }),
        of_method: not_found.why,
        linkage: None,
        search: figures(not_found.lattice.as_ref(), seconds),
        risk: task.prepared.before().risk,
    }
}

/// What all rows of a table hold together.
fn as_one_class(table: &FrequencyTable, requirements: &[Requirement]) -> Claims {
    let (sensitive, rows) = (table.sensitive().to_vec(), table.counts().to_vec());
    let together = FrequencyTable::new(Vec::new(), sensitive, rows);
    let together = together.expect("columns of one table are of one length");
    check_rows(&together, requirements).claims
}
