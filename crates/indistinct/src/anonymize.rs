//! The main job: count, search, certify, write.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indistinct_core::recoding::{AttributeExplanation, explain_attribute};
use indistinct_core::risk::Risk;
use indistinct_core::{Claims, Observer, PrincipleClaim, Recoding, Release, certify, loss};
use indistinct_engine::output::{Staging, private_dir};
use indistinct_search as search;
use rayon::prelude::*;
use serde::Serialize;

use crate::error::Error;
use crate::job::{Job, Prepared};
use crate::release;

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
    /// What the search did.
    pub search: SearchFigures,
    /// With `search.all_minimal`: the nodes that satisfy the policy while no node strictly below does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimal_nodes: Option<Vec<BTreeMap<String, usize>>>,
    /// Required and reached.
    pub principles: Vec<PrincipleClaim>,
    /// Re-identification risk of the input and of the release.
    pub risk: BeforeAfter,
    /// For each attribute why it has its level.
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

/// A full-domain recoding, as JSON names it.
#[derive(Debug, Clone, Serialize)]
pub struct ChosenRecoding {
    /// The method of the policy.
    pub method: String,
    /// For each quasi-identifier its level.
    pub levels: BTreeMap<String, usize>,
    /// Whether no other recoding of the method is better; false after a time limit.
    pub optimal: bool,
    /// The objective that was minimized.
    pub objective: &'static str,
}

/// What a search did.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SearchFigures {
    /// Nodes of the lattice.
    pub n_nodes: u64,
    /// Nodes whose classes were formed.
    pub n_evaluated: u64,
    /// Nodes that a proof ruled out.
    pub n_pruned: u64,
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
    /// What comes nearest.
    pub nearest: Option<Nearest>,
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
    /// For each quasi-identifier its level.
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
/// between the two passes, or the observer cancels.
pub fn anonymize(
    job: &Job,
    directory: &Path,
    replace: Replace,
    observer: &dyn Observer,
) -> Result<Outcome, Error> {
    indistinct_engine::output::recover(directory)?;
    let staging = Staging::create(directory, replace)?;
    let private = private_dir(directory)?;
    let prepared = job.prepare(observer)?;
    let started = Instant::now();
    let found = search_recoding(job, &prepared, observer)?;
    let seconds = started.elapsed().as_secs_f64();
    match found {
        search::Outcome::Found(found) => {
            let certified = certify(&prepared.counted.table, &prepared.policy, &found.recoding)
                .map_err(Error::Refused)?;
            let before = prepared.before();
            let mut released = describe(job, &prepared, &found, &certified, &before, seconds);
            released.release = directory.to_owned();
            released.private = private;
            let making = release::Making {
                job,
                prepared: &prepared,
                certified: &certified,
                levels: &found.levels,
                before: &before,
                released: &released,
            };
            making.write(&staging, observer)?;
            if observer.is_cancelled() {
                return Err(Error::Cancelled);
            }
            staging.commit()?;
            Ok(Outcome::Released(Box::new(released)))
        }
        search::Outcome::Infeasible(infeasible) => {
            Ok(Outcome::Infeasible(Box::new(nearest(job, &prepared, &infeasible, seconds))))
        }
    }
}

fn search_recoding(
    job: &Job,
    prepared: &Prepared,
    observer: &dyn Observer,
) -> Result<search::Outcome, Error> {
    let problem = search::Problem {
        table: &prepared.counted.table,
        policy: &prepared.policy,
        objective: job.objective(),
        weights: job.weights(),
        bounds: job.level_bounds(&prepared.policy)?,
    };
    let options = search::Options {
        all_minimal: job.minimal_nodes(),
        deadline: job.policy().search.time_limit(),
    };
    Ok(search::full_domain(&problem, &options, observer)?)
}

fn levels_by_name(prepared: &Prepared, levels: &[usize]) -> BTreeMap<String, usize> {
    let columns = prepared.counted.table.quasi_identifiers();
    columns.iter().map(|column| column.name.clone()).zip(levels.iter().copied()).collect()
}

fn figures(statistics: &search::Statistics, seconds: f64) -> SearchFigures {
    SearchFigures {
        n_nodes: statistics.n_nodes,
        n_evaluated: statistics.n_evaluated,
        n_pruned: statistics.n_pruned,
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
    loss::REGISTRY
        .iter()
        .filter_map(|loss| {
            let value = loss::of_release(loss, release, &prepared.policy, recoding, weights)?;
            Some((loss.name, value))
        })
        .collect()
}

fn describe(
    job: &Job,
    prepared: &Prepared,
    found: &search::Found,
    certified: &Release<'_>,
    before: &Claims,
    seconds: f64,
) -> Released {
    let table = &prepared.counted.table;
    Released {
        input: job.input_path().to_owned(),
        recoding: ChosenRecoding {
            method: job.policy().recoding.method.name().to_owned(),
            levels: levels_by_name(prepared, &found.levels),
            optimal: found.optimal,
            objective: job.objective().name,
        },
        n_rows: table.n_rows(),
        n_released: certified.claims().n_released,
        n_suppressed: certified.n_suppressed(),
        n_classes: certified.claims().n_classes,
        loss: losses(certified, prepared, &found.recoding, &job.weights()),
        search: figures(&found.statistics, seconds),
        minimal_nodes: found
            .minimal_nodes
            .as_ref()
            .map(|nodes| nodes.iter().map(|levels| levels_by_name(prepared, levels)).collect()),
        principles: certified.claims().principles.clone(),
        risk: BeforeAfter { before: before.risk, after: certified.claims().risk },
        explanation: (0..found.levels.len())
            .into_par_iter()
            .map(|at| explain_attribute(table, &prepared.policy, &found.levels, at))
            .collect(),
        release: PathBuf::new(),
        private: PathBuf::new(),
        warnings: prepared.warnings.clone(),
    }
}

fn nearest(
    job: &Job,
    prepared: &Prepared,
    infeasible: &search::Infeasible,
    seconds: f64,
) -> Infeasible {
    let table = &prepared.counted.table;
    let limit = &prepared.policy.suppression_limit;
    let suppressible = (*limit * i128::from(table.n_rows())).floor().to_integer();
    Infeasible {
        n_rows: table.n_rows(),
        n_suppressible: u64::try_from(suppressible).expect("a limit lies in [0, 1]"),
        nearest: infeasible.nearest.as_ref().map(|nearest| Nearest {
            levels: levels_by_name(prepared, &nearest.levels),
            n_failing_rows: nearest.n_failing_rows,
            n_suppressed_needed: nearest.n_suppressed_needed,
            principles: indistinct_core::recoding::claims_of_levels(
                table,
                &prepared.policy,
                nearest.levels.clone(),
            )
            .principles,
        }),
        search: figures(&infeasible.statistics, seconds),
        minimal_nodes: matches!(job.minimal_nodes(), search::Minimal::List).then(Vec::new),
        risk: prepared.before().risk,
    }
}
