//! Links each original row to its released row, using the mapping in the private directory or the
//! values that released labels cover.

use std::path::Path;

use indistinct_core::published::{Attachment, Link, PublishedRows};
use indistinct_core::{Cell, FrequencyTable, Hierarchy, STAR};
use indistinct_engine::files;
use rustc_hash::FxHashMap;

use crate::not_together::MappingFault;
use crate::{NotTogether, ReleaseError};

/// Returns the number of dropped rows.
pub(crate) fn n_dropped(links: &[Link]) -> u64 {
    links.iter().filter(|link| link.released.is_none()).map(|link| link.rows).sum()
}

fn key(table: &FrequencyTable, tuple: usize) -> Vec<u32> {
    table.columns().map(|column| column.codes[tuple]).collect()
}

/// Determines the links from released labels. The links are unique if rows have their own sensitive
/// values and, except for suppressed rows, at most one released label of each attribute covers each
/// raw value. Returns `None` if labels overlap, or if the sensitive values are not assigned to
/// rows.
pub(crate) fn of_labels(
    published: &PublishedRows,
    original: &FrequencyTable,
    hierarchies: &[Hierarchy],
    cells: &[Vec<Cell>],
) -> Option<Vec<Link>> {
    let rows = &published.rows;
    if published.attachment != Attachment::ToRows {
        return None;
    }
    let mut codes: Vec<Vec<Option<u32>>> = Vec::new();
    // If a column contains a star in addition to other labels, the star belongs to suppressed rows,
    // in which every label is a star.
    let columns = rows.quasi_identifiers().iter();
    let stars: Vec<Option<u32>> = columns.map(|column| column.dictionary.code_of(STAR)).collect();
    let is_starred = |label: u32, at: usize| stars[at] == Some(label) && cells[at].len() > 1;
    let columns = original.quasi_identifiers().iter().zip(hierarchies).enumerate();
    for (at, (column, hierarchy)) in columns {
        let mut label_of = vec![None; column.dictionary.len()];
        for (cell, label) in cells[at].iter().zip(0..).filter(|(_, label)| !is_starred(*label, at))
        {
            for code in (0..).zip(&mut label_of).filter(|(code, _)| cell.covers(hierarchy, *code)) {
                if code.1.replace(label).is_some() {
                    return None;
                }
            }
        }
        codes.push(label_of);
    }
    for (raw, released) in original.sensitive().iter().zip(rows.sensitive()) {
        let values = released.dictionary.values().iter().zip(0..);
        let code_of: FxHashMap<&str, u32> = values.map(|(text, at)| (text.as_str(), at)).collect();
        let raw = raw.dictionary.values().iter();
        codes.push(raw.map(|value| code_of.get(value.as_str()).copied()).collect());
    }
    let mut tuples: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    for tuple in 0..rows.n_tuples() {
        // If classes with different numbers have equal labels, the class of a row is ambiguous.
        if tuples.insert(key(rows, tuple), tuple as u32).is_some() {
            return None;
        }
    }
    let mut found = vec![0; rows.n_tuples()];
    let links: Vec<Link> = (0..original.n_tuples())
        .map(|tuple| {
            let columns = original.columns().zip(&codes);
            let key: Vec<Option<u32>> =
                columns.map(|(column, codes)| codes[column.codes[tuple] as usize]).collect();
            let starred = stars.iter().chain(&key[stars.len()..]).copied();
            let find = |key: Option<Vec<u32>>| tuples.get(&key?).copied();
            let released = find(key.iter().copied().collect()).or_else(|| find(starred.collect()));
            let rows = original.counts()[tuple];
            if let Some(released) = released {
                found[released as usize] += rows;
            }
            Link { original: tuple as u32, released, rows }
        })
        .collect();
    (found == rows.counts()).then_some(links)
}

/// The released content of a class: the labels and the sensitive values, each with row counts.
type Signature = (Vec<(Vec<u32>, u64)>, Vec<Vec<(u32, u64)>>);

fn add_up<K: Ord>(mut entries: Vec<(K, u64)>) -> Vec<(K, u64)> {
    entries.sort_unstable();
    let mut sums: Vec<(K, u64)> = Vec::new();
    for (key, rows) in entries {
        match sums.last_mut() {
            Some((last, sum)) if *last == key => *sum += rows,
            _ => sums.push((key, rows)),
        }
    }
    sums
}

