//! # kl-divergence
//!
//! **Definition.** The Kullback-Leibler divergence between the joint distribution of
//! quasi-identifiers and sensitive attributes in the table and its estimate from the release. The
//! estimate spreads the rows of a class evenly over all values that its released values cover and
//! keeps the sensitive values.
//! **Formula.** sum over (q, s) of the table of F(q, s) ln(F(q, s) / F*(q, s)), with F*(q, s) = sum
//! over classes C that cover q of n(C, s) / (n * area(C)), plus u / (n * D): the u suppressed rows,
//! including those shown as `*`, spread over the D combinations of domain values and of occurring
//! sensitive values.
//! **Parameters.** None; weights do not apply. Several sensitive attributes count as one attribute,
//! whose values are their combinations.
//! **Level.** Nats, at least 0, and 0 iff both distributions are equal; lower is better. 0 for an
//! empty table.
//! **Monotone.** Going up one level never lowers the divergence, even if rows are suppressed: for
//! classes that subdivide the classes of the higher level, their F* without suppression is the most
//! likely of all distributions that are uniform on each of them (Gibbs' inequality) (test
//! `generalization_and_suppression_never_lower_divergence`).
//! **Complexity.** O(tuples log tuples) for one level per column; O((tuples + classes) log classes)
//! for classes with their own released values, if few of them overlap.
//! **Errors.** None. The divergence is undefined if sensitive values are generalized, perturbed, or
//! separated from the rows.
//! **Source.** l-diversity paper, Section 6.2; reading B-14. Deviations: all classes that cover a
//! combination count, not only the class of the row ([`Boxes`]); the paper has no suppressed rows.

mod boxes;
mod covering;
mod pair;

pub use pair::of_pair;

use crate::Status;
use std::ops::Range;

use boxes::ReleasedBoxes;
use rustc_hash::FxHashMap;

use super::{Form, Loss};
use crate::certify::Release;
use crate::model::FrequencyTable;
use crate::recoding::{Classes, Generalization, Policy, Recoding};
use crate::{DROPPED, Hierarchy};

pub(super) static LOSS: Loss = Loss {
    name: "kl-divergence",
    definition: "the Kullback-Leibler divergence in nats between the joint distribution of all \
                 attributes in the table and its estimate from the release; suppressed rows are \
                 spread evenly over all values",
    source: "l-diversity paper, Section 6.2",
    status: Status::Stable,
    form: Form::Joint,
};

/// The classes that contribute to the estimated number of rows with a combination of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boxes {
    /// All classes that cover the combination contribute. F* is then a distribution (reading B-14).
    Covering,
    /// Only the classes with the same released values as the row, as printed in the paper. If
    /// classes overlap, F* is not a distribution.
    Own,
}

/// The data of a table from which the divergence is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    n_rows: f64,
    /// The sum of F ln F.
    own: f64,
    /// The contribution of one row to F* at every combination, if the row is spread over all
    /// combinations.
    even: f64,
}

/// A divergence that is computed incrementally by adding classes. The classes must not overlap.
#[derive(Debug, Clone, Copy)]
pub struct Sum<'a> {
    measure: &'a Measure,
    spread: f64,
    /// The sum over rows of ln F*.
    logarithms: f64,
}

impl Measure {
    /// Creates the measure of a table. Adjacent tuples of the table may be equal.
    pub fn new(table: &FrequencyTable, hierarchies: &[Hierarchy]) -> Self {
        let n_rows = table.n_rows() as f64;
        let own = combinations(table)
            .map(|tuples| {
                let share = table.counts()[tuples].iter().sum::<u64>() as f64 / n_rows;
                share * share.ln()
            })
            .sum();
        let domain: f64 = hierarchies.iter().map(|h| h.domain_size() as f64).product();
        let occurring = |rows: Vec<u64>| rows.iter().filter(|rows| **rows > 0).count() as f64;
        let values = table.sensitive().iter().map(|column| occurring(table.marginal(column)));
        Self { n_rows, own, even: 1.0 / (n_rows * domain * values.product::<f64>()) }
    }

