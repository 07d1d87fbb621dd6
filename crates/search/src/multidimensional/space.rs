//! The possible released values of each attribute, and their costs.
//!
//! The cells of a class are words, attribute by attribute: the number of a label, the two ends of a
//! range, or the bits of a set. Joining two lists of cells results in the narrowest cells that
//! cover both.

use std::sync::OnceLock;

use indistinct_core::model::{CountedColumn, Order, Rational};
use indistinct_core::recoding::{Cell, Cells, CellsOfAttribute};
use indistinct_core::{FrequencyTable, Hierarchy, MISSING, parse_decimal};
use rayon::prelude::*;

use super::GeneralizeTo;
use super::costs::{
    FORBIDDEN, PricedCover, Tree, label_costs, shares, suppressed_cost as suppressed_cell,
};
use super::regions::Measure;
use crate::Problem;

/// The maximum number of labels of an attribute for which the costs of joins are tabulated.
const LARGEST_COSTS: usize = 256;

/// Tables with more tuples are only split into regions, for which the cells of single tuples are
/// not needed.
const MOST_LEAVES: usize = 250_000;

#[derive(Debug)]
pub(super) enum Kind {
    Tree(Tree),
    /// Ranges of numbers, with the number of smaller domain values for each code.
    Range {
        below: Vec<u32>,
    },
    Set,
}

/// One quasi-identifier.
#[derive(Debug)]
pub(super) struct Attribute {
    pub kind: Kind,
    /// Index of the first word of the attribute among the cells of a class.
    pub first: usize,
    pub n_words: usize,
    /// The weight of the attribute in the cost of a row.
    pub weight: f64,
    /// The cost of ranges and sets.
    priced: PricedCover,
    /// For each position, the number of rows at lower positions, followed by the total number of
    /// rows.
    rows_before: Vec<u64>,
    /// For each code, its position in the order of the numbers, or of the leaves of the hierarchy.
    pub place: Vec<u32>,
    /// The code at each position.
    code_at: Vec<u32>,
}

/// All quasi-identifiers.
#[derive(Debug)]
pub(super) struct Space<'a> {
    pub attributes: Vec<Attribute>,
    pub n_words: usize,
    /// The cost of a suppressed row.
    pub suppressed_cost: f64,
    table: &'a FrequencyTable,
    /// The cells of each single tuple. For very large tables, the cells are computed on first use,
    /// because regions only need the cover of whole classes.
    leaves: OnceLock<Vec<u32>>,
    /// For each attribute, the number of its labels and the cost of the join of each pair of
    /// labels; empty unless all attributes have few labels.
    join_costs: Vec<(usize, Vec<f64>)>,
}

/// Returns the number of smaller values in a numeric domain for each code.
fn domain_below(column: &CountedColumn, hierarchy: &Hierarchy) -> Vec<u32> {
    let n = column.dictionary.len() as u32;
    let present = || (0..n).collect();
    if !hierarchy.lists_domain() {
        return present();
    }
    let number = |text: &String| parse_decimal(text).ok();
    let domain = &hierarchy.domain_level(0).labels;
    let Some(mut domain) = domain.iter().map(number).collect::<Option<Vec<Rational>>>() else {
        return present();
    };
    domain.sort_unstable();
    let below = |text: &String| {
        let number = parse_decimal(text).expect("a numeric dictionary contains only numbers");
        domain.partition_point(|other| *other < number) as u32
    };
    column.dictionary.values().iter().map(below).collect()
}

/// Returns whether the codes below every label are consecutive.
fn keeps_order(hierarchy: &Hierarchy) -> bool {
    (0..hierarchy.n_levels()).all(|at| {
        let level = hierarchy.level(at);
        let n_runs = level.map.chunk_by(|a, b| a == b).count();
        let mut labels = level.map.clone();
        labels.sort_unstable();
        labels.dedup();
        n_runs == labels.len()
    })
}

/// Returns the position of each code in the order of the leaves.
pub(super) fn leaf_order(hierarchy: &Hierarchy) -> Vec<u32> {
    let n_codes = hierarchy.level(0).map.len();
    let mut codes: Vec<usize> = (0..n_codes).collect();
    codes.sort_by_cached_key(|&code| {
        (0..hierarchy.n_levels())
            .rev()
            .map(|at| hierarchy.level(at).map[code])
            .collect::<Vec<u32>>()
    });
    let mut place = vec![0; n_codes];
    for (at, &code) in codes.iter().enumerate() {
        place[code] = at as u32;
    }
    place
}

