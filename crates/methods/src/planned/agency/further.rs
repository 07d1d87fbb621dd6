//! Figures about other principles for the classes of a plan, beyond its guarantee (Section 6 of the
//! linkage paper).

use indistinct_core::model::to_f64;
use indistinct_linkage::LinkageError;
use indistinct_linkage::planned::{Plan, rows_for_counts, rows_for_entropy, rows_for_linked_k};
use serde::Serialize;

use super::distribution::Distribution;
use super::request::{FurtherRequest, exact};
use crate::planned::PlanProblem;

/// The requested figures that are not part of the guarantee of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct FurtherFigures {
    /// Releases with a different number of rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_rows: Option<WithRows>,
    /// k-anonymity of the classes of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k_anonymity: Option<KAnonymity>,
    /// Entropy l-diversity of the classes of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entropy: Option<Entropy>,
}

/// Releases with a different number of rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct WithRows {
    /// The number of rows.
    pub n_rows: u64,
    /// An upper bound on the probability that a designated value is missing: the sum over all
    /// designated values, at most 1.
    pub at_most: f64,
    /// The exact probability; `None` if the computation takes too long.
    pub exact: Option<f64>,
}

/// k-anonymity with the classes of the plan; delta is the failure probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct KAnonymity {
    /// The parameter k.
    pub k: u64,
    /// The number of rows that a release needs for every class to have at least k rows.
    pub n_rows: u64,
    /// The number of rows that each release needs for every class to have at least k rows after
    /// linkage of such releases.
    pub n_rows_linked: u64,
}

/// Entropy l-diversity of the classes of the plan, for one release and after linkage; delta is the
/// failure probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Entropy {
    /// The parameter l.
    pub l: f64,
    /// The number of rows; `None` if the entropy of a class is too low, because no number of rows
    /// is then sufficient.
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
    let with_rows = |n_rows: u64| match plan.exact_failure(n_rows) {
        Ok(failure) => Ok(failure),
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
        let p = exact(&joint.share(least));
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
