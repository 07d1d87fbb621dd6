//! Converts a certified release or a failed search into the answer of `anonymize`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use indistinct_advice::{beyond_reach, claims_of_widest};
use indistinct_attack::refinement;
use indistinct_core::loss::Loss;
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::recoding::{AttributeExplanation, Chosen, claims_of_levels};
use indistinct_core::risk::UniqueRows;
use indistinct_core::{CertifiedRelease, Nearest, Recoding, Release, loss};
use indistinct_diagnostics::warning::{CertainRefinements, RevealingLabels, Warning};
use indistinct_methods::{NotFound, PreparedTable, Task, anatomy};
use rayon::prelude::*;

use crate::release::{Certified, generalized_values};
use indistinct_answers::release::{BeforeAfter, ChosenRecoding, Infeasible, WrittenRelease};

/// Returns every loss of the registry that is defined for a certified recoding.
pub(crate) fn losses(
    release: &Release<'_>,
    prepared: &PreparedTable,
    recoding: &Recoding,
    weights: &[f64],
) -> BTreeMap<&'static str, f64> {
    // The KL divergence is meaningless if sensitive values are perturbed.
    let is_defined = |name| release.perturbed().is_none() || name != "kl-divergence";
    loss::REGISTRY
        .par_iter()
        .filter(|loss| is_defined(loss.name))
        .filter_map(|loss| {
            let value = loss::of_release(loss, release, &prepared.policy, recoding, weights)?;
            Some((loss.name, value))
        })
        .collect()
}

/// Describes a certified release. The fields that describe files remain empty.
pub(crate) fn describe(certified: &Certified<'_>, seconds: f64) -> WrittenRelease {
    let Certified { job, prepared, proposal, release, before, .. } = certified;
    let (solution, method) = (certified.solution(), job.method());
    let table = &prepared.counted.table;
    let (loss, attribute_loss) = match release {
        CertifiedRelease::Rows(rows, recoding) => (
            losses(rows, prepared, recoding, &job.bound().weights()),
            attribute_losses(rows, prepared, recoding),
        ),
        CertifiedRelease::Tables(release) => {
            (anatomy::losses(release), anatomy::attribute_losses(release))
        }
    };
    let objective = method.objective(&solution.task);
    let least = loss::find(objective).zip(loss.get(objective).copied());
    let explanation = explanation(certified, least, &attribute_loss);
    let claims = release.claims();
    let mut warnings = prepared.warnings.clone();
    RevealingLabels::complete(&mut warnings, || certain_refinements(certified));
    warnings.extend(method.warnings(&solution));
    if claims.n_released == 0 {
        warnings.push(Warning::EmptyRelease);
    }
    WrittenRelease {
        input: job.input_path().to_owned(),
        recoding: ChosenRecoding {
            method: method.kind().name.to_owned(),
            levels: proposal.levels().map(|levels| solution.task.by_name(levels)),
            optimality: proposal.optimality,
            objective,
        },
        n_rows: prepared.original().n_rows(),
        n_released: claims.n_released,
        n_suppressed: release.n_suppressed(),
        suppressed_cells: release.rows().and_then(|(release, _)| {
            let names = table.quasi_identifiers().iter().map(|column| column.name.clone());
            let cells = release.suppressed_cells()?;
            Some(names.zip(cells.of_attribute.iter().copied()).collect())
        }),
        n_classes: claims.n_classes,
        loss,
        attribute_loss,
        search: proposal.effort.lasting(seconds),
        principles: claims.principles.clone(),
        generalized_values: release
            .rows()
            .filter(|_| proposal.generalizes_values)
            .and_then(|(rows, _)| generalized_values::from_release(rows, &prepared.policy)),
        coarsening_loss: BTreeMap::new(),
        unique_rows: UniqueRows::default(),
        of_method: method.answer(&solution),
        linkage: None,
        risk: BeforeAfter { before: before.risk, after: claims.risk },
        population: None,
        explanation,
        release: PathBuf::new(),
        table: job.policy().output.table.clone(),
        private: None,
        omitted_private: Vec::new(),
        uploaded: None,
        warnings,
        marginals: Vec::new(),
    }
}

/// Returns what is certain about the original values below the labels of a release.
fn certain_refinements(certified: &Certified<'_>) -> Option<CertainRefinements> {
    let (job, (release, _)) = (certified.job, certified.rows()?);
    let pair = ReleaseWithOriginal::of_release(release, &certified.prepared.policy);
    let stated = job.policy().stated_classes(Some(certified.proposal.optimality));
    refinement::certain(&pair, &stated, job.session().observer()).ok()
}

/// Explains the level of each quasi-identifier that has a level. The search minimized the loss
/// `least`.
fn explanation(
    certified: &Certified<'_>,
    least: Option<(&'static Loss, f64)>,
    attribute_loss: &BTreeMap<String, f64>,
) -> Vec<AttributeExplanation> {
    let Some(levels) = certified.proposal.levels() else { return Vec::new() };
    let (task, policy) = (certified.solution().task, &certified.prepared.policy);
    let columns = task.table().quasi_identifiers();
    let lowest: Vec<usize> = match task.bounds() {
        Ok(bounds) => bounds.iter().map(|levels| *levels.start()).collect(),
        Err(_) => vec![0; columns.len()],
    };
    let by_levels_alone =
        certified.rows().is_some_and(|(_, recoding)| recoding.sensitive.is_none());
    let chosen = Chosen {
        table: task.table(),
        policy,
        levels,
        lowest: &lowest,
        least: least.filter(|_| by_levels_alone),
        weights: &task.bound.weights(),
    };
    let explain = |at: usize| Some(chosen.explain(at, *attribute_loss.get(&columns[at].name)?));
    (0..levels.len()).into_par_iter().filter_map(explain).collect()
}

/// Returns the `loss` of each quasi-identifier.
fn attribute_losses(
    release: &Release<'_>,
    prepared: &PreparedTable,
    recoding: &Recoding,
) -> BTreeMap<String, f64> {
    let columns = prepared.counted.table.quasi_identifiers().iter();
    let of_each = loss::find("loss")
        .and_then(|loss| loss::of_attributes(loss, release, &prepared.policy, recoding));
    columns.map(|column| column.name.clone()).zip(of_each.into_iter().flatten()).collect()
}

/// Returns the answer for a search that found no proposal.
pub(crate) fn infeasible(task: &Task<'_>, not_found: NotFound, seconds: f64) -> Infeasible {
    let (table, policy) = (task.table(), task.policy());
    let n_suppressible = policy.max_suppressed(table);
    let beyond_reach = beyond_reach(task);
    Infeasible {
        n_rows: table.n_rows(),
        n_suppressible,
        is_proved: not_found.is_proved || (n_suppressible == 0 && !beyond_reach.is_empty()),
        beyond_reach,
        shortfall: not_found.nearest.map(|shortfall| {
            shortfall.map_nearest(|nearest| Nearest {
                levels: task.by_name(&nearest.levels),
                n_failing_rows: nearest.n_failing_rows,
                n_suppressed_needed: nearest.n_suppressed_needed,
                principles: match nearest.levels.as_slice() {
                    [] => claims_of_widest(task)
                        .expect("the levels were checked when the table was prepared"),
                    levels => claims_of_levels(table, policy, levels.to_vec()),
                }
                .principles,
            })
        }),
        linkage: None,
        search: not_found.effort.lasting(seconds),
        risk: task.prepared.before().risk,
    }
}
