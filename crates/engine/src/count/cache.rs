//! Counts that are kept for further questions about the same table.

use std::sync::Arc;

use indistinct_core::{FrequencyTable, Observer};

use super::pass::unify;
use super::{CountRequest, CountedRows, UnifiedValue};
use crate::{CountCache, EngineError, Input};

/// What was counted for a request.
struct KnownCounts {
    quasi_identifiers: Vec<String>,
    sensitive: Vec<String>,
    alike: Vec<String>,
    counted: CountedRows,
}

/// What is kept of this request, or what `count` gives; nothing is kept of a file that is changed while it is counted.
pub(super) fn counted(
    input: &Input,
    request: &CountRequest,
    observer: &dyn Observer,
    count: impl FnOnce() -> Result<CountedRows, EngineError>,
) -> Result<CountedRows, EngineError> {
    let Some((cache, read)) = input.cache() else { return count() };
    let find = || find(cache, &cache.all::<KnownCounts>(&read), request);
    if let Some(found) = find() {
        return Ok(found);
    }
    let _turn = cache.turn(|| observer.is_cancelled()).ok_or(EngineError::Cancelled)?;
    if let Some(found) = find() {
        return Ok(found);
    }
    let counted = count()?;
    let n_bytes = counted.table.n_bytes();
    let known = KnownCounts {
        quasi_identifiers: request.quasi_identifiers.clone(),
        sensitive: request.sensitive.clone(),
        alike: request.alike.clone(),
        counted: counted.clone(),
    };
    input.keep_if_still(&read, Arc::new(known), n_bytes);
    Ok(counted)
}

/// What was counted for the same request, or follows from what was counted for one of more columns.
fn find(
    cache: &CountCache,
    all: &[Arc<KnownCounts>],
    request: &CountRequest,
) -> Option<CountedRows> {
    let is_it = |known: &&Arc<KnownCounts>| {
        known.quasi_identifiers == request.quasi_identifiers
            && known.sensitive == request.sensitive
            && known.alike == request.alike
    };
    if let Some(known) = all.iter().find(is_it) {
        cache.used(known);
        return Some(known.counted.clone());
    }
    let serves = |known: &&Arc<KnownCounts>| {
        let columns = || known.quasi_identifiers.iter().chain(&known.sensitive);
        let has = |name: &String| columns().any(|column| column == name);
        // Numbers of a sensitive attribute that were written in several ways are one value by now, and so are texts where the policy says so.
        let is_unified = |name: &String| {
            known.alike.contains(name) || known.counted.unified.iter().any(|it| it.column == *name)
        };
        // What is one value cannot be told apart again; the other way about it can.
        let is_fine = |name| !known.alike.contains(name) || request.alike.contains(name);
        request.sensitive.iter().all(|name| has(name) && is_fine(name))
            && request.quasi_identifiers.iter().all(|name| has(name) && !is_unified(name))
    };
    let of_more = all.iter().filter(serves);
    // The fewer tuples there are, the sooner they are added up.
    let smallest = of_more.min_by_key(|known| known.counted.table.n_tuples())?;
    cache.used(smallest);
    fewer_columns(&smallest.counted, request)
}

/// The same counts for some of the columns, whatever their roles were.
fn fewer_columns(counted: &CountedRows, request: &CountRequest) -> Option<CountedRows> {
    let table = &counted.table;
    let names = || request.quasi_identifiers.iter().chain(&request.sensitive);
    let position = |name: &String| table.columns().position(|column| column.name == *name);
    let types = names().map(|name| Some(counted.types[position(name)?].clone()));
    let types = types.collect::<Option<Vec<_>>>()?;
    let column = |name: &String| table.columns().find(|column| column.name == *name).cloned();
    let mut columns = names().map(column).collect::<Option<Vec<_>>>()?;
    let mut sensitive = columns.split_off(request.quasi_identifiers.len());
    let newly = unify(&mut sensitive, &request.alike);
    let counts = match (columns.as_mut_slice(), sensitive.as_slice()) {
        // Of one column the rows of each value are soon added up.
        ([one], []) => {
            let (codes, counts) = table.occurring(one).into_iter().unzip();
            one.codes = codes;
            counts
        }
        _ => table.counts().to_vec(),
    };
    let before = counted.unified.iter().filter(|it| request.sensitive.contains(&it.column));
    let mut unified: Vec<UnifiedValue> = before.cloned().chain(newly).collect();
    unified.sort_by_key(|it| request.sensitive.iter().position(|name| *name == it.column));
    Some(CountedRows {
        table: FrequencyTable::new(columns, sensitive, counts).ok()?,
        fingerprint: counted.fingerprint.clone(),
        types,
        unified,
    })
}
