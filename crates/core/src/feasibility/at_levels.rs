//! Generalizes a table to given levels, such as the coarsest levels that a policy allows.

use rustc_hash::FxHashMap;

use crate::Hierarchy;
use crate::model::{CountedColumn, Dictionary, FrequencyTable};

/// Replaces the values of each quasi-identifier by their labels at one level. For the resulting
/// table, [`check_rows`](crate::check_rows) therefore returns the same claims as
/// [`claims_of_levels`](crate::recoding::claims_of_levels) does for the levels, except for
/// principles on a population, whose people have original values.
///
/// # Panics
/// If the hierarchies or levels do not match the table.
pub fn at_levels(
    table: &FrequencyTable,
    hierarchies: &[Hierarchy],
    levels: &[usize],
) -> FrequencyTable {
    let columns = table.quasi_identifiers().iter().zip(hierarchies.iter().zip(levels));
    // For each quasi-identifier, its labels and the code of the label for each original code.
    let (dictionaries, label_of): (Vec<Dictionary>, Vec<Vec<u32>>) = columns
        .map(|(_, (hierarchy, &level))| {
            let level = hierarchy.level(level);
            let mut texts = level.labels.clone();
            texts.sort_unstable();
            texts.dedup();
            let (dictionary, _) = Dictionary::from_distinct(texts);
            let code = |label: &String| {
                dictionary.code_of(label).expect("the dictionary contains all labels of the level")
            };
            let codes: Vec<u32> = level.labels.iter().map(code).collect();
            let of_code = level.map.iter().map(|&label| codes[label as usize]).collect();
            (dictionary, of_code)
        })
        .unzip();

    let n_known = label_of.len();
    let mut key = vec![0; table.columns().count()];
    let mut rows: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
    for (tuple, &count) in table.counts().iter().enumerate() {
        for (at, (place, column)) in key.iter_mut().zip(table.columns()).enumerate() {
            let code = column.codes[tuple];
            *place = label_of.get(at).map_or(code, |labels| labels[code as usize]);
        }
        match rows.get_mut(&key) {
            Some(rows) => *rows += count,
            None => drop(rows.insert(key.clone(), count)),
        }
    }
    let mut rows: Vec<(Vec<u32>, u64)> = rows.into_iter().collect();
    rows.sort_unstable();

    let mut dictionaries = dictionaries.into_iter();
    let mut columns = table.columns().enumerate().map(|(at, column)| CountedColumn {
        name: column.name.clone(),
        dictionary: dictionaries.next().unwrap_or_else(|| column.dictionary.clone()),
        codes: rows.iter().map(|(key, _)| key[at]).collect(),
    });
    let quasi_identifiers = columns.by_ref().take(n_known).collect();
    let counts = rows.iter().map(|(_, rows)| *rows).collect();
    FrequencyTable::new(quasi_identifiers, columns.collect(), counts)
        .expect("every code has a label")
}