    /// Starts a sum that contains no classes and `n_suppressed` suppressed rows.
    pub fn sum(&self, n_suppressed: u64) -> Sum<'_> {
        let mut sum =
            Sum { measure: self, spread: n_suppressed as f64 * self.even, logarithms: 0.0 };
        sum.add_rows(n_suppressed, 0.0);
        sum
    }

    /// Returns the contribution of one row to F* at each combination that its class covers.
    fn density(&self, area: f64) -> f64 {
        1.0 / (self.n_rows * area)
    }
}

impl Sum<'_> {
    /// Adds a class, given the area that its released values cover and its pairs of a sensitive
    /// value (or a combination of them) and a row count.
    pub fn add_class(&mut self, area: f64, entries: &[(u32, u64)]) {
        let density = self.measure.density(area);
        for &(_, rows) in entries {
            self.add_rows(rows, rows as f64 * density);
        }
    }

    /// Adds rows with equal values, given the density that the classes assign to them.
    fn add_rows(&mut self, rows: u64, density: f64) {
        if rows > 0 {
            self.logarithms += rows as f64 * (density + self.spread).ln();
        }
    }

    /// Returns the divergence, which is never negative.
    pub fn divergence(&self) -> f64 {
        match self.measure.n_rows > 0.0 {
            true => (self.measure.own - self.logarithms / self.measure.n_rows).max(0.0),
            false => 0.0,
        }
    }
}

/// Returns the divergence of a certified recoding, or `None` if sensitive values are generalized or
/// perturbed.
///
/// # Panics
/// Panics if the policy or the recoding is not the one that was certified.
pub fn of_release(
    release: &Release<'_>,
    policy: &Policy,
    recoding: &Recoding,
    boxes: Boxes,
) -> Option<f64> {
    if recoding.sensitive.is_some() || release.perturbed().is_some() {
        return None;
    }
    let table = release.table();
    let measure = Measure::new(table, &policy.hierarchies);
    let values = sensitive_values(table);
    let mut sum = measure.sum(0);
    sum.spread = release.n_suppressed() as f64 * measure.even;
    match (&recoding.generalization, boxes) {
        (Generalization::FullDomain { levels, .. }, _) => {
            let areas = Areas::of_levels(&policy.hierarchies, levels);
            add_levels(&mut sum, release, recoding, &areas, &values);
        }
        (Generalization::Classes(classes), boxes) => {
            add_classes(&mut sum, table, policy, (classes, &recoding.suppressed), &values, boxes);
        }
    }
    Some(sum.divergence())
}

/// Returns the divergence of uncertified classes with their own released values. Searches use this
/// function to compare proposals. If tuples are divided, `table` has one tuple for each part
/// ([`FrequencyTable::divided`]).
///
/// # Panics
/// Panics if the classes or the policy do not match the table.
pub fn of_classes(
    table: &FrequencyTable,
    policy: &Policy,
    classes: &Classes,
    suppressed: &[bool],
) -> f64 {
    let measure = Measure::new(table, &policy.hierarchies);
    let rows = table.counts().iter().zip(suppressed);
    let n_suppressed: u64 = rows.filter(|row| *row.1).map(|row| *row.0).sum();
    let mut sum = measure.sum(0);
    sum.spread = n_suppressed as f64 * measure.even;
    let classes = (classes, suppressed);
    add_classes(&mut sum, table, policy, classes, &sensitive_values(table), Boxes::Covering);
    sum.divergence()
}

/// Adds all rows of a recoding in which each class has its own released values.
fn add_classes(
    sum: &mut Sum<'_>,
    table: &FrequencyTable,
    policy: &Policy,
    (classes, suppressed): (&Classes, &[bool]),
    values: &[u32],
    boxes: Boxes,
) {
    let visible = Visible::new(table, policy, classes, suppressed, values);
    let densities = match boxes {
        Boxes::Own => visible.own(values, suppressed),
        Boxes::Covering => densities(&visible.boxes, table, &policy.hierarchies, values),
    };
    for (&rows, density) in table.counts().iter().zip(densities) {
        sum.add_rows(rows, density / sum.measure.n_rows);
    }
}

