//! Suppression of single rows, for tables in which suppressing whole classes would exceed the
//! limit.
//!
//! A search that suppresses whole classes or whole tuples finds no recoding if the suppression
//! limit covers only some of their rows. In that case, single rows are removed first, such that the
//! widest classes within the level bounds satisfy the principles (module `curve::suppress`), and
//! the remaining rows are searched with the rest of the limit. If merging preserves the principles,
//! the widest classes need no more suppressed rows than any other classes. For principles that
//! depend only on the frequencies of sensitive values, this procedure therefore finds a recoding
//! whenever one exists within the limit (test `row_suppression_is_found_if_one_exists`).
//!
//! The procedure does not apply if suppressed rows form a class that must satisfy the principles.
//! It also does not apply to principles that compare a class with all released rows, count people
//! in a population, or apply to parts of classes. In these cases, the result of the original search
//! is returned.

use std::collections::BTreeMap;

use crate::curve::judge::Judge;
use crate::curve::suppress::{self, choose_in_crowds};
use crate::full_domain::Node;
use crate::judge::neighborhoods;
use crate::released::{subset, values, widest_labels};
use crate::stop::Stop;
use crate::{FoundRecoding, Outcome, Problem, Search, SearchError};
use indistinct_core::{
    Classes, FrequencyTable, Generalization, Nearest, Observer, Optimality, Part, Recoding,
    SuppressionRule,
};

/// A proposal that contains a recoding.
pub trait Recodes {
    /// Returns the recoding to certify.
    fn recoding_mut(&mut self) -> &mut Recoding;
}

impl Recodes for Recoding {
    fn recoding_mut(&mut self) -> &mut Recoding {
        self
    }
}

impl Recodes for Node {
    fn recoding_mut(&mut self) -> &mut Recoding {
        &mut self.recoding
    }
}

/// Searches for a recoding. If the search finds no recoding, the function suppresses single rows
/// and searches again. The second result is marked as heuristic and has no objective.
///
/// # Errors
/// See [`Search::search`].
pub fn with_single_rows<S: Search<Nearest = Nearest>>(
    search: &S,
    problem: &Problem<'_>,
    observer: &dyn Observer,
) -> Result<Outcome<S::Proposal>, SearchError>
where
    S::Proposal: Recodes,
{
    let not_found = match search.search(problem, observer)? {
        Outcome::NotFound(not_found) => not_found,
        found => return Ok(found),
    };
    let stop = Stop::new(observer, problem.time_limit);
    let Some(judge) = judge(problem) else { return Ok(Outcome::NotFound(not_found)) };
    let Some(rest) = Rest::new(problem, &judge, &stop)? else {
        return Ok(Outcome::NotFound(not_found));
    };
    let most_suppressed = Some(problem.max_suppressed() - rest.n_taken);
    let of_rest = Problem { table: &rest.table, most_suppressed, ..problem.clone() };
    match search.search(&of_rest, observer)? {
        Outcome::Found(mut found) => {
            rest.complete(problem.table, found.proposal.recoding_mut());
            Ok(Outcome::Found(Box::new(FoundRecoding {
                optimality: Optimality::Heuristic,
                objective: None,
                n_suppressed: found.n_suppressed + rest.n_taken,
                ..*found
            })))
        }
        Outcome::NotFound(_) => Ok(Outcome::NotFound(not_found)),
    }
}

/// Returns the evaluator of the widest classes, or `None` if single rows cannot be suppressed.
fn judge<'a>(problem: &Problem<'a>) -> Option<Judge<'a>> {
    let may = problem.policy.suppressed == SuppressionRule::Dropped && problem.max_suppressed() > 0;
    let judge = Judge::of_any(problem.table, problem.policy).ok().filter(|_| may)?;
    (!judge.depends_on_rows && !judge.attributes.is_empty()).then_some(judge)
}

/// A table without the rows that were removed from it.
struct Rest {
    table: FrequencyTable,
    /// Number of removed rows for each tuple of the whole table.
    taken: Vec<u64>,
    n_taken: u64,
}

