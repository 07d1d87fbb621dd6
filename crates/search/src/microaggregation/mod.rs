//! # microaggregation
//!
//! **Definition.** Rows are divided into classes of at least k similar rows; every number of a
//! class is released as the center of the class. Columns that are not aggregated are released at
//! their lowest permitted level. Rows are in one class only if they have equal values in these
//! columns and the same missing numbers.
//! **Formula.** Numbers are standardized to mean 0 and variance 1 over the table and multiplied by
//! the weight of their column. Similarity is the Euclidean distance of the standardized numbers.
//! The error is the sum of squared distances between rows and the mean of their class.
//! **Several columns.** MDAV: the row farthest from the mean of the remaining rows forms a class
//! with its k - 1 nearest rows, and so does the row farthest from the first row. Fewer than 3 k
//! remaining rows form one or two classes.
//! **One column, and principles on sizes alone.** The division has the minimum error of all
//! divisions into classes of at least k rows. It is a shortest path over the sorted rows, because
//! some optimal division has consecutive classes of k to 2 k - 1 rows (module `mdav`).
//! **Further principles.** k is the size below which no class can satisfy the principles. A class
//! that violates a principle is merged with the class of the nearest mean until it satisfies all
//! principles. The procedure terminates because merging preserves the principles and the rows of a
//! group satisfy them together.
//! **Suppression.** A group of rows with equal values in all other columns is suppressed if its
//! rows violate the principles together.
//! **Supports.** Principles that are preserved when classes are merged, except principles that
//! count a population and `other_sensitive = "quasi-identifier"`.
//! **Objective.** The error, regardless of the policy.
//! **Stopping.** Rows without a class are sorted by their first number, and every k consecutive
//! rows form a class.
//! **Complexity.** O(n^2 / k) for the MDAV of n rows; groups of more than 10,000 rows are first
//! halved repeatedly at the median of the column with the largest variation. O(n (log n + k)) for
//! one column.
//! **Errors.** [`SearchError`]: a column without numbers, unsupported principles.
//! **Does not protect against.** Threats that the principles do not cover; see [`Aggregation`] on
//! the last row of a class.
//! **Source.** Hansen, Mukherjee, IEEE TKDE 15(4), 2003, for one column; Domingo-Ferrer, Torra,
//! Data Mining and Knowledge Discovery 11, 2005, for MDAV. Deviations: among rows at equal
//! distance, the first in the order of the table is taken; large tables are halved first.

mod groups;
mod mdav;
mod merge;

use indistinct_core::recoding::{Aggregation, Center};
use indistinct_core::{
    Cell, Classes, FrequencyTable, Generalization, Nearest, Observer, Part, Phase, Recoding,
};
pub use mdav::{mdav, optimal};
use rustc_hash::FxHashMap;

use self::groups::Group;
use crate::curve::judge::{Counts, Judge};
use crate::stop::Stop;
use crate::{FoundRecoding, NotFound, Outcome, Problem, Search, SearchError};

/// Divides rows into classes that are represented by centers, on one thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Microaggregation {
    /// The center that replaces the values of a class.
    pub center: Center,
    /// For each quasi-identifier, whether its numbers are aggregated.
    pub columns: Vec<bool>,
}

impl Search for Microaggregation {
    type Proposal = Aggregation;
    type Nearest = Nearest;

    fn search(
        &self,
        problem: &Problem<'_>,
        observer: &dyn Observer,
    ) -> Result<Outcome<Aggregation>, SearchError> {
        problem.check()?;
        let n_columns = problem.table.quasi_identifiers().len();
        if self.columns.len() != n_columns {
            let (what, got) = ("column flags", self.columns.len());
            return Err(SearchError::Length { what, got, expected: n_columns });
        }
        let stop = Stop::new(observer, problem.time_limit);
        let mut judge = Judge::new(problem.table, problem.policy)?;
        let k = usize::try_from(judge.smallest_size).unwrap_or(usize::MAX).max(1);
        let requires_sizes_only = judge.attributes.is_empty();
        let (groups, failing) =
            holding(problem.table, &mut judge, groups::group(problem, &self.columns)?);
        let suppressed: Vec<u32> = failing.iter().flat_map(|group| &group.rows).copied().collect();

        let (mut classes, mut done) = (Vec::new(), 0);
        for group in &groups {
            observer.progress(Phase::Search, done, problem.table.n_rows());
            done += group.rows.len() as u64;
            let mut of_group: Vec<Vec<u32>> = Vec::new();
            for block in group.blocks(k) {
                let points: Vec<&[f64]> = block.iter().map(|&row| group.point(row)).collect();
                let parts = match (group.dimensions(), requires_sizes_only) {
                    (0, _) => vec![(0..points.len() as u32).collect()],
                    (1, true) => optimal(&points.iter().map(|it| it[0]).collect::<Vec<f64>>(), k),
                    _ => mdav(&points, k, &|| stop.is_requested()),
                };
                if stop.observer.is_cancelled() {
                    return Err(SearchError::Cancelled);
                }
                let rows = |part: Vec<u32>| part.iter().map(|&at| block[at as usize]).collect();
                of_group.extend(parts.into_iter().map(rows));
            }
            classes.extend(merge::until_all_hold(problem.table, &judge, group, of_group));
        }
        let n_suppressed = suppressed.len() as u64;
        if n_suppressed > problem.max_suppressed() {
            let nearest = Nearest::new(Vec::new(), n_suppressed, Some(n_suppressed));
            // If a group is large enough, suppressing only some of its rows may be sufficient.
            let is_proved = requires_sizes_only || failing.iter().all(|group| group.rows.len() < k);
            return Ok(Outcome::NotFound(NotFound::new(nearest, is_proved)));
        }
        let proposal = Aggregation {
            center: self.center,
            columns: self.columns.clone(),
            recoding: recoding(problem, &self.columns, &classes, &suppressed),
        };
        let found = FoundRecoding::new(proposal, stop.optimality(), n_suppressed, classes.len());
        Ok(Outcome::Found(Box::new(found)))
    }
}