/// Returns the ranges of tuples that have equal values.
fn combinations(table: &FrequencyTable) -> impl Iterator<Item = Range<usize>> + '_ {
    let n = table.n_tuples();
    let differ = |at: usize| table.columns().any(|column| column.codes[at - 1] != column.codes[at]);
    let mut start = 0;
    std::iter::from_fn(move || {
        let from = start;
        start = (from + 1..n).find(|&at| differ(at)).unwrap_or(n);
        (from < n).then_some(from..start)
    })
}

/// Returns, for each tuple, a number that identifies its sensitive value or combination of
/// sensitive values.
fn sensitive_values(table: &FrequencyTable) -> Vec<u32> {
    match table.sensitive() {
        [] => return vec![0; table.n_tuples()],
        [column] => return column.codes.clone(),
        _ => {}
    }
    let mut number: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    (0..table.n_tuples())
        .map(|tuple| {
            let next = number.len() as u32;
            let values = table.sensitive().iter().map(|column| column.codes[tuple]).collect();
            *number.entry(values).or_insert(next)
        })
        .collect()
}

/// The areas of classes for a recoding in which each attribute has a single level.
#[derive(Debug)]
pub struct Areas<'a>(Vec<(&'a [u32], &'a [u64])>);

impl<'a> Areas<'a> {
    /// Creates the areas for the given levels.
    ///
    /// # Panics
    /// Panics if a level does not exist.
    pub fn of_levels(hierarchies: &'a [Hierarchy], levels: &[usize]) -> Self {
        let level = |(hierarchy, &level): (&'a Hierarchy, &usize)| {
            let level = hierarchy.level(level);
            (level.map.as_slice(), level.covered.as_slice())
        };
        Self(hierarchies.iter().zip(levels).map(level).collect())
    }

    /// Returns the area of the class with the given labels.
    ///
    /// # Panics
    /// Panics if a label does not exist.
    pub fn of_labels(&self, labels: impl IntoIterator<Item = usize>) -> f64 {
        self.0.iter().zip(labels).map(|((_, covered), label)| covered[label] as f64).product()
    }

    fn labels<'b>(
        &'b self,
        table: &'b FrequencyTable,
        tuple: usize,
    ) -> impl Iterator<Item = u32> + 'b {
        let columns = self.0.iter().zip(table.quasi_identifiers());
        columns.map(move |((map, _), column)| map[column.codes[tuple] as usize])
    }
}

/// Adds all rows of a recoding in which each attribute has a single level.
fn add_levels(
    sum: &mut Sum<'_>,
    release: &Release<'_>,
    recoding: &Recoding,
    areas: &Areas<'_>,
    values: &[u32],
) {
    let (table, class_of) = (release.table(), &release.partition().class_of);
    let is_retained = |tuple: &usize| !recoding.suppressed[*tuple] && class_of[*tuple] != DROPPED;
    let mut retained: Vec<usize> = (0..table.n_tuples()).filter(is_retained).collect();
    retained.sort_by_key(|&tuple| (class_of[tuple], values[tuple]));
    // The labels of classes in which some rows are suppressed, with the density of each sensitive
    // value.
    let mut partly: FxHashMap<Vec<u32>, FxHashMap<u32, f64>> = FxHashMap::default();
    let suppressed: Vec<usize> =
        (0..table.n_tuples()).filter(|&tuple| recoding.suppressed[tuple]).collect();
    for &tuple in &suppressed {
        partly.entry(areas.labels(table, tuple).collect()).or_default();
    }
    for class in retained.chunk_by(|&a, &b| class_of[a] == class_of[b]) {
        let labels: Vec<u32> = areas.labels(table, class[0]).collect();
        let density =
            sum.measure.density(areas.of_labels(labels.iter().map(|&label| label as usize)));
        let mut lost_some = partly.get_mut(&labels);
        for tuples in class.chunk_by(|&a, &b| values[a] == values[b]) {
            let rows: u64 = tuples.iter().map(|&tuple| table.counts()[tuple]).sum();
            sum.add_rows(rows, rows as f64 * density);
            if let Some(partly) = &mut lost_some {
                partly.insert(values[tuples[0]], rows as f64 * density);
            }
        }
    }
    for tuple in suppressed {
        let labels: Vec<u32> = areas.labels(table, tuple).collect();
        let density = partly.get(&labels).and_then(|partly| partly.get(&values[tuple]));
        sum.add_rows(table.counts()[tuple], density.copied().unwrap_or(0.0));
    }
}

