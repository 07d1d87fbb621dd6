//! Single cells in the place of whole rows: `suppressed = "cells"`.
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

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Instant;

use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::loss::{self, Form};
use indistinct_core::model::CountedColumn;
use indistinct_core::recoding::ClassColumn;
use indistinct_core::{
    Cell, Classes, FrequencyTable, Generalization, Hierarchy, Observer, Part, Policy, Rational,
    Recoding, Suppressed,
};
use rustc_hash::FxHashMap;

use crate::multidimensional::Multidimensional;
use crate::multidimensional::judge::{Judge, Tally};
use crate::single_rows::{Recodes, with_single_rows};
use crate::stop::Stop;
use crate::{Found, Nearest, Outcome, Problem, Quality, Search, SearchError};

/// Searches; single rows are suppressed where whole classes are too many, and where the policy asks for it, single cells in the
/// place of rows. Then the answer is a heuristic one, and what was to be least is not stated.
///
/// # Errors
/// As [`Search::search`]; where single cells are asked for, also [`SearchError::NotKeptByMerging`], [`SearchError::CountsPopulation`] and
/// [`SearchError::NoObjectiveOfClasses`].
pub fn with_suppression<S: Search<Nearest = Nearest>>(
    search: &S,
    problem: &Problem<'_>,
    observer: &dyn Observer,
) -> Result<Outcome<S::Proposal>, SearchError>
where
    S::Proposal: Recodes,
{
    if problem.policy.suppressed != Suppressed::Cells {
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
        return Err(SearchError::NotKeptByMerging { kind });
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
    let was_stopped = matches!(found.quality, Quality::CutShort | Quality::Within { .. });
    let quality = match was_stopped || stop.has_struck() {
        true => Quality::CutShort,
        false => Quality::Heuristic,
    };
    Ok(Outcome::Found(Box::new(Found { quality, objective: None, ..*found })))
}

/// Up to so many suppressed tuples, cells are restored from several starts.
const MOST_STARTED_AGAIN: usize = 2_000;
/// Gains below this are rounding.
const LEAST_GAIN: f64 = 1e-9;

/// A tuple, how many of its rows, and their class.
type Placed = (u32, u64, u32);

/// The released values of a class: for each attribute a level and a label.
type Pattern = Vec<(usize, u32)>;

/// The levels that an attribute may have where it is not suppressed; the lowest and the highest.
#[derive(Debug, Clone, Copy)]
struct Allowed {
    low: usize,
    high: usize,
    top: usize,
}

impl Allowed {
    fn of(problem: &Problem<'_>, recoding: &Recoding) -> Vec<Self> {
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

/// The same recoding with single suppressed cells in the place of rows; `None` where no row is suppressed.
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
    let allowed = Allowed::of(problem, recoding);
    let mut starred = Starred {
        table,
        judge,
        hierarchies: &problem.policy.hierarchies,
        kept: Kept::of(problem, recoding),
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
        if best.is_some() && stop.asked() {
            break;
        }
        starred.classes.clear();
        for (tuple, pattern) in start {
            let class = starred.classes.entry(pattern.clone()).or_default();
            class.add(judge, *tuple, judge.rows(*tuple));
        }
        while !stop.asked() && starred.restore(&order, stop) {}
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

/// Some rows with equal released values.
#[derive(Debug, Clone, Default)]
struct Class {
    /// Rows of each tuple.
    rows: BTreeMap<u32, u64>,
    tally: Tally,
    size: u64,
}

impl Class {
    fn add(&mut self, judge: &Judge<'_>, tuple: u32, rows: u64) {
        *self.rows.entry(tuple).or_default() += rows;
        judge.add(&mut self.tally, tuple, rows);
        self.size += rows;
    }

    fn remove(&mut self, judge: &Judge<'_>, tuple: u32, rows: u64) {
        if let Some(left) = self.rows.get_mut(&tuple) {
            *left -= rows;
            if *left == 0 {
                self.rows.remove(&tuple);
            }
        }
        judge.remove(&mut self.tally, tuple, rows);
        self.size -= rows;
    }
}

/// Classes of rows that were not suppressed, which others may join.
#[derive(Debug, Default)]
struct Kept {
    class_of: FxHashMap<Pattern, Vec<u32>>,
    tuples: Vec<Vec<u32>>,
}

impl Kept {
    /// With one level for each attribute, a row without a suppressed cell is in a class of its own labels, which is none of these.
    fn of(problem: &Problem<'_>, recoding: &Recoding) -> Self {
        let Generalization::Classes(classes) = &recoding.generalization else {
            return Self::default();
        };
        // Where a column tells classes apart, no class can be joined.
        if problem.policy.published == ClassColumn::Published {
            return Self::default();
        }
        let mut kept = Self { tuples: vec![Vec::new(); classes.cells.len()], ..Self::default() };
        let marks = classes.class_of.iter().zip(&recoding.suppressed);
        for (tuple, (&class, _)) in (0u32..).zip(marks).filter(|(_, (_, suppressed))| !**suppressed)
        {
            kept.tuples[class as usize].push(tuple);
        }
        let label = |cell: &Cell| match cell {
            Cell::Label { level, label } => Some((*level, *label)),
            Cell::Range { .. } | Cell::Set(_) | Cell::Made { .. } => None,
        };
        for (class, cells) in (0u32..).zip(&classes.cells) {
            if let Some(pattern) = cells.iter().map(label).collect::<Option<Pattern>>() {
                kept.class_of.entry(pattern).or_default().push(class);
            }
        }
        kept
    }

    fn size(&self, judge: &Judge<'_>, pattern: &Pattern) -> u64 {
        self.of_pattern(pattern).map(|tuple| judge.rows(tuple)).sum()
    }

    fn of_pattern(&self, pattern: &Pattern) -> impl Iterator<Item = u32> + '_ {
        let classes = self.class_of.get(pattern).into_iter().flatten();
        classes.flat_map(|&class| self.tuples[class as usize].iter().copied())
    }
}

/// The rows that are suppressed, by what is released of them.
struct Starred<'a> {
    table: &'a FrequencyTable,
    judge: &'a Judge<'a>,
    hierarchies: &'a [Hierarchy],
    allowed: Vec<Allowed>,
    kept: Kept,
    classes: BTreeMap<Pattern, Class>,
}

impl Starred<'_> {
    fn label(&self, at: usize, level: usize, tuple: u32) -> u32 {
        let code = self.table.quasi_identifiers()[at].codes[tuple as usize];
        self.hierarchies[at].level(level).map[code as usize]
    }

    /// All suppressed rows as one class, which holds.
    fn all_starred(&self, tuples: &[u32]) -> Vec<(u32, Pattern)> {
        let pattern: Pattern = self.allowed.iter().map(|allowed| (allowed.top, 0)).collect();
        tuples.iter().map(|&tuple| (tuple, pattern.clone())).collect()
    }

    /// What the released values lose: of each the share of the others that it covers as well, by weight.
    fn cost(&self, weights: &[f64]) -> f64 {
        let of_value = |at: usize, (level, label): (usize, u32)| {
            let hierarchy = &self.hierarchies[at];
            let others = hierarchy.level(level).covered[label as usize].saturating_sub(1);
            weights[at] * others as f64 / hierarchy.domain_size().saturating_sub(1).max(1) as f64
        };
        let of_pattern = |pattern: &Pattern| -> f64 {
            pattern.iter().enumerate().map(|(at, &value)| of_value(at, value)).sum()
        };
        self.classes.iter().map(|(pattern, class)| class.size as f64 * of_pattern(pattern)).sum()
    }

    /// Classes of the suppressed rows as a table of their own, in which `*` is one level more.
    fn formed(
        &self,
        problem: &Problem<'_>,
        tuples: &[u32],
        observer: &dyn Observer,
    ) -> Result<Vec<(u32, Pattern)>, SearchError> {
        let column = |column: &CountedColumn| CountedColumn {
            codes: tuples.iter().map(|&tuple| column.codes[tuple as usize]).collect(),
            ..column.clone()
        };
        let columns = |of: &[CountedColumn]| of.iter().map(column).collect::<Vec<_>>();
        let known = columns(self.table.quasi_identifiers());
        let sensitive = columns(self.table.sensitive());
        let counts = tuples.iter().map(|&tuple| self.judge.rows(tuple)).collect();
        let table = FrequencyTable::new(known, sensitive, counts);
        let table = table.expect("a part of a table is one");
        let allowed = self.allowed.iter().zip(self.hierarchies);
        let policy = Policy {
            hierarchies: allowed.map(|(allowed, of)| allowed.hierarchy(of)).collect(),
            requirements: problem.policy.requirements.clone(),
            suppression_limit: Rational::from_integer(0),
            suppressed: Suppressed::Dropped,
            published: ClassColumn::Absent,
        };
        let objective = match problem.objective.form {
            Form::Cells(_) => problem.objective,
            // Others do not say what a cell costs.
            _ => loss::find("loss").expect("the registry has it"),
        };
        let of_these = Problem {
            objective,
            weights: problem.weights.clone(),
            time_limit: problem.time_limit,
            ..Problem::new(&table, &policy)
        };
        let search = Multidimensional::default();
        let found = match search.search(&of_these, observer) {
            Ok(Outcome::Found(found)) => found.proposal.generalization,
            Err(SearchError::Cancelled) if observer.is_cancelled() => {
                return Err(SearchError::Cancelled);
            }
            // Starred as a whole they hold.
            _ => return Ok(self.all_starred(tuples)),
        };
        let Generalization::Classes(classes) = found else { return Ok(self.all_starred(tuples)) };
        let pattern = |class: u32| -> Pattern {
            let cells = classes.cells[class as usize].iter().zip(&self.allowed);
            cells
                .map(|(cell, allowed)| match cell {
                    Cell::Label { level, label } => (allowed.level(*level), *label),
                    Cell::Range { .. } | Cell::Set(_) | Cell::Made { .. } => (allowed.top, 0),
                })
                .collect()
        };
        // Where merging keeps the principles, tuples stay whole.
        Ok(tuples.iter().zip(&classes.class_of).map(|(&it, &class)| (it, pattern(class))).collect())
    }

    /// Restores what can be restored, once for each class; whether anything was.
    fn restore(&mut self, order: &[usize], stop: &Stop<'_>) -> bool {
        let mut is_changed = false;
        let patterns: Vec<Pattern> = self.classes.keys().cloned().collect();
        for pattern in patterns {
            if stop.asked() {
                return is_changed;
            }
            for &at in order {
                let Allowed { low, high, .. } = self.allowed[at];
                if pattern[at].0 <= high {
                    continue;
                }
                for level in (low..=high).rev() {
                    let Some(class) = self.classes.get(&pattern) else { break };
                    let mut by_label: BTreeMap<u32, Vec<(u32, u64)>> = BTreeMap::new();
                    for (&tuple, &rows) in &class.rows {
                        let label = self.label(at, level, tuple);
                        by_label.entry(label).or_default().push((tuple, rows));
                    }
                    for (label, rows) in by_label {
                        let mut to = pattern.clone();
                        to[at] = (level, label);
                        is_changed |= self.lower(&pattern, &to, &rows);
                    }
                }
            }
        }
        is_changed
    }

    /// Releases as many of some rows of a class otherwise as can be; whether any.
    fn lower(&mut self, from: &Pattern, to: &Pattern, rows: &[(u32, u64)]) -> bool {
        if self.carry(from, to, rows) {
            return true;
        }
        let mut is_changed = false;
        for &(tuple, n) in rows {
            if self.carry(from, to, &[(tuple, n)]) {
                is_changed = true;
                continue;
            }
            let mut left = n;
            while left > 0 && self.carry(from, to, &[(tuple, 1)]) {
                is_changed = true;
                left -= 1;
            }
        }
        is_changed
    }

    /// Releases rows otherwise, if both classes hold then, or the first has none left.
    fn carry(&mut self, from: &Pattern, to: &Pattern, rows: &[(u32, u64)]) -> bool {
        let judge = self.judge;
        let n: u64 = rows.iter().map(|row| row.1).sum();
        let Some(source) = self.classes.get(from) else { return false };
        let target = self.classes.get(to);
        let n_there = target.map_or(0, |it| it.size) + self.kept.size(judge, to);
        let n_left = source.size - n;
        let is_too_small = |size: u64| size < judge.smallest_size;
        if is_too_small(n_there + n) || (n_left > 0 && is_too_small(n_left)) {
            return false;
        }
        let Some(mut source) = self.classes.remove(from) else { return false };
        let mut target = self.classes.remove(to).unwrap_or_default();
        for &(tuple, rows) in rows {
            source.remove(judge, tuple, rows);
            target.add(judge, tuple, rows);
        }
        let holds = (source.size == 0 || judge.holds(source.size, &source.tally))
            && self.holds_with_kept(&target, to);
        if !holds {
            for &(tuple, rows) in rows {
                target.remove(judge, tuple, rows);
                source.add(judge, tuple, rows);
            }
        }
        for (pattern, class) in [(from, source), (to, target)] {
            if class.size > 0 {
                self.classes.insert(pattern.clone(), class);
            }
        }
        holds
    }

    /// Whether a class holds with the rows that are released alike without being suppressed.
    fn holds_with_kept(&self, class: &Class, pattern: &Pattern) -> bool {
        let (mut tally, mut size) = (Cow::Borrowed(&class.tally), class.size);
        for tuple in self.kept.of_pattern(pattern) {
            let rows = self.judge.rows(tuple);
            self.judge.add(tally.to_mut(), tuple, rows);
            size += rows;
        }
        self.judge.holds(size, &tally)
    }

    /// The recoding with these classes beside those of rows that were not suppressed.
    fn complete(&self, recoding: &Recoding) -> Recoding {
        let kept = |tuple: &u32| !recoding.suppressed[*tuple as usize];
        let all = (0..self.table.n_tuples() as u32).filter(kept);
        let (mut placed, mut cells): (Vec<Placed>, Vec<Vec<Cell>>) = match &recoding.generalization
        {
            Generalization::Classes(classes) => {
                let class = |tuple: u32| classes.class_of[tuple as usize];
                let placed = all.map(|tuple| (tuple, self.judge.rows(tuple), class(tuple)));
                (placed.collect(), classes.cells.clone())
            }
            Generalization::FullDomain { levels, .. } => {
                let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
                let mut cells = Vec::new();
                let placed = all.map(|tuple| {
                    let labels = levels.iter().enumerate();
                    let labels: Vec<u32> =
                        labels.map(|(at, &level)| self.label(at, level, tuple)).collect();
                    let class = *known.entry(labels).or_insert_with_key(|labels| {
                        let labels = levels.iter().zip(labels);
                        let cell = |(&level, &label): (&usize, &u32)| Cell::Label { level, label };
                        cells.push(labels.map(cell).collect());
                        cells.len() as u32 - 1
                    });
                    (tuple, self.judge.rows(tuple), class)
                });
                (placed.collect(), cells)
            }
        };
        for (pattern, class) in &self.classes {
            let number = cells.len() as u32;
            placed.extend(class.rows.iter().map(|(&tuple, &rows)| (tuple, rows, number)));
            cells
                .push(pattern.iter().map(|&(level, label)| Cell::Label { level, label }).collect());
        }
        placed.sort_unstable_by_key(|&(tuple, _, class)| (tuple, class));
        let is_divided = placed.windows(2).any(|pair| pair[0].0 == pair[1].0);
        let part = |&(tuple, rows, _): &Placed| Part { tuple, rows };
        let classes = Classes {
            parts: is_divided.then(|| placed.iter().map(part).collect()),
            class_of: placed.iter().map(|it| it.2).collect(),
            cells,
            highest: Some(self.allowed.iter().map(|allowed| allowed.high).collect()),
        };
        Recoding {
            generalization: Generalization::Classes(classes),
            suppressed: vec![false; placed.len()],
            sensitive: recoding.sensitive.clone(),
        }
    }
}
