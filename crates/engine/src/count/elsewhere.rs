//! Encodes the combinations of values in a table that was counted where it is stored, such as in
//! a database.

use indistinct_core::model::CountedColumn;
use indistinct_core::{Dictionary, FrequencyTable, Observer};
use sha2::{Digest, Sha256};

use super::dictionary::SharedColumn;
use super::encode::Encoder;
use super::pass::unify;
use super::{CountRequest, UnifiedValue};
use crate::input::Conversion;
use crate::input::hashed::hexadecimal;
use crate::{EngineError, Fingerprint, Table};

/// Counts columns of a table. Because a table without files has no bytes to hash, the fingerprint
/// is computed from the counts.
pub(super) fn count(
    table: &dyn Table,
    names: &[String],
    request: &CountRequest,
    observer: &dyn Observer,
) -> Result<(FrequencyTable, Fingerprint, Vec<UnifiedValue>), EngineError> {
    let shared: Vec<SharedColumn> =
        names.iter().map(|name| SharedColumn::new(name, Conversion::default())).collect();
    let mut encoders: Vec<_> =
        names.iter().zip(&shared).map(|(name, column)| Encoder::new(name, column)).collect();
    let mut codes = vec![Vec::new(); names.len()];
    let mut counts = Vec::new();
    table.tuples(names, observer, &mut |values, rows| {
        // Combinations with zero rows are ignored. A query without grouping columns returns such a
        // combination for an empty table.
        if rows.iter().all(|n| *n == 0) {
            return Ok(());
        }
        for ((encoder, codes), array) in encoders.iter_mut().zip(&mut codes).zip(values) {
            encoder.array(array.as_ref(), codes)?;
        }
        counts.extend_from_slice(rows);
        Ok(())
    })?;
    drop(encoders);
    let mut columns = Vec::with_capacity(names.len());
    for ((name, shared), mut codes) in names.iter().zip(shared).zip(codes) {
        let (dictionary, code) = Dictionary::from_distinct(shared.into_values());
        codes.iter_mut().for_each(|it| *it = code[*it as usize]);
        columns.push(CountedColumn { name: name.clone(), dictionary, codes });
    }
    let mut sensitive = columns.split_off(request.quasi_identifiers.len());
    let sorted = |known, sensitive, counts| {
        FrequencyTable::new(known, sensitive, counts)
            .expect("every tuple has a value in each column")
    };
    let as_it_is = sorted(columns.clone(), sensitive.clone(), counts.clone());
    let fingerprint = fingerprint(&as_it_is);
    let unified = unify(&mut sensitive, &request.alike);
    let table = if unified.is_empty() { as_it_is } else { sorted(columns, sensitive, counts) };
    Ok((table, fingerprint, unified))
}

/// Computes a digest of the names, the distinct tuples, and their counts.
fn fingerprint(table: &FrequencyTable) -> Fingerprint {
    let mut digest = Sha256::new();
    let mut text = |text: &str| {
        digest.update((text.len() as u64).to_le_bytes());
        digest.update(text);
    };
    for column in table.columns() {
        text(&column.name);
        column.dictionary.values().iter().for_each(|value| text(value));
    }
    for (tuple, count) in table.counts().iter().enumerate() {
        for column in table.columns() {
            digest.update(column.codes[tuple].to_le_bytes());
        }
        digest.update(count.to_le_bytes());
    }
    Fingerprint { sha256: hexadecimal(&digest.finalize()), n_bytes: 0, n_rows: table.n_rows() }
}
