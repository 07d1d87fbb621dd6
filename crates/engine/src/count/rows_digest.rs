//! Digests of the rows of a table as a multiset, for tables whose rows have no order.

use std::borrow::Cow;

use indistinct_core::Observer;
use sha2::{Digest, Sha256};

use crate::input::hashed::hexadecimal;
use crate::{EngineError, Table, cell_text};

/// Maximum number of rows whose digests are held in memory. Longer tables are read several times,
/// once for each range of digests.
const MOST_DIGESTS: u64 = 1 << 23;

/// A digest of a row, and the number of equal rows.
type EqualRows = ([u8; 32], u64);

/// Returns the digest of the rows of a table as a multiset: the SHA-256 digest of the distinct
/// row digests in ascending order, each followed by its number of rows. The order of the rows and
/// the database have no effect. The table has about `n_rows` rows.
///
/// # Errors
/// Returns [`EngineError`] if the table cannot be read or lacks a column, or if the observer
/// cancels the operation.
pub fn rows_digest(
    table: &dyn Table,
    columns: &[String],
    n_rows: u64,
    observer: &dyn Observer,
) -> Result<String, EngineError> {
    digest_in_parts(table, columns, n_rows.div_ceil(MOST_DIGESTS).max(1), observer)
}

fn digest_in_parts(
    table: &dyn Table,
    columns: &[String],
    n_parts: u64,
    observer: &dyn Observer,
) -> Result<String, EngineError> {
    let mut hash = Sha256::new();
    for part in 0..n_parts {
        let mut rows: Vec<EqualRows> = Vec::new();
        table.tuples(columns, observer, &mut |values, counts| {
            for (row, &n_rows) in counts.iter().enumerate() {
                let cells = values.iter().zip(columns).map(|(array, column)| {
                    array.is_valid(row).then(|| cell_text(array, row, column)).transpose()
                });
                let cells = cells.collect::<Result<Vec<Option<Cow<'_, str>>>, EngineError>>()?;
                let digest = row_digest(cells.iter().map(|cell| cell.as_deref()));
                if n_rows > 0 && part_of(&digest, n_parts) == part {
                    rows.push((digest, n_rows));
                }
            }
            Ok(())
        })?;
        add(&mut hash, rows);
    }
    Ok(hexadecimal(&hash.finalize()))
}

/// Returns the digest of rows that are given by their cells and their number. `None` is a missing
/// value.
pub(crate) fn digest_of_rows<'a, R: Iterator<Item = Option<&'a str>>>(
    rows: impl Iterator<Item = (R, u64)>,
) -> String {
    let mut hash = Sha256::new();
    add(&mut hash, rows.map(|(cells, n_rows)| (row_digest(cells), n_rows)).collect());
    hexadecimal(&hash.finalize())
}

/// Returns the index of the part that contains a digest. The parts are ranges in ascending order.
fn part_of(digest: &[u8; 32], n_parts: u64) -> u64 {
    let [a, b, c, d, ..] = *digest;
    (u64::from(u32::from_be_bytes([a, b, c, d])) * n_parts) >> 32
}

/// Adds the digests of rows in ascending order. Counts of equal rows are added.
fn add(hash: &mut Sha256, mut rows: Vec<EqualRows>) {
    rows.sort_unstable();
    for equal in rows.chunk_by(|a, b| a.0 == b.0) {
        hash.update(equal[0].0);
        hash.update(equal.iter().map(|(_, n_rows)| n_rows).sum::<u64>().to_le_bytes());
    }
}

