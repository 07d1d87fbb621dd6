//! Constructs recodings with classes, selects parts of a table, and computes information loss.

use indistinct_core::loss::{self, CellMeasure, Form, weighted_mean};
use indistinct_core::model::CountedColumn;
use indistinct_core::{
    Cell, Cells, Classes, FrequencyTable, Generalization, Hierarchy, Part, Policy, Recoding, STAR,
};
use rustc_hash::FxHashMap;

use crate::Problem;

/// Returns whether a class is released as `*` in every quasi-identifier, like suppressed rows.
pub(crate) fn is_starred(policy: &Policy, cells: &[Cell]) -> bool {
    cells.iter().zip(&policy.hierarchies).all(|(cell, hierarchy)| match cell {
        Cell::Label { level, label } => hierarchy.level(*level).labels[*label as usize] == STAR,
        Cell::Range { .. } | Cell::Set(_) | Cell::Generated { .. } => false,
    })
}

/// Creates a recoding from the rows of each tuple, with their class or `None` if they are
/// suppressed. Entries are in ascending order of tuples and contain all rows of the table.
pub(crate) fn recoding(
    table: &FrequencyTable,
    entries: impl Iterator<Item = (Part, Option<u32>)>,
    cells: Cells,
) -> Recoding {
    let entries: Vec<(Part, Option<u32>)> = entries.collect();
    let is_divided = entries.len() > table.n_tuples();
    let classes = Classes {
        parts: is_divided.then(|| entries.iter().map(|it| it.0).collect()),
        class_of: entries.iter().map(|it| it.1.unwrap_or(0)).collect(),
        cells,
        highest: None,
    };
    Recoding {
        generalization: Generalization::Classes(classes),
        suppressed: entries.iter().map(|it| it.1.is_none()).collect(),
        sensitive: None,
    }
}

/// Returns the table of some rows of a table, given as a number of rows for each tuple in ascending
/// order.
pub(crate) fn subset(table: &FrequencyTable, rows: &[Part]) -> FrequencyTable {
    let column = |column: &CountedColumn| CountedColumn {
        codes: rows.iter().map(|part| column.codes[part.tuple as usize]).collect(),
        ..column.clone()
    };
    let columns = |of: &[CountedColumn]| of.iter().map(column).collect::<Vec<_>>();
    let (known, sensitive) = (columns(table.quasi_identifiers()), columns(table.sensitive()));
    let counts = rows.iter().map(|part| part.rows).collect();
    FrequencyTable::new(known, sensitive, counts).expect("a subset of the rows is a valid table")
}

/// Returns the distinct combinations of the values of some sensitive attributes, in the order of
/// their first tuples, and the index of each tuple's combination.
pub(crate) fn values(table: &FrequencyTable, attributes: &[usize]) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut values: Vec<Vec<u32>> = Vec::new();
    let value_of = (0..table.n_tuples()).map(|tuple| {
        let of = |&at: &usize| table.sensitive()[at].codes[tuple];
        let own: Vec<u32> = attributes.iter().map(of).collect();
        *known.entry(own).or_insert_with_key(|own| {
            values.push(own.clone());
            values.len() as u32 - 1
        })
    });
    (value_of.collect(), values)
}

/// Returns the labels of a tuple at the highest permitted levels.
pub(crate) fn widest_labels(problem: &Problem<'_>, tuple: usize) -> Vec<u32> {
    let columns = problem.table.quasi_identifiers().iter();
    let attributes = columns.zip(&problem.policy.hierarchies).zip(&problem.bounds);
    let label = |((column, hierarchy), bounds): ((&CountedColumn, &Hierarchy), &Levels)| {
        hierarchy.level(*bounds.end()).map[column.codes[tuple] as usize]
    };
    attributes.map(label).collect()
}

type Levels = std::ops::RangeInclusive<usize>;

/// Computes the `loss` of the registry: the mean fraction of the other values of an attribute that
/// a released value also covers. A suppressed row has the maximum cost. The certifier recomputes
/// this loss.
pub(crate) fn loss(problem: &Problem<'_>, recoding: &Recoding) -> f64 {
    let Generalization::Classes(classes) = &recoding.generalization else {
        unreachable!("the recoding has classes");
    };
    let table = problem.table;
    let measures = measures(table, problem.policy);
    let mut totals = vec![0.0; measures.len()];
    let suppressed = &recoding.suppressed;
    for (at, (&class, &is_suppressed)) in classes.class_of.iter().zip(suppressed).enumerate() {
        let (tuple, rows) = match &classes.parts {
            Some(parts) => (parts[at].tuple as usize, parts[at].rows),
            None => (at, table.counts()[at]),
        };
        for (attribute, column) in table.quasi_identifiers().iter().enumerate() {
            let (measure, code) = (&measures[attribute], column.codes[tuple]);
            let cost = match is_suppressed {
                true => measure.suppressed_cost(code),
                false => measure.cost(code, classes.cells.get(class as usize, attribute)),
            };
            totals[attribute] += cost * rows as f64;
        }
    }
    weighted_mean(&totals, &problem.weights, table.n_rows())
}

/// Returns the cell costs of all quasi-identifiers.
pub(crate) fn measures(table: &FrequencyTable, policy: &Policy) -> Vec<CellMeasure> {
    match loss::find("loss").map(|loss| loss.form) {
        Some(Form::Cells(cost)) => CellMeasure::of_table(cost, table, &policy.hierarchies),
        _ => unreachable!("the registry contains `loss`, which is a loss of cells"),
    }
}
