//! Determines the people of the rows of a version and their entries from earlier versions.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::{FrequencyTable, Observer};
use indistinct_engine::output::{CountedInput, each_row};
use indistinct_labels::look_alikes::as_displayed;
use indistinct_ledger::people::{PersonKey, Signature};
use indistinct_search::invariant::{Person, with_sensitive_values};

use super::model::{Members, Series};
use super::problem::PeopleProblem;
use crate::bound::BoundPolicy;
use crate::error::Error;
use crate::prepared::PreparedTable;

/// The maximum number of row numbers in a message.
const MOST_ROWS: usize = 5;

/// Determines the person of each row. The sensitive values of earlier signatures are added to the
/// table's dictionary.
pub(super) fn of_version(
    bound: &BoundPolicy,
    prepared: &mut PreparedTable,
    series: Series,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let column = bound.file.linkage.person.as_deref().unwrap_or_default();
    let counted = &prepared.counted;
    let rows = rows_of_people(bound, prepared, &series, column, observer)?;
    let known = rows.iter().filter_map(|(_, key)| series.newest.get(key)).flatten();
    let values: BTreeSet<&str> = known.map(String::as_str).collect();
    let table = with_sensitive_values(&counted.table, values);
    let tuple_of = renumbered(&counted.table, &table);
    let dictionary = table.sensitive()[0].dictionary.values();
    let code_of: BTreeMap<&str, u32> =
        dictionary.iter().zip(0..).map(|(text, code)| (text.as_str(), code)).collect();
    let codes = |signature: &Signature| {
        let mut codes: Vec<u32> = signature.iter().map(|text| code_of[text.as_str()]).collect();
        codes.sort_unstable();
        codes
    };
    let people = rows
        .iter()
        .map(|(tuple, key)| Person {
            tuple: tuple_of[*tuple as usize],
            signature: series.newest.get(key).map(codes),
        })
        .collect();
    let keys = rows.into_iter().map(|(_, key)| key).collect();
    prepared.replace_table(bound, table)?;
    prepared.members = Some(Members { series, keys, people });
    Ok(())
}

/// Returns the tuple and the person of each row.
fn rows_of_people(
    bound: &BoundPolicy,
    prepared: &PreparedTable,
    series: &Series,
    column: &str,
    observer: &dyn Observer,
) -> Result<Vec<(u32, PersonKey)>, Error> {
    let counted = &prepared.counted;
    let source = CountedInput { input: &bound.input, fingerprint: &counted.fingerprint };
    let mut rows: Vec<(u32, PersonKey)> = Vec::with_capacity(counted.table.n_rows() as usize);
    let mut unidentified = Vec::new();
    each_row(&source, &counted.table, column, observer, |tuple, text| {
        if as_displayed(text).is_empty() {
            unidentified.push(rows.len() as u64 + 1);
        }
        rows.push((tuple, series.person(text)));
    })?;
    let first = |numbers: &[u64]| numbers.iter().copied().take(MOST_ROWS).collect();
    let column = || column.to_owned();
    if !unidentified.is_empty() {
        let (n_rows, first) = (unidentified.len() as u64, first(&unidentified));
        return Err(PeopleProblem::UnidentifiedRows { column: column(), n_rows, first }.into());
    }
    let mut visited: BTreeMap<PersonKey, bool> = BTreeMap::new();
    let mut repeated = Vec::new();
    for ((_, key), number) in rows.iter().zip(1..) {
        if let Some(again) = visited.get_mut(key) {
            *again = true;
            repeated.push(number);
        } else {
            visited.insert(*key, false);
        }
    }
    match visited.values().filter(|again| **again).count() as u64 {
        0 => Ok(rows),
        n_people => {
            let first = first(&repeated);
            Err(PeopleProblem::SeveralRows { column: column(), n_people, first }.into())
        }
    }
}

/// Maps each tuple of a table to the corresponding tuple after adding sensitive values.
fn renumbered(before: &FrequencyTable, after: &FrequencyTable) -> Vec<u32> {
    let (values, extended) = (&before.sensitive()[0].dictionary, &after.sensitive()[0].dictionary);
    let codes: BTreeMap<&str, u32> =
        extended.values().iter().zip(0..).map(|(text, code)| (text.as_str(), code)).collect();
    let value: Vec<u32> = values.values().iter().map(|text| codes[text.as_str()]).collect();
    let key = |table: &FrequencyTable, tuple: usize, value: u32| -> Vec<u32> {
        let known = table.quasi_identifiers().iter().map(|column| column.codes[tuple]);
        known.chain([value]).collect()
    };
    let places: BTreeMap<Vec<u32>, u32> = (0..after.n_tuples())
        .map(|tuple| (key(after, tuple, after.sensitive()[0].codes[tuple]), tuple as u32))
        .collect();
    (0..before.n_tuples())
        .map(|tuple| {
            let code = before.sensitive()[0].codes[tuple];
            places[&key(before, tuple, value[code as usize])]
        })
        .collect()
}
