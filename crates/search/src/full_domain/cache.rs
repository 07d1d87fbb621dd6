//! A bounded store of the classes of evaluated nodes, from which those of more general ones are merged.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::classes::ClassTable;
use super::lattice::is_above_or_equal;

/// Memory for class tables, apart from the table's own.
const MAX_BYTES: usize = 128 << 20;
/// How many of the latest are looked through for one that lies anywhere below a node.
const MAX_SCANNED: usize = 384;

/// Whether a source must have its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Sizes,
    Contents,
}

/// The classes of the rows' own table, and those of some nodes.
#[derive(Debug)]
pub(super) struct Cache<const N: usize> {
    base: ClassTable<N>,
    /// The oldest first.
    tables: VecDeque<ClassTable<N>>,
    /// For each node how many tables had been added before its own.
    added_before: FxHashMap<Vec<usize>, usize>,
    n_removed: usize,
    n_bytes: usize,
}

impl<const N: usize> Cache<N> {
    pub fn new(base: ClassTable<N>) -> Self {
        Self {
            base,
            tables: VecDeque::new(),
            added_before: FxHashMap::default(),
            n_removed: 0,
            n_bytes: 0,
        }
    }

    pub fn base(&self) -> &ClassTable<N> {
        &self.base
    }

    /// A table with few classes from which those of a node can be merged: the smallest of the nodes one step below and of
    /// the latest ones anywhere below.
    pub fn source(&self, levels: &[usize], need: Need) -> &ClassTable<N> {
        let below = |attribute: usize| {
            let mut below = levels.to_vec();
            below[attribute] = below[attribute].checked_sub(1)?;
            self.added_before.get(&below)
        };
        let one_below =
            (0..levels.len()).filter_map(below).map(|at| &self.tables[at - self.n_removed]);
        let latest = self.tables.iter().rev().take(MAX_SCANNED);
        one_below
            .chain(latest.filter(|table| is_above_or_equal(levels, &table.levels)))
            .filter(|table| need == Need::Sizes || table.contents.is_some())
            .min_by_key(|table| table.sizes.len())
            .unwrap_or(&self.base)
    }

    /// Adds the table of a node; the oldest ones make place for it.
    pub fn add(&mut self, table: ClassTable<N>) {
        let n_bytes = table.n_bytes();
        if n_bytes > MAX_BYTES / 4 {
            return;
        }
        self.n_bytes += n_bytes;
        while self.n_bytes > MAX_BYTES {
            let Some(oldest) = self.tables.pop_front() else { break };
            self.n_bytes -= oldest.n_bytes();
            if self.added_before.get(&oldest.levels) == Some(&self.n_removed) {
                self.added_before.remove(&oldest.levels);
            }
            self.n_removed += 1;
        }
        self.added_before.insert(table.levels.clone(), self.n_removed + self.tables.len());
        self.tables.push_back(table);
    }
}
