//! Finds the boxes that cover each combination of quasi-identifiers.
//!
//! Combinations and boxes are recursively divided by attributes, as in a k-d tree, until few are
//! left. The remaining combinations and boxes are compared pairwise.

use super::ReleasedBoxes;
use crate::Hierarchy;
use crate::model::{FrequencyTable, Order, RowGroups};
use crate::recoding::{Cell, CellsOfAttribute};

/// The maximum number of combinations or boxes to compare pairwise without further division.
const FEW: usize = 8;

/// The number of sampled combinations from which a cut is chosen.
const SAMPLE: usize = 33;

/// The intended number of sampled boxes for rating a cut. The actual sample is at most twice as
/// large.
const SAMPLE_OF_BOXES: usize = 128;

/// The combinations and the boxes, represented as points and ranges on one axis for each attribute.
struct Space<'a, F> {
    table: &'a FrequencyTable,
    groups: &'a RowGroups,
    hierarchies: &'a [Hierarchy],
    boxes: &'a ReleasedBoxes<'a>,
    axes: Vec<Axis<'a>>,
    found: F,
}

/// The position of each value of an attribute, and the range of positions that each cell covers.
struct Axis<'a> {
    place_of: Vec<u32>,
    ends_of_cell: Vec<(u32, u32)>,
    cells: &'a CellsOfAttribute,
}

impl<'a> Axis<'a> {
    fn new(
        numeric: bool,
        hierarchy: &Hierarchy,
        n_codes: usize,
        cells: &'a CellsOfAttribute,
    ) -> Self {
        let mut order: Vec<u32> = (0..n_codes as u32).collect();
        if !numeric {
            // Sort the codes by label, which makes values with the same label adjacent.
            let labels = |&code: &u32| -> Vec<u32> {
                let levels = (0..hierarchy.n_levels()).rev();
                levels.map(|level| hierarchy.level(level).map[code as usize]).collect()
            };
            order.sort_by_cached_key(labels);
        }
        let mut place_of = vec![0; n_codes];
        for (place, &code) in (0..).zip(&order) {
            place_of[code as usize] = place;
        }
        let ends: Vec<Vec<(u32, u32)>> = (0..hierarchy.n_levels())
            .map(|at| {
                let level = hierarchy.level(at);
                let mut ends = vec![(u32::MAX, 0); level.labels.len()];
                for (&label, &place) in level.map.iter().zip(&place_of) {
                    let (low, high) = &mut ends[label as usize];
                    (*low, *high) = ((*low).min(place), (*high).max(place));
                }
                ends
            })
            .collect();
        let among = |codes: &mut dyn Iterator<Item = u32>| {
            codes
                .map(|code| place_of[code as usize])
                .fold((u32::MAX, 0), |(low, high), place| (low.min(place), high.max(place)))
        };
        let ends_of_cell = cells
            .distinct()
            .iter()
            .map(|cell| match cell.stands_for() {
                Cell::Label { level, label } => ends[*level][*label as usize],
                Cell::Range { low, high } if numeric => (*low, *high),
                Cell::Range { low, high } => among(&mut (*low..=*high)),
                Cell::Set(codes) => among(&mut codes.iter().copied()),
                Cell::Generated { .. } => (u32::MAX, 0),
            })
            .collect();
        Self { place_of, ends_of_cell, cells }
    }

    /// Returns the lowest and the highest position that a class covers.
    fn ends(&self, class: u32) -> (u32, u32) {
        self.ends_of_cell[self.cells.of_classes()[class as usize] as usize]
    }
}

/// Calls `found` with each group of tuples and the index of each box that covers it. The boxes of
/// one group are in ascending order.
///
/// # Panics
/// Panics if a cell does not match its attribute.
pub(super) fn each_pair(
    table: &FrequencyTable,
    groups: &RowGroups,
    hierarchies: &[Hierarchy],
    boxes: &ReleasedBoxes<'_>,
    found: impl FnMut(usize, usize),
) {
    let columns = table.quasi_identifiers().iter().zip(hierarchies).enumerate();
    let axes = columns
        .map(|(at, (column, hierarchy))| {
            let numeric = column.dictionary.order() == Order::Numeric;
            let cells = boxes.cells.of_attribute(at);
            Axis::new(numeric, hierarchy, column.dictionary.len(), cells)
        })
        .collect();
    let mut space = Space { table, groups, hierarchies, boxes, axes, found };
    space.divide((0..groups.len() as u32).collect(), (0..boxes.len() as u32).collect());
}

