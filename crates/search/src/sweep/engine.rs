//! The sweep algorithm ((tau, l) paper, Figure 4).

use std::collections::BTreeMap;

use indistinct_core::Phase;
use indistinct_core::model::Taxonomy;
use rustc_hash::FxHashMap;

use super::rows::{LevelVector, SweptRows, level_information, level_vectors};
use super::shares::{Chooser, Piece, Pool, Shares, Tally, Whole};
use crate::SearchError;
use crate::stop::Stop;

/// A class that the `sweep` method forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SweptClass {
    /// The released node of each quasi-identifier.
    pub nodes: Vec<u32>,
    /// The rows with their released sensitive values, ordered by unit.
    pub pieces: Vec<Piece>,
}

/// The result of the sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SweepResult {
    /// The classes that satisfy the requirement.
    pub classes: Vec<SweptClass>,
    /// The rows that are in no satisfying class within the level bounds of their attributes.
    pub rest: Vec<Piece>,
}

/// Rows with equal base values, which are swept together but may be separated.
#[derive(Debug)]
struct Group {
    signature: u32,
    open: Vec<Piece>,
    n_open: u64,
}

/// The first and last class of rows, as positions in the order of classes.
#[derive(Debug)]
struct Signature {
    base: Vec<u32>,
    top: Vec<u32>,
    start: usize,
    end: usize,
}

/// A class that satisfies the requirement.
#[derive(Debug)]
struct ClosedClass {
    class: SweptClass,
    /// The key of the last class that the rows of this class could reach.
    end: u128,
}

/// A class of an item.
#[derive(Debug)]
struct Candidate {
    key: u128,
    n_rows: u64,
    /// The position of the class among those that are large enough.
    place: u32,
}

/// Buffers that are reused for every item.
#[derive(Debug, Default)]
struct Scratch {
    class_of_key: FxHashMap<u128, u32>,
    classes: Vec<Candidate>,
    class_of: Vec<u32>,
    /// The key and the groups of each class that is large enough.
    members: Vec<(u128, Vec<u32>)>,
}

/// The sweep of some rows.
pub(super) struct Engine<'a, T> {
    rows: &'a SweptRows<'a>,
    shares: &'a Shares<T>,
    /// The size below which every class violates a requirement.
    smallest_size: u64,
    vectors: Vec<LevelVector>,
    /// The node for each attribute, depth, and code, shifted to its position in a key.
    keys: Vec<Vec<Vec<u128>>>,
    /// The position and the number of bits of each attribute in a key.
    places: Vec<(u32, u32)>,
    /// The unit that represents the codes of each group.
    first_unit: Vec<u32>,
    /// The codes of each group, one group after the other.
    codes: Vec<u32>,
    /// Maximum number of base values that a sensitive value induces.
    most_induced: u64,
    groups: Vec<Group>,
    signatures: Vec<Signature>,
}

impl<'a, T: Whole> Engine<'a, T> {
    pub fn new(
        rows: &'a SweptRows<'a>,
        shares: &'a Shares<T>,
        smallest_size: u64,
    ) -> Result<Self, SearchError> {
        let attributes = &rows.quasi_identifiers;
        let information: Vec<Vec<f64>> = attributes
            .iter()
            .map(|attribute| level_information(attribute.taxonomy, &rows.weights_of(attribute)))
            .collect();
        let vectors = level_vectors(&information)?;
        let mut places = Vec::new();
        let mut used = 0;
        for attribute in attributes {
            let bits = usize::BITS - attribute.taxonomy.n_nodes().leading_zeros();
            places.push((used, bits));
            used += bits;
        }
        if used > u128::BITS {
            return Err(SearchError::TooManyAttributes { n_attributes: attributes.len() });
        }
        let keys = attributes
            .iter()
            .zip(&information)
            .zip(&places)
            .map(|((attribute, levels), (shift, _))| {
                let paths = attribute.paths();
                let at = |path: &Vec<u32>, depth: usize| path[depth.min(path.len() - 1)];
                (0..levels.len())
                    .map(|depth| {
                        paths.iter().map(|path| u128::from(at(path, depth)) << shift).collect()
                    })
                    .collect()
            })
            .collect();
        let mut engine = Self {
            rows,
            shares,
            smallest_size,
            vectors,
            keys,
            places,
            first_unit: Vec::new(),
            codes: Vec::new(),
            most_induced: 1,
            groups: Vec::new(),
            signatures: Vec::new(),
        };
        engine.group(&information);
        Ok(engine)
    }

