//! Counts the rows whose values occur in no other row, for columns outside the frequency table.

use std::borrow::Cow;
use std::collections::BTreeSet;

use indistinct_core::Observer;
use sha2::{Digest, Sha256};

use crate::{EngineError, Input, cell_text};

/// Maximum number of rows whose digests are held in memory for each group of columns. Longer tables
/// are read several times, once for each part of the digests.
const MOST_DIGESTS: u64 = 1 << 24;

/// Returns, for each group of columns, the number of rows whose combination of values in these
/// columns occurs in no other row. A missing value is a value like any other. The table has
/// `n_rows` rows.
///
/// Values are compared as text, using the first 128 bits of a SHA-256 digest.
///
/// # Errors
/// Returns [`EngineError`] if the input cannot be read or lacks a column, or if the observer
/// cancels the operation.
pub fn unique_rows(
    input: &Input,
    groups: &[Vec<String>],
    n_rows: u64,
    observer: &dyn Observer,
) -> Result<Vec<u64>, EngineError> {
    let n_parts = u128::from(n_rows.div_ceil(MOST_DIGESTS).max(1));
    unique_in_parts(input, groups, n_parts, observer)
}

fn unique_in_parts(
    input: &Input,
    groups: &[Vec<String>],
    n_parts: u128,
    observer: &dyn Observer,
) -> Result<Vec<u64>, EngineError> {
    let columns: BTreeSet<&String> = groups.iter().flatten().collect();
    let columns: Vec<String> = columns.into_iter().cloned().collect();
    let place = |name: &String| columns.partition_point(|column| column < name);
    let groups: Vec<Vec<usize>> =
        groups.iter().map(|group| group.iter().map(place).collect()).collect();
    let mut n_unique = vec![0; groups.len()];
    for part in 0..n_parts {
        let mut digests: Vec<Vec<u128>> = vec![Vec::new(); groups.len()];
        for batch in input.batches(&columns)? {
            if observer.is_cancelled() {
                return Err(EngineError::Cancelled);
            }
            let batch = batch?;
            for row in 0..batch.num_rows() {
                let cells = batch.columns().iter().zip(&columns);
                let cells = cells.map(|(array, column)| cell_text(array, row, column));
                let cells = cells.collect::<Result<Vec<Cow<'_, str>>, EngineError>>()?;
                for (group, digests) in groups.iter().zip(&mut digests) {
                    let digest = digest_of(group.iter().map(|&at| &*cells[at]));
                    if digest % n_parts == part {
                        digests.push(digest);
                    }
                }
            }
        }
        for (n_unique, mut digests) in n_unique.iter_mut().zip(digests) {
            digests.sort_unstable();
            *n_unique +=
                digests.chunk_by(PartialEq::eq).filter(|equal| equal.len() == 1).count() as u64;
        }
    }
    Ok(n_unique)
}

/// Returns a digest of several texts, which also depends on the boundaries between them.
fn digest_of<'a>(texts: impl Iterator<Item = &'a str>) -> u128 {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    let digest: [u8; 32] = hash.finalize().into();
    digest.into_iter().take(16).fold(0, |number, byte| (number << 8) | u128::from(byte))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use indistinct_core::Silent;

    use super::*;
    use crate::InputSpec;

    #[test]
    fn unique_rows_match_naive_counts_for_any_number_of_parts() {
        let rows: Vec<[String; 3]> = (0..500_u32)
            .map(|n| [n % 7, n * n % 13, n * 31 % 401])
            .map(|row| row.map(|cell| if cell == 5 { String::new() } else { cell.to_string() }))
            .collect();
        let lines: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.csv");
        std::fs::write(&path, format!("a,b,c\n{}\n", lines.join("\n"))).expect("written");
        let spec = InputSpec { path, ..InputSpec::default() };
        let input = Input::open(&spec).expect("the table can be read");
        let places = [vec![0], vec![2], vec![1, 0], vec![0, 1, 2]];
        let name = |&at: &usize| ["a", "b", "c"][at].to_owned();
        let groups: Vec<Vec<String>> =
            places.iter().map(|group| group.iter().map(name).collect()).collect();
        let naive = places.map(|group| {
            let mut n_rows: HashMap<Vec<&String>, u64> = HashMap::new();
            for row in &rows {
                *n_rows.entry(group.iter().map(|&at| &row[at]).collect()).or_default() += 1;
            }
            n_rows.values().filter(|n| **n == 1).count() as u64
        });
        assert!(naive[1] > 0 && naive[3] > naive[1], "{naive:?}");
        for n_parts in [1, 2, 5] {
            let found = unique_in_parts(&input, &groups, n_parts, &Silent).expect("counted");
            assert_eq!(found, naive, "{n_parts}");
        }
    }

    #[test]
    fn digests_cover_the_boundaries_of_cells() {
        assert_ne!(digest_of(["ab", "c"].into_iter()), digest_of(["a", "bc"].into_iter()));
        assert_ne!(digest_of(["a", ""].into_iter()), digest_of(["a"].into_iter()));
    }
}