impl Attribute {
    fn new(
        problem: &Problem<'_>,
        align: GeneralizeTo,
        at: usize,
        (first, weight): (usize, f64),
    ) -> Self {
        let column = &problem.table.quasi_identifiers()[at];
        let hierarchy = &problem.policy.hierarchies[at];
        let bounds = problem.bounds[at].clone();
        let is_numeric = column.dictionary.order() == Order::Numeric
            && column.dictionary.values().first().is_none_or(|value| value != MISSING);
        let is_free = *bounds.start() == 0 && *bounds.end() + 1 == hierarchy.n_levels();
        let (kind, n_words) = match align {
            GeneralizeTo::Bounds if is_free && is_numeric => {
                (Kind::Range { below: domain_below(column, hierarchy) }, 2)
            }
            GeneralizeTo::Bounds if is_free => {
                (Kind::Set, column.dictionary.len().div_ceil(32).max(1))
            }
            _ => (Kind::Tree(Tree::new(hierarchy, bounds, &label_costs(problem, at))), 1),
        };
        // Numbers are ordered by value, unless the hierarchy orders them differently.
        let is_range = matches!(kind, Kind::Range { .. });
        let place = match column.dictionary.order() {
            Order::Numeric if is_range || keeps_order(hierarchy) => {
                (0..column.dictionary.len() as u32).collect()
            }
            _ => leaf_order(hierarchy),
        };
        let mut code_at = vec![0; place.len()];
        for (code, &at) in (0u32..).zip(&place) {
            code_at[at as usize] = code;
        }
        let marginal = problem.table.marginal(column);
        let mut rows_before = vec![0];
        rows_before.extend(code_at.iter().scan(0, |sum, &code| {
            *sum += marginal[code as usize];
            Some(*sum)
        }));
        let priced = PricedCover::new(problem, at);
        Self { kind, first, n_words, weight, priced, rows_before, place, code_at }
    }

    /// Returns the words of the attribute among those of a class.
    fn of<'b>(&self, words: &'b [u32]) -> &'b [u32] {
        &words[self.first..self.first + self.n_words]
    }

    /// Writes the words of one value.
    pub fn leaf(&self, code: u32, words: &mut [u32]) {
        match &self.kind {
            Kind::Tree(tree) => words[0] = tree.leaf_of[code as usize],
            Kind::Range { .. } => words.fill(code),
            Kind::Set => {
                words.fill(0);
                words[code as usize / 32] |= 1 << (code % 32);
            }
        }
    }

    /// Returns, for each code, the lowest position of all codes with the same label at the lowest
    /// level. Without a hierarchy, returns the position of the code.
    pub fn places_of_leaves(&self) -> Vec<u32> {
        let Kind::Tree(tree) = &self.kind else { return self.place.clone() };
        let mut lowest = vec![u32::MAX; tree.labels.len()];
        for (&leaf, &place) in tree.leaf_of.iter().zip(&self.place) {
            lowest[leaf as usize] = lowest[leaf as usize].min(place);
        }
        tree.leaf_of.iter().map(|&leaf| lowest[leaf as usize]).collect()
    }

    /// Extends cells to cover other cells as well.
    #[inline]
    pub fn join(&self, words: &mut [u32], other: &[u32]) {
        match &self.kind {
            Kind::Tree(tree) => words[0] = tree.join(words[0], other[0]),
            Kind::Range { .. } => {
                words[0] = words[0].min(other[0]);
                words[1] = words[1].max(other[1]);
            }
            Kind::Set => words.iter_mut().zip(other).for_each(|(word, other)| *word |= other),
        }
    }

    /// Returns the number of rows at the positions from `low` to `high`.
    fn rows_between(&self, low: u32, high: u32) -> u64 {
        self.rows_before[high as usize + 1] - self.rows_before[low as usize]
    }

    fn range_cost(&self, below: &[u32], low: u32, high: u32) -> f64 {
        let values = below[high as usize] - below[low as usize] + 1;
        self.priced.of(values, || self.rows_between(low, high))
    }

    fn set_cost(&self, words: impl Iterator<Item = u32> + Clone) -> f64 {
        let n_values = words.clone().map(u32::count_ones).sum();
        self.priced.of(n_values, || {
            let bits = |(at, mut word): (u32, u32)| {
                std::iter::from_fn(move || {
                    let bit = word.trailing_zeros();
                    (word != 0).then(|| {
                        word &= word - 1;
                        at * 32 + bit
                    })
                })
            };
            let places = (0u32..).zip(words).flat_map(bits).map(|code| self.place[code as usize]);
            places.map(|place| self.rows_between(place, place)).sum()
        })
    }

    /// Returns the weighted cost of a cell per row.
    #[inline]
    pub fn cost(&self, words: &[u32]) -> f64 {
        let cost = match &self.kind {
            Kind::Tree(tree) => tree.costs[words[0] as usize],
            Kind::Range { below } => self.range_cost(below, words[0], words[1]),
            Kind::Set => self.set_cost(words.iter().copied()),
        };
        self.weigh(cost)
    }

    /// Returns the weighted cost. A forbidden cell remains forbidden if its attribute has weight 0.
    #[inline]
    fn weigh(&self, cost: f64) -> f64 {
        if cost == FORBIDDEN { FORBIDDEN } else { cost * self.weight }
    }

    /// Returns the cost of the join of two cells.
    #[inline]
    pub fn cost_of_join(&self, a: &[u32], b: &[u32]) -> f64 {
        let cost = match &self.kind {
            Kind::Tree(tree) => tree.costs[tree.join(a[0], b[0]) as usize],
            Kind::Range { below } => self.range_cost(below, a[0].min(b[0]), a[1].max(b[1])),
            Kind::Set => self.set_cost(a.iter().zip(b).map(|(a, b)| a | b)),
        };
        self.weigh(cost)
    }

    /// Converts the words of a cell into a [`Cell`].
    pub fn cell(&self, words: &[u32]) -> Cell {
        match &self.kind {
            Kind::Tree(tree) => {
                let (level, label) = tree.labels[words[0] as usize];
                Cell::Label { level, label }
            }
            Kind::Range { .. } => Cell::Range { low: words[0], high: words[1] },
            Kind::Set => {
                let is_in = |code: &u32| words[*code as usize / 32] >> (code % 32) & 1 == 1;
                Cell::Set((0..words.len() as u32 * 32).filter(is_in).collect())
            }
        }
    }
}

