//! Suppression of single cells instead of whole rows: `suppression = "star-cells"`.
//!
//! A search first suppresses whole rows, so all suppressed rows together satisfy the
//! principles as one class. Then the search restores all cells except those that must remain `*`.
//! `*` is a value like any other (reading S-1): classes are rows with equal released values, so the
//! certifier evaluates the classes that an adversary sees.
//!
//! **Search.** The suppressed rows form a separate table in which each attribute has its permitted
//! levels and `*`. The classes of this table are searched as for `method = "multidimensional"`,
//! with the weight of the attribute as the cost of a `*`. Then cells are restored one by one, for
//! as many rows of a class as possible, until no single cell can be restored (test
//! `no_suppressed_cell_can_be_restored`). The result is never worse than suppressing whole
//! rows, but it is not proved to be optimal.
//! **Preconditions.** Merging must preserve all principles; principles on populations are not
//! supported.
//! **Complexity.** That of the search on the suppressed rows, and O(suppressed rows * attributes *
//! levels) for each pass.
//! **Source.** Local suppression, as in Hundepool et al., Statistical Disclosure Control, 2012,
//! 3.2.4; k-anonymity with `*` as a value: Samarati, TKDE 2001, 4.2.

mod starred;

use std::collections::BTreeMap;
use std::time::Instant;

use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::loss::Form;
use indistinct_core::{
    Generalization, Hierarchy, Nearest, Observer, Optimality, Recoding, SuppressionRule,
};

use self::starred::StarredRows;
use crate::multidimensional::judge::Judge;
use crate::single_rows::{Recodes, with_single_rows};
use crate::stop::Stop;
use crate::{FoundRecoding, Outcome, Problem, Search, SearchError};
use starred::{Class, RetainedClasses};

/// Searches for a recoding. If the suppression of whole classes exceeds the limit, suppresses
/// single rows; if the policy requires it, suppresses individual cells instead of rows. The result is
/// then marked as heuristic and has no objective.
///
/// # Errors
/// Like [`Search::search`]; for the suppression of single cells, also
/// [`SearchError::NotPreservedByMerging`], [`SearchError::CountsPopulation`], and
/// [`SearchError::NoObjectiveOfClasses`].
pub fn with_suppression<S: Search<Nearest = Nearest>>(
    search: &S,
    problem: &Problem<'_>,
    observer: &dyn Observer,
) -> Result<Outcome<S::Proposal>, SearchError>
where
    S::Proposal: Recodes,
{
    if problem.policy.suppressed != SuppressionRule::Cells {
        return with_single_rows(search, problem, observer);
    }
    if matches!(problem.objective.form, Form::Levels(_)) {
        return Err(SearchError::NoObjectiveOfClasses { objective: problem.objective.name });
    }
    let judge = Judge::new(problem.table, &problem.policy.requirements);
    judge.check_merging()?;
    let started = Instant::now();
    let mut found = match search.search(problem, observer)? {
        Outcome::Found(found) if problem.max_suppressed() > 0 => found,
        other => return Ok(other),
    };
    let time_limit = problem.time_limit.map(|limit| limit.saturating_sub(started.elapsed()));
    let problem = Problem { time_limit, ..problem.clone() };
    let stop = Stop::new(observer, time_limit);
    if let Some(recoding) = recoded(&problem, &judge, found.proposal.recoding_mut(), &stop)? {
        *found.proposal.recoding_mut() = recoding;
    }
    // The search does not prove that the suppression of single cells is optimal.
    let optimality = match found.optimality.is_stopped() {
        true => Optimality::STOPPED,
        false => stop.optimality(),
    };
    Ok(Outcome::Found(Box::new(FoundRecoding { optimality, objective: None, ..*found })))
}

/// Maximum number of suppressed tuples for which cells are restored from several starting points.
const MOST_STARTED_AGAIN: usize = 2_000;
/// Gains below this threshold are rounding errors.
const LEAST_GAIN: f64 = 1e-9;

/// The released values of a class: a level and a label for each attribute.
type Pattern = Vec<(usize, u32)>;

