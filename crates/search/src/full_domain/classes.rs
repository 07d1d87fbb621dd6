//! The classes of a node, which can be merged into the classes of a more general node.
//!
//! A bounded cache stores the classes of evaluated nodes. The classes of more general nodes are
//! merged from cached classes.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::histograms::{Histograms, Shape};
use super::keys::{Key, Remap};
use super::lattice::is_above_or_equal;

/// The classes of a node.
#[derive(Debug)]
pub(super) struct ClassTable<const N: usize> {
    /// The node.
    pub levels: Vec<usize>,
    /// The labels of each class. In the base table, which contains the rows, labels may repeat.
    pub keys: Vec<Key<N>>,
    /// Number of rows of each class.
    pub sizes: Vec<u64>,
    /// The input for the principles, or `None` if the class sizes alone were sufficient to reject
    /// the node.
    pub contents: Option<Contents>,
}

/// The contents of the classes of a node.
#[derive(Debug)]
pub(super) struct Contents {
    /// One entry for each sensitive attribute that a principle depends on, followed by the
    /// histograms of combinations if any principle depends on them.
    pub histograms: Vec<Histograms>,
    /// For each class, whether all merge-preserved principles are known to hold.
    pub keeps: Vec<bool>,
}

/// Buffers that are reused between evaluations.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// For each class of the source, the class that it is merged into.
    pub class_of: Vec<u32>,
    slots: Vec<u32>,
}

/// The classes without their contents.
#[derive(Debug)]
pub(super) struct Grouping<const N: usize> {
    pub keys: Vec<Key<N>>,
    pub sizes: Vec<u64>,
}

const EMPTY: u32 = u32::MAX;
/// An odd number without a regular bit pattern: 2^64 divided by the golden ratio.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline]
fn hash<const N: usize>(key: &Key<N>) -> u64 {
    let mut hash = 0u64;
    for &word in key {
        let product = u128::from(hash ^ word) * u128::from(MULTIPLIER);
        hash = (product >> 64) as u64 ^ product as u64;
    }
    hash
}

impl Scratch {
    /// Groups the classes of `source` by their labels at a higher node, and fills `class_of`.
    pub fn group<const N: usize>(
        &mut self,
        source: &ClassTable<N>,
        remap: &Remap<'_, N>,
    ) -> Grouping<N> {
        let n_slots = (2 * source.keys.len()).next_power_of_two().max(2);
        self.slots.clear();
        self.slots.resize(n_slots, EMPTY);
        self.class_of.clear();
        self.class_of.reserve(source.keys.len());
        let likely = source.keys.len() / 2 + 16;
        let mut keys: Vec<Key<N>> = Vec::with_capacity(likely);
        let mut sizes: Vec<u64> = Vec::with_capacity(likely);
        for (key, &size) in source.keys.iter().zip(&source.sizes) {
            let key = remap.apply(key);
            let mut slot = hash(&key) as usize & (n_slots - 1);
            let class = loop {
                let class = self.slots[slot];
                if class == EMPTY {
                    let class = keys.len() as u32;
                    self.slots[slot] = class;
                    keys.push(key);
                    sizes.push(size);
                    break class;
                }
                if keys[class as usize] == key {
                    sizes[class as usize] += size;
                    break class;
                }
                slot = (slot + 1) & (n_slots - 1);
            };
            self.class_of.push(class);
        }
        keys.shrink_to_fit();
        sizes.shrink_to_fit();
        Grouping { keys, sizes }
    }

    /// Fills `class_of` for another source of the same node.
    pub fn assign<const N: usize>(
        &mut self,
        source: &ClassTable<N>,
        remap: &Remap<'_, N>,
        grouping: &Grouping<N>,
    ) {
        let n_slots = self.slots.len();
        self.class_of.clear();
        for key in &source.keys {
            let key = remap.apply(key);
            let mut slot = hash(&key) as usize & (n_slots - 1);
            while grouping.keys[self.slots[slot] as usize] != key {
                slot = (slot + 1) & (n_slots - 1);
            }
            self.class_of.push(self.slots[slot]);
        }
    }

    /// Merges the contents of the source classes according to `class_of`.
    pub fn merge(&self, source: &Contents, n_classes: usize, shapes: &[Shape]) -> Contents {
        let histograms = source
            .histograms
            .iter()
            .zip(shapes)
            .map(|(histograms, shape)| histograms.merged(&self.class_of, n_classes, shape))
            .collect();
        let mut keeps = vec![true; n_classes];
        for (&class, &retained) in self.class_of.iter().zip(&source.keeps) {
            keeps[class as usize] &= retained;
        }
        Contents { histograms, keeps }
    }
}

impl<const N: usize> ClassTable<N> {
    /// Returns the approximate memory in bytes.
    pub fn n_bytes(&self) -> usize {
        let contents = self.contents.as_ref().map_or(0, |contents| {
            contents.keeps.len()
                + contents.histograms.iter().map(Histograms::n_bytes).sum::<usize>()
        });
        self.keys.len() * (N + 1) * size_of::<u64>() + contents
    }
}

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
