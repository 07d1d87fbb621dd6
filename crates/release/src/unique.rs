//! Counts the unique released rows, whose values occur in no other released row.
//!
//! Principles compare rows by their quasi-identifiers. An adversary who knows a sensitive or an
//! insensitive value that occurs once finds the row of the person regardless of its class.

use std::collections::BTreeSet;
use std::path::Path;

use indistinct_core::model::{CountedColumn, n_unique_rows};
use indistinct_core::risk::UniqueRows;
use indistinct_core::{CertifiedRelease, DROPPED, FrequencyTable, Observer, Role};
use indistinct_engine::cell_text;
use indistinct_engine::output::{CertifiedRows, ColumnSource, OutputColumn, RowOrder};
use indistinct_policy::{Form, PolicyFile};

use crate::facts::Fact;
use crate::rows::{ByClass, Rows, open_file};
use crate::{ReleaseError, forms};

/// Counts the unique rows of a release.
///
/// `counted` counts the rows that are unique in some quasi-identifiers and sensitive attributes,
/// and `read` reads the released rows for groups that contain insensitive attributes. Rows in a
/// database are not read.
///
/// # Errors
/// The errors of `read`.
fn unique_rows<E>(
    policy: &PolicyFile,
    n_rows: u64,
    counted: impl Fn(&[String]) -> u64,
    read: impl FnOnce(&[Vec<String>]) -> Result<Vec<u64>, E>,
) -> Result<UniqueRows, E> {
    let insensitive = policy.names(Role::Insensitive);
    let sensitive = policy.names(Role::Sensitive);
    let mut all = policy.names(Role::QuasiIdentifier);
    // Two tables are joined only by the class, so the sensitive value of a row is unknown.
    if policy.recoding.method.form != Form::TwoTables {
        all.extend(sensitive.clone());
    }
    all.extend(insensitive.clone());
    let accepted = policy.attributes.iter().filter(|it| it.unique_values_reason.is_some());
    let accepted: Vec<String> = accepted.map(|it| it.name.clone()).collect();
    let uncounted: BTreeSet<&String> = insensitive.iter().collect();
    let is_read = |group: &Vec<String>| group.iter().any(|name| uncounted.contains(name));
    let groups: Vec<Vec<String>> = [all, sensitive, insensitive.clone()]
        .into_iter()
        .chain(accepted.iter().map(|name| vec![name.clone()]))
        .collect();
    let to_read: Vec<Vec<String>> = groups.iter().filter(|it| is_read(it)).cloned().collect();
    let in_files = policy.output.table.is_none() && !to_read.is_empty();
    let mut found = if in_files { read(&to_read)? } else { Vec::new() }.into_iter();
    let mut n_unique = groups.iter().map(|group| match is_read(group) {
        true => found.next(),
        false => (!group.is_empty()).then(|| counted(group)),
    });
    let mut next = || n_unique.next().flatten();
    Ok(UniqueRows {
        n_rows,
        n_unique: next(),
        n_unique_in_sensitive: next(),
        n_unique_in_insensitive: next(),
        n_unique_in_attribute: accepted
            .into_iter()
            .filter_map(|name| Some((name, next()?)))
            .collect(),
    })
}

/// Counts the unique rows of a certified release whose rows are in `folder`, unless they are in a
/// database. `columns` contains the released columns.
///
/// # Errors
/// Returns [`ReleaseError`] if the rows cannot be read or if the observer cancels the operation.
pub fn unique_certified_rows(
    policy: &PolicyFile,
    certified: &CertifiedRelease<'_>,
    columns: &[OutputColumn],
    folder: &Path,
    observer: &dyn Observer,
) -> Result<UniqueRows, ReleaseError> {
    let (names, codes, counts) = released_codes(certified, columns)?;
    let counted = |group: &[String]| {
        let of_name = |name: &String| names.iter().position(|other| other == name);
        let group: Vec<&[u32]> =
            group.iter().filter_map(of_name).map(|at| &codes[at][..]).collect();
        n_unique_rows(&group, &counts)
    };
    let n_rows = certified.claims().n_released;
    let read =
        |groups: &[Vec<String>]| unique_rows_in_file(folder, policy, groups, n_rows, observer);
    unique_rows(policy, n_rows, counted, read)
}

/// The names of the counted columns, their codes in each released tuple, and the rows of each
/// tuple.
type ReleasedCodes = (Vec<String>, Vec<Vec<u32>>, Vec<u64>);