    fn code(&self, attribute: usize, unit: u32) -> usize {
        self.rows.quasi_identifiers[attribute].codes[unit as usize] as usize
    }

    /// Forms groups of consecutive units with equal codes.
    fn group(&mut self, information: &[Vec<f64>]) {
        let n_attributes = information.len();
        let rank = |levels: &[u32]| {
            let parts = levels.iter().zip(information);
            parts.fold(0, |rank, (&level, of)| rank * of.len() + level as usize)
        };
        let mut position = vec![0; self.vectors.len()];
        for (at, vector) in self.vectors.iter().enumerate() {
            position[rank(&vector.levels)] = at;
        }
        let mut known: FxHashMap<(Vec<u32>, Vec<u32>), u32> = FxHashMap::default();
        for unit in 0..self.rows.sensitive.len() as u32 {
            let is_same = |other: u32| {
                (0..n_attributes).all(|at| self.code(at, unit) == self.code(at, other))
            };
            if self.first_unit.last().is_some_and(|&first| is_same(first)) {
                continue;
            }
            let attributes = self.rows.quasi_identifiers.iter().enumerate();
            let (base, top): (Vec<u32>, Vec<u32>) = attributes
                .map(|(at, attribute)| {
                    let (code, depth) =
                        (self.code(at, unit), |node| attribute.taxonomy.depth(node));
                    (depth(attribute.base[code]), depth(attribute.top[code]))
                })
                .unzip();
            let next = self.signatures.len() as u32;
            let signature = *known.entry((base.clone(), top.clone())).or_insert(next);
            if signature == next {
                let (start, end) = (position[rank(&base)], position[rank(&top)]);
                self.signatures.push(Signature { base, top, start, end });
            }
            self.first_unit.push(unit);
            let attributes = &self.rows.quasi_identifiers;
            self.codes.extend(attributes.iter().map(|attribute| attribute.codes[unit as usize]));
            self.groups.push(Group { signature, open: Vec::new(), n_open: 0 });
        }
    }

    fn key(&self, group: u32, levels: &[u32]) -> u128 {
        let codes = &self.codes[group as usize * levels.len()..][..levels.len()];
        let parts = self.keys.iter().zip(levels).zip(codes);
        parts.fold(0, |key, ((by_depth, &depth), &code)| {
            key | by_depth[depth as usize][code as usize]
        })
    }

    fn nodes(&self, key: u128) -> Vec<u32> {
        let part = |&(shift, bits): &(u32, u32)| ((key >> shift) & ((1 << bits) - 1)) as u32;
        self.places.iter().map(part).collect()
    }

    fn end_of(&self, group: u32) -> u128 {
        let signature = &self.signatures[self.groups[group as usize].signature as usize];
        self.key(group, &signature.top)
    }

    /// Returns the next class of rows with a signature (Definition 7).
    fn next(&self, signature: &Signature, item: usize) -> usize {
        let within = |vector: &LevelVector| {
            let bounds = signature.base.iter().zip(&signature.top);
            vector.levels.iter().zip(bounds).all(|(at, (base, top))| top <= at && at <= base)
        };
        let later = self.vectors[item + 1..].iter().position(within);
        later.map_or(signature.end, |more| item + 1 + more)
    }

    /// Generalizes sensitive values (lines 1 and 2 of the algorithm) until the whole table
    /// satisfies the requirement as one class. Returns `None` if no generalization achieves this.
    fn prepare(&mut self, chooser: &mut Chooser) -> Option<()> {
        let values = self.rows.sensitive.iter().zip(&self.rows.counts).enumerate();
        let mut pieces: Vec<Piece> =
            values.map(|(unit, (&node, &rows))| Piece { unit: unit as u32, node, rows }).collect();
        let taxonomy = self.rows.taxonomy;
        let mut tally = Tally::new();
        for piece in &pieces {
            tally.add(self.shares, taxonomy, piece.node, piece.rows);
        }
        if tally.n_rows > 0 && tally.n_rows < self.smallest_size {
            return None;
        }
        if !self.shares.holds(&tally, &mut Vec::new()) {
            let mut pool = Pool::new();
            pieces.iter().for_each(|piece| pool.add(self.shares, taxonomy, *piece));
            if !pool.generalize(self.shares, taxonomy, chooser) {
                return None;
            }
            pieces = pool.into_pieces();
        }
        let induced = pieces.iter().map(|piece| taxonomy.leaves(piece.node).len() as u64);
        self.most_induced = induced.max().unwrap_or(1);
        let mut group = 0;
        for piece in pieces {
            while self.first_unit.get(group + 1).is_some_and(|&first| first <= piece.unit) {
                group += 1;
            }
            self.groups[group].open.push(piece);
            self.groups[group].n_open += piece.rows;
        }
        Some(())
    }

