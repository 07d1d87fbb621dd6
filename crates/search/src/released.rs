//! The information loss of a recoding with classes.

use indistinct_core::loss::{self, CellMeasure, Form, weighted_mean};
use indistinct_core::{Cell, Classes, FrequencyTable, Policy, STAR};

/// Returns whether a class is released as `*` in every quasi-identifier, like suppressed rows.
pub(crate) fn is_starred(policy: &Policy, cells: &[Cell]) -> bool {
    cells.iter().zip(&policy.hierarchies).all(|(cell, hierarchy)| match cell {
        Cell::Label { level, label } => hierarchy.level(*level).labels[*label as usize] == STAR,
        Cell::Range { .. } | Cell::Set(_) | Cell::Generated { .. } => false,
    })
}

/// Computes the `loss` of the registry: the mean fraction of the other values of an attribute that
/// a released value also covers. A suppressed row has the maximum cost. The certifier recomputes
/// this loss.
pub(crate) fn loss(
    table: &FrequencyTable,
    policy: &Policy,
    weights: &[f64],
    classes: &Classes,
    suppressed: &[bool],
) -> f64 {
    let measures = measures(table, policy);
    let mut totals = vec![0.0; measures.len()];
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
    weighted_mean(&totals, weights, table.n_rows())
}

/// Returns the cell costs of all quasi-identifiers.
pub(crate) fn measures(table: &FrequencyTable, policy: &Policy) -> Vec<CellMeasure> {
    match loss::find("loss").map(|loss| loss.form) {
        Some(Form::Cells(cost)) => CellMeasure::of_table(cost, table, &policy.hierarchies),
        _ => unreachable!("the registry contains `loss`, which is a loss of cells"),
    }
}
