//! A bounded cache of the classes of evaluated nodes. The classes of more general nodes are merged
//! from cached classes.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::classes::ClassTable;
use super::lattice::is_above_or_equal;

/// Maximum memory for class tables, excluding the base table.
const MAX_BYTES: usize = 128 << 20;
/// Number of recent tables that are scanned for a node below a given node.
const MAX_SCANNED: usize = 384;

/// Whether a source table must include the contents of its classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Sizes,
    Contents,
}

/// The base table, which contains the rows, and the class tables of some nodes.
#[derive(Debug)]
pub(super) struct Cache<const N: usize> {
    base: ClassTable<N>,
    /// The class tables, the oldest first.
    tables: VecDeque<ClassTable<N>>,
    /// For each cached node, the number of tables that were added earlier.
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

    /// Returns the smallest class table from which the classes of a node can be merged, among the
    /// nodes one step below and the most recent nodes anywhere below.
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

    /// Adds the table of a node, and evicts the oldest tables if necessary.
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
