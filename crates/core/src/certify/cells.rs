//! Checks that the released values of classes are well-formed and cover the values of their rows.

use rustc_hash::FxHashMap;

use super::invalid::{CellProblem, InvalidRecoding, expect_length};
use crate::model::{CountedColumn, FrequencyTable, Order};
use crate::recoding::{
    Cell, Classes, Generalization, Policy, Recoding, SuppressedCells, SuppressionRule,
};
use crate::{Hierarchy, MISSING};

/// Checks that each cell is valid and covers the values of all rows of its class that are not
/// suppressed.
pub fn check_coverage(
    table: &FrequencyTable,
    hierarchies: &[Hierarchy],
    classes: &Classes,
    suppressed: &[bool],
) -> Result<(), InvalidRecoding> {
    if classes.cells.n_classes() > 0 {
        expect_length("released values", classes.cells.attributes().len(), hierarchies.len())?;
    }
    let retained = || {
        let tuples = classes.class_of.iter().zip(table.counts()).enumerate();
        tuples
            .filter(|(tuple, _)| !suppressed[*tuple])
            .map(|(tuple, (&class, &count))| (tuple, class as usize, count))
    };
    let n_classes = classes.cells.n_classes();
    let n_rows =
        retained().filter(|(_, class, _)| *class >= n_classes).map(|(_, _, count)| count).sum();
    if retained().any(|(_, class, _)| class >= n_classes) {
        return Err(InvalidRecoding::NoClass { n_rows });
    }
    for (attribute, (hierarchy, cells)) in
        hierarchies.iter().zip(classes.cells.attributes()).enumerate()
    {
        let column = &table.quasi_identifiers()[attribute];
        let names = Names::new(hierarchy);
        for (number, cell) in (0u32..).zip(cells.distinct()) {
            let check = well_formed(cell, column, hierarchy);
            check.and_then(|()| names.unambiguous(cell, column, hierarchy)).map_err(|problem| {
                let first = cells.of_classes().iter().position(|of| *of == number);
                InvalidRecoding::Cell { class: first.unwrap_or(0), attribute, problem }
            })?;
        }
        let covered =
            |tuple: usize, class: usize| cells.of(class).covers(hierarchy, column.codes[tuple]);
        if let Some((_, class, _)) = retained().find(|&(tuple, class, _)| !covered(tuple, class)) {
            let lies = retained().filter(|&(tuple, at, _)| at == class && !covered(tuple, at));
            let n_rows = lies.map(|(_, _, count)| count).sum();
            return Err(InvalidRecoding::NotCovered { class, attribute, n_rows });
        }
    }
    Ok(())
}

/// Returns the number of suppressed cells and the number of rows that contain them, if the policy
/// allows cell suppression. Rows that are suppressed as a whole are not counted.
pub fn suppressed(
    table: &FrequencyTable,
    policy: &Policy,
    recoding: &Recoding,
) -> Result<Option<SuppressedCells>, InvalidRecoding> {
    let highest = match &recoding.generalization {
        Generalization::Classes(classes) => classes.highest.as_ref().map(|it| (classes, it)),
        Generalization::FullDomain { .. } => None,
    };
    let of_attribute = vec![0; policy.hierarchies.len()];
    let mut cells = SuppressedCells { n_rows: 0, of_attribute };
    let Some((classes, highest)) = highest else {
        return Ok((policy.suppressed == SuppressionRule::Cells).then_some(cells));
    };
    if policy.suppressed != SuppressionRule::Cells {
        return Err(InvalidRecoding::CellsNotRequested);
    }
    expect_length("highest levels", highest.len(), policy.hierarchies.len())?;
    let above = |class: usize, attribute: usize| match classes.cells.get(class, attribute) {
        Cell::Label { level, .. } if *level > highest[attribute] => Some(*level),
        _ => None,
    };
    for class in 0..classes.cells.n_classes() {
        for (attribute, hierarchy) in policy.hierarchies.iter().enumerate() {
            if above(class, attribute).is_some_and(|level| level + 1 < hierarchy.n_levels()) {
                let problem = CellProblem::NotSuppressed;
                return Err(InvalidRecoding::Cell { class, attribute, problem });
            }
        }
    }
    for (tuple, &count) in table.counts().iter().enumerate() {
        let class = classes.class_of[tuple] as usize;
        if recoding.suppressed[tuple] {
            continue;
        }
        let mut any = false;
        for (attribute, n_rows) in cells.of_attribute.iter_mut().enumerate() {
            if above(class, attribute).is_some() {
                *n_rows += count;
                any = true;
            }
        }
        cells.n_rows += if any { count } else { 0 };
    }
    Ok(Some(cells))
}

