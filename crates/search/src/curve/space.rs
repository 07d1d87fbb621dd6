//! The released values of rows in a class, and their costs.

use std::ops::RangeInclusive;

use indistinct_core::loss::CellMeasure;
use indistinct_core::model::{CountedColumn, Order};
use indistinct_core::{Cell, Hierarchy, MISSING};

use super::{GeneralizeTo, hilbert};
use crate::{Problem, released};

/// One quasi-identifier.
#[derive(Debug)]
struct Attribute {
    kind: Kind,
    /// The label for each level and code.
    labels: Vec<Vec<u32>>,
    /// For each code, the values with the same label at the lowest level, which are always released
    /// together.
    together: Vec<Vec<u32>>,
    /// The cost per row, for each level and label.
    of_label: Vec<Vec<f64>>,
    lowest: usize,
    /// The coordinate of each code on the curve.
    coordinate: Vec<u32>,
    /// The cost of a set per row, by the number of values in the set.
    of_set: Vec<f64>,
    measure: CellMeasure,
    share: f64,
}

/// The kind of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Labels,
    Range { has_missing: bool },
    Set,
}

/// The values of one attribute that some rows cover; rows are added one by one.
#[derive(Debug, Clone)]
enum Extent {
    Label { level: usize, code: u32 },
    Range { low: u32, high: u32, is_mixed: bool },
    Set(Vec<u32>),
}

/// The values that some rows cover.
#[derive(Debug, Clone)]
pub(crate) struct Hull(Vec<Extent>);

/// The quasi-identifiers of a problem.
#[derive(Debug)]
pub(crate) struct Space {
    attributes: Vec<Attribute>,
}

impl Attribute {
    fn new(
        column: &CountedColumn,
        hierarchy: &Hierarchy,
        bounds: &RangeInclusive<usize>,
        align: GeneralizeTo,
        measure: CellMeasure,
    ) -> Self {
        let labels: Vec<Vec<u32>> =
            (0..hierarchy.n_levels()).map(|level| hierarchy.level(level).map.clone()).collect();
        let values = column.dictionary.values();
        let has_missing = values.first().is_some_and(|value| value == MISSING);
        let kind = match (align, column.dictionary.order()) {
            (GeneralizeTo::Hierarchy, _) => Kind::Labels,
            (GeneralizeTo::Bounds, Order::Numeric) => Kind::Range { has_missing },
            (GeneralizeTo::Bounds, Order::Text) => Kind::Set,
        };
        let lowest = *bounds.start();
        let mut by_label: Vec<Vec<u32>> = vec![Vec::new(); hierarchy.level(lowest).labels.len()];
        for (code, &label) in (0u32..).zip(&labels[lowest]) {
            by_label[label as usize].push(code);
        }
        let together = labels[lowest].iter().map(|&at| by_label[at as usize].clone()).collect();
        let of_label = labels
            .iter()
            .enumerate()
            .map(|(level, labels)| {
                let mut costs = vec![0.0; hierarchy.level(level).labels.len()];
                for (code, &label) in (0u32..).zip(labels) {
                    costs[label as usize] = measure.cost(code, &Cell::Label { level, label });
                }
                costs
            })
            .collect();
        let coordinate = vec![0; values.len()];
        // The loss of a set depends only on the number of its values.
        let of_set = match kind {
            Kind::Set => (0..=values.len() as u32)
                .map(|n| if n < 2 { 0.0 } else { measure.cost(0, &Cell::Set((0..n).collect())) })
                .collect(),
            Kind::Labels | Kind::Range { .. } => Vec::new(),
        };
        Self { kind, labels, together, of_label, lowest, coordinate, of_set, measure, share: 0.0 }
    }

    /// Spreads the codes, in the order of the leaves of the hierarchy, over the side of the cube of
    /// the curve.
    fn spread(&mut self, bits: u32) {
        let n = self.coordinate.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        if self.kind == Kind::Labels || self.kind == Kind::Set {
            order.sort_by_key(|&code| {
                let path = self.labels.iter().skip(1).rev();
                (path.map(|labels| labels[code as usize]).collect::<Vec<u32>>(), code)
            });
        }
        let side = 1u64 << bits;
        for (at, code) in order.into_iter().enumerate() {
            self.coordinate[code as usize] = match n {
                0 | 1 => 0,
                _ => (at as u64 * (side - 1) / (n as u64 - 1)) as u32,
            };
        }
    }

    fn extent(&self, code: u32) -> Extent {
        let together = &self.together[code as usize];
        match self.kind {
            Kind::Labels => Extent::Label { level: self.lowest, code },
            Kind::Range { has_missing } => {
                let (low, high) = (together[0], together[together.len() - 1]);
                Extent::Range { low, high, is_mixed: has_missing && low == 0 && high > 0 }
            }
            Kind::Set => Extent::Set(together.clone()),
        }
    }

    fn common_level(&self, level: usize, code: u32, other: u32) -> usize {
        let differ = |labels: &Vec<u32>| labels[code as usize] != labels[other as usize];
        level + self.labels[level..].iter().take_while(|labels| differ(labels)).count()
    }

    fn grow(&self, extent: &mut Extent, other: u32) {
        match extent {
            Extent::Label { level, code } => *level = self.common_level(*level, *code, other),
            Extent::Range { low, high, is_mixed } => {
                let together = &self.together[other as usize];
                *low = (*low).min(together[0]);
                *high = (*high).max(together[together.len() - 1]);
                let has_missing = self.kind == Kind::Range { has_missing: true };
                *is_mixed = has_missing && *low == 0 && *high > 0;
            }
            Extent::Set(codes) => {
                for &code in &self.together[other as usize] {
                    if let Err(at) = codes.binary_search(&code) {
                        codes.insert(at, code);
                    }
                }
            }
        }
    }