impl<F: FnMut(usize, usize)> Space<'_, F> {
    fn code(&self, group: u32, attribute: usize) -> u32 {
        let tuple = self.groups.starts[group as usize] as usize;
        self.table.quasi_identifiers()[attribute].codes[tuple]
    }

    fn place(&self, group: u32, attribute: usize) -> u32 {
        self.axes[attribute].place_of[self.code(group, attribute) as usize]
    }

    fn covers(&self, at: u32, group: u32) -> bool {
        // Most boxes can be excluded by comparing only the ends of their ranges.
        let class = self.boxes.class_of_box[at as usize];
        let is_within = self.axes.iter().enumerate().all(|(attribute, axis)| {
            let (low, high) = axis.ends(class);
            (low..=high).contains(&self.place(group, attribute))
        });
        let cells = || self.boxes.cells.of_class(class as usize).zip(self.hierarchies).enumerate();
        is_within
            && cells().all(|(attribute, (cell, h))| cell.covers(h, self.code(group, attribute)))
    }

    fn divide(&mut self, points: Vec<u32>, boxes: Vec<u32>) {
        let cut = match points.len() > FEW && boxes.len() > FEW {
            true => self.cut(&points, &boxes),
            false => None,
        };
        let Some((attribute, place)) = cut else {
            for &group in &points {
                for &at in &boxes {
                    if self.covers(at, group) {
                        (self.found)(group as usize, at as usize);
                    }
                }
            }
            return;
        };
        // Partitioning keeps both lists in ascending order, which makes memory accesses sequential.
        let (below, above) =
            points.into_iter().partition(|&group| self.place(group, attribute) < place);
        let ends = |at: &u32| self.axes[attribute].ends(self.boxes.class_of_box[*at as usize]);
        let low = boxes.iter().copied().filter(|at| ends(at).0 < place).collect();
        let high = boxes.iter().copied().filter(|at| ends(at).1 >= place).collect();
        drop(boxes);
        self.divide(below, low);
        self.divide(above, high);
    }

    /// Of the cuts through the middle of each attribute, returns the best one, as the attribute and
    /// the first position above the cut. Returns `None` if no cut saves at least a quarter of the
    /// box comparisons.
    fn cut(&self, points: &[u32], boxes: &[u32]) -> Option<(usize, u32)> {
        let step = (boxes.len() / SAMPLE_OF_BOXES).max(1);
        let sample: Vec<u32> = boxes.iter().copied().step_by(step).collect();
        let cuts = (0..self.axes.len()).filter_map(|attribute| {
            let place = self.middle(points, attribute)?;
            let class = |&at: &u32| self.boxes.class_of_box[at as usize];
            let ends = sample.iter().map(|at| self.axes[attribute].ends(class(at)));
            let on_sides =
                ends.map(|(low, high)| usize::from(low < place) + usize::from(high >= place));
            Some((on_sides.sum::<usize>(), attribute, place))
        });
        let (on_sides, attribute, place) = cuts.min()?;
        (on_sides < sample.len() * 3 / 2).then_some((attribute, place))
    }

    /// Returns the first position above a cut through the middle of an attribute, if there are
    /// points on both sides.
    fn middle(&self, points: &[u32], attribute: usize) -> Option<u32> {
        let step = points.len().div_ceil(SAMPLE);
        let mut sample: Vec<u32> =
            points.iter().step_by(step).map(|&group| self.place(group, attribute)).collect();
        sample.sort_unstable();
        let middle = sample[sample.len() / 2];
        if middle > sample[0] { Some(middle) } else { sample.into_iter().find(|p| *p > middle) }
    }
}