fn well_formed(
    cell: &Cell,
    column: &CountedColumn,
    hierarchy: &Hierarchy,
) -> Result<(), CellProblem> {
    let dictionary = &column.dictionary;
    let n_values = dictionary.len() as u32;
    let fail_if = |wrong: bool, problem| if wrong { Err(problem) } else { Ok(()) };
    match cell {
        Cell::Label { level, label } => {
            let is_level = *level < hierarchy.n_levels();
            let is_label = is_level && (*label as usize) < hierarchy.level(*level).labels.len();
            fail_if(!is_label, CellProblem::NoLabel)
        }
        Cell::Range { low, high } => {
            fail_if(*low.max(high) >= n_values, CellProblem::NoValue)?;
            fail_if(low > high, CellProblem::Reversed)?;
            let is_number =
                dictionary.order() == Order::Numeric && dictionary.value(*low) != MISSING;
            fail_if(low < high && !is_number, CellProblem::NotNumeric)
        }
        Cell::Set(codes) => {
            fail_if(codes.is_empty(), CellProblem::Empty)?;
            fail_if(codes.windows(2).any(|pair| pair[0] >= pair[1]), CellProblem::NotAscending)?;
            fail_if(codes.iter().any(|&code| code >= n_values), CellProblem::NoValue)
        }
        Cell::Generated { of, .. } => well_formed(of, column, hierarchy),
    }
}

/// The labels of an attribute that could be mistaken for a range or a set.
struct Names<'a> {
    /// For each string that looks like a range or a set, the labels with this text and their
    /// levels.
    labels: FxHashMap<&'a str, Vec<(usize, u32)>>,
}

impl<'a> Names<'a> {
    fn new(hierarchy: &'a Hierarchy) -> Self {
        let mut labels: FxHashMap<&str, Vec<(usize, u32)>> = FxHashMap::default();
        for level in 0..hierarchy.n_levels() {
            for (text, label) in hierarchy.level(level).labels.iter().zip(0..) {
                if text.starts_with(['[', '{']) {
                    labels.entry(text).or_default().push((level, label));
                }
            }
        }
        Self { labels }
    }

    fn unambiguous(
        &self,
        cell: &Cell,
        column: &CountedColumn,
        hierarchy: &Hierarchy,
    ) -> Result<(), CellProblem> {
        let is_notation = match cell {
            Cell::Label { .. } | Cell::Generated { .. } => false,
            Cell::Range { low, high } => low != high,
            Cell::Set(codes) => codes.len() > 1,
        };
        if self.labels.is_empty() || !is_notation {
            return Ok(());
        }
        let text = cell.text(&column.dictionary, hierarchy);
        let same = |&(level, label): &(usize, u32)| {
            let named = Cell::Label { level, label };
            (0..column.dictionary.len() as u32)
                .all(|code| cell.covers(hierarchy, code) == named.covers(hierarchy, code))
        };
        match self.labels.get(text.as_str()) {
            Some(labels) if !labels.iter().all(same) => Err(CellProblem::Ambiguous),
            _ => Ok(()),
        }
    }
}
