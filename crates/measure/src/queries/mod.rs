//! # count queries
//!
//! **Definition.** How well a release answers `count(*) where A1 in b1 and ... and Aw in bw`: A1 to Aw-1 are different
//! quasi-identifiers, Aw is sensitive, and each b is a stretch of consecutive values of its attribute's domain.
//! **Formula.** |b| = floor(|A| * s^(1/w)), at least 1. From classes: the sum over rows of the product of the shares of what
//! their released values cover that are in the query. From perturbed sensitive values: [reconstruction](reconstruction::count) of
//! the rows that match otherwise. From sensitive values attached to classes (Anatomy): each row that matches otherwise
//! counts as the share of its class's sensitive values that match. Relative error: |estimate - actual| / actual.
//! **Parameters.** [`Workload`]: dimension w >= 1, volume 0 < s <= 1, number, seed.
//! **Level.** Relative and absolute error, rows; lower is better, 0 is exact.
//! **Monotone.** No: errors in different directions may cancel out.
//! **Complexity.** O(queries * (tuples / 64 + classes * w)) time.
//! **Errors.** `OutOfRange`. The error relative to 0 rows is not defined: such queries are counted. So is the estimate where nothing but noise is released (p = 0).
//! **Source.** Li, Tao, Xiao, SIGMOD 2008, Section 6; reading C-12. Deviations: values that are no numbers stand in the order of their
//! hierarchy's leaves; without a sensitive attribute all are quasi-identifiers; of several sensitive attributes one is drawn.

mod estimate;
mod matching;
mod workload;

use indistinct_core::Observer;
use indistinct_core::loss::count_query;
use indistinct_core::model::CountedColumn;
use indistinct_core::published::{Attachment, ReleaseWithOriginal};
#[cfg(doc)]
use indistinct_core::recoding::perturbation::reconstruction;
use serde::Serialize;

use crate::axes::{Axes, Axis};
use crate::{Error, Summary};
use matching::Column;

pub use workload::{Query, Term, Workload};

/// What a query gives.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Answer {
    /// Rows of the original.
    pub actual: u64,
    /// Rows as estimated from the release; `None` where it tells nothing.
    pub estimate: Option<f64>,
}

/// How far estimates are from what they estimate.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct QueryErrors {
    /// The queries that were asked.
    pub workload: Workload,
    /// Queries with no row in the original, whose relative error is not defined.
    pub n_without_rows: usize,
    /// |estimate - actual| / actual, of the others.
    pub relative: Option<Summary>,
    /// |estimate - actual|, rows, of all.
    pub absolute: Option<Summary>,
}

/// So many queries are answered between two questions to the observer.
const TURN: usize = 1000;

/// Draws a workload and measures how well a release answers it.
///
/// # Errors
/// [`Error::OutOfRange`] if a parameter of the workload is; [`Error::Cancelled`] if the observer cancels.
pub fn errors(
    pair: &ReleaseWithOriginal,
    axes: &Axes,
    workload: &Workload,
    observer: &dyn Observer,
) -> Result<QueryErrors, Error> {
    let axes = &axes.of_original(pair);
    let queries = workload.draw(axes)?;
    let mut all = Vec::with_capacity(queries.len());
    for queries in queries.chunks(TURN) {
        if observer.is_cancelled() {
            return Err(Error::Cancelled);
        }
        all.extend(answers(pair, axes, queries));
    }
    Ok(QueryErrors::new(workload, &all))
}

/// The answers of the original and the estimates of a release, in the order of the queries.
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
    /// The errors of some answers to a workload.
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
