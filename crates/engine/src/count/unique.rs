//! Values that occur once, in columns that are not counted as tuples.

use std::collections::hash_map::Entry;
use std::hash::BuildHasher;

use indistinct_core::{MISSING, Observer};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::{EngineError, Input, cell_text};

/// Above this many distinct values a column is said to single rows out without counting on.
const MOST_DISTINCT: usize = 1 << 20;

/// How many rows a column singles out by its value alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uniqueness {
    /// The column.
    pub column: String,
    /// Rows whose value no other row has; `None` where there are too many distinct values to count them.
    pub n_unique: Option<u64>,
}

/// For each column the number of rows that it singles out. One pass over the input, in bounded memory.
///
/// Values are told apart by a hash of 64 bits: a collision can make the number a little too small. It is for a warning.
///
/// # Errors
/// [`EngineError`] if the input cannot be read, a column has no plain text, or the observer cancels.
pub fn uniqueness(
    input: &Input,
    columns: &[String],
    observer: &dyn Observer,
) -> Result<Vec<Uniqueness>, EngineError> {
    if let Some(table) = input.table() {
        let of = |column: &String| {
            let n_unique = Some(table.n_unique(column)?);
            Ok(Uniqueness { column: column.clone(), n_unique })
        };
        return columns.iter().map(of).collect();
    }
    let mut seen: Vec<Option<FxHashMap<u64, Occurs>>> =
        vec![Some(FxHashMap::default()); columns.len()];
    for batch in input.batches(columns)? {
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let batch = batch?;
        for ((array, column), seen) in batch.columns().iter().zip(columns).zip(&mut seen) {
            for row in 0..batch.num_rows() {
                let Some(values) = seen else { break };
                let text = cell_text(array, row, column)?;
                if text == MISSING {
                    continue;
                }
                match values.entry(FxBuildHasher.hash_one(text.as_ref())) {
                    Entry::Vacant(entry) => drop(entry.insert(Occurs::Once)),
                    Entry::Occupied(mut entry) => drop(entry.insert(Occurs::Again)),
                }
                if values.len() > MOST_DISTINCT {
                    *seen = None;
                }
            }
        }
    }
    let n_unique = |values: FxHashMap<u64, Occurs>| {
        values.values().filter(|occurs| **occurs == Occurs::Once).count() as u64
    };
    Ok(columns
        .iter()
        .zip(seen)
        .map(|(column, seen)| Uniqueness { column: column.clone(), n_unique: seen.map(n_unique) })
        .collect())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Occurs {
    Once,
    Again,
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use indistinct_core::Silent;

    use super::*;
    use crate::InputSpec;

    #[test]
    fn values_that_occur_once_are_counted_and_missing_ones_are_not() {
        let mut file = tempfile::Builder::new().suffix(".csv").tempfile().expect("a file");
        file.write_all(b"a,b\n1,x\n2,\n1,x\n3,x\n").expect("it can be written");
        let spec = InputSpec { path: file.path().to_owned(), ..InputSpec::default() };
        let input = Input::open(&spec).expect("it can be read");
        let columns = ["a".to_owned(), "b".to_owned()];
        let found = uniqueness(&input, &columns, &Silent).expect("it can be read");
        assert_eq!(found[0], Uniqueness { column: "a".to_owned(), n_unique: Some(2) });
        assert_eq!(found[1], Uniqueness { column: "b".to_owned(), n_unique: Some(0) });
    }
}
