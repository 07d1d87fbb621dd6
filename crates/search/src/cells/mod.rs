//! Single cells in place of whole rows: `suppression = "star-cells"`.
//!
//! A search suppresses rows as if they were starred: the class of all of them holds. Then only those of their cells stay `*` that
//! stand in the way. `*` is a value like others (reading S-1): classes are the rows with equal released values, as anywhere, so
//! that what the certifier judges is what an adversary sees.
//!
//! **Search.** The suppressed rows are a table of their own, in which each attribute has the levels that it may have, and `*`. Classes
//! of it are searched as for `method = "multidimensional"`, where a `*` costs what the attribute's weight says. Then cells are
//! restored one by one, for as many rows of a class as can be, until no single one can
//! (test `no_single_suppressed_cell_can_be_restored`). Never worse than starred rows; not proved to be the least.
//! **Only** where merging keeps all principles, and not for principles on populations.
//! **Complexity.** That of the search on the suppressed rows, and O(suppressed rows * attributes * levels) for each pass.
//! **Source.** Local suppression, as in Hundepool et al., Statistical Disclosure Control, 2012, 3.2.4; k-anonymity with `*` as a value:
//! Samarati, TKDE 2001, 4.2.

mod class;
mod starred;

use std::collections::BTreeMap;
use std::time::Instant;

use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::loss::Form;
use indistinct_core::{
    Generalization, Hierarchy, Nearest, Observer, Optimality, Recoding, SuppressionRule,
};

use self::class::{Class, RetainedClasses};
use self::starred::StarredRows;
use crate::multidimensional::judge::Judge;
use crate::single_rows::{Recodes, with_single_rows};
use crate::stop::Stop;
use crate::{FoundRecoding, Outcome, Problem, Search, SearchError};

/// Searches; single rows are suppressed where whole classes are too many, and where the policy asks for it, single cells in the
/// place of rows. Then the answer is a heuristic one, and what was to be least is not stated.
///
/// # Errors
/// As [`Search::search`]; where single cells are asked for, also [`SearchError::NotPreservedByMerging`], [`SearchError::CountsPopulation`] and
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
    if let Some(kind) = judge.on_population {
        return Err(SearchError::CountsPopulation { kind });
    }
    if let Some(kind) = judge.broken_by_merging() {
        return Err(SearchError::NotPreservedByMerging { kind });
    }
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
    // Of single cells nothing is proved.
    let optimality = match found.optimality.is_stopped() || stop.has_struck() {
        true => Optimality::STOPPED,
        false => Optimality::Heuristic,
    };
    Ok(Outcome::Found(Box::new(FoundRecoding { optimality, objective: None, ..*found })))
}

/// Up to so many suppressed tuples, cells are restored from several starts.
const MOST_STARTED_AGAIN: usize = 2_000;
/// Gains below this are rounding.
const LEAST_GAIN: f64 = 1e-9;

/// The released values of a class: for each attribute a level and a label.
type Pattern = Vec<(usize, u32)>;

/// The levels that an attribute may have where it is not suppressed; the lowest and the highest.
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

    /// The allowed levels of a hierarchy, and what covers all.
    fn hierarchy(self, of: &Hierarchy) -> Hierarchy {
        let mut levels: Vec<HierarchyLevel> =
            (self.low..=self.high).map(|level| of.level(level).clone()).collect();
        if self.high < self.top {
            levels.push(of.level(self.top).clone());
        }
        Hierarchy::new(levels, of.domain_size()).expect("levels of a hierarchy are nested")
    }

    /// The level that a level of such a hierarchy was.
    fn level(self, of_these: usize) -> usize {
        if self.low + of_these > self.high { self.top } else { self.low + of_these }
    }
}

/// The same recoding with single suppressed cells in place of rows; `None` where no row is suppressed.
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
        // Which column is restored first decides which others can be.
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
