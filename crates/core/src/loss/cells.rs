//! The cost of a single released value, for recodings in which each class has its own released
//! values.
//!
//! Searches and the losses of a certified release use the same [`CellMeasure`], so their results
//! agree.

use super::{CellCosts, Column, SuppressionOf, rows_per_label};
use crate::hierarchy::Hierarchy;
use crate::model::{CountedColumn, Dictionary, FrequencyTable, Order, parse_decimal};
use crate::recoding::Cell;
use crate::{MISSING, Rational};

/// The number of values and rows that a cell covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// The number of domain values that the cell covers.
    pub values: u64,
    /// The number of rows whose original value the cell covers.
    pub rows: u64,
}

/// The costs of the cells of one quasi-identifier.
#[derive(Debug, Clone)]
pub struct CellMeasure {
    suppression_of: SuppressionOf,
    /// The coverage of each label of each level.
    labels: Vec<Vec<Coverage>>,
    /// The additional cost of suppressing a row, for each label of each level.
    of_labels: Vec<Vec<f64>>,
    /// The index of the label at level 0, for each code.
    raw: Vec<u32>,
    /// For each code, the number of rows with lower codes, followed by the total number of rows.
    rows_below: Vec<u64>,
    /// For each code, the number of domain values below it, and the number of domain values up to
    /// and including it.
    bounds: Vec<(u64, u64)>,
    domain: u64,
}

impl SuppressionOf {
    /// Returns the additional cost of suppressing a row of a table with `n_rows` rows, for an
    /// attribute with `domain` values.
    pub fn cost(self, coverage: &Coverage, domain: u64, n_rows: u64) -> f64 {
        let values = coverage.values.max(1);
        match self {
            Self::Share if domain <= 1 => 1.0,
            Self::Share => 1.0 - (values - 1) as f64 / (domain - 1) as f64,
            Self::Inverse => 1.0 / values as f64,
            Self::Logarithm { .. } if coverage.rows == 0 => 0.0,
            Self::Logarithm { scale } => (n_rows as f64 / coverage.rows as f64).ln() * scale,
        }
    }
}

impl CellMeasure {
    /// Creates the measures of all quasi-identifiers of a table, for a loss of the form
    /// [`Form::Cells`](super::Form::Cells).
    pub fn of_table(
        cost: fn(&Column<'_>) -> CellCosts,
        table: &FrequencyTable,
        hierarchies: &[Hierarchy],
    ) -> Vec<Self> {
        let columns = table.quasi_identifiers().iter().zip(hierarchies);
        columns
            .map(|(counted, hierarchy)| {
                let marginal = table.marginal(counted);
                let column = Column { hierarchy, marginal: &marginal, n_rows: table.n_rows() };
                Self::new(cost(&column), &column, counted)
            })
            .collect()
    }

    fn new(costs: CellCosts, column: &Column<'_>, counted: &CountedColumn) -> Self {
        let rows = rows_per_label(column);
        let levels = rows.into_iter().enumerate().map(|(level, rows)| {
            let covered = column.hierarchy.level(level).covered.iter();
            covered.zip(rows).map(|(&values, rows)| Coverage { values, rows }).collect()
        });
        let mut rows_below = vec![0];
        rows_below.extend(column.marginal.iter().scan(0, |sum, rows| {
            *sum += rows;
            Some(*sum)
        }));
        Self {
            suppression_of: costs.suppression_of,
            labels: levels.collect(),
            of_labels: costs.suppression,
            raw: column.hierarchy.level(0).map.clone(),
            rows_below,
            bounds: bounds(&counted.dictionary, column.hierarchy),
            domain: column.hierarchy.domain_size(),
        }
    }

    /// Returns the number of values and rows that a cell covers. A range covers the listed values
    /// within it if the hierarchy lists a domain of numbers, and the values that occur otherwise.
    /// O(1) except for sets.
    ///
    /// # Panics
    /// Panics if the cell does not match the attribute.
    pub fn coverage(&self, cell: &Cell) -> Coverage {
        let rows = |code: u32| self.rows_below[code as usize + 1] - self.rows_below[code as usize];
        match cell {
            Cell::Generated { of, .. } => self.coverage(of),
            Cell::Label { level, label } => self.labels[*level][*label as usize],
            Cell::Range { low, high } => Coverage {
                values: self.bounds[*high as usize].1 - self.bounds[*low as usize].0,
                rows: self.rows_below[*high as usize + 1] - self.rows_below[*low as usize],
            },
            Cell::Set(codes) => Coverage {
                values: codes.len() as u64,
                rows: codes.iter().map(|&code| rows(code)).sum(),
            },
        }
    }

    /// Returns the additional cost of suppressing a row that contains the given cell.
    ///
    /// # Panics
    /// Panics if the cell does not match the attribute.
    pub fn suppression(&self, cell: &Cell) -> f64 {
        match cell {
            Cell::Label { level, label } => self.of_labels[*level][*label as usize],
            _ => {
                let n_rows = self.rows_below[self.rows_below.len() - 1];
                self.suppression_of.cost(&self.coverage(cell), self.domain, n_rows)
            }
        }
    }

    /// Returns the cost of a suppressed row with the given original value.
    pub fn suppressed_cost(&self, code: u32) -> f64 {
        self.of_labels[0][self.raw[code as usize] as usize]
    }

    /// Returns the cost of releasing the given original value as a cell that covers it.
    ///
    /// # Panics
    /// Panics if the cell or the code does not match the attribute.
    pub fn cost(&self, code: u32, cell: &Cell) -> f64 {
        self.suppressed_cost(code) - self.suppression(cell)
    }
}

/// Returns, for each code, the number of domain values below it, and the number of domain values up
/// to and including it.
fn bounds(dictionary: &Dictionary, hierarchy: &Hierarchy) -> Vec<(u64, u64)> {
    let numbers = listed_numbers(hierarchy).filter(|_| dictionary.order() == Order::Numeric);
    let Some(numbers) = numbers else {
        return (0..dictionary.len() as u64).map(|code| (code, code + 1)).collect();
    };
    let of_value = |value: &String| match parse_decimal(value) {
        Ok(number) => (
            numbers.partition_point(|listed| *listed < number) as u64,
            numbers.partition_point(|listed| *listed <= number) as u64,
        ),
        // A range that contains a missing value covers only the missing value.
        Err(_) => (0, 1),
    };
    dictionary.values().iter().map(of_value).collect()
}

/// Returns the values that a hierarchy lists, in ascending order, if all values except a missing
/// one are numbers.
fn listed_numbers(hierarchy: &Hierarchy) -> Option<Vec<Rational>> {
    let listed = hierarchy.n_listed();
    if !hierarchy.lists_domain() {
        return None;
    }
    let values = hierarchy.domain_level(0);
    let texts = values.map[..listed].iter().map(|&label| &values.labels[label as usize]);
    let mut numbers = texts
        .filter(|text| *text != MISSING)
        .map(|text| parse_decimal(text).ok())
        .collect::<Option<Vec<Rational>>>()?;
    numbers.sort_unstable();
    Some(numbers)
}
