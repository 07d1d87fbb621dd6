//! Computes the number of unique values and a sample of the values, for columns that are not
//! counted as combinations.

use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::sync::Arc;

use indistinct_core::{MISSING, Observer};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::{ColumnScan, EngineError, Input, Scan, Table, cell_text};

/// Maximum number of distinct values. Each time the limit is reached, counting continues only for a
/// fraction of the hashes; see [`PART`].
const MOST_DISTINCT: usize = 1 << 19;
/// Factor by which the number of counted values is reduced each time the limit is reached.
const PART: u64 = 16;
/// Number of distinct values in a sample.
const SAMPLE: usize = 1000;

/// Computes statistics for each column and for the combination of the columns in `together`, in one
/// pass over the input and in bounded memory. A table in a database computes the statistics itself.
///
/// Values are compared by 64-bit hashes, so a collision can slightly reduce a count. The results
/// are used for warnings and samples.
///
/// # Errors
/// Returns [`EngineError`] if the input cannot be read, if a column has no plain text format, or if
/// the observer cancels the operation.
pub fn scan(
    input: &Input,
    columns: &[String],
    together: &[String],
    observer: &dyn Observer,
) -> Result<Scan, EngineError> {
    if columns.is_empty() {
        return Ok(Scan::default());
    }
    if let Some(table) = input.table() {
        return match table.scan(columns, together, observer)? {
            Some(scan) => Ok(scan),
            None => scan_table(table, columns, together, observer),
        };
    }
    let Some((cache, read)) = input.cache() else {
        return scan_files(input, columns, together, observer);
    };
    let known = cache.all::<KnownHashes>(&read);
    let found = |known: &Arc<KnownHashes>| {
        let scan = known.scan_of(columns, together)?;
        cache.used(known);
        Some(scan)
    };
    if let Some(found) = known.iter().find_map(found) {
        return Ok(found);
    }
    let scan = scan_files(input, columns, together, observer)?;
    let n_bytes = scan.columns.iter().map(|column| column.sample.len() * 48).sum();
    let known = KnownHashes { together: together.to_vec(), scan: scan.clone() };
    input.keep_if_still(&read, Arc::new(known), n_bytes);
    Ok(scan)
}

/// Cached statistics of columns.
struct KnownHashes {
    together: Vec<String>,
    scan: Scan,
}

impl KnownHashes {
    /// Returns the statistics of a subset of the columns, or `None` if the cache lacks a column or
    /// the combination.
    fn scan_of(&self, columns: &[String], together: &[String]) -> Option<Scan> {
        // A single column is not a combination.
        let n_unique_together = match together.len() {
            0 | 1 => 0,
            _ if self.together == together => self.scan.n_unique_together,
            _ => return None,
        };
        let of = |name: &String| self.scan.columns.iter().find(|it| it.column == *name).cloned();
        let columns = columns.iter().map(of).collect::<Option<Vec<_>>>()?;
        Some(Scan { columns, n_unique_together, n_rows: self.scan.n_rows })
    }
}

fn scan_files(
    input: &Input,
    columns: &[String],
    together: &[String],
    observer: &dyn Observer,
) -> Result<Scan, EngineError> {
    let mut found = Scan::default();
    let mut of_columns: Vec<Column> = columns.iter().map(|_| Column::default()).collect();
    let mut combined = FollowedHashes::default();
    let mut row_hashes: Vec<u64> = Vec::new();
    for batch in input.batches(columns)? {
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let batch = batch?;
        found.n_rows += batch.num_rows() as u64;
        row_hashes.clear();
        row_hashes.resize(batch.num_rows(), 0);
        for ((array, column), observed) in batch.columns().iter().zip(columns).zip(&mut of_columns)
        {
            let is_together = together.len() > 1 && together.contains(column);
            for (row, row_hash) in row_hashes.iter_mut().enumerate() {
                let text = cell_text(array, row, column)?;
                let hash = hash_of(&text);
                if is_together {
                    *row_hash = combined_hash(*row_hash, hash);
                }
                if text != MISSING {
                    observed.take(hash, &text, 1);
                }
            }
        }
        if together.len() > 1 {
            row_hashes.iter().for_each(|hash| combined.take(*hash, 1));
        }
    }
    found.n_unique_together = combined.n_unique(found.n_rows);
    found.columns = of_columns
        .into_iter()
        .zip(columns)
        .map(|(observed, column)| observed.finish(column))
        .collect();
    Ok(found)
}

/// Computes the statistics of a table that counts its own values. Only distinct values of columns
/// and combinations are transferred.
fn scan_table(
    table: &dyn Table,
    columns: &[String],
    together: &[String],
    observer: &dyn Observer,
) -> Result<Scan, EngineError> {
    let mut found = Scan::default();
    for column in columns {
        let mut observed = Column::default();
        found.n_rows = 0;
        table.tuples(std::slice::from_ref(column), observer, &mut |values, rows| {
            for (row, n) in rows.iter().enumerate() {
                let text = cell_text(&values[0], row, column)?;
                if text != MISSING {
                    observed.take(hash_of(&text), &text, *n);
                }
                found.n_rows += n;
            }
            Ok(())
        })?;
        found.columns.push(observed.finish(column));
    }
    if together.len() > 1 {
        let mut combined = FollowedHashes::default();
        table.tuples(together, observer, &mut |values, rows| {
            for (row, n) in rows.iter().enumerate() {
                let mut hash = 0;
                for (array, column) in values.iter().zip(together) {
                    hash = combined_hash(hash, hash_of(&cell_text(array, row, column)?));
                }
                combined.take(hash, *n);
            }
            Ok(())
        })?;
        found.n_unique_together = combined.n_unique(found.n_rows);
    }
    Ok(found)
}

