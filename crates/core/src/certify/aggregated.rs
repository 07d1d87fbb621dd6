//! Releases in which numbers are replaced by the centers of classes.
//!
//! A search proposes classes and ranges; the certifier computes the centers from the rows.

use std::collections::BTreeMap;

use indistinct_labels::decimal;

use super::invalid::{CellProblem, InvalidRecoding, expect_length};
use super::partition::Partition;
use super::{NotCertified, Release, certified};
use crate::Rational;
use crate::model::{FrequencyTable, Numbers};
use crate::recoding::{Aggregation, Cell, Center, Classes, Generalization, Policy, Recoding};

/// Checks classes against a policy and, if all requirements hold, returns a release with the
/// centers of the classes, together with its recoding.
///
/// # Errors
/// Returns [`NotCertified`] for the same reasons as [`certify`](super::certify), if an aggregated
/// column has values that are not numbers, or if a class has both numbers and missing values in an
/// aggregated column.
pub fn certify_aggregated<'a>(
    table: &'a FrequencyTable,
    policy: &Policy,
    aggregation: &Aggregation,
) -> Result<(Release<'a>, Recoding), NotCertified> {
    let Aggregation { center, columns, recoding } = aggregation;
    expect_length("aggregated columns", columns.len(), table.quasi_identifiers().len())?;
    let Generalization::Classes(classes) = &recoding.generalization else {
        return Err(InvalidRecoding::NoClasses.into());
    };
    if recoding.has_generated() {
        return Err(InvalidRecoding::Generated.into());
    }
    let rows = table.divided_into(classes.parts.as_deref()).map_err(InvalidRecoding::Parts)?;
    // Check that the proposal matches the table and covers its rows.
    Partition::new(&rows, policy, recoding)?;
    let mut cells: Vec<Vec<Cell>> = classes.cells.rows().collect();
    for attribute in (0..columns.len()).filter(|&at| columns[at]) {
        let centers = centers(&rows, attribute, *center, classes, &recoding.suppressed)?;
        for (cells, center) in cells.iter_mut().zip(centers) {
            if let Some(center) = center {
                cells[attribute] = center;
            }
        }
    }
    let classes = Classes { cells: cells.into_iter().collect(), ..classes.clone() };
    let recoding =
        Recoding { generalization: Generalization::Classes(classes), ..recoding.clone() };
    Ok((certified(table, policy, &recoding)?, recoding))
}

/// Returns the center of a column for each class. Each center has the range of the original values
/// of all rows whose center has the same text. Returns `None` for classes that have no rows or only
/// missing values.
fn centers(
    rows: &FrequencyTable,
    attribute: usize,
    center: Center,
    classes: &Classes,
    suppressed: &[bool],
) -> Result<Vec<Option<Cell>>, InvalidRecoding> {
    let column = &rows.quasi_identifiers()[attribute];
    let numbers = Numbers::from_dictionary(&column.dictionary)
        .map_err(|_| InvalidRecoding::NoNumbers { attribute })?;
    let mut values: Vec<BTreeMap<u32, u64>> = vec![BTreeMap::new(); classes.cells.n_classes()];
    for (tuple, &count) in rows.counts().iter().enumerate().filter(|(at, _)| !suppressed[*at]) {
        let of_class = &mut values[classes.class_of[tuple] as usize];
        *of_class.entry(column.codes[tuple]).or_default() += count;
    }
    let mut texts: Vec<Option<String>> = Vec::with_capacity(values.len());
    let mut ends: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for (class, values) in values.iter().enumerate() {
        let values: Vec<(u32, u64)> = values.iter().map(|(&code, &rows)| (code, rows)).collect();
        let is_missing = |value: &(u32, u64)| numbers.missing() == Some(value.0);
        let (Some(first), Some(last)) = (values.first(), values.last()) else {
            texts.push(None);
            continue;
        };
        if is_missing(first) && values.len() == 1 {
            texts.push(None);
            continue;
        }
        if is_missing(first) {
            let problem = CellProblem::NotNumeric;
            return Err(InvalidRecoding::Cell { class, attribute, problem });
        }
        let units = center.of(&numbers, &values);
        let text = units.and_then(|units| decimal(&Rational::new(units, numbers.scale())));
        let text = text.ok_or(InvalidRecoding::NoNumbers { attribute })?;
        let (low, high) = ends.entry(text.clone()).or_insert((first.0, last.0));
        (*low, *high) = ((*low).min(first.0), (*high).max(last.0));
        texts.push(Some(text));
    }
    let generated = |text: Option<String>| {
        let (low, high) = *ends.get(text.as_ref()?)?;
        Some(Cell::Generated { text: text?, of: Box::new(Cell::Range { low, high }) })
    };
    Ok(texts.into_iter().map(generated).collect())
}
