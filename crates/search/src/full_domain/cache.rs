//! A bounded store of the classes of evaluated nodes, from which those of more general ones are merged.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::classes::ClassTable;
use super::lattice::{Lattice, NodeId, is_above_or_equal};

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
    tables: VecDeque<(NodeId, ClassTable<N>)>,
    /// For each node how many tables had been added before its own.
    added_before: FxHashMap<NodeId, usize>,
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

    /// A table with few classes from which those of a node can be merged: the smallest of the nodes one step below, or
    /// else of the latest ones anywhere below.
    pub fn source(
        &self,
        lattice: &Lattice,
        node: NodeId,
        levels: &[usize],
        need: Need,
    ) -> &ClassTable<N> {
        let one_below = (0..levels.len())
            .filter_map(|attribute| lattice.below(node, levels, attribute))
            .filter_map(|below| self.added_before.get(&below))
            .map(|at| &self.tables[at - self.n_removed].1);
        let latest = || self.tables.iter().rev().take(MAX_SCANNED).map(|(_, table)| table);
        let has_it = |table: &&ClassTable<N>| need == Need::Sizes || table.contents.is_some();
        one_below
            .filter(has_it)
            .min_by_key(|table| table.sizes.len())
            .or_else(|| {
                latest()
                    .filter(has_it)
                    
                    .min_by_key(|table| table.sizes.len())
            })
            .unwrap_or(&self.base)
    }

    /// Adds the table of a node; the oldest ones make place for it.
    pub fn add(&mut self, node: NodeId, table: ClassTable<N>) {
        let n_bytes = table.n_bytes();
        if n_bytes > MAX_BYTES / 4 {
            return;
        }
        self.n_bytes += n_bytes;
        while self.n_bytes > MAX_BYTES {
            let Some((oldest, table)) = self.tables.pop_front() else { break };
            self.n_bytes -= table.n_bytes();
            if self.added_before.get(&oldest) == Some(&self.n_removed) {
                self.added_before.remove(&oldest);
            }
            self.n_removed += 1;
        }
        self.added_before.insert(node, self.n_removed + self.tables.len());
        self.tables.push_back((node, table));
    }
}
