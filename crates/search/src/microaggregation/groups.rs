//! Groups of rows that may be in one class, because they are equal in all columns that are not
//! aggregated and lack the same numbers.

use std::collections::BTreeMap;

use indistinct_core::model::Numbers;

use crate::{Problem, SearchError};

/// Maximum number of rows in a group; larger groups are halved before classes are formed.
const MOST_ROWS: usize = 10_000;

/// Rows that may be in one class.
#[derive(Debug)]
pub(super) struct Group {
    /// The tuple of each row, in ascending order.
    pub rows: Vec<u32>,
    /// The non-missing numbers of each row, on a common scale.
    points: Vec<f64>,
    dimensions: usize,
}

impl Group {
    /// Returns the number of numeric values per row.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Returns the numbers of a row, given its tuple.
    pub fn point(&self, tuple: u32) -> &[f64] {
        let at = self.rows.partition_point(|row| *row < tuple);
        &self.points[at * self.dimensions..][..self.dimensions]
    }

    /// Returns the tuples of the rows, in blocks of limited size with at least k rows each.
    pub fn blocks(&self, k: usize) -> Vec<Vec<u32>> {
        let mut done = Vec::new();
        let mut open = vec![self.rows.clone()];
        while let Some(mut block) = open.pop() {
            if block.len() <= MOST_ROWS.max(2 * k) || self.dimensions < 2 {
                done.push(block);
                continue;
            }
            let spread = |at: usize| {
                let n = block.len() as f64;
                let (sum, squares) = block
                    .iter()
                    .map(|&row| self.point(row)[at])
                    .fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
                squares / n - (sum / n) * (sum / n)
            };
            let widest = (0..self.dimensions).map(|at| (spread(at), at));
            let (_, at) = widest
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
                .expect("there are at least two groups");
            block.sort_by(|&a, &b| self.point(a)[at].total_cmp(&self.point(b)[at]).then(a.cmp(&b)));
            let mut above = block.split_off(block.len() / 2);
            block.sort_unstable();
            above.sort_unstable();
            open.extend([above, block]);
        }
        done
    }
}

/// Divides the rows of a table into groups.
pub(super) fn group(problem: &Problem<'_>, columns: &[bool]) -> Result<Vec<Group>, SearchError> {
    let table = problem.table;
    let mut values: Vec<Option<(Vec<f64>, Option<u32>)>> = Vec::new();
    for (at, column) in table.quasi_identifiers().iter().enumerate() {
        if !columns[at] {
            values.push(None);
            continue;
        }
        let numbers = Numbers::from_dictionary(&column.dictionary).map_err(|problem| {
            SearchError::NoNumbers { attribute: column.name.clone(), problem }
        })?;
        let scale = numbers.scale() as f64;
        let of_code: Vec<f64> =
            numbers.all_scaled().iter().map(|&units| units as f64 / scale).collect();
        let missing = numbers.missing();
        let rows = || column.codes.iter().zip(table.counts()).filter(|it| Some(*it.0) != missing);
        let n: f64 = rows().map(|(_, &n)| n as f64).sum();
        let mean = rows().map(|(&code, &n)| of_code[code as usize] * n as f64).sum::<f64>() / n;
        let square = |code: u32| (of_code[code as usize] - mean).powi(2);
        let variance = rows().map(|(&code, &n)| square(code) * n as f64).sum::<f64>() / n;
        let factor = match variance > 0.0 {
            true => problem.weights[at] / variance.sqrt(),
            false => 0.0,
        };
        values.push(Some((of_code.iter().map(|x| (x - mean) * factor).collect(), missing)));
    }
    let mut groups: BTreeMap<Vec<u32>, Group> = BTreeMap::new();
    for tuple in 0..table.n_tuples() {
        let (mut key, mut point) = (Vec::with_capacity(columns.len()), Vec::new());
        for (at, column) in table.quasi_identifiers().iter().enumerate() {
            let code = column.codes[tuple];
            match &values[at] {
                Some((_, missing)) if Some(code) == *missing => key.push(1),
                Some((of_code, _)) => {
                    key.push(0);
                    point.push(of_code[code as usize]);
                }
                None => {
                    let level = problem.policy.hierarchies[at].level(*problem.bounds[at].start());
                    key.push(level.map[code as usize]);
                }
            }
        }
        let group = groups.entry(key).or_insert_with(|| Group {
            rows: Vec::new(),
            points: Vec::new(),
            dimensions: point.len(),
        });
        for _ in 0..table.counts()[tuple] {
            group.rows.push(tuple as u32);
            group.points.extend(&point);
        }
    }
    Ok(groups.into_values().collect())
}