/// One line of the mapping.
struct Line {
    number: u64,
    original: u32,
    labels: Vec<u32>,
    sensitive: Vec<u32>,
    class: Option<usize>,
    rows: u64,
}

/// Reads the links from the mapping in the private directory, which contains raw values, released
/// values, classes, and numbers of rows.
pub(crate) fn of_mapping(
    path: &Path,
    published: &PublishedRows,
    original: &FrequencyTable,
) -> Result<Vec<Link>, ReleaseError> {
    let (lines, n_classes) = read(path, published, original)?;
    let rows = &published.rows;

    // The release has different class numbers or none, so classes are matched by their released
    // content.
    let mut labels: Vec<Vec<(Vec<u32>, u64)>> = vec![Vec::new(); n_classes];
    let n_sensitive = published.sensitive.len();
    let mut sensitive_columns: Vec<Vec<Vec<(u32, u64)>>> =
        vec![vec![Vec::new(); n_sensitive]; n_classes];
    for line in &lines {
        let Some(class) = line.class else { continue };
        labels[class].push((line.labels.clone(), line.rows));
        for (histogram, &sensitive) in sensitive_columns[class].iter_mut().zip(&line.sensitive) {
            histogram.push((sensitive, line.rows));
        }
    }
    let mut classes: FxHashMap<Signature, Vec<u32>> = FxHashMap::default();
    for (class, tuples) in published.tuples_of_classes().iter().enumerate().rev() {
        let labels = |tuple: usize| {
            rows.quasi_identifiers().iter().map(|column| column.codes[tuple]).collect::<Vec<u32>>()
        };
        let people = tuples.iter().map(|&at| (labels(at as usize), rows.counts()[at as usize]));
        let histograms = published
            .sensitive
            .iter()
            .map(|sensitive| sensitive.histograms[class].clone())
            .collect();
        let signature = (add_up(people.collect()), histograms);
        classes.entry(signature).or_default().push(class as u32);
    }
    let released: Vec<Option<u32>> = labels
        .into_iter()
        .zip(sensitive_columns)
        .map(|(labels, sensitive_columns)| {
            let signature = (add_up(labels), sensitive_columns.into_iter().map(add_up).collect());
            classes.get_mut(&signature)?.pop()
        })
        .collect();

    let mut tuples: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
    for (tuple, &class) in published.class_of.iter().enumerate() {
        tuples.insert((class, key(rows, tuple)), tuple as u32);
    }
    let mut links = Vec::with_capacity(lines.len());
    for line in lines {
        let Line { number, original, labels, sensitive: sensitive_columns, class, rows } = line;
        let released = match class {
            None => None,
            Some(class) => {
                let sensitive_columns = match published.attachment {
                    Attachment::ToClasses => Vec::new(),
                    _ => sensitive_columns,
                };
                let key =
                    released[class].map(|class| (class, [labels, sensitive_columns].concat()));
                let tuple = key.and_then(|key| tuples.get(&key).copied());
                Some(tuple.ok_or(NotTogether::Mapping {
                    line: number,
                    what: MappingFault::NoReleasedRow,
                })?)
            }
        };
        links.push(Link { original, released, rows });
    }
    links.sort_unstable();
    Ok(links)
}