/// Combines the hash of a row with the hash of another value.
fn combined_hash(row: u64, value: u64) -> u64 {
    FxBuildHasher.hash_one((row, value))
}

fn hash_of(text: &str) -> u64 {
    // The low bits of hashes of short strings are poorly distributed.
    FxBuildHasher.hash_one((text, text.len())).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// Number of rows for each hash, counted for all hashes or for a known fraction of them.
#[derive(Debug)]
struct FollowedHashes {
    counts: FxHashMap<u64, u64>,
    /// Only hashes that are divisible by this number are counted.
    part: u64,
}

impl Default for FollowedHashes {
    fn default() -> Self {
        Self { counts: FxHashMap::default(), part: 1 }
    }
}

impl FollowedHashes {
    fn take(&mut self, hash: u64, n_rows: u64) {
        if !hash.is_multiple_of(self.part) {
            return;
        }
        *self.counts.entry(hash).or_default() += n_rows;
        if self.counts.len() > MOST_DISTINCT {
            self.part *= PART;
            let part = self.part;
            self.counts.retain(|hash, _| hash.is_multiple_of(part));
        }
    }

    /// Returns the number of distinct hashes of `n_rows` rows.
    fn n_distinct(&self, n_rows: u64) -> u64 {
        self.estimate(self.counts.len(), n_rows)
    }

    /// Returns the number of hashes that occur in only one of `n_rows` rows.
    fn n_unique(&self, n_rows: u64) -> u64 {
        self.estimate(self.counts.values().filter(|count| **count == 1).count(), n_rows)
    }

    fn estimate(&self, n_counted: usize, n_rows: u64) -> u64 {
        (n_counted as u64 * self.part).min(n_rows)
    }
}

#[derive(Debug, Default)]
struct Column {
    n_present: u64,
    followed: FollowedHashes,
    /// Sampled values by hash.
    sample: BTreeMap<u64, (String, u64)>,
    /// Largest hash in a full sample.
    limit: Option<u64>,
}

impl Column {
    fn take(&mut self, hash: u64, text: &str, n_rows: u64) {
        self.n_present += n_rows;
        self.followed.take(hash, n_rows);
        if self.limit.is_some_and(|limit| hash > limit) {
            return;
        }
        self.sample.entry(hash).or_insert_with(|| (text.to_owned(), 0)).1 += n_rows;
        if self.sample.len() > SAMPLE {
            self.sample.pop_last();
        }
        if self.sample.len() == SAMPLE {
            self.limit = self.sample.last_key_value().map(|(hash, _)| *hash);
        }
    }

    fn finish(self, column: &str) -> ColumnScan {
        ColumnScan {
            column: column.to_owned(),
            n_present: self.n_present,
            n_distinct: self.followed.n_distinct(self.n_present),
            n_unique: self.followed.n_unique(self.n_present),
            most_rows: self.followed.counts.values().copied().max().unwrap_or(0),
            sample: self.sample.into_values().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use indistinct_core::Silent;

    use super::*;
    use crate::InputSpec;

    fn scanned(text: &str, columns: &[&str], together: &[&str]) -> Scan {
        let mut file = tempfile::Builder::new().suffix(".csv").tempfile().expect("a file");
        file.write_all(text.as_bytes()).expect("the file is writable");
        let spec = InputSpec { path: file.path().to_owned(), ..InputSpec::default() };
        let input = Input::open(&spec).expect("the table can be read");
        let names =
            |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        scan(&input, &names(columns), &names(together), &Silent).expect("the table can be read")
    }

    #[test]
    fn unique_values_are_counted_without_missing_values() {
        let found = scanned("a,b\n1,x\n2,\n1,x\n3,x\n", &["a", "b"], &[]);
        let [a, b] = found.columns.as_slice() else { panic!("two columns") };
        assert_eq!((a.n_present, a.n_distinct, a.n_unique, a.most_rows), (4, 3, 2, 2));
        assert_eq!((b.n_present, b.n_distinct, b.n_unique, b.most_rows), (3, 1, 0, 3));
        assert_eq!(b.sample, [("x".to_owned(), 3)]);
        assert_eq!((found.n_rows, found.n_unique_together), (4, 0));
    }

    #[test]
    fn column_combinations_identify_rows() {
        let rows = "a,b\n1,x\n1,y\n2,x\n2,y\n1,x\n";
        let found = scanned(rows, &["a", "b"], &["a", "b"]);
        assert!(found.columns.iter().all(|column| column.n_unique == 0));
        assert_eq!(found.n_unique_together, 3);
    }

    #[test]
    fn estimates_do_not_exceed_number_of_rows() {
        let followed = FollowedHashes { counts: (0..5).map(|hash| (hash, 1)).collect(), part: 16 };
        assert_eq!((followed.n_distinct(100), followed.n_distinct(70)), (80, 70));
        assert_eq!((followed.n_unique(100), followed.n_unique(70)), (80, 70));
    }

    #[test]
    fn sample_is_limited_and_order_independent() {
        let text = |numbers: &mut dyn Iterator<Item = u32>| {
            numbers.fold("a\n".to_owned(), |text, n| format!("{text}v{n}\nv{n}\n"))
        };
        let forward = scanned(&text(&mut (0..3000)), &["a"], &[]);
        let backward = scanned(&text(&mut (0..3000).rev()), &["a"], &[]);
        assert_eq!(forward, backward);
        assert_eq!(forward.columns[0].sample.len(), 1000);
        assert!(forward.columns[0].sample.iter().all(|(_, n)| *n == 2));
        assert_eq!(forward.columns[0].n_distinct, 3000);
    }
}