/// The lowest and highest permitted levels of an attribute without suppression, and the level of
/// suppressed cells.
#[derive(Debug, Clone, Copy)]
struct AllowedLevels {
    low: usize,
    high: usize,
    top: usize,
}

impl AllowedLevels {
    fn for_recoding(problem: &Problem<'_>, recoding: &Recoding) -> Vec<Self> {
        let hierarchies = problem.policy.hierarchies.iter().enumerate();
        hierarchies
            .map(|(at, hierarchy)| {
                let top = hierarchy.n_levels() - 1;
                match &recoding.generalization {
                    Generalization::FullDomain { levels, .. } => {
                        Self { low: levels[at], high: levels[at], top }
                    }
                    Generalization::Classes(_) => {
                        let bounds = &problem.bounds[at];
                        Self { low: *bounds.start(), high: *bounds.end(), top }
                    }
                }
            })
            .collect()
    }

    /// Returns a hierarchy of the permitted levels and the level that covers all values.
    fn hierarchy(self, of: &Hierarchy) -> Hierarchy {
        let mut levels: Vec<HierarchyLevel> =
            (self.low..=self.high).map(|level| of.level(level).clone()).collect();
        if self.high < self.top {
            levels.push(of.level(self.top).clone());
        }
        Hierarchy::new(levels, of.domain_size()).expect("the levels of a hierarchy are nested")
    }

    /// Converts a level of the hierarchy of permitted levels into a level of the original
    /// hierarchy.
    fn level(self, of_these: usize) -> usize {
        if self.low + of_these > self.high { self.top } else { self.low + of_these }
    }
}

/// Replaces suppressed rows of a recoding with single suppressed cells; `None` if no row is
/// suppressed.
fn recoded(
    problem: &Problem<'_>,
    judge: &Judge<'_>,
    recoding: &Recoding,
    stop: &Stop<'_>,
) -> Result<Option<Recoding>, SearchError> {
    let table = problem.table;
    let tuples: Vec<u32> = (0u32..)
        .zip(&recoding.suppressed)
        .filter(|(_, suppressed)| **suppressed)
        .map(|(tuple, _)| tuple)
        .collect();
    if tuples.is_empty() || recoding.generalization.parts().is_some() {
        return Ok(None);
    }
    let allowed = AllowedLevels::for_recoding(problem, recoding);
    let mut starred = StarredRows {
        table,
        judge,
        hierarchies: &problem.policy.hierarchies,
        retained: RetainedClasses::new(problem, recoding),
        classes: BTreeMap::new(),
        allowed,
    };
    let formed = starred.formed(problem, &tuples, stop.observer)?;
    let all = starred.all_starred(&tuples);
    let mut order: Vec<usize> = (0..starred.allowed.len()).collect();
    order.sort_by(|&a, &b| problem.weights[b].total_cmp(&problem.weights[a]).then(a.cmp(&b)));
    let mut starts = vec![(&formed, order.clone())];
    if tuples.len() <= MOST_STARTED_AGAIN {
        // The first restored column determines which others can be restored, so try each column
        // first.
        starts.extend((0..order.len()).map(|first| {
            let mut order = order.clone();
            let first = order.remove(first);
            order.insert(0, first);
            (&all, order)
        }));
    }
    let mut best: Option<(f64, BTreeMap<Pattern, Class>)> = None;
    for (start, order) in starts {
        if best.is_some() && stop.is_requested() {
            break;
        }
        starred.classes.clear();
        for (tuple, pattern) in start {
            let class = starred.classes.entry(pattern.clone()).or_default();
            class.add(judge, *tuple, judge.rows(*tuple));
        }
        while !stop.is_requested() && starred.restore(&order, stop) {}
        let cost = starred.cost(&problem.weights);
        if best.as_ref().is_none_or(|(least, _)| cost < least - LEAST_GAIN) {
            best = Some((cost, std::mem::take(&mut starred.classes)));
        }
    }
    starred.classes = best.map(|(_, classes)| classes).unwrap_or_default();
    if stop.observer.is_cancelled() {
        return Err(SearchError::Cancelled);
    }
    Ok(Some(starred.complete(recoding)))
}
