//! Forms classes of the suppressed rows, restores single cells, and combines these classes with the
//! other classes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use indistinct_core::loss::{self, Form};
use indistinct_core::recoding::ClassColumn;
use indistinct_core::{
    Cell, FrequencyTable, Generalization, Hierarchy, Observer, Part, Policy, Rational, Recoding,
    SuppressionRule,
};
use rustc_hash::FxHashMap;

use super::{AllowedLevels, Pattern};
use crate::multidimensional::Multidimensional;
use crate::multidimensional::judge::{Judge, Tally};
use crate::released::{self, subset};
use crate::stop::Stop;
use crate::{Outcome, Problem, Search, SearchError};

/// A tuple, the number of its rows, and their class.
type PlacedTuple = (u32, u64, u32);

/// The suppressed rows, grouped by their released values.
pub(super) struct StarredRows<'a> {
    pub table: &'a FrequencyTable,
    pub judge: &'a Judge<'a>,
    pub hierarchies: &'a [Hierarchy],
    pub allowed: Vec<AllowedLevels>,
    pub retained: RetainedClasses,
    pub classes: BTreeMap<Pattern, Class>,
}

impl StarredRows<'_> {
    fn label(&self, at: usize, level: usize, tuple: u32) -> u32 {
        let code = self.table.quasi_identifiers()[at].codes[tuple as usize];
        self.hierarchies[at].level(level).map[code as usize]
    }

    /// Returns all suppressed rows as one class, which satisfies the principles.
    pub fn all_starred(&self, tuples: &[u32]) -> Vec<(u32, Pattern)> {
        let pattern: Pattern = self.allowed.iter().map(|allowed| (allowed.top, 0)).collect();
        tuples.iter().map(|&tuple| (tuple, pattern.clone())).collect()
    }

    /// Returns the loss of the released values: the weighted fraction of other values that each
    /// released value also covers.
    pub fn cost(&self, weights: &[f64]) -> f64 {
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

    /// Forms classes of the suppressed rows as a separate table, in which `*` is an additional
    /// level.
    pub fn formed(
        &self,
        problem: &Problem<'_>,
        tuples: &[u32],
        observer: &dyn Observer,
    ) -> Result<Vec<(u32, Pattern)>, SearchError> {
        let part = |&tuple: &u32| Part { tuple, rows: self.judge.rows(tuple) };
        let table = subset(self.table, &tuples.iter().map(part).collect::<Vec<_>>());
        let allowed = self.allowed.iter().zip(self.hierarchies);
        let policy = Policy {
            hierarchies: allowed.map(|(allowed, of)| allowed.hierarchy(of)).collect(),
            requirements: problem.policy.requirements.clone(),
            suppression_limit: Rational::from_integer(0),
            suppressed: SuppressionRule::Dropped,
            published: ClassColumn::Absent,
        };
        let objective = match problem.objective.form {
            Form::Cells(_) => problem.objective,
            // Other objectives do not define the cost of a cell.
            _ => loss::find("loss").expect("the registry contains `loss`"),
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
            // If all cells are `*`, the rows satisfy the principles.
            _ => return Ok(self.all_starred(tuples)),
        };
        let Generalization::Classes(classes) = found else { return Ok(self.all_starred(tuples)) };
        let pattern = |class: u32| -> Pattern {
            let cells = classes.cells.of_class(class as usize).zip(&self.allowed);
            cells
                .map(|(cell, allowed)| match cell {
                    Cell::Label { level, label } => (allowed.level(*level), *label),
                    Cell::Range { .. } | Cell::Set(_) | Cell::Generated { .. } => (allowed.top, 0),
                })
                .collect()
        };
        // If merging preserves the principles, tuples are not divided.
        Ok(tuples.iter().zip(&classes.class_of).map(|(&it, &class)| (it, pattern(class))).collect())
    }

    /// Restores cells where possible, once for each class. Returns whether any cell was restored.
    pub fn restore(&mut self, order: &[usize], stop: &Stop<'_>) -> bool {
        let mut is_changed = false;
        let patterns: Vec<Pattern> = self.classes.keys().cloned().collect();
        for pattern in patterns {
            if stop.is_requested() {
                return is_changed;
            }
            for &at in order {
                let AllowedLevels { low, high, .. } = self.allowed[at];
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

    /// Releases as many of the given rows of a class as possible with other values. Returns whether
    /// any row was changed.
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

    /// Moves rows to other released values, if both classes then satisfy the principles or the
    /// first class becomes empty.
    fn carry(&mut self, from: &Pattern, to: &Pattern, rows: &[(u32, u64)]) -> bool {
        let judge = self.judge;
        let n: u64 = rows.iter().map(|row| row.1).sum();
        let Some(source) = self.classes.get(from) else { return false };
        let target = self.classes.get(to);
        let n_there = target.map_or(0, |it| it.size) + self.retained.size(judge, to);
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
            && self.holds_with_retained(&target, to);
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

    /// Returns whether a class satisfies the principles together with the unsuppressed rows that
    /// have the same released values.
    fn holds_with_retained(&self, class: &Class, pattern: &Pattern) -> bool {
        let (mut tally, mut size) = (Cow::Borrowed(&class.tally), class.size);
        for tuple in self.retained.of_pattern(pattern) {
            let rows = self.judge.rows(tuple);
            self.judge.add(tally.to_mut(), tuple, rows);
            size += rows;
        }
        self.judge.holds(size, &tally)
    }

    /// Returns the recoding that combines these classes with the classes of the unsuppressed rows.
    pub fn complete(&self, recoding: &Recoding) -> Recoding {
        let retained = |tuple: &u32| !recoding.suppressed[*tuple as usize];
        let all = (0..self.table.n_tuples() as u32).filter(retained);
        let (mut placed, mut cells): (Vec<PlacedTuple>, Vec<Vec<Cell>>) = match &recoding
            .generalization
        {
            Generalization::Classes(classes) => {
                let class = |tuple: u32| classes.class_of[tuple as usize];
                let placed = all.map(|tuple| (tuple, self.judge.rows(tuple), class(tuple)));
                (placed.collect(), classes.cells.rows().collect())
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
        let part = |&(tuple, rows, class): &PlacedTuple| (Part { tuple, rows }, Some(class));
        let cells = cells.into_iter().collect();
        let mut all = released::recoding(self.table, placed.iter().map(part), cells);
        if let Generalization::Classes(classes) = &mut all.generalization {
            classes.highest = Some(self.allowed.iter().map(|allowed| allowed.high).collect());
        }
        Recoding { sensitive: recoding.sensitive.clone(), ..all }
    }
}

/// A set of rows with equal released values.
#[derive(Debug, Clone, Default)]
pub(super) struct Class {
    /// Number of rows of each tuple.
    pub rows: BTreeMap<u32, u64>,
    pub tally: Tally,
    pub size: u64,
}

impl Class {
    pub fn add(&mut self, judge: &Judge<'_>, tuple: u32, rows: u64) {
        *self.rows.entry(tuple).or_default() += rows;
        judge.add(&mut self.tally, tuple, rows);
        self.size += rows;
    }

    pub fn remove(&mut self, judge: &Judge<'_>, tuple: u32, rows: u64) {
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

/// Classes of rows that were not suppressed, which suppressed rows may join.
#[derive(Debug, Default)]
pub(super) struct RetainedClasses {
    class_of: FxHashMap<Pattern, Vec<u32>>,
    tuples: Vec<Vec<u32>>,
}

impl RetainedClasses {
    /// Collects the retained classes. In a full-domain recoding, a fully restored row has the
    /// labels of its original class, which is not a retained class, so the result is empty.
    pub fn new(problem: &Problem<'_>, recoding: &Recoding) -> Self {
        let Generalization::Classes(classes) = &recoding.generalization else {
            return Self::default();
        };
        // If the release has a class column, suppressed rows cannot join other classes.
        if problem.policy.published == ClassColumn::Published {
            return Self::default();
        }
        let mut retained =
            Self { tuples: vec![Vec::new(); classes.cells.n_classes()], ..Self::default() };
        let marks = classes.class_of.iter().zip(&recoding.suppressed);
        for (tuple, (&class, _)) in (0u32..).zip(marks).filter(|(_, (_, suppressed))| !**suppressed)
        {
            retained.tuples[class as usize].push(tuple);
        }
        let label = |cell: &Cell| match cell {
            Cell::Label { level, label } => Some((*level, *label)),
            Cell::Range { .. } | Cell::Set(_) | Cell::Generated { .. } => None,
        };
        for class in 0..classes.cells.n_classes() as u32 {
            let cells = classes.cells.of_class(class as usize);
            if let Some(pattern) = cells.map(label).collect::<Option<Pattern>>() {
                retained.class_of.entry(pattern).or_default().push(class);
            }
        }
        retained
    }

    pub fn size(&self, judge: &Judge<'_>, pattern: &Pattern) -> u64 {
        self.of_pattern(pattern).map(|tuple| judge.rows(tuple)).sum()
    }

    pub fn of_pattern(&self, pattern: &Pattern) -> impl Iterator<Item = u32> + '_ {
        let classes = self.class_of.get(pattern).into_iter().flatten();
        classes.flat_map(|&class| self.tuples[class as usize].iter().copied())
    }
}
