//! Estimates the answers to queries from a release.

use indistinct_core::Rational;
use indistinct_core::loss::count_query::estimate_of_class;
use indistinct_core::model::{CountedColumn, RowGroups, from_ratio, to_f64};
use indistinct_core::published::PublishedRows;
use indistinct_core::recoding::perturbation::{Grid, Retention, reconstruction};
use rayon::prelude::*;

use super::matching::{self, Column, each_bit};
use super::{Query, Term};
use crate::axes::{Axes, Axis, Span};

/// Returns, for each released value, the fraction of the covered places that the query selects.
fn shares(axis: &Axis, term: &Term) -> Vec<f64> {
    axis.released.iter().map(|covered| covered.share_in(term.span)).collect()
}

/// Distributes each row evenly over the values that its released values cover.
pub(super) fn from_classes(
    published: &PublishedRows,
    axes: &Axes,
    queries: &[Query],
) -> Vec<Option<f64>> {
    let rows = &published.rows;
    let boxes = Boxes::new(published);
    queries
        .par_iter()
        .map(|query| {
            let (known, value) = query.parts(axes);
            let column = |term: &Term| {
                (&boxes.codes[term.attribute], shares(&axes.axes[term.attribute], term))
            };
            let known: Vec<(&Vec<u32>, Vec<f64>)> = known.iter().map(column).collect();
            let value = value.iter().map(|term| {
                let codes = &rows.sensitive()[term.attribute - axes.n_quasi_identifiers].codes;
                (codes, shares(&axes.axes[term.attribute], term))
            });
            let value: Vec<(&Vec<u32>, Vec<f64>)> = value.collect();
            let mut estimate = 0.0;
            for (at, tuples) in boxes.groups.iter().enumerate() {
                let share = |(codes, shares): &(&Vec<u32>, Vec<f64>)| shares[codes[at] as usize];
                if known.iter().map(share).any(|share| share == 0.0) {
                    continue;
                }
                let there: f64 = match value.as_slice() {
                    [] => boxes.sizes[at],
                    [(codes, shares)] => {
                        let each = codes[tuples.clone()].iter().zip(&rows.counts()[tuples]);
                        each.map(|(&code, &count)| shares[code as usize] * count as f64).sum()
                    }
                    several => tuples
                        .map(|tuple| {
                            let each =
                                several.iter().map(|(codes, shares)| shares[codes[tuple] as usize]);
                            each.product::<f64>() * rows.counts()[tuple] as f64
                        })
                        .sum(),
                };
                estimate += estimate_of_class(there, known.iter().map(share));
            }
            Some(estimate)
        })
        .collect()
}

/// The distinct combinations of released quasi-identifiers.
struct Boxes {
    groups: RowGroups,
    /// For each quasi-identifier, the released code of each box.
    codes: Vec<Vec<u32>>,
    /// The number of rows of each box.
    sizes: Vec<f64>,
}

impl Boxes {
    fn new(published: &PublishedRows) -> Self {
        let rows = &published.rows;
        let groups = rows.groups();
        let of = |column: &CountedColumn| {
            groups.iter().map(|tuples| column.codes[tuples.start]).collect::<Vec<u32>>()
        };
        let codes = rows.quasi_identifiers().iter().map(of).collect();
        let size =
            |tuples: std::ops::Range<usize>| rows.counts()[tuples].iter().sum::<u64>() as f64;
        let sizes = groups.iter().map(size).collect();
        Self { groups, codes, sizes }
    }
}

/// Returns the column of an attribute in which each released value covers exactly one place.
fn exact(column: &CountedColumn, axis: &Axis) -> Column {
    let place = |covered: &crate::axes::CoveredPlaces| covered.places().next().unwrap_or(u32::MAX);
    Column { codes: column.codes.clone(), place_of: axis.released.iter().map(place).collect() }
}

/// The number of domain values that each place represents: those from the place's number up to, but
/// excluding, the next number (reading C-12). The first place also represents all smaller values.
/// Noise values are counted at the places that represent them.
struct DomainShares {
    /// The number of values before each place, followed by the total number of values.
    before: Vec<u64>,
}

impl DomainShares {
    fn new(axis: &Axis, grid: Option<&Grid>) -> Self {
        let n_places = axis.n_places as usize;
        let numbers = axis.exact_numbers.as_ref().filter(|numbers| numbers.len() == n_places);
        let before = match (grid, numbers) {
            (Some(grid), Some(numbers)) => {
                // A missing value is an additional value of the domain, at the first place if it
                // occurs.
                let n_missing = numbers.iter().take_while(|number| number.is_none()).count();
                let below = |at: usize| match &numbers[at] {
                    _ if at <= n_missing => at as u64,
                    Some(number) => n_missing as u64 + grid.n_below(number),
                    None => at as u64,
                };
                let all = n_missing as u64 + grid.n_values();
                (0..n_places).map(below).chain([all]).collect()
            }
            _ => (0..=n_places as u64).collect(),
        };
        Self { before }
    }

