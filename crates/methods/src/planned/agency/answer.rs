//! The answer of the central agency: the trade-off, the chosen point, and the basis of the choice.

use indistinct_core::model::to_f64;
use indistinct_diagnostics::warning::Warning;
use indistinct_linkage::LinkageError;
use indistinct_linkage::planned::{Basis, MAX_WORK, Plan, effect_of_error, sample_size};
use indistinct_release::plan::{PlanFile, basis_name};
use indistinct_search::planned::{Largest, Point};
use serde::Serialize;

use super::distribution::Distribution;
use super::further::{FurtherFigures, further};
use super::request::{Cover, Dependence, Request, double, exact};
use crate::error::Error;
use crate::planned::PlanProblem;

/// The answer.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Outcome {
    /// A plan.
    Planned(Box<PlanAnswer>),
    /// The number of rows is insufficient even for a single class.
    TooFewRows(TooFewRows),
}

/// The number of rows is insufficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TooFewRows {
    /// The given number of rows.
    pub n_rows: u64,
    /// The number of rows that a single class needs.
    pub n_rows_needed: u64,
}

/// A plan, with the alternatives.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct PlanAnswer {
    /// The quasi-identifiers.
    pub quasi_identifiers: Vec<String>,
    /// The sensitive attribute.
    pub sensitive: String,
    /// The number of distinct combinations of quasi-identifiers.
    pub n_combinations: u64,
    /// The number of sensitive values with positive probability.
    pub n_sensitive_values: u64,
    /// The order of the combinations, in which the combinations of each class are consecutive.
    pub order: String,
    /// The parameter l.
    pub l: u64,
    /// The failure probability delta.
    pub delta: f64,
    /// The number of records that the plan guarantees for linked classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// The l of the entropy l-diversity that the plan guarantees for linked classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entropy_l: Option<f64>,
    /// The number of releases that share the failure probability, if it is shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub releases: Option<u64>,
    /// The largest p that a class can have.
    pub largest_p: f64,
    /// All choices.
    pub trade_off: Vec<PointFigures>,
    /// The chosen point.
    pub chosen: ChosenPoint,
    /// The probability that the guarantee holds for the true distribution, if it was estimated from
    /// counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The guarantee that remains if the distribution is inaccurate; present only on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robustness: Option<RobustnessFigures>,
    /// The requested figures that are not part of the guarantee of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub further: Option<FurtherFigures>,
    /// Classes of equal size, if sensitive values are independent of quasi-identifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equal_size: Option<EqualSizeFigures>,
    /// SHA-256 of the distribution.
    pub distribution: String,
    /// SHA-256 digest of the plan.
    pub digest: String,
    /// Warnings for the creator of the plan.
    pub warnings: Vec<Warning>,
    /// The plan.
    #[serde(skip)]
    pub plan: PlanFile,
}

/// A point of the trade-off.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PointFigures {
    /// The number of classes.
    pub n_classes: u64,
    /// The lower bound p on the probability of each designated value.
    pub p: f64,
    /// The value of `p` as an exact fraction.
    pub p_exact: String,
    /// Whether this p is proved to be the largest for this number of classes; if false, a larger p
    /// may exist.
    pub is_largest: bool,
    /// The paper's upper bound on the number of classes.
    pub m: f64,
    /// The number of rows N according to the formula in the paper.
    pub n_rows_text: u64,
    /// The number of rows N, computed from the actual number of classes.
    pub n_rows_actual_classes: u64,
}

/// The chosen point.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ChosenPoint {
    /// The number of classes.
    pub n_classes: u64,
    /// The lower bound p on the probability of each designated value.
    pub p: f64,
    /// The value of `p` as an exact fraction.
    pub p_exact: String,
    /// The bound that determines N.
    pub basis: &'static str,
    /// The number of rows N.
    pub n_rows: u64,
    /// The number of rows N according to the formula in the paper.
    pub n_rows_text: u64,
    /// The number of rows N, computed from the actual number of classes.
    pub n_rows_actual_classes: u64,
    /// The number of rows N, computed from the probability of every designated value.
    pub n_rows_actual_masses: u64,
    /// The number of rows N, computed from the exact failure probability; `None` if the computation
    /// takes too long.
    pub n_rows_exact_failure: Option<u64>,
    /// The maximum failure probability for one person who is known to be in a release.
    pub delta_of_one_person: f64,
}

/// The guarantee that remains if the distribution is inaccurate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RobustnessFigures {
    /// The maximum difference in the probability of any event (total variation).
    pub eta: f64,
    /// The failure probability at the plan's l.
    pub delta: f64,
    /// The largest l that is guaranteed with the plan's delta; 0 if no l is guaranteed.
    pub l: u64,
    /// The number of rows that would preserve both l and delta; `None` if no number is sufficient.
    pub n_rows: Option<u64>,
}

