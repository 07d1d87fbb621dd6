//! Constructs small releases with their originals.

#![allow(dead_code, reason = "no test file uses all functions")]

use std::collections::BTreeMap;

use indistinct_core::hierarchy::Hierarchy;
use indistinct_core::model::CountedColumn;
use indistinct_core::principle::{Context, ParameterValue, Parameters, find};
use indistinct_core::published::{
    Attachment, Link, PublishedRows, ReleaseWithOriginal, cells, covered,
};
use indistinct_core::{Dictionary, FrequencyTable, Others, Rational, Requirement};

/// The cells of a row: quasi-identifiers, followed by sensitive values.
pub type Row = Vec<String>;

pub fn row(cells: &[&str]) -> Row {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// Counts rows whose first columns are quasi-identifiers.
pub fn table(names: &[&str], n_quasi_identifiers: usize, rows: &[Row]) -> FrequencyTable {
    let mut columns: Vec<CountedColumn> = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let mut distinct: Vec<String> = rows.iter().map(|row| row[at].clone()).collect();
            distinct.sort();
            distinct.dedup();
            let (dictionary, _) = Dictionary::from_distinct(distinct);
            let codes = rows
                .iter()
                .map(|row| dictionary.code_of(&row[at]).expect("the value occurs in the column"))
                .collect();
            CountedColumn { name: (*name).to_owned(), dictionary, codes }
        })
        .collect();
    let values = columns.split_off(n_quasi_identifiers);
    FrequencyTable::new(columns, values, vec![1; rows.len()]).expect("valid")
}

/// Returns a release of rows with original sensitive values and with classes by labels.
pub fn published(names: &[&str], n_quasi_identifiers: usize, rows: &[Row]) -> PublishedRows {
    let rows = table(names, n_quasi_identifiers, rows);
    let class_of = rows.groups().of_tuples();
    let covered =
        rows.quasi_identifiers().iter().map(|column| vec![None; column.dictionary.len()]).collect();
    PublishedRows::of_rows(rows, class_of, covered, Attachment::ToRows)
}

/// Returns the tuple of each row.
pub fn tuples(table: &FrequencyTable, rows: &[Row]) -> Vec<u32> {
    let values = |tuple: usize| -> Row {
        table
            .columns()
            .map(|column| column.dictionary.value(column.codes[tuple]).to_owned())
            .collect()
    };
    let known: BTreeMap<Row, u32> =
        (0..table.n_tuples()).map(|tuple| (values(tuple), tuple as u32)).collect();
    rows.iter().map(|row| known[row]).collect()
}

/// Returns a release with its original, from pairs of original and released rows; an empty released
/// row was dropped. `hierarchies` creates a hierarchy for the values of each quasi-identifier.
pub fn pair(
    names: &[&str],
    n_quasi_identifiers: usize,
    original: &[Row],
    released: &[Row],
    hierarchies: impl Fn(&Dictionary) -> Hierarchy,
) -> ReleaseWithOriginal {
    let raw = table(names, n_quasi_identifiers, original);
    let retained: Vec<Row> = released.iter().filter(|row| !row.is_empty()).cloned().collect();
    let mut published = published(names, n_quasi_identifiers, &retained);
    let hierarchies: Vec<Hierarchy> =
        raw.quasi_identifiers().iter().map(|column| hierarchies(&column.dictionary)).collect();
    let cells = cells(&published.rows, &published.generated, &hierarchies, &raw)
        .expect("the labels are valid");
    published.covered = covered(&cells, &hierarchies, &raw);
    let from = tuples(&raw, original);
    let to = tuples(&published.rows, &retained);
    let mut to = to.into_iter();
    let mut links: BTreeMap<(u32, Option<u32>), u64> = BTreeMap::new();
    for (from, row) in from.into_iter().zip(released) {
        let to = if row.is_empty() { None } else { to.next() };
        *links.entry((from, to)).or_insert(0) += 1;
    }
    let links = links
        .into_iter()
        .map(|((original, released), rows)| Link { original, released, rows })
        .collect();
    let links = Some(links);
    ReleaseWithOriginal { published, original: raw, hierarchies, cells, links, people: None }
}

/// Returns a principle on the first sensitive attribute of a table, or a principle without an
/// attribute.
pub fn requirement(
    table: &FrequencyTable,
    kind: &str,
    numbers: &[(&str, i128, i128)],
    values: &[(&str, &[&str])],
) -> Requirement {
    let kind = find(kind).expect("a kind");
    let mut parameters = Parameters::default();
    for &(name, numerator, denominator) in numbers {
        let value = ParameterValue::Number(Rational::new(numerator, denominator));
        parameters.0.insert(name.to_owned(), value);
    }
    for (name, values) in values {
        let values = ParameterValue::Values(row(values));
        parameters.0.insert((*name).to_owned(), values);
    }
    let attribute =
        (kind.subject == indistinct_core::principle::Subject::SensitiveAttribute).then_some(0);
    Requirement::new(kind, &Context::new(table, attribute), parameters, Others::Ignored)
        .expect("the requirement applies to the table")
}