    /// Runs the sweep. If the search is stopped, all rows without a class are assigned to their
    /// last class. Returns `None` if all rows together fail as one class for every generalization
    /// of sensitive values.
    pub fn run(
        mut self,
        chooser: &mut Chooser,
        stop: &Stop<'_>,
    ) -> Result<Option<SweepResult>, SearchError> {
        if self.rows.sensitive.is_empty() {
            return Ok(Some(SweepResult { classes: Vec::new(), rest: Vec::new() }));
        }
        if self.prepare(chooser).is_none() {
            return Ok(None);
        }
        let mut waiting: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        let mut ends: Vec<u32> = Vec::new();
        for (at, group) in self.groups.iter().enumerate() {
            let signature = &self.signatures[group.signature as usize];
            match signature.start == signature.end {
                true => ends.push(at as u32),
                false => waiting.entry(signature.start).or_default().push(at as u32),
            }
        }
        let mut closed: Vec<ClosedClass> = Vec::new();
        let mut scratch = Scratch::default();
        while let Some((item, groups)) = waiting.pop_first() {
            if stop.observer.is_cancelled() {
                return Err(SearchError::Cancelled);
            }
            if stop.is_over() {
                ends.extend(groups);
                ends.extend(waiting.into_values().flatten());
                break;
            }
            stop.observer.progress(Phase::Search, item as u64, self.vectors.len() as u64);
            self.sweep_classes(item, &groups, &mut scratch, &mut closed);
            let mut next: FxHashMap<u32, usize> = FxHashMap::default();
            for at in groups {
                let group = &self.groups[at as usize];
                if group.n_open == 0 {
                    continue;
                }
                let signature = &self.signatures[group.signature as usize];
                let next =
                    *next.entry(group.signature).or_insert_with(|| self.next(signature, item));
                match next == signature.end {
                    true => ends.push(at),
                    false => waiting.entry(next).or_default().push(at),
                }
            }
        }
        Ok(Some(self.finish(ends, closed, chooser)))
    }

    /// Processes the classes of one item (lines 8 to 16 of the algorithm).
    fn sweep_classes(
        &mut self,
        item: usize,
        groups: &[u32],
        scratch: &mut Scratch,
        closed: &mut Vec<ClosedClass>,
    ) {
        let levels = self.vectors[item].levels.clone();
        let Scratch { class_of_key, classes, class_of, members } = scratch;
        class_of_key.clear();
        classes.clear();
        class_of.clear();
        for &group in groups {
            let key = self.key(group, &levels);
            let class = *class_of_key.entry(key).or_insert(classes.len() as u32);
            if class as usize == classes.len() {
                classes.push(Candidate { key, n_rows: 0, place: u32::MAX });
            }
            classes[class as usize].n_rows += self.groups[group as usize].n_open;
            class_of.push(class);
        }
        // Fewer rows cannot induce the required number of base values.
        let support = self.shares.smallest_support() as u64;
        let fewest = self.smallest_size.max(support.div_ceil(self.most_induced));
        members.clear();
        for (&group, &class) in groups.iter().zip(&*class_of) {
            let candidate = &mut classes[class as usize];
            if candidate.n_rows < fewest {
                continue;
            }
            if candidate.place == u32::MAX {
                candidate.place = members.len() as u32;
                members.push((candidate.key, Vec::new()));
            }
            members[candidate.place as usize].1.push(group);
        }
        for (key, members) in members {
            let pieces = self.settle(members);
            if !pieces.is_empty() {
                let (nodes, end) = (self.nodes(*key), self.end_of(members[0]));
                closed.push(ClosedClass { class: SweptClass { nodes, pieces }, end });
            }
        }
    }