/// Classes of equal size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EqualSizeFigures {
    /// The number of combinations in a class.
    pub size: u64,
    /// The number of classes.
    pub n_classes: u64,
}

impl PointFigures {
    fn new(point: &Point) -> Self {
        Self {
            n_classes: point.n_classes,
            p: double(&point.p),
            p_exact: point.p.to_string(),
            is_largest: point.largest == Largest::Proved,
            m: double(&point.m),
            n_rows_text: point.n_rows,
            n_rows_actual_classes: point.n_rows_actual_classes,
        }
    }
}

pub(super) fn describe(
    distribution: &Distribution,
    request: &Request,
    file: PlanFile,
    points: &[Point],
    equal_size: Option<EqualSizeFigures>,
) -> Result<PlanAnswer, Error> {
    let plan = &file.plan;
    let p = exact(&plan.p);
    let values = distribution.joint.marginal();
    let by_masses = plan.rows_by_masses().map_err(PlanProblem::from)?;
    let of_text = sample_size(file.n_combinations(), &values, &plan.target, &p);
    let exact_failure = exact_rows(distribution, plan, by_masses)?;
    let delta = file.delta();
    let chosen = ChosenPoint {
        n_classes: plan.classes.len() as u64,
        p: file.p(),
        p_exact: plan.p.to_string(),
        basis: basis_name(plan.basis),
        n_rows: plan.n_rows,
        n_rows_text: plan
            .rows_with_entropy(of_text.map_err(PlanProblem::from)?.n_rows)
            .map_err(PlanProblem::from)?,
        n_rows_actual_classes: plan.rows_by_classes().map_err(PlanProblem::from)?,
        n_rows_actual_masses: by_masses,
        n_rows_exact_failure: exact_failure,
        delta_of_one_person: plan.delta_of_one_person(),
    };
    let robustness = match &request.eta {
        None => None,
        Some(eta) => {
            let found = effect_of_error(plan, eta).map_err(PlanProblem::from)?;
            Some(RobustnessFigures {
                eta: to_f64(eta),
                delta: found.delta,
                l: found.l,
                n_rows: found.n_rows,
            })
        }
    };
    let largest = values.weight_l(plan.target.l()).map_err(PlanProblem::from)?;
    let largest = distribution.joint.share(largest);
    Ok(PlanAnswer {
        quasi_identifiers: file.columns.iter().map(|column| column.name.clone()).collect(),
        sensitive: file.sensitive.clone(),
        n_combinations: file.n_combinations() as u64,
        n_sensitive_values: plan.n_sensitive_values,
        order: file.order.clone(),
        l: file.l(),
        delta,
        k: plan.target.linked().k,
        entropy_l: plan.target.linked().entropy_l.as_ref().map(to_f64),
        releases: file.shared.as_ref().map(|shared| shared.releases),
        largest_p: double(&largest),
        trade_off: points.iter().map(PointFigures::new).collect(),
        chosen,
        confidence: file.confidence.as_ref().map(|it| to_f64(&it.level)),
        robustness,
        further: further(distribution, plan, &request.also)?,
        equal_size,
        distribution: file.distribution.clone(),
        digest: file.digest(),
        warnings: warnings(distribution, request),
        plan: file,
    })
}

/// Computes N from the exact failure probability, where `enough` is an upper bound on N; `None` if
/// the computation takes too long.
fn exact_rows(
    distribution: &Distribution,
    plan: &Plan,
    enough: u64,
) -> Result<Option<u64>, PlanProblem> {
    if plan.basis == Basis::ExactFailure {
        return Ok(Some(plan.n_rows));
    }
    // The work grows with the square of the number of rows; this is a lower bound for the first
    // step of the search.
    let half = u128::from(enough / 2);
    if 6 * half * half > u128::from(MAX_WORK) {
        return Ok(None);
    }
    let ranges: Vec<_> = plan.classes.iter().map(|class| class.combinations.clone()).collect();
    let (joint, p) = (&distribution.joint, exact(&plan.p));
    match Plan::of_classes(joint, &ranges, &plan.target, &p, Basis::ExactFailure) {
        Ok(plan) => Ok(Some(plan.n_rows)),
        Err(LinkageError::TooMuchWork { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn warnings(distribution: &Distribution, request: &Request) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if distribution.n_rows.is_some() {
        let all_combinations = request.cover != Cover::Occurring;
        warnings.push(Warning::PlanPublishesCounts { all_combinations });
        warnings.extend((!all_combinations).then_some(Warning::OnlyCountedCombinations));
        let is_unbounded = request.confidence.is_some()
            && request.eta.is_none()
            && distribution.stated_confidence(request).is_none();
        warnings.extend(is_unbounded.then_some(Warning::EstimatedDistribution));
    }
    let is_independent = request.dependence == Dependence::Independent;
    warnings.extend(is_independent.then_some(Warning::IndependenceAssumed));
    warnings
}