    fn of_span(&self, span: Span) -> Rational {
        let all = self.before.last().copied().unwrap_or(0);
        let before = |place: u32| self.before.get(place as usize).copied().unwrap_or(all);
        from_ratio(before(span.to).saturating_sub(before(span.from)), all.max(1))
    }
}

/// Estimates how many of the rows that match the other conditions have a sensitive value that the
/// query selects. Returns `None` if p = 0.
pub(super) fn from_perturbed(
    published: &PublishedRows,
    axes: &Axes,
    queries: &[Query],
    p: &Rational,
    grid: Option<&Grid>,
) -> Vec<Option<f64>> {
    let shares: Vec<DomainShares> =
        axes.axes.iter().map(|axis| DomainShares::new(axis, grid)).collect();
    let rows = &published.rows;
    let columns: Vec<Column> =
        rows.columns().zip(&axes.axes).map(|(column, axis)| exact(column, axis)).collect();
    let known: Vec<&[Term]> = queries.iter().map(|query| query.parts(axes).0).collect();
    let all: Vec<&[Term]> = queries.iter().map(|query| query.terms.as_slice()).collect();
    let n_known = matching::count(&columns, rows.counts(), &known);
    let n_all = matching::count(&columns, rows.counts(), &all);
    let retention = Retention::new(p);
    let of = |((query, n_known), n_all): ((&Query, u64), u64)| match query.parts(axes).1 {
        [] => Some(n_known as f64),
        [term] => {
            let share = shares[term.attribute].of_span(term.span);
            let estimate = reconstruction::count(n_all, n_known, share, retention?)?;
            Some(to_f64(&estimate))
        }
        _ => None,
    };
    queries.iter().zip(n_known).zip(n_all).map(of).collect()
}

/// Counts each row that matches the other conditions as the fraction of matching sensitive values
/// in its class.
pub(super) fn from_tables(
    published: &PublishedRows,
    axes: &Axes,
    queries: &[Query],
) -> Vec<Option<f64>> {
    let rows = &published.rows;
    // Sort the tuples by class to compute the fraction of each class only once.
    let mut order: Vec<u32> = (0..rows.n_tuples() as u32).collect();
    order.sort_by_key(|&tuple| (published.class_of[tuple as usize], tuple));
    let columns: Vec<Column> = rows
        .quasi_identifiers()
        .iter()
        .zip(&axes.axes)
        .map(|(column, axis)| {
            let Column { codes, place_of } = exact(column, axis);
            Column { codes: order.iter().map(|&tuple| codes[tuple as usize]).collect(), place_of }
        })
        .collect();
    let class_of: Vec<u32> =
        order.iter().map(|&tuple| published.class_of[tuple as usize]).collect();
    let counts: Vec<f64> =
        order.iter().map(|&tuple| rows.counts()[tuple as usize] as f64).collect();
    let known: Vec<&[Term]> = queries.iter().map(|query| query.parts(axes).0).collect();
    let value: Vec<Option<(usize, Vec<f64>)>> = queries
        .iter()
        .map(|query| {
            let term = query.parts(axes).1.first()?;
            let at = term.attribute - axes.n_quasi_identifiers;
            Some((at, shares(&axes.axes[term.attribute], term)))
        })
        .collect();
    let share = |query: usize, class: u32| -> f64 {
        let Some((attribute, shares)) = &value[query] else { return 1.0 };
        let histogram = &published.sensitive[*attribute].histograms[class as usize];
        let all: u64 = histogram.iter().map(|entry| entry.1).sum();
        let there = histogram.iter().map(|&(code, n)| shares[code as usize] * n as f64);
        there.sum::<f64>() / all.max(1) as f64
    };
    let stretches =
        matching::visit(&columns, counts.len(), &known, |sum: &mut f64, query, first, bits| {
            let (mut last, mut share_of_last) = (u32::MAX, 0.0);
            each_bit(first, bits, |tuple| {
                let class = class_of[tuple];
                if class != last {
                    (last, share_of_last) = (class, share(query, class));
                }
                *sum += counts[tuple] * share_of_last;
            });
        });
    (0..queries.len()).map(|at| Some(stretches.iter().map(|sums| sums[at]).sum())).collect()
}
