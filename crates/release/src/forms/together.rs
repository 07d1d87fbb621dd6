//! What several planned releases promise together.

use indistinct_core::model::to_f64;
use indistinct_diagnostics::words;
use indistinct_linkage::planned::{Composition, Difference, Plan, compose};
use indistinct_linkage::worst_case;
use serde::Serialize;

use super::planned::FollowedPlan;

/// What releases that are all by plans promise together.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct JointPromise {
    /// Whether all are by the same plan, so that its promise holds for all of them together.
    pub same_plan: bool,
    /// So many sensitive values remain for everybody, by what the plans promise or, where they differ, in the worst
    /// case.
    pub l: u64,
    /// With what probability the promise was to fail, at most; `None` where there is none.
    pub delta: Option<f64>,
    /// For each release the designated values that do not occur in it. Where all are 0, what is promised is so.
    pub n_designated_missing: Vec<u64>,
    /// What it means.
    pub meaning: String,
}

/// What these releases promise together; `None` where not all are by plans.
pub fn together(releases: &[Option<&FollowedPlan>]) -> Option<JointPromise> {
    let releases: Vec<&FollowedPlan> = releases.iter().copied().collect::<Option<_>>()?;
    let plans: Vec<&Plan> = releases.iter().map(|it| &it.plan.plan).collect();
    let first = &releases.first()?.plan;
    let is_about_the_same = |other: &&FollowedPlan| {
        let other = &other.plan;
        (&first.columns, &first.sensitive, &first.sensitive_values)
            == (&other.columns, &other.sensitive, &other.sensitive_values)
    };
    let composition = match releases.iter().all(is_about_the_same) {
        true => compose(&plans).ok()?,
        false => {
            let n_sensitive_values = plans.iter().map(|plan| plan.n_sensitive_values).max()?;
            let l_each: Vec<u64> = plans.iter().map(|plan| plan.target.l()).collect();
            let worst_case = worst_case(n_sensitive_values, &l_each).ok()?;
            Composition::Refused { difference: Difference::Classes, worst_case }
        }
    };
    let n_designated_missing: Vec<u64> = releases.iter().map(|it| it.n_missing).collect();
    let without = n_designated_missing.iter().filter(|missing| **missing > 0).count();
    Some(match composition {
        Composition::Holds { l, delta } => {
            let delta = to_f64(&delta);
            let chance = words::number(delta);
            let meaning = match without {
                0 => format!(
                    "All releases are by the same plan, and each shows all designated values of its classes: at least {l} remain for everybody. \
                     Before the tables were seen, that was to fail with a probability of at most {chance}."
                ),
                n => format!(
                    "All releases are by the same plan, but {} not show all designated values: that at least {l} remain for everybody was to fail \
                     with a probability of at most {chance}, and this is such a case. The figures above say what remains.",
                    if n == 1 { "one does".to_owned() } else { format!("{n} do") }
                ),
            };
            JointPromise { same_plan: true, l, delta: Some(delta), n_designated_missing, meaning }
        }
        Composition::Refused { difference, worst_case } => {
            let difference = match difference {
                Difference::Classes => "classes",
                Difference::Threshold => "l or p",
                Difference::Designated => "designated values",
                Difference::NothingLeft => "nothing",
            };
            let meaning = match difference {
                "nothing" => "All releases are by the same plan, but so many that their failure probabilities add up to 1: nothing is promised."
                    .to_owned(),
                difference => format!(
                    "The releases are by plans that differ in their {difference}: what each promises does not hold for them together (reading D-10), \
                     and in the worst case {} left.",
                    if worst_case == 1 { "one sensitive value is".to_owned() } else { format!("{worst_case} sensitive values are") }
                ),
            };
            JointPromise {
                same_plan: difference == "nothing",
                l: worst_case,
                delta: None,
                n_designated_missing,
                meaning,
            }
        }
    })
}