/// Separates the groups whose rows satisfy the principles together from the other groups. If
/// principles depend on the released rows as a whole, these are the rows of the satisfying groups.
fn holding(
    table: &FrequencyTable,
    judge: &mut Judge<'_>,
    groups: Vec<Group>,
) -> (Vec<Group>, Vec<Group>) {
    let (mut retained, mut failing) = (groups, Vec::new());
    loop {
        let (holds, fails): (Vec<Group>, Vec<Group>) =
            retained.into_iter().partition(|group| judge.holds(&counts(table, judge, &group.rows)));
        let is_done = fails.is_empty() || !judge.depends_on_rows;
        failing.extend(fails);
        retained = holds;
        if is_done {
            return (retained, failing);
        }
        let mut released = Counts::new(judge.attributes.len());
        for group in &retained {
            released.add_all(&counts(table, judge, &group.rows));
        }
        judge.against(&released);
    }
}

/// Counts the sensitive values of some rows, each given by its tuple.
fn counts(table: &FrequencyTable, judge: &Judge<'_>, rows: &[u32]) -> Counts {
    let mut by_tuple: FxHashMap<u32, u64> = FxHashMap::default();
    for &tuple in rows {
        *by_tuple.entry(tuple).or_default() += 1;
    }
    let mut counts = Counts::new(judge.attributes.len());
    for (tuple, rows) in by_tuple {
        let of = |&at: &usize| table.sensitive()[at].codes[tuple as usize];
        counts.add(&judge.attributes.iter().map(of).collect::<Vec<u32>>(), rows);
    }
    counts
}

/// Creates the recoding of these classes, with ranges as input for the centers that the certifier
/// computes.
fn recoding(
    problem: &Problem<'_>,
    columns: &[bool],
    classes: &[Vec<u32>],
    suppressed: &[u32],
) -> Recoding {
    let table = problem.table;
    // Suppressed rows have no class; their class number is the number of classes.
    let of_classes = classes.iter().zip(0u32..).map(|(class, at)| (&class[..], at));
    let mut rows: FxHashMap<(u32, u32), u64> = FxHashMap::default();
    for (tuples, class) in of_classes.chain([(suppressed, classes.len() as u32)]) {
        for &tuple in tuples {
            *rows.entry((tuple, class)).or_default() += 1;
        }
    }
    let mut rows: Vec<((u32, u32), u64)> = rows.into_iter().collect();
    rows.sort_unstable();
    let parts = rows.iter().map(|&((tuple, _), rows)| Part { tuple, rows }).collect();
    let cells = classes.iter().map(|class| {
        let known = table.quasi_identifiers().iter().zip(columns).enumerate();
        known
            .map(|(at, (column, is_aggregated))| {
                let codes = class.iter().map(|&tuple| column.codes[tuple as usize]);
                let (low, high) =
                    codes.fold((u32::MAX, 0), |(low, high), code| (low.min(code), high.max(code)));
                if *is_aggregated {
                    return Cell::Range { low, high };
                }
                let level = *problem.bounds[at].start();
                let label = problem.policy.hierarchies[at].level(level).map[low as usize];
                Cell::Label { level, label }
            })
            .collect()
    });
    let classes_of = Classes {
        cells: cells.collect(),
        class_of: rows
            .iter()
            .map(|((_, class), _)| (*class).min(classes.len().saturating_sub(1) as u32))
            .collect(),
        parts: Some(parts),
        highest: None,
    };
    Recoding {
        suppressed: rows.iter().map(|((_, class), _)| *class == classes.len() as u32).collect(),
        generalization: Generalization::Classes(classes_of),
        sensitive: None,
    }
}