/// Reads the lines of the mapping as codes and determines the number of classes.
fn read(
    path: &Path,
    published: &PublishedRows,
    original: &FrequencyTable,
) -> Result<(Vec<Line>, usize), ReleaseError> {
    let malformed =
        |number: u64| NotTogether::Mapping { line: number, what: MappingFault::Malformed };
    let codes = |dictionary: &indistinct_core::Dictionary| -> FxHashMap<String, u32> {
        dictionary.values().iter().cloned().zip(0..).collect()
    };
    let raw: Vec<_> = original.columns().map(|column| codes(&column.dictionary)).collect();
    let known = published.rows.quasi_identifiers().iter().map(|column| codes(&column.dictionary));
    let known =
        known.chain(published.sensitive.iter().map(|sensitive| codes(&sensitive.dictionary)));
    let released: Vec<_> = known.collect();
    let n = raw.len();
    let n_labels = original.quasi_identifiers().len();
    let tuples: FxHashMap<Vec<u32>, u32> =
        (0..original.n_tuples()).map(|tuple| (key(original, tuple), tuple as u32)).collect();
    let mut left = original.counts().to_vec();
    let n_rows: u64 = left.iter().sum();

    let mut reader = csv::Reader::from_reader(files::open_given(path, files::NO_LIMIT)?);
    let (mut lines, mut n_classes) = (Vec::new(), 0);
    for (record, number) in reader.records().zip(2..) {
        let record = record.map_err(|_| malformed(number))?;
        if record.len() != 2 * n + 2 {
            return Err(malformed(number).into());
        }
        let field = |at: usize| record.get(at).unwrap_or_default();
        let values: Option<Vec<u32>> =
            raw.iter().enumerate().map(|(at, codes)| codes.get(field(at)).copied()).collect();
        let tuple = values.and_then(|values| tuples.get(&values).copied());
        let rows: u64 = field(2 * n + 1).parse().map_err(|_| malformed(number))?;
        let tuple = tuple.filter(|&tuple| left[tuple as usize] >= rows);
        let original = tuple
            .ok_or(NotTogether::Mapping { line: number, what: MappingFault::NoOriginalRow })?;
        left[original as usize] -= rows;
        let line = match field(2 * n) {
            "" => Line {
                number,
                original,
                labels: Vec::new(),
                sensitive: Vec::new(),
                class: None,
                rows,
            },
            class => {
                let class: usize = class.parse().map_err(|_| malformed(number))?;
                // Every class contains a row, so a class number that exceeds the number of rows is
                // invalid. This check limits memory use.
                if class as u64 > n_rows {
                    return Err(malformed(number).into());
                }
                n_classes = n_classes.max(class);
                let codes = released.iter().enumerate();
                let codes: Option<Vec<u32>> =
                    codes.map(|(at, codes)| codes.get(field(n + at)).copied()).collect();
                let unknown =
                    NotTogether::Mapping { line: number, what: MappingFault::NoReleasedRow };
                let mut labels = codes.ok_or(unknown)?;
                let sensitive_columns = labels.split_off(n_labels);
                let class = Some(class.checked_sub(1).ok_or_else(|| malformed(number))?);
                Line { number, original, labels, sensitive: sensitive_columns, class, rows }
            }
        };
        lines.push(line);
    }
    match left.iter().any(|&rows| rows > 0) {
        true => {
            let line = lines.len() as u64 + 2;
            Err(NotTogether::Mapping { line, what: MappingFault::Incomplete }.into())
        }
        false => Ok((lines, n_classes)),
    }
}

/// Counts the rows of the original table whose quasi-identifiers are not covered by any class.
pub(crate) fn n_outside(
    published: &PublishedRows,
    original: &FrequencyTable,
    hierarchies: &[Hierarchy],
    cells: &[Vec<Cell>],
) -> u64 {
    let columns = published.rows.quasi_identifiers();
    // For each attribute and label, the label combinations that contain the label; for each raw
    // value, the labels that cover the value.
    let combinations: Vec<usize> = published.rows.groups().iter().map(|it| it.start).collect();
    let mut with_value: Vec<Vec<Vec<u32>>> = Vec::new();
    for ((column, cells), (raw, hierarchy)) in
        columns.iter().zip(cells).zip(original.quasi_identifiers().iter().zip(hierarchies))
    {
        let mut with_label = vec![Vec::new(); cells.len()];
        for (&tuple, combination) in combinations.iter().zip(0..) {
            with_label[column.codes[tuple] as usize].push(combination);
        }
        let of_code = |code: u32| {
            let labels = cells.iter().zip(&with_label);
            let mut all: Vec<u32> = labels
                .filter(|(cell, _)| cell.covers(hierarchy, code))
                .flat_map(|(_, combinations)| combinations.iter().copied())
                .collect();
            all.sort_unstable();
            all
        };
        with_value.push((0..raw.dictionary.len() as u32).map(of_code).collect());
    }
    let fits = |tuple: usize| {
        let lists = original.quasi_identifiers().iter().zip(&with_value);
        let mut lists: Vec<&Vec<u32>> =
            lists.map(|(column, lists)| &lists[column.codes[tuple] as usize]).collect();
        lists.sort_by_key(|list| list.len());
        let Some((first, others)) = lists.split_first() else { return true };
        first.iter().any(|at| others.iter().all(|list| list.binary_search(at).is_ok()))
    };
    let groups = original.groups();
    let outside = groups.iter().filter(|tuples| !fits(tuples.start));
    outside.map(|tuples| original.counts()[tuples].iter().sum::<u64>()).sum()
}
