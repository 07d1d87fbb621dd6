//! # count queries
//!
//! **Definition.** The accuracy of answers to `count(*) where A1 in b1 and ... and Aw in bw`: A1 to
//! Aw-1 are different quasi-identifiers, Aw is sensitive, and each b is a range of consecutive
//! values in the domain of its attribute.
//! **Formula.** |b| = floor(|A| * s^(1/w)), at least 1. From classes: the sum over rows of the
//! product of the fractions of the covered values that are in the query. From perturbed sensitive
//! values: [reconstruction](reconstruction::count) of the rows that match the other conditions.
//! From sensitive values attached to classes (Anatomy): each row that matches the other conditions
//! counts as the fraction of matching sensitive values in its class. Relative error:
//! |estimate - actual| / actual.
//! **Parameters.** [`Workload`]: dimension w >= 1, volume 0 < s <= 1, number, seed.
//! **Level.** Relative error, and absolute error in rows; lower is better, 0 is exact.
//! **Monotone.** No: errors in different directions may cancel out.
//! **Complexity.** O(queries * (tuples / 64 + classes * w)) time.
//! **Errors.** `Dimension`, `Volume`. The relative error is undefined if the actual answer is 0;
//! such queries are counted separately. The estimate is undefined if the release contains only
//! noise (p = 0).
//! **Source.** Li, Tao, Xiao, SIGMOD 2008, Section 6; reading C-12. Deviations: non-numeric values
//! are in the order of the leaves of their hierarchy. Without a sensitive attribute, all attributes
//! of a query are quasi-identifiers. If there are several sensitive attributes, one of them is
//! drawn.

mod estimate;
mod matching;
mod workload;

use indistinct_core::loss::count_query;
use indistinct_core::model::CountedColumn;
use indistinct_core::published::{Attachment, ReleaseWithOriginal};
#[cfg(doc)]
use indistinct_core::recoding::perturbation::reconstruction;
use indistinct_core::{Observer, Phase};
use serde::Serialize;

use crate::axes::{Axes, Axis};
use crate::{Error, Summary};
use matching::Column;

pub use workload::{Query, Term, Workload};

/// The actual and the estimated answer to a query.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Answer {
    /// The number of matching rows in the original.
    pub actual: u64,
    /// The number of matching rows, estimated from the release. `None` if the release contains no
    /// information about them.
    pub estimate: Option<f64>,
}

/// The errors of the estimates.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct QueryErrors {
    /// The parameters of the queries.
    pub workload: Workload,
    /// The number of queries that match no row of the original, for which the relative error is
    /// undefined.
    pub n_without_rows: usize,
    /// |estimate - actual| / actual, over all other queries.
    pub relative: Option<Summary>,
    /// |estimate - actual| in rows, over all queries.
    pub absolute: Option<Summary>,
}

/// The number of queries to answer between two checks for cancellation.
const TURN: usize = 1000;

/// Draws a workload, and measures the errors of answers that are estimated from a release.
///
/// # Errors
/// Returns [`Error::Dimension`] or [`Error::Volume`] if a parameter of the workload is out of
/// range, and [`Error::Cancelled`] if the observer cancels the operation.
pub fn errors(
    pair: &ReleaseWithOriginal,
    axes: &Axes,
    workload: &Workload,
    observer: &dyn Observer,
) -> Result<QueryErrors, Error> {
    let axes = &axes.of_original(pair);
    let queries = workload.draw(axes)?;
    let mut all = Vec::with_capacity(queries.len());
    for some in queries.chunks(TURN) {
        if observer.is_cancelled() {
            return Err(Error::Cancelled);
        }
        all.extend(answers(pair, axes, some));
        observer.progress(Phase::Measure, all.len() as u64, queries.len() as u64);
    }
    Ok(QueryErrors::new(workload, &all))
}

/// Returns the answers of the original and the estimates from a release, in the order of the
/// queries.
pub fn answers(pair: &ReleaseWithOriginal, axes: &Axes, queries: &[Query]) -> Vec<Answer> {
    let actual = actual(pair, axes, queries);
    let estimates = match &pair.published.attachment {
        Attachment::ToRows => estimate::from_classes(&pair.published, axes, queries),
        Attachment::ToClasses => estimate::from_tables(&pair.published, axes, queries),
        Attachment::Perturbed { p, grid, .. } => {
            estimate::from_perturbed(&pair.published, axes, queries, p, grid.as_ref())
        }
    };
    actual
        .into_iter()
        .zip(estimates)
        .map(|(actual, estimate)| Answer { actual, estimate })
        .collect()
}

fn actual(pair: &ReleaseWithOriginal, axes: &Axes, queries: &[Query]) -> Vec<u64> {
    let column = |(column, axis): (&CountedColumn, &Axis)| Column {
        codes: column.codes.clone(),
        place_of: axis.place_of.clone(),
    };
    let columns: Vec<Column> = pair.original.columns().zip(&axes.axes).map(column).collect();
    let terms: Vec<&[Term]> = queries.iter().map(|query| query.terms.as_slice()).collect();
    matching::count(&columns, pair.original.counts(), &terms)
}

impl QueryErrors {
    /// Computes the errors of the answers to a workload.
    pub fn new(workload: &Workload, answers: &[Answer]) -> Self {
        let pairs = || answers.iter().filter_map(|it| Some((it.actual, it.estimate?)));
        let absolute = |(actual, estimate): (u64, f64)| (estimate - actual as f64).abs();
        Self {
            workload: workload.clone(),
            n_without_rows: answers.iter().filter(|answer| answer.actual == 0).count(),
            relative: Summary::from_numbers(
                pairs().filter_map(|(actual, estimate)| count_query::relative(actual, estimate)),
            ),
            absolute: Summary::from_numbers(pairs().map(absolute)),
        }
    }
}