    /// Sweeps rows out of a class until the class satisfies the requirement, and returns the rows
    /// that stay. All other rows remain open.
    fn settle(&mut self, members: &[u32]) -> Vec<Piece> {
        let taxonomy: &Taxonomy = self.rows.taxonomy;
        let pieces =
            || members.iter().flat_map(|&at| self.groups[at as usize].open.iter().copied());
        let mut rows_of_node: Vec<(u32, u64)> = Vec::new();
        for piece in pieces() {
            match rows_of_node.iter_mut().find(|(node, _)| *node == piece.node) {
                Some((_, rows)) => *rows += piece.rows,
                None => rows_of_node.push((piece.node, piece.rows)),
            }
        }
        let mut tally = Tally::new();
        for (node, rows) in rows_of_node {
            tally.add(self.shares, taxonomy, node, rows);
        }
        if tally.support() < self.shares.smallest_support() {
            return Vec::new();
        }
        let mut scratch = Vec::new();
        // Group the rows by node in descending order of units, which makes the first row the last
        // piece.
        let mut by_node: BTreeMap<u32, Vec<Piece>> = BTreeMap::new();
        for piece in pieces() {
            by_node.entry(piece.node).or_default().push(piece);
        }
        by_node.values_mut().for_each(|pieces| pieces.sort_unstable_by(|a, b| b.cmp(a)));
        let mut swept: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        while !self.shares.holds(&tally, &mut scratch) {
            if tally.n_rows <= self.smallest_size
                || tally.support() < self.shares.smallest_support()
            {
                return Vec::new();
            }
            let Some(dominant) = tally.dominant() else { return Vec::new() };
            let Some(node) = self.most_reducing(&by_node, dominant) else { return Vec::new() };
            tally.remove(self.shares, taxonomy, node, 1);
            let Some(pieces) = by_node.get_mut(&node) else { return Vec::new() };
            if let Some(first) = pieces.last_mut() {
                *swept.entry((first.unit, node)).or_default() += 1;
                first.rows -= 1;
                if first.rows == 0 {
                    pieces.pop();
                }
            }
            if pieces.is_empty() {
                by_node.remove(&node);
            }
        }
        let mut retained: Vec<Piece> = by_node.into_values().flatten().collect();
        retained.sort_unstable();
        for &at in members {
            let group = &mut self.groups[at as usize];
            group.open.retain_mut(|piece| {
                let rows = swept.get(&(piece.unit, piece.node)).copied();
                piece.rows = rows.unwrap_or(0);
                piece.rows > 0
            });
            group.n_open = group.open.iter().map(|piece| piece.rows).sum();
        }
        retained
    }

    /// Returns the sensitive value whose removal lowers the dominant frequency most; in case of a
    /// tie, the value of the first row.
    fn most_reducing(&self, by_node: &BTreeMap<u32, Vec<Piece>>, leaf: u32) -> Option<u32> {
        let covering = by_node
            .iter()
            .filter(|(node, _)| self.rows.taxonomy.leaves(**node).contains(&(leaf as usize)));
        let by_share = covering.filter_map(|(&node, pieces)| {
            let first = pieces.last()?.unit;
            Some((self.shares.of_leaf(node, leaf), std::cmp::Reverse(first), node))
        });
        by_share.max().map(|(_, _, node)| node)
    }

    /// Generalizes sensitive values in the last class (lines 18 to 22 of the algorithm). If that is
    /// not sufficient (because of unequal weights, reading E-3, or too few rows), the most recently
    /// closed classes join the last class, which succeeds at the latest when it contains all rows.
    fn finish(
        &mut self,
        ends: Vec<u32>,
        mut closed: Vec<ClosedClass>,
        chooser: &mut Chooser,
    ) -> SweepResult {
        let taxonomy = self.rows.taxonomy;
        let mut by_end: BTreeMap<u128, Vec<u32>> = BTreeMap::new();
        for group in ends {
            by_end.entry(self.end_of(group)).or_default().push(group);
        }
        let mut swept = SweepResult { classes: Vec::new(), rest: Vec::new() };
        for (end, groups) in by_end {
            let mut pool = Pool::new();
            for &at in &groups {
                for piece in std::mem::take(&mut self.groups[at as usize].open) {
                    pool.add(self.shares, taxonomy, piece);
                }
            }
            loop {
                if pool.n_rows() >= self.smallest_size {
                    let mut generalized = pool.clone();
                    if generalized.generalize(self.shares, taxonomy, chooser) {
                        let class = SweptClass {
                            nodes: self.nodes(end),
                            pieces: generalized.into_pieces(),
                        };
                        swept.classes.push(class);
                        break;
                    }
                }
                let Some(last) = closed.iter().rposition(|class| class.end == end) else {
                    swept.rest.extend(pool.into_pieces());
                    break;
                };
                for piece in closed.remove(last).class.pieces {
                    pool.add(self.shares, taxonomy, piece);
                }
            }
        }
        let closed = closed.into_iter().map(|closed| closed.class);
        swept.classes = closed.chain(std::mem::take(&mut swept.classes)).collect();
        swept
    }
}