/// Returns the distinct released combinations of values in the counted columns, without the class.
fn released_codes(
    certified: &CertifiedRelease<'_>,
    columns: &[OutputColumn],
) -> Result<ReleasedCodes, ReleaseError> {
    match certified {
        CertifiedRelease::Rows(release, _) => {
            let is_counted = |column: &&OutputColumn| {
                matches!(
                    column.source,
                    ColumnSource::QuasiIdentifier(_) | ColumnSource::Sensitive(_)
                )
            };
            let columns: Vec<OutputColumn> = columns.iter().filter(is_counted).cloned().collect();
            let rows = CertifiedRows::from_release(release, &columns, RowOrder::Sorted)?;
            let n = rows.n_tuples();
            let codes = |at| (0..n).map(|tuple| rows.code(at, tuple)).collect();
            let codes = (0..columns.len()).map(codes).collect();
            Ok((rows.names(&columns), codes, (0..n).map(|tuple| rows.count(tuple)).collect()))
        }
        CertifiedRelease::Tables(release) => {
            let table = release.table();
            let rows = release.class_of().iter().zip(table.counts());
            let counts = rows.map(|(class, n)| if *class == DROPPED { 0 } else { *n }).collect();
            let columns = table.columns().map(|column| (column.name.clone(), column.codes.clone()));
            let (names, codes) = columns.unzip();
            Ok((names, codes, counts))
        }
    }
}

/// Returns the fact about the unique rows of a release.
pub fn fact(found: UniqueRows) -> Fact {
    let UniqueRows { n_unique, n_unique_in_sensitive, n_unique_in_insensitive, .. } = found;
    let n_unique_in_attribute = found.n_unique_in_attribute;
    Fact::UniqueRows {
        n_unique,
        n_unique_in_sensitive,
        n_unique_in_insensitive,
        n_unique_in_attribute,
    }
}

/// Returns the number of unique rows in a released file for each group of columns.
///
/// # Errors
/// Returns [`ReleaseError`] if the file cannot be read or if the observer cancels the operation.
fn unique_rows_in_file(
    directory: &Path,
    policy: &PolicyFile,
    groups: &[Vec<String>],
    n_rows: u64,
    observer: &dyn Observer,
) -> Result<Vec<u64>, ReleaseError> {
    let file = forms::for_policy(policy).data_files(policy).swap_remove(0);
    let input = open_file(directory, policy, &file)?;
    Ok(indistinct_engine::unique_rows(&input, groups, n_rows, observer)?)
}

/// Returns the distinct values of an insensitive attribute in a released file.
///
/// # Errors
/// Returns [`ReleaseError`] if the file cannot be read or if the observer cancels the operation.
pub fn values_in_file(
    directory: &Path,
    policy: &PolicyFile,
    column: &str,
    observer: &dyn Observer,
) -> Result<BTreeSet<String>, ReleaseError> {
    let file = forms::for_policy(policy).data_files(policy).swap_remove(0);
    let input = open_file(directory, policy, &file)?;
    let mut values = BTreeSet::new();
    for batch in input.batches(&[column.to_owned()])? {
        if observer.is_cancelled() {
            return Err(ReleaseError::Cancelled);
        }
        let batch = batch?;
        for row in 0..batch.num_rows() {
            let text = cell_text(batch.column(0), row, column)?;
            if !values.contains(&*text) {
                values.insert(text.into_owned());
            }
        }
    }
    Ok(values)
}

/// Counts the unique rows of a release that has been read from its directory.
///
/// # Errors
/// Returns [`ReleaseError`] if a file cannot be read or if the observer cancels the operation.
pub fn unique_released_rows(
    directory: &Path,
    policy: &PolicyFile,
    rows: &Rows,
    observer: &dyn Observer,
) -> Result<UniqueRows, ReleaseError> {
    let counted = |group: &[String]| {
        let of_people = columns_of(&rows.by_labels, group);
        match (&rows.classes, of_people.len() == group.len()) {
            (ByClass::Tables { joined, .. }, false) => {
                let lines = joined.by_class();
                n_unique_rows(&columns_of(lines, group), lines.counts())
            }
            _ => n_unique_rows(&of_people, rows.by_labels.counts()),
        }
    };
    let n_rows = rows.by_labels.n_rows();
    unique_rows(policy, n_rows, counted, |groups| {
        unique_rows_in_file(directory, policy, groups, n_rows, observer)
    })
}

/// Returns the codes of the named columns that exist in the table.
fn columns_of<'a>(table: &'a FrequencyTable, names: &[String]) -> Vec<&'a [u32]> {
    let column =
        |name: &String| table.columns().find(|column: &&CountedColumn| column.name == *name);
    names.iter().filter_map(column).map(|column| &column.codes[..]).collect()
}
