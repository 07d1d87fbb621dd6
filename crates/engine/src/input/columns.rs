//! The columns that all files of a table share.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::InputColumn;
use crate::EngineError;

/// Maximum number of columns of a table.
pub(super) const COLUMN_LIMIT: usize = 100_000;

/// Returns the columns of the first file, after checking that all files have the same columns.
pub(super) fn shared_columns(
    files: &[PathBuf],
    read: impl Fn(&Path) -> Result<Vec<InputColumn>, EngineError>,
    check: impl Fn(&Path) -> Result<(), EngineError>,
) -> Result<Vec<InputColumn>, EngineError> {
    let mut first: Option<Vec<InputColumn>> = None;
    for path in files {
        let columns = read(path)?;
        if columns.len() > COLUMN_LIMIT {
            return Err(EngineError::TooWide { path: path.clone(), limit: COLUMN_LIMIT });
        }
        // The header is checked first because the errors below quote column names.
        if first.as_ref() != Some(&columns) {
            check(path)?;
        }
        let mut names = HashSet::new();
        for column in &columns {
            if !names.insert(&column.name) {
                let column = column.name.clone();
                return Err(EngineError::DuplicateColumn { path: path.clone(), column });
            }
        }
        match &first {
            None => first = Some(columns),
            Some(first) if *first != columns => {
                return Err(EngineError::OtherColumns {
                    path: path.clone(),
                    first: files[0].clone(),
                    difference: difference(first, &columns),
                });
            }
            Some(_) => {}
        }
    }
    Ok(first.unwrap_or_default())
}

fn difference(expected: &[InputColumn], got: &[InputColumn]) -> String {
    let lacking = |from: &[InputColumn], of: &[InputColumn]| {
        let known: HashSet<&str> = from.iter().map(|column| column.name.as_str()).collect();
        let missing = of.iter().filter(|column| !known.contains(column.name.as_str())).take(20);
        missing.map(|column| format!("'{}'", column.name)).collect::<Vec<_>>().join(", ")
    };
    let (missing, added) = (lacking(got, expected), lacking(expected, got));
    match (missing.as_str(), added.as_str()) {
        ("", "") => {}
        (missing, "") => return format!("missing: {missing}"),
        ("", added) => return format!("additional: {added}"),
        (missing, added) => return format!("missing: {missing}; additional: {added}"),
    }
    let got: HashMap<&str, &InputColumn> =
        got.iter().map(|column| (column.name.as_str(), column)).collect();
    let other_type = expected.iter().find_map(|column| {
        let other = *got.get(column.name.as_str())?;
        (other.data_type != column.data_type).then_some((column, other))
    });
    match other_type {
        Some((column, other)) => format!(
            "'{}' has type {} instead of {}",
            column.name, other.data_type, column.data_type
        ),
        None => "the order of the columns differs".to_owned(),
    }
}
