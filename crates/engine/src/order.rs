//! Finds the counted combination of values (tuple) of each input row, in input order.

use indistinct_core::Observer;
use indistinct_core::model::CountedColumn;
use rustc_hash::FxHashMap;

use crate::count::Lookup;
use crate::{EngineError, Input};

/// Consecutive columns whose codes fit into one key, together with the number of the preceding
/// chunk.
struct Chunk {
    columns: std::ops::Range<usize>,
    /// Multiplier for the code of each column.
    places: Vec<u128>,
    /// A distinct number for each occurring key.
    known: FxHashMap<u128, u32>,
}

/// Divides columns into chunks. A key has 128 bits; 32 of them contain the number of the preceding
/// chunk.
fn chunks(n_values: impl Iterator<Item = usize>) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut place = u128::MAX;
    for (at, n_values) in n_values.enumerate() {
        let n_values = n_values.max(1) as u128;
        match chunks.last_mut().filter(|_| place.checked_mul(n_values).is_some()) {
            Some(chunk) => {
                chunk.columns.end += 1;
                chunk.places.push(place);
            }
            None => {
                place = 1 << u32::BITS;
                let (columns, known) = (at..at + 1, FxHashMap::default());
                chunks.push(Chunk { columns, places: vec![place], known });
            }
        }
        place *= n_values;
    }
    chunks
}

/// Returns the tuple of each row of an input, in input order. Rows are matched exactly for any
/// number of columns.
///
/// # Errors
/// Returns [`EngineError`] if the input cannot be read, or the observer cancels.
pub fn tuples_in_order(
    input: &Input,
    columns: &[&CountedColumn],
    n_tuples: usize,
    observer: &dyn Observer,
) -> Result<Vec<u32>, EngineError> {
    let mut chunks = chunks(columns.iter().map(|column| column.dictionary.len()));
    let n_chunks = chunks.len();
    let mut numbers = vec![0u32; n_tuples];
    for (at, chunk) in chunks.iter_mut().enumerate() {
        for (tuple, number) in numbers.iter_mut().enumerate() {
            let own = columns[chunk.columns.clone()].iter().zip(&chunk.places);
            let key = own.fold(u128::from(*number), |key, (column, place)| {
                key + place * u128::from(column.codes[tuple])
            });
            // The number in the last chunk is the number of the tuple.
            let next = if at + 1 == n_chunks { tuple } else { chunk.known.len() } as u32;
            *number = *chunk.known.entry(key).or_insert(next);
        }
    }
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    // This lookup is also correct for other texts, because exact matches take precedence.
    let lookup = |column: &&CountedColumn| Lookup::of_sensitive(&column.name, &column.dictionary);
    let mut lookups: Vec<Lookup> = columns.iter().map(lookup).collect();
    let (mut rows, mut codes) = (Vec::new(), Vec::new());
    let (mut keys, mut numbers) = (Vec::new(), Vec::new());
    for batch in input.batches_with_dictionaries(&names, &names)? {
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let batch = batch?;
        numbers.clear();
        numbers.resize(batch.num_rows(), Some(0u32));
        for chunk in &chunks {
            keys.clear();
            keys.resize(batch.num_rows(), 0u128);
            for (&place, at) in chunk.places.iter().zip(chunk.columns.clone()) {
                codes.clear();
                lookups[at].codes(batch.columns()[at].as_ref(), &mut codes)?;
                for (key, &code) in keys.iter_mut().zip(&codes) {
                    *key += place * u128::from(code);
                }
            }
            for (number, key) in numbers.iter_mut().zip(&keys) {
                *number = number.and_then(|own| chunk.known.get(&(key + u128::from(own))).copied());
            }
        }
        rows.extend(numbers.iter().flatten());
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sort_keys_cover_columns_within_bit_width() {
        for (n_columns, n_values, n_chunks) in
            [(0, 2, 0), (3, 1, 1), (4, 1 << 23, 1), (5, 1 << 24, 2), (12, 1 << 31, 4)]
        {
            let chunks = chunks(std::iter::repeat_n(n_values, n_columns));
            let columns: Vec<usize> =
                chunks.iter().flat_map(|chunk| chunk.columns.clone()).collect();
            assert_eq!(columns, (0..n_columns).collect::<Vec<_>>());
            assert_eq!(chunks.len(), n_chunks, "{n_columns} columns of {n_values} values");
            for chunk in chunks {
                // The largest codes combined with the largest number.
                let largest = chunk.places.iter().try_fold(u128::from(u32::MAX), |key, place| {
                    key.checked_add(place.checked_mul(n_values as u128 - 1)?)
                });
                assert!(largest.is_some());
                assert_eq!(chunk.places[0], 1 << 32);
                assert!(chunk.places.windows(2).all(|pair| pair[1] == pair[0] * n_values as u128));
            }
        }
    }
}