/// Classes with their own released values as the recipient sees them: one box for each combination
/// of released values.
struct Visible<'a> {
    boxes: ReleasedBoxes<'a>,
    /// The box of each class. The boxes of classes without rows are not used.
    box_of: Vec<u32>,
    class_of: &'a [u32],
}

impl<'a> Visible<'a> {
    fn new(
        table: &FrequencyTable,
        policy: &Policy,
        classes: &'a Classes,
        suppressed: &[bool],
        values: &[u32],
    ) -> Self {
        let cells = &classes.cells;
        let mut in_order: Vec<u32> = (0..cells.n_classes() as u32).collect();
        in_order.sort_unstable_by(|&a, &b| cells.compare(a as usize, b as usize).then(a.cmp(&b)));
        let is_same = |a: &u32, b: &u32| cells.compare(*a as usize, *b as usize).is_eq();
        let mut first_of = vec![0; in_order.len()];
        for same in in_order.chunk_by(is_same) {
            same.iter().for_each(|&class| first_of[class as usize] = same[0]);
        }
        drop(in_order);
        // Boxes are numbered in the order of their first classes.
        let (mut class_of_box, mut box_of) = (Vec::new(), first_of);
        for class in 0..box_of.len() {
            let first = box_of[class] as usize;
            box_of[class] = match first == class {
                true => class_of_box.len() as u32,
                false => box_of[first],
            };
            if first == class {
                class_of_box.push(class as u32);
            }
        }
        let class_of = &classes.class_of;
        let place =
            |tuple: usize| (!suppressed[tuple]).then(|| box_of[class_of[tuple] as usize] as usize);
        let entry = |tuple: usize| (values[tuple], table.counts()[tuple]);
        let measures =
            super::CellMeasure::of_table(super::covered_share::costs, table, &policy.hierarchies);
        let boxes =
            ReleasedBoxes::new(cells, class_of_box, &measures, (table.n_tuples(), place, entry));
        Self { boxes, box_of, class_of }
    }

    /// Returns, for each tuple, the density of the tuple's box times the number of rows of the
    /// table.
    fn own(&self, values: &[u32], suppressed: &[bool]) -> Vec<f64> {
        let of_tuple = |(tuple, &class): (usize, &u32)| match suppressed[tuple] {
            true => 0.0,
            false => self.boxes.density(self.box_of[class as usize] as usize, values[tuple]),
        };
        self.class_of.iter().enumerate().map(of_tuple).collect()
    }
}

/// Returns, for each tuple, the sum of the densities of all boxes that cover it, times the number
/// of rows of the table.
fn densities(
    boxes: &ReleasedBoxes<'_>,
    table: &FrequencyTable,
    hierarchies: &[Hierarchy],
    values: &[u32],
) -> Vec<f64> {
    let groups = table.groups();
    let mut densities = vec![0.0; table.n_tuples()];
    covering::each_pair(table, &groups, hierarchies, boxes, |group, at| {
        let tuples = groups.starts[group] as usize..groups.starts[group + 1] as usize;
        for tuple in tuples {
            densities[tuple] += boxes.density(at, values[tuple]);
        }
    });
    densities
}
