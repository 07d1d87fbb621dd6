//! A table at some levels: what the coarsest classes of a policy are made of, whatever its principles ask.

use rustc_hash::FxHashMap;

use crate::Hierarchy;
use crate::model::{CountedColumn, Dictionary, FrequencyTable};

/// The same rows with the labels of one level for each quasi-identifier as its values. Its classes, the rows with equal
/// quasi-identifiers, are those of the levels, so that [`check_rows`](crate::check_rows) claims of it what
/// [`claims_of_levels`](crate::recoding::claims_of_levels) claims of the levels; not for principles on a population, whose people have
/// raw values.
///
/// # Panics
/// If hierarchies or levels do not fit the table.
pub fn at_levels(
    table: &FrequencyTable,
    hierarchies: &[Hierarchy],
    levels: &[usize],
) -> FrequencyTable {
    let columns = table.quasi_identifiers().iter().zip(hierarchies.iter().zip(levels));
    // For each quasi-identifier its labels, and for each code the code of its label.
    let (dictionaries, label_of): (Vec<Dictionary>, Vec<Vec<u32>>) = columns
        .map(|(_, (hierarchy, &level))| {
            let level = hierarchy.level(level);
            let mut texts = level.labels.clone();
            texts.sort_unstable();
            texts.dedup();
            let (dictionary, _) = Dictionary::from_distinct(texts);
            let code = |label: &String| dictionary.code_of(label).expect("it is one of them");
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
