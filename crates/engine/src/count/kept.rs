//! Counts that are kept for further questions about the same table.

use std::sync::Arc;

use indistinct_core::model::CountedColumn;
use indistinct_core::{FrequencyTable, Observer};

use super::{CountRequest, Counted};
use crate::{EngineError, Input};

/// What was counted for a request.
struct Known {
    quasi_identifiers: Vec<String>,
    sensitive: Vec<String>,
    alike: Vec<String>,
    counted: Counted,
}

/// What is kept of this request, or what `count` gives; nothing is kept of a file that is changed while it is counted.
pub(super) fn counted(
    input: &Input,
    request: &CountRequest,
    observer: &dyn Observer,
    count: impl FnOnce() -> Result<Counted, EngineError>,
) -> Result<Counted, EngineError> {
    let Some((kept, read)) = input.kept() else { return count() };
    let find = || find(&kept.all::<Known>(&read), request);
    if let Some(found) = find() {
        return Ok(found);
    }
    let _turn = kept.turn(|| observer.is_cancelled()).ok_or(EngineError::Cancelled)?;
    if let Some(found) = find() {
        return Ok(found);
    }
    let counted = count()?;
    if input.kept().is_some_and(|(_, now)| now == read) {
        let table = &counted.table;
        let n_bytes = table.n_tuples() * (8 + 4 * table.columns().count())
            + table.columns().map(|column| column.dictionary.len() * 48).sum::<usize>();
        let known = Known {
            quasi_identifiers: request.quasi_identifiers.clone(),
            sensitive: request.sensitive.clone(),
            alike: request.alike.clone(),
            counted: counted.clone(),
        };
        kept.keep(read, Arc::new(known), n_bytes);
    }
    Ok(counted)
}

/// What was counted for the same request, or follows from what was counted for one of more columns.
fn find(all: &[Arc<Known>], request: &CountRequest) -> Option<Counted> {
    let is_it = |known: &&Arc<Known>| {
        known.quasi_identifiers == request.quasi_identifiers
            && known.sensitive == request.sensitive
            && known.alike == request.alike
    };
    if let Some(known) = all.iter().find(is_it) {
        return Some(known.counted.clone());
    }
    let all_in = |few: &[String], many: &[String]| few.iter().all(|it| many.contains(it));
    let of_more = all.iter().filter(|known| {
        let is_alike = |name| known.alike.contains(name) == request.alike.contains(name);
        all_in(&request.quasi_identifiers, &known.quasi_identifiers)
            && all_in(&request.sensitive, &known.sensitive)
            && request.sensitive.iter().all(is_alike)
    });
    // The fewer tuples there are, the sooner they are added up.
    let smallest = of_more.min_by_key(|known| known.counted.table.n_tuples())?;
    fewer_columns(&smallest.counted, request)
}

/// The same counts for some of the columns.
fn fewer_columns(counted: &Counted, request: &CountRequest) -> Option<Counted> {
    let table = &counted.table;
    let names = || request.quasi_identifiers.iter().chain(&request.sensitive);
    let position = |name: &String| table.columns().position(|column| column.name == *name);
    let types = names().map(|name| Some(counted.types[position(name)?].clone()));
    let types = types.collect::<Option<Vec<_>>>()?;
    let find = |columns: &[CountedColumn], name: &String| {
        columns.iter().find(|column| column.name == *name).cloned()
    };
    let one = match (request.quasi_identifiers.as_slice(), request.sensitive.as_slice()) {
        ([name], []) => Some(find(table.quasi_identifiers(), name)?),
        _ => None,
    };
    let fewer = match one {
        // Of one column the rows of each value are soon added up.
        Some(column) => {
            let (codes, counts) = table.occurring(&column).into_iter().unzip();
            FrequencyTable::new(vec![CountedColumn { codes, ..column }], Vec::new(), counts)
        }
        None => {
            let of = |names: &[String], columns: &[CountedColumn]| {
                names.iter().map(|name| find(columns, name)).collect::<Option<Vec<_>>>()
            };
            let quasi_identifiers = of(&request.quasi_identifiers, table.quasi_identifiers())?;
            let sensitive = of(&request.sensitive, table.sensitive())?;
            FrequencyTable::new(quasi_identifiers, sensitive, table.counts().to_vec())
        }
    };
    let unified = counted.unified.iter().filter(|it| request.sensitive.contains(&it.column));
    Some(Counted {
        table: fewer.ok()?,
        fingerprint: counted.fingerprint.clone(),
        types,
        unified: unified.cloned().collect(),
    })
}