impl Measure for Space<'_> {
    /// Returns the cost under the assumption that a set contains all values from the lowest to the
    /// highest position.
    fn cost(&self, attribute: usize, low: u32, high: u32) -> f64 {
        let attribute = &self.attributes[attribute];
        let (a, b) = (attribute.code_at[low as usize], attribute.code_at[high as usize]);
        attribute.weigh(match &attribute.kind {
            Kind::Tree(tree) => {
                let label = tree.join(tree.leaf_of[a as usize], tree.leaf_of[b as usize]);
                tree.costs[label as usize]
            }
            Kind::Range { below } => attribute.range_cost(below, a, b),
            Kind::Set => attribute.priced.of(high - low + 1, || attribute.rows_between(low, high)),
        })
    }
}

/// Returns the costs of joining the labels of each attribute.
fn join_costs(attributes: &[Attribute]) -> Vec<(usize, Vec<f64>)> {
    let of = |attribute: &Attribute| {
        let Kind::Tree(tree) = &attribute.kind else { return None };
        let n = tree.labels.len();
        let cost = |pair: usize| attribute.cost_of_join(&[(pair / n) as u32], &[(pair % n) as u32]);
        (n <= LARGEST_COSTS).then(|| (n, (0..n * n).map(cost).collect()))
    };
    attributes.iter().map(of).collect::<Option<_>>().unwrap_or_default()
}

impl<'a> Space<'a> {
    pub fn new(problem: &Problem<'a>, align: GeneralizeTo) -> Self {
        let mut attributes = Vec::new();
        let (mut n_words, mut suppressed_cost) = (0, 0.0);
        for (at, weight) in shares(problem).into_iter().enumerate() {
            let attribute = Attribute::new(problem, align, at, (n_words, weight));
            n_words += attribute.n_words;
            suppressed_cost += attribute.weight * suppressed_cell(problem, at);
            attributes.push(attribute);
        }
        let (join_costs, leaves) = (join_costs(&attributes), OnceLock::new());
        let table = problem.table;
        let space = Self { attributes, n_words, suppressed_cost, table, leaves, join_costs };
        if table.n_tuples() <= MOST_LEAVES {
            space.leaves.get_or_init(|| space.leaves());
        }
        space
    }

    /// Computes the cells of each single tuple.
    fn leaves(&self) -> Vec<u32> {
        let mut leaves = vec![0; self.n_words * self.n_tuples()];
        for (column, attribute) in self.table.quasi_identifiers().iter().zip(&self.attributes) {
            let words = attribute.first..attribute.first + attribute.n_words;
            let own = leaves.chunks_exact_mut(self.n_words.max(1));
            for (&code, leaf) in column.codes.iter().zip(own) {
                attribute.leaf(code, &mut leaf[words.clone()]);
            }
        }
        leaves
    }

    pub fn n_tuples(&self) -> usize {
        self.table.n_tuples()
    }

    /// Returns the cells of one tuple.
    #[inline]
    pub fn leaf(&self, tuple: u32) -> &[u32] {
        let leaves = self.leaves.get_or_init(|| self.leaves());
        &leaves[tuple as usize * self.n_words..][..self.n_words]
    }

    #[inline]
    pub fn join(&self, cells: &mut [u32], other: &[u32]) {
        for attribute in &self.attributes {
            let words = attribute.first..attribute.first + attribute.n_words;
            attribute.join(&mut cells[words.clone()], &other[words]);
        }
    }