/// Returns the digest of a row, which depends on the boundaries between its cells and distinguishes
/// a missing value from an empty string.
fn row_digest<'a>(cells: impl Iterator<Item = Option<&'a str>>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for cell in cells {
        match cell {
            None => hash.update([0]),
            Some(text) => {
                hash.update([1]);
                hash.update((text.len() as u64).to_le_bytes());
                hash.update(text);
            }
        }
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, StringArray};
    use arrow_schema::DataType;
    use indistinct_core::Silent;

    use super::*;
    use crate::{Batches, InputColumn, TakeTuples};

    /// A table that returns each of its rows as a separate combination.
    #[derive(Debug)]
    struct Rows(Vec<(Option<&'static str>, i64)>, [InputColumn; 2]);

    impl Rows {
        fn new(rows: &[(Option<&'static str>, i64)]) -> Self {
            let column = |name: &str, data_type| InputColumn { name: name.to_owned(), data_type };
            let columns = [column("a", DataType::Utf8), column("b", DataType::Int64)];
            Self(rows.to_vec(), columns)
        }

        fn digest(&self, n_parts: u64) -> String {
            let columns = ["a".to_owned(), "b".to_owned()];
            digest_in_parts(self, &columns, n_parts, &Silent).expect("a digest")
        }
    }

    impl Table for Rows {
        fn columns(&self) -> &[InputColumn] {
            &self.1
        }

        fn tuples(
            &self,
            _: &[String],
            _: &dyn Observer,
            take: TakeTuples<'_>,
        ) -> Result<(), EngineError> {
            let texts: StringArray = self.0.iter().map(|row| row.0).collect();
            let numbers: Int64Array = self.0.iter().map(|row| Some(row.1)).collect();
            let arrays: [ArrayRef; 2] = [Arc::new(texts), Arc::new(numbers)];
            take(&arrays, &vec![1; self.0.len()])
        }

        fn batches(&self, _: &[String]) -> Result<Batches, EngineError> {
            Ok(Box::new(std::iter::empty()))
        }

        fn distinguishable(&self, _: &[String]) -> Result<Option<String>, EngineError> {
            Ok(None)
        }

        fn as_any(&self) -> &dyn std::any::Any {
            self
        }
    }

    /// The specification in docs/certificate.md, followed literally.
    fn naive(rows: &[(Option<&str>, i64)]) -> String {
        let mut n_rows = std::collections::BTreeMap::new();
        for (text, number) in rows {
            let mut bytes = Vec::new();
            for cell in [text.map(str::to_owned), Some(number.to_string())] {
                bytes.push(u8::from(cell.is_some()));
                if let Some(cell) = cell {
                    bytes.extend((cell.len() as u64).to_le_bytes());
                    bytes.extend(cell.bytes());
                }
            }
            *n_rows.entry(Sha256::digest(bytes).to_vec()).or_insert(0_u64) += 1;
        }
        let parts = n_rows.into_iter().flat_map(|(row, n)| [row, n.to_le_bytes().to_vec()]);
        hexadecimal(&Sha256::digest(parts.flatten().collect::<Vec<u8>>()))
    }

    #[test]
    fn digest_depends_on_rows_but_not_on_their_order() {
        let texts = [Some("x"), None, Some(""), Some("y")];
        let rows: Vec<_> = (0..400).map(|n| (texts[n % 4], (n * n % 37) as i64)).collect();
        let expected = naive(&rows);
        for n_parts in [1, 2, 7] {
            assert_eq!(Rows::new(&rows).digest(n_parts), expected, "{n_parts}");
        }
        let mut reversed = rows.clone();
        reversed.reverse();
        assert_eq!(Rows::new(&reversed).digest(1), expected);
        for change in 0..4 {
            let mut changed = rows.clone();
            match change {
                0 => changed[5].1 += 1,
                1 => changed[1].0 = Some(""),
                2 => changed.push(rows[0]),
                _ => drop(changed.pop()),
            }
            assert_ne!(Rows::new(&changed).digest(1), expected, "{change}");
        }
        let cells = rows.iter().map(|(text, number)| (*text, number.to_string()));
        let cells: Vec<_> = cells.collect();
        let cells = cells.iter().map(|(text, number)| ([*text, Some(&**number)].into_iter(), 1));
        assert_eq!(digest_of_rows(cells), expected);
    }

    #[test]
    fn many_equal_rows_do_not_cancel_each_other() {
        let of =
            |text: &'static str| digest_of_rows([([Some(text)].into_iter(), 1 << 32)].into_iter());
        assert_ne!(of("a"), of("b"));
        let boundary = |cells: [&'static str; 2]| {
            digest_of_rows([(cells.map(Some).into_iter(), 1)].into_iter())
        };
        assert_ne!(boundary(["ab", "c"]), boundary(["a", "bc"]));
    }
}