    fn cost(&self, extent: &Extent) -> f64 {
        match extent {
            Extent::Label { level, code } => {
                self.of_label[*level][self.labels[*level][*code as usize] as usize]
            }
            // If a class contains a missing number, its numbers are released as a set, which is
            // known only when the class is complete.
            Extent::Range { low, high, is_mixed: true } => {
                self.measure.suppressed_cost(*low.max(high))
            }
            Extent::Range { low, high, .. } => {
                self.measure.cost(*low, &Cell::Range { low: *low, high: *high })
            }
            Extent::Set(codes) => self.of_set[codes.len()],
        }
    }

    /// Returns the cost of the extent after it is extended to cover another value.
    fn cost_with(&self, extent: &Extent, other: u32) -> f64 {
        match extent {
            Extent::Label { level, code } => {
                let level = self.common_level(*level, *code, other);
                self.of_label[level][self.labels[level][*code as usize] as usize]
            }
            Extent::Set(codes) => {
                let is_new = |code: &&u32| codes.binary_search(code).is_err();
                let more = self.together[other as usize].iter().filter(is_new).count();
                self.of_set[codes.len() + more]
            }
            Extent::Range { .. } => {
                let mut grown = extent.clone();
                self.grow(&mut grown, other);
                self.cost(&grown)
            }
        }
    }

    fn cell(&self, extent: &Extent, codes: impl Iterator<Item = u32>) -> Cell {
        match extent {
            Extent::Label { level, code } => {
                Cell::Label { level: *level, label: self.labels[*level][*code as usize] }
            }
            Extent::Range { low, high, is_mixed: false } => Cell::Range { low: *low, high: *high },
            Extent::Set(codes) => Cell::Set(codes.clone()),
            Extent::Range { .. } => {
                let mut all: Vec<u32> =
                    codes.flat_map(|code| self.together[code as usize].iter().copied()).collect();
                all.sort_unstable();
                all.dedup();
                Cell::Set(all)
            }
        }
    }
}

impl Space {
    pub fn new(problem: &Problem<'_>, align: GeneralizeTo) -> Self {
        let columns = problem.table.quasi_identifiers().iter().zip(&problem.policy.hierarchies);
        let measures = released::measures(problem.table, problem.policy);
        let mut attributes: Vec<Attribute> = columns
            .zip(measures)
            .zip(&problem.bounds)
            .map(|(((column, hierarchy), measure), bounds)| {
                Attribute::new(column, hierarchy, bounds, align, measure)
            })
            .collect();
        let weight: f64 = problem.weights.iter().sum();
        let bits = hilbert::bits_for(attributes.len());
        for (attribute, own) in attributes.iter_mut().zip(&problem.weights) {
            attribute.share = if weight > 0.0 { own / weight } else { 0.0 };
            attribute.spread(bits);
        }
        Self { attributes }
    }

    /// Returns the position of a point on the curve.
    pub fn position(&self, codes: impl Iterator<Item = u32>) -> u128 {
        let parts = self.attributes.iter().zip(codes);
        let mut point: Vec<u32> =
            parts.map(|(attribute, code)| attribute.coordinate[code as usize]).collect();
        hilbert::position(&mut point, hilbert::bits_for(self.attributes.len()))
    }

    /// Returns the number of quasi-identifiers.
    pub fn n_attributes(&self) -> usize {
        self.attributes.len()
    }

    /// Returns the position of a value in the order of its attribute.
    pub fn place(&self, attribute: usize, code: u32) -> u32 {
        self.attributes[attribute].coordinate[code as usize]
    }

    /// Returns the values that one row covers.
    pub fn hull(&self, codes: &[u32]) -> Hull {
        let parts = self.attributes.iter().zip(codes);
        Hull(parts.map(|(attribute, &code)| attribute.extent(code)).collect())
    }

    /// Extends a hull by a row.
    pub fn grow(&self, hull: &mut Hull, codes: &[u32]) {
        for ((attribute, extent), &code) in self.attributes.iter().zip(&mut hull.0).zip(codes) {
            attribute.grow(extent, code);
        }
    }

    /// Returns the cost per row.
    pub fn cost(&self, hull: &Hull) -> f64 {
        let parts = self.attributes.iter().zip(&hull.0);
        parts.map(|(attribute, extent)| attribute.share * attribute.cost(extent)).sum()
    }

    /// Returns the cost per row after extending the hull by a row, or `None` if the cost is
    /// greater than `most`.
    pub fn cost_with(&self, hull: &Hull, codes: &[u32], most: f64) -> Option<f64> {
        let mut parts = self.attributes.iter().zip(&hull.0).zip(codes);
        parts.try_fold(0.0, |sum, ((attribute, extent), &code)| {
            let sum = sum + attribute.share * attribute.cost_with(extent, code);
            (sum <= most).then_some(sum)
        })
    }

    /// Returns the released values of the given rows.
    pub fn cells(&self, rows: &[&[u32]]) -> Vec<Cell> {
        let Some((first, others)) = rows.split_first() else { return Vec::new() };
        let mut hull = self.hull(first);
        others.iter().for_each(|codes| self.grow(&mut hull, codes));
        let parts = self.attributes.iter().zip(&hull.0).enumerate();
        parts
            .map(|(at, (attribute, extent))| {
                attribute.cell(extent, rows.iter().map(|codes| codes[at]))
            })
            .collect()
    }
}