    /// Returns the cost per row.
    #[inline]
    pub fn cost(&self, cells: &[u32]) -> f64 {
        let words = |attribute: &Attribute| attribute.first..attribute.first + attribute.n_words;
        self.attributes.iter().map(|attribute| attribute.cost(&cells[words(attribute)])).sum()
    }

    /// Returns the cost per row of the join of two lists of cells.
    #[inline]
    pub fn cost_of_join(&self, a: &[u32], b: &[u32]) -> f64 {
        if !self.join_costs.is_empty() {
            let of = |(((n, costs), a), b): (((&usize, &Vec<f64>), &u32), &u32)| {
                costs[*a as usize * n + *b as usize]
            };
            let tables = self.join_costs.iter().map(|(n, costs)| (n, costs));
            return tables.zip(a).zip(b).map(of).sum();
        }
        self.attributes
            .iter()
            .map(|attribute| {
                let words = attribute.first..attribute.first + attribute.n_words;
                attribute.cost_of_join(&a[words.clone()], &b[words])
            })
            .sum()
    }

    /// Like [`Self::cost_of_join`], but may stop early and return any value of at least `bound` if
    /// the cost is not below `bound`.
    #[inline]
    pub fn cost_of_join_below(&self, a: &[u32], b: &[u32], bound: f64) -> f64 {
        if self.join_costs.is_empty() {
            return self.cost_of_join(a, b);
        }
        let mut sum = 0.0;
        for (((n, costs), a), b) in self.join_costs.iter().zip(a).zip(b) {
            sum += costs[*a as usize * n + *b as usize];
            if sum >= bound {
                break;
            }
        }
        sum
    }

    /// Returns the narrowest cells that cover the given tuples. At least one tuple is required.
    pub fn cover(&self, tuples: &[u32]) -> Vec<u32> {
        let mut cells = vec![0; self.n_words];
        self.cover_each(tuples.iter().copied(), &mut cells);
        cells
    }

    /// Like [`Self::cover`], for an iterator of tuples.
    pub fn cover_each(&self, tuples: impl Iterator<Item = u32>, cells: &mut [u32]) {
        let leaves = self.leaves.get();
        let mut own = vec![0; if leaves.is_some() { 0 } else { self.n_words }];
        for (turn, tuple) in tuples.enumerate() {
            let leaf = match leaves {
                Some(leaves) => &leaves[tuple as usize * self.n_words..][..self.n_words],
                None => {
                    self.write_leaf(tuple, &mut own);
                    &own
                }
            };
            if turn == 0 {
                cells.copy_from_slice(leaf);
            } else {
                self.join(cells, leaf);
            }
        }
    }

    /// Computes the cells of one tuple from its codes.
    fn write_leaf(&self, tuple: u32, cells: &mut [u32]) {
        for (column, attribute) in self.table.quasi_identifiers().iter().zip(&self.attributes) {
            let words = attribute.first..attribute.first + attribute.n_words;
            attribute.leaf(column.codes[tuple as usize], &mut cells[words]);
        }
    }

    /// Converts the words of a class into cells.
    pub fn cells(&self, words: &[u32]) -> Vec<Cell> {
        let of = |attribute: &Attribute| attribute.cell(attribute.of(words));
        self.attributes.iter().map(of).collect()
    }

    /// Converts the words of many classes, one class after the other, into cells.
    pub fn cells_of_classes(&self, n_classes: usize, words: &[u32]) -> Cells {
        let of = |attribute: &Attribute| self.column(attribute, n_classes, words);
        Cells::of_attributes(n_classes, self.attributes.par_iter().map(of).collect())
    }

    /// Returns the cells of one attribute for many classes.
    pub fn cells_of_attribute(
        &self,
        attribute: usize,
        n_classes: usize,
        words: &[u32],
    ) -> CellsOfAttribute {
        self.column(&self.attributes[attribute], n_classes, words)
    }

    fn column(&self, attribute: &Attribute, n_classes: usize, words: &[u32]) -> CellsOfAttribute {
        let own = |class: usize| attribute.of(&words[class * self.n_words..][..self.n_words]);
        CellsOfAttribute::of_keys((0..n_classes).map(own), |words| attribute.cell(words))
    }

    /// Returns a canonical representative of all cells with the same released values.
    pub fn released(&self, cells: &[u32]) -> Vec<u32> {
        let mut released = cells.to_vec();
        self.release(&mut released);
        released
    }

    /// Replaces the cells of a class with their canonical representative, as in [`Self::released`].
    pub fn release(&self, cells: &mut [u32]) {
        for attribute in &self.attributes {
            if let Kind::Tree(tree) = &attribute.kind {
                let word = &mut cells[attribute.first];
                *word = tree.texts[*word as usize];
            }
        }
    }
}