impl Rest {
    /// Removes rows until the widest classes satisfy the principles. Returns `None` if the limit is
    /// too low or no rows remain.
    fn new(
        problem: &Problem<'_>,
        judge: &Judge<'_>,
        stop: &Stop<'_>,
    ) -> Result<Option<Self>, SearchError> {
        let table = problem.table;
        let (value_of, values) = values(table, &judge.attributes);
        let near = neighborhoods(table, problem.policy)
            .filter(|(at, _)| judge.attributes == [*at])
            .map(|(_, reach)| reach);
        // Returns the number of rows in the neighborhood of each value. Neighborhoods are defined
        // only if the principles depend on exactly one attribute.
        let crowds = |left: &[u64]| -> Vec<u64> {
            let Some(reach) = &near else { return left.to_vec() };
            let mut rows: Vec<(u32, usize)> =
                values.iter().zip(0..).map(|(codes, at)| (codes[0], at)).collect();
            rows.sort_unstable();
            let entries: Vec<(u32, u64)> =
                rows.iter().map(|&(code, at)| (code, left[at])).collect();
            let mut crowds = vec![0; left.len()];
            for (&(_, at), crowd) in rows.iter().zip(reach.near(&entries)) {
                crowds[at] = crowd;
            }
            crowds
        };
        let most = problem.max_suppressed();
        let (mut taken, mut n_taken) = (vec![0; table.n_tuples()], 0);
        for tuples in widest(problem).into_values() {
            let mut of_value = vec![0; values.len()];
            for &tuple in &tuples {
                of_value[value_of[tuple] as usize] += table.counts()[tuple];
            }
            let left = most - n_taken;
            let chosen =
                choose_in_crowds(judge, &values, (&of_value, left), crowds, || stop.is_requested());
            stop.check()?;
            let mut quota = match chosen {
                Some(suppress::BlockSuppression::Rows(rows)) => rows,
                Some(suppress::BlockSuppression::All) => of_value,
                None => return Ok(None),
            };
            // Remove rare tuples first, because they are likely to be outliers.
            let mut tuples = tuples;
            tuples.sort_by_key(|&tuple| (table.counts()[tuple], tuple));
            for tuple in tuples {
                let quota = &mut quota[value_of[tuple] as usize];
                taken[tuple] = table.counts()[tuple].min(*quota);
                *quota -= taken[tuple];
                n_taken += taken[tuple];
            }
        }
        if n_taken == table.n_rows() {
            return Ok(None);
        }
        let retained = (0u32..).zip(table.counts().iter().zip(&taken));
        let parts: Vec<Part> = retained
            .map(|(tuple, (count, taken))| Part { tuple, rows: count - taken })
            .filter(|part| part.rows > 0)
            .collect();
        let table = subset(table, &parts);
        Ok(Some(Self { table, taken, n_taken }))
    }

    /// Converts a recoding of the remaining rows into a recoding of the whole table.
    fn complete(&self, whole: &FrequencyTable, recoding: &mut Recoding) {
        // For each tuple of the remaining table, its index in the whole table.
        let retained: Vec<u32> = (0u32..)
            .zip(whole.counts().iter().zip(&self.taken))
            .filter(|(_, (count, taken))| count > taken)
            .map(|(tuple, _)| tuple)
            .collect();
        let of_rest: Vec<Part> = match recoding.generalization.parts() {
            Some(parts) => parts.to_vec(),
            None => {
                let counts = (0u32..).zip(self.table.counts());
                counts.map(|(tuple, &rows)| Part { tuple, rows }).collect()
            }
        };
        // A part, whether the part is suppressed, and its position in the recoding of the remaining
        // rows.
        let mut all: Vec<(Part, bool, Option<usize>)> = of_rest
            .iter()
            .zip(&recoding.suppressed)
            .enumerate()
            .map(|(at, (part, &is_suppressed))| {
                let tuple = retained[part.tuple as usize];
                (Part { tuple, rows: part.rows }, is_suppressed, Some(at))
            })
            .collect();
        let taken = (0u32..).zip(&self.taken).filter(|(_, rows)| **rows > 0);
        all.extend(taken.map(|(tuple, &rows)| (Part { tuple, rows }, true, None)));
        all.sort_by_key(|(part, _, at)| (part.tuple, at.is_none(), *at));
        let is_whole = || all.windows(2).all(|pair| pair[0].0.tuple != pair[1].0.tuple);
        recoding.suppressed = all.iter().map(|it| it.1).collect();
        recoding.generalization = match &recoding.generalization {
            Generalization::FullDomain { levels, .. } => {
                // The parts are listed even if no tuple is divided, because the classes do not
                // determine which rows are suppressed.
                let parts = Some(all.iter().map(|it| it.0).collect());
                Generalization::FullDomain { levels: levels.clone(), parts }
            }
            Generalization::Classes(classes) => {
                let class = |at: Option<usize>| at.map_or(0, |at| classes.class_of[at]);
                let class_of = all.iter().map(|it| class(it.2)).collect();
                let parts = (!is_whole()).then(|| all.iter().map(|it| it.0).collect());
                Generalization::Classes(Classes { parts, class_of, ..classes.clone() })
            }
        };
    }
}

/// Groups the tuples that have equal values at the highest permitted levels.
fn widest(problem: &Problem<'_>) -> BTreeMap<Vec<u32>, Vec<usize>> {
    let mut widest: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
    for tuple in 0..problem.table.n_tuples() {
        widest.entry(widest_labels(problem, tuple)).or_default().push(tuple);
    }
    widest
}
