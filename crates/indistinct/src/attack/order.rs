//! The order of the released rows, and what their files hold besides them.

use std::path::Path;

use indistinct_attack::order::{
    ATTACK, FileTest, OrderLeaks, against_original, class_numbers, within_classes,
};
use indistinct_attack::{Figures, Finding};
use indistinct_core::model::{CountedColumn, parse_decimal, to_f64};
use indistinct_core::published::{Published, ReleaseWithOriginal};
use indistinct_core::{Dictionary, Silent};
use indistinct_engine::{Input, InputSpec, Lookup, leftovers};
use indistinct_release::View;
use rustc_hash::FxHashMap;

use super::{Asked, Found};
use crate::error::Error;
use crate::files;
use crate::job::{Job, count_column};

pub(super) fn attack(
    opened: &View,
    beside: Option<&ReleaseWithOriginal>,
    asked: &Asked<'_>,
    found: &mut Found,
) -> Result<(), Error> {
    let name = files::data(opened.policy.output.format.name());
    let path = opened.directory.join(&name);
    if !path.exists() {
        found.not_tried(
            &ATTACK,
            None,
            "the rows and the sensitive values are in files of their own",
        );
        return Ok(());
    }
    let input = Input::open_released(&InputSpec {
        path,
        format: None,
        delimiter: opened.policy.output.delimiter,
        null_values: Vec::new(),
        memory: None,
    })?;
    let mut leaks = OrderLeaks::default();
    for leftover in leftovers(&input)? {
        leaks.files.push(FileTest {
            file: name.clone(),
            about: leftover.about,
            found: leftover.found,
            leaks: leftover.leaks,
        });
    }
    if let Some(test) = times(&opened.directory)? {
        leaks.files.push(test);
    }
    let published = &opened.published;
    if published.rows.n_rows() > 0 {
        orders(opened, &input, beside, asked, &mut leaks)?;
    }
    found.findings.push(Finding::new(None, Figures::Order(leaks)));
    Ok(())
}

fn orders(
    opened: &View,
    input: &Input,
    beside: Option<&ReleaseWithOriginal>,
    asked: &Asked<'_>,
    leaks: &mut OrderLeaks,
) -> Result<(), Error> {
    let published = &opened.published;
    let class_column = match &opened.policy.output.class_column {
        None => None,
        Some(name) => {
            let table = count_column(input, name, &Silent)?;
            let column = &table.quasi_identifiers()[0];
            Some(CountedColumn {
                name: name.clone(),
                dictionary: column.dictionary.clone(),
                codes: published.class_of.clone(),
            })
        }
    };
    let columns: Vec<&CountedColumn> =
        published.rows.columns().chain(class_column.as_ref()).collect();
    let released = tuples_in_order(input, &columns, published.rows.n_tuples())?;
    leaks.is_sorted = is_sorted(input, &columns, &released);
    leaks.orders = within_classes(published, &released);
    let original = match (beside, asked.original) {
        (Some(ReleaseWithOriginal { links: Some(links), original, .. }), Some(table)) => {
            let job = Job::of_original(&opened.holders_policy_path(asked.policy)?, table)?;
            let columns: Vec<&CountedColumn> = original.columns().collect();
            Some((tuples_in_order(job.input(), &columns, original.n_tuples())?, links))
        }
        _ => None,
    };
    if let Some((there, links)) = &original {
        leaks.orders.extend(against_original(published, &released, there, links));
    }
    if let Some(class) = &class_column {
        let numbers = numbers(&class.dictionary, published);
        let there = original.as_ref().map(|(there, links)| (there.as_slice(), links.as_slice()));
        leaks.orders.extend(class_numbers(published, &numbers, there));
    }
    Ok(())
}

/// The number of each class as it is released; its rank where it is no number.
fn numbers(dictionary: &Dictionary, published: &Published) -> Vec<f64> {
    (0..published.n_classes.min(dictionary.len()))
        .map(|class| {
            parse_decimal(dictionary.value(class as u32)).map_or(class as f64, |it| to_f64(&it))
        })
        .collect()
}

