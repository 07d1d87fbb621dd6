//! What can be said of a plan's classes beside what the plan promises (Section 6 of the linkage text: other principles).

use indistinct_core::Rational;
use indistinct_core::model::to_f64;
use indistinct_linkage::LinkageError;
use indistinct_linkage::planned::{
    Plan, failure, rows_for_counts, rows_for_entropy, rows_for_linked_k,
};
use serde::Serialize;

use super::distribution::Distribution;
use super::request::{FurtherRequest, exact};
use crate::planned::PlanProblem;

/// What was asked for beside the plan's promise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct FurtherFigures {
    /// Releases of another number of rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_rows: Option<WithRows>,
    /// k-anonymity by the plan's classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k_anonymity: Option<KAnonymity>,
    /// Entropy l-diversity by the plan's classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entropy: Option<Entropy>,
}

/// Releases of another number of rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct WithRows {
    /// The rows.
    pub n_rows: u64,
    /// The probability that a designated value is missing is at most this: the sum over all of them, or 1.
    pub at_most: f64,
    /// The probability itself; `None` where it takes too long to compute.
    pub exact: Option<f64>,
}

/// k-anonymity by the plan's classes, except with the plan's delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct KAnonymity {
    /// k.
    pub k: u64,
    /// Rows with which every class of a release has k.
    pub n_rows: u64,
    /// Rows of each release with which every class has k after linkage of such releases.
    pub n_rows_linked: u64,
}

/// Entropy l-diversity by the plan's classes, of a release and after linkage, except with the plan's delta.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Entropy {
    /// l.
    pub l: f64,
    /// The rows; `None` where a class of the plan has a sensitive value with a share of 1/l or more, or nearly: no number of rows helps.
    pub n_rows: Option<u64>,
}

pub(super) fn further(
    distribution: &Distribution,
    plan: &Plan,
    also: &FurtherRequest,
) -> Result<Option<FurtherFigures>, PlanProblem> {
    if *also == FurtherRequest::default() {
        return Ok(None);
    }
    let (joint, delta) = (&distribution.joint, plan.target.delta());
    let ranges: Vec<_> = plan.classes.iter().map(|class| class.combinations.clone()).collect();
    let n_classes = ranges.len() as u64;
    let with_rows = |n_rows: u64| match failure(joint, &ranges, plan.target.l(), n_rows) {
        Ok(failure) => Ok(Some(failure.designated)),
        Err(LinkageError::TooMuchWork { .. }) => Ok(None),
        Err(error) => Err(error),
    };
    let with_rows = also.with_rows.map(|n_rows| {
        let at_most = plan.union_bound(n_rows).min(1.0);
        Ok::<_, LinkageError>(WithRows { n_rows, at_most, exact: with_rows(n_rows)? })
    });
    let k_anonymity = also.k.map(|k| {
        let weight = |range: &std::ops::Range<usize>| -> u64 {
            joint.weights_in(range.clone()).iter().sum()
        };
        let least = ranges.iter().map(weight).min().unwrap_or(0);
        let p = Rational::new(i128::from(least), i128::from(joint.total()));
        Ok::<_, LinkageError>(KAnonymity {
            k,
            n_rows: rows_for_counts(n_classes, &p, k, &delta)?,
            n_rows_linked: rows_for_linked_k(
                n_classes,
                plan.target.l(),
                &exact(&plan.p),
                k,
                &delta,
            )?,
        })
    });
    let entropy = also.entropy_l.map(|l| {
        let n_rows = match rows_for_entropy(joint, &ranges, &l, &delta) {
            Ok(size) => Some(size.n_rows),
            Err(LinkageError::NotDiverse { .. }) => None,
            Err(error) => return Err(error),
        };
        Ok(Entropy { l: to_f64(&l), n_rows })
    });
    Ok(Some(FurtherFigures {
        with_rows: with_rows.transpose()?,
        k_anonymity: k_anonymity.transpose()?,
        entropy: entropy.transpose()?,
    }))
}
