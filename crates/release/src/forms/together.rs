//! The joint guarantee of several planned releases.

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use indistinct_linkage::planned::{Composition, Linked, Plan, PlanDifference, compose};
use indistinct_linkage::worst_case;
use serde::Serialize;

use super::planned::FollowedPlan;
use crate::plan::PlanFile;

/// The joint guarantee of several releases that each follow a plan.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct JointPromise {
    /// Whether all releases follow the same plan.
    pub same_plan: bool,
    /// The number of sensitive values that remain for every person: guaranteed by the plans or,
    /// without a joint guarantee, in the worst case.
    pub l: u64,
    /// The maximum failure probability of the joint guarantee; `None` without a joint guarantee.
    pub delta: Option<f64>,
    /// The number of records that the linked classes of every person have, if all plans guarantee
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// The l of the entropy l-diversity of linked classes, if all plans guarantee it for the same
    /// probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entropy_l: Option<f64>,
    /// The number of missing designated values, and of other violated conditions of the plan, in
    /// each release. The guarantee holds if all numbers are 0. The list is empty if the releases do
    /// not exist yet.
    pub n_designated_missing: Vec<u64>,
    /// The limits that the plans specify, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<PlanLimit>,
    /// The reason that the plans provide no joint guarantee; `None` if the plans provide a
    /// joint guarantee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<PlanDifference>,
}

/// The number of releases and the total failure probability that plans permit. If the plans differ,
/// the smallest numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PlanLimit {
    /// The number of releases.
    pub n_releases: u64,
    /// The total failure probability of these releases.
    pub total_failure: f64,
    /// Whether the linked releases exceed one of the limits.
    pub is_exceeded: bool,
}

impl JointPromise {
    /// Returns whether the plans have a joint guarantee and permit this number of releases.
    pub fn holds(&self) -> bool {
        self.delta.is_some() && self.limit.is_none_or(|limit| !limit.is_exceeded)
    }
}

impl PlanLimit {
    fn new(plans: &[&PlanFile]) -> Option<Self> {
        let shared = || plans.iter().filter_map(|it| it.shared.as_ref());
        let n_releases = shared().map(|it| it.releases).min()?;
        let total_failure = shared().map(|it| it.total_failure).min()?;
        let delta: Rational = plans.iter().map(|it| it.plan.target.delta()).sum();
        Some(Self {
            n_releases,
            total_failure: to_f64(&total_failure),
            is_exceeded: plans.len() as u64 > n_releases || delta > total_failure,
        })
    }
}

/// Returns the joint guarantee of several releases, or `None` if a release follows no plan.
pub fn together(releases: &[Option<&FollowedPlan>]) -> Option<JointPromise> {
    let releases: Vec<&FollowedPlan> = releases.iter().copied().collect::<Option<_>>()?;
    let plans: Vec<&PlanFile> = releases.iter().map(|it| &it.plan).collect();
    let promise = composed(&plans)?;
    let n_designated_missing = releases.iter().map(|it| it.n_violations).collect();
    Some(JointPromise { n_designated_missing, ..promise })
}

/// Returns the joint guarantee of future releases, one for each plan, or `None` without plans.
pub fn composed(files: &[&PlanFile]) -> Option<JointPromise> {
    let plans: Vec<&Plan> = files.iter().map(|it| &it.plan).collect();
    let first = files.first()?;
    let is_about_the_same = |other: &&PlanFile| {
        (&first.columns, &first.sensitive, &first.sensitive_values)
            == (&other.columns, &other.sensitive, &other.sensitive_values)
    };
    let composition = match files.iter().all(is_about_the_same) {
        true => compose(&plans).ok()?,
        false => {
            let n_sensitive_values = plans.iter().map(|plan| plan.n_sensitive_values).max()?;
            let l_each: Vec<u64> = plans.iter().map(|plan| plan.target.l()).collect();
            let worst_case = worst_case(n_sensitive_values, &l_each).ok()?;
            Composition::Refused { difference: PlanDifference::Classes, worst_case }
        }
    };
    let (l, delta, linked, difference) = match composition {
        Composition::Holds { l, delta, linked } => (l, Some(to_f64(&delta)), linked, None),
        Composition::Refused { difference, worst_case } => {
            (worst_case, None, Linked::default(), Some(difference))
        }
    };
    Some(JointPromise {
        same_plan: files.iter().all(|it| it.digest() == first.digest()),
        l,
        delta,
        k: linked.k,
        entropy_l: linked.entropy_l.as_ref().map(to_f64),
        n_designated_missing: Vec::new(),
        limit: PlanLimit::new(files),
        difference,
    })
}
