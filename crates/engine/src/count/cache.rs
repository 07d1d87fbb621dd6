//! Cached counts for repeated requests about the same table.

use std::sync::Arc;

use indistinct_core::{FrequencyTable, Observer};

use super::pass::unify;
use super::{CountRequest, CountedRows, UnifiedValue};
use crate::{CountCache, EngineError, Input};

/// Cached counts of a request.
struct KnownCounts {
    quasi_identifiers: Vec<String>,
    sensitive: Vec<String>,
    alike: Vec<String>,
    counted: CountedRows,
}

/// Returns the cached counts of the request, or calls `count` and caches its result. Counts of a
/// file that changes while it is counted are not cached.
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

/// Returns the cached counts of the same request, or derives them from a request with more columns.
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
        // Spellings of a sensitive attribute are always unified for numbers, and for text if the
        // policy requires this.
        let is_unified = |name: &String| {
            known.alike.contains(name) || known.counted.unified.iter().any(|it| it.column == *name)
        };
        // A cached request is unsuitable if it unified values that this request must distinguish.
        let is_fine = |name| !known.alike.contains(name) || request.alike.contains(name);
        request.sensitive.iter().all(|name| has(name) && is_fine(name))
            && request.quasi_identifiers.iter().all(|name| has(name) && !is_unified(name))
    };
    let of_more = all.iter().filter(serves);
    // The request with the fewest tuples is preferred because its counts are the fastest to sum.
    let smallest = of_more.min_by_key(|known| known.counted.table.n_tuples())?;
    cache.used(smallest);
    fewer_columns(&smallest.counted, request)
}

/// Derives the counts of a subset of the columns, regardless of their roles in the cached request.
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
        // For a single column, summing the row counts of each value is fast.
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