/// Some columns in a row whose codes fit into one key, beside the number of what was read before them.
struct Chunk {
    columns: std::ops::Range<usize>,
    /// What the code of each column is multiplied by.
    places: Vec<u128>,
    /// For each key that some tuple has a number of its own.
    known: FxHashMap<u128, u32>,
}

/// Divides columns into chunks. Keys have 128 bits, of which 32 are for the number.
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

/// For each row of an input, in its order, the tuple with its cells. However many columns there are, rows are told apart exactly.
pub(crate) fn tuples_in_order(
    input: &Input,
    columns: &[&CountedColumn],
    n_tuples: usize,
) -> Result<Vec<u32>, Error> {
    let mut chunks = chunks(columns.iter().map(|column| column.dictionary.len()));
    let n_chunks = chunks.len();
    let mut numbers = vec![0u32; n_tuples];
    for (at, chunk) in chunks.iter_mut().enumerate() {
        for (tuple, number) in numbers.iter_mut().enumerate() {
            let own = columns[chunk.columns.clone()].iter().zip(&chunk.places);
            let key = own.fold(u128::from(*number), |key, (column, place)| {
                key + place * u128::from(column.codes[tuple])
            });
            // The last number is that of the tuple itself.
            let next = if at + 1 == n_chunks { tuple } else { chunk.known.len() } as u32;
            *number = *chunk.known.entry(key).or_insert(next);
        }
    }
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    // A text that was counted as it is, is found as it is: columns that are not sensitive are looked up alike.
    let lookup = |column: &&CountedColumn| Lookup::of_sensitive(&column.name, &column.dictionary);
    let mut lookups: Vec<Lookup> = columns.iter().map(lookup).collect();
    let (mut rows, mut codes) = (Vec::new(), Vec::new());
    let (mut keys, mut numbers) = (Vec::new(), Vec::new());
    for batch in input.batches_with_dictionaries(&names, &names)? {
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

/// Whether the rows are in the order of the counted columns of the file, up to the first one that was not counted.
fn is_sorted(input: &Input, columns: &[&CountedColumn], rows: &[u32]) -> bool {
    let mut keys: Vec<&CountedColumn> = Vec::new();
    for own in input.columns() {
        match columns.iter().find(|column| column.name == own.name) {
            Some(column) => keys.push(column),
            None => break,
        }
    }
    let ordered = |pair: &[u32]| {
        let (a, b) = (pair[0] as usize, pair[1] as usize);
        let compare = |column: &&CountedColumn| column.codes[a].cmp(&column.codes[b]);
        keys.iter().map(compare).find(|order| order.is_ne()).is_none_or(|order| order.is_lt())
    };
    !keys.is_empty() && rows.windows(2).all(ordered)
}

/// What the times of the files tell: not when, only whether they differ, which shows what was changed later.
fn times(directory: &Path) -> Result<Option<FileTest>, Error> {
    let mut times = Vec::new();
    for name in files::list(directory)? {
        let path = directory.join(&name);
        let metadata = std::fs::metadata(&path).map_err(|error| Error::io(&path, &error))?;
        times.extend(metadata.modified().ok());
    }
    let (Some(first), Some(last)) = (times.iter().min(), times.iter().max()) else {
        return Ok(None);
    };
    let minutes = last.duration_since(*first).map_or(0, |span| span.as_secs() / 60);
    let found = match minutes {
        0 => "all files were written within a minute; whoever gets the files with their times can see that".to_owned(),
        n => format!("the files were written {n} minutes apart; whoever gets the files with their times can see that"),
    };
    Ok(Some(FileTest { file: ".".to_owned(), about: "times", found, leaks: false }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_wider_than_its_bits_and_every_column_is_in_one() {
        for (n_columns, n_values, n_chunks) in
            [(0, 2, 0), (3, 1, 1), (4, 1 << 23, 1), (5, 1 << 24, 2), (12, 1 << 31, 4)]
        {
            let chunks = chunks(std::iter::repeat_n(n_values, n_columns));
            let columns: Vec<usize> =
                chunks.iter().flat_map(|chunk| chunk.columns.clone()).collect();
            assert_eq!(columns, (0..n_columns).collect::<Vec<_>>());
            assert_eq!(chunks.len(), n_chunks, "{n_columns} columns of {n_values} values");
            for chunk in chunks {
                // The largest codes beside the largest number.
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
