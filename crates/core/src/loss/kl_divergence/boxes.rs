//! Boxes, which are combinations of released values, and the density of sensitive values in each
//! box.

use crate::loss::CellMeasure;
use crate::model::sum_by_key;
use crate::recoding::Cells;

/// The boxes that released values cover.
pub(super) struct ReleasedBoxes<'a> {
    /// The cells of all classes, including those of the boxes.
    pub cells: &'a Cells,
    /// For each box, a class with the same cells.
    pub class_of_box: Vec<u32>,
    areas: Vec<f64>,
    /// The start of the entries of each box, followed by the end of the entries of the last box.
    starts: Vec<u32>,
    /// Pairs of a sensitive value and a row count, in ascending order within each box.
    entries: Vec<(u32, u64)>,
}

impl<'a> ReleasedBoxes<'a> {
    /// Creates boxes from the number of tuples and, for each tuple, its box (if any), its sensitive
    /// value, and its row count.
    pub fn new(
        cells: &'a Cells,
        class_of_box: Vec<u32>,
        measures: &[CellMeasure],
        (n_tuples, box_of, entry): (
            usize,
            impl Fn(usize) -> Option<usize>,
            impl Fn(usize) -> (u32, u64),
        ),
    ) -> Self {
        let values: Vec<Vec<f64>> = cells
            .attributes()
            .iter()
            .zip(measures)
            .map(|(cells, measure)| {
                let covered = |cell| measure.coverage(cell).values as f64;
                cells.distinct().iter().map(covered).collect()
            })
            .collect();
        let area = |&class: &u32| {
            let covered = cells.attributes().iter().zip(&values);
            covered
                .map(|(of, values)| values[of.of_classes()[class as usize] as usize])
                .product::<f64>()
        };
        let areas = class_of_box.iter().map(area).collect();

        // Sorts the tuples by box.
        let mut ends = vec![0u32; class_of_box.len() + 1];
        (0..n_tuples).filter_map(&box_of).for_each(|at| ends[at + 1] += 1);
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut in_order = vec![0u32; ends[class_of_box.len()] as usize];
        for tuple in 0..n_tuples {
            if let Some(at) = box_of(tuple) {
                in_order[ends[at] as usize] = tuple as u32;
                ends[at] += 1;
            }
        }
        let mut starts = Vec::with_capacity(ends.len());
        let (mut entries, mut own, mut from) = (Vec::new(), Vec::new(), 0);
        starts.push(0);
        for &to in &ends[..class_of_box.len()] {
            own.extend(in_order[from..to as usize].iter().map(|&tuple| entry(tuple as usize)));
            sum_by_key(&mut own);
            entries.append(&mut own);
            starts.push(entries.len() as u32);
            from = to as usize;
        }
        Self { cells, class_of_box, areas, starts, entries }
    }

    /// Returns the number of boxes.
    pub fn len(&self) -> usize {
        self.class_of_box.len()
    }

    /// Returns the density of a sensitive value in a box, multiplied by the number of rows of the
    /// table.
    pub fn density(&self, at: usize, value: u32) -> f64 {
        let entries = &self.entries[self.starts[at] as usize..self.starts[at + 1] as usize];
        match entries.binary_search_by_key(&value, |entry| entry.0) {
            Ok(found) => entries[found].1 as f64 / self.areas[at],
            Err(_) => 0.0,
        }
    }
}
