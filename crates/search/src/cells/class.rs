//! The released values of the rows in each class.

use std::collections::BTreeMap;

use indistinct_core::recoding::ClassColumn;
use indistinct_core::{Cell, Generalization, Recoding};
use rustc_hash::FxHashMap;

use super::Pattern;
use crate::Problem;
use crate::multidimensional::judge::{Judge, Tally};

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
        // If a column distinguishes classes, no class can be joined.
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
