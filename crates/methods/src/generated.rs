//! What is lost in columns whose released values are made: centers of classes, or noise.

use std::collections::BTreeMap;

use indistinct_core::recoding::squared_error;
use indistinct_core::{DROPPED, Release};
use serde::Serialize;

/// A column whose released values are made.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GeneratedColumn {
    /// Released rows whose value is another one than their own.
    pub n_changed: u64,
    /// Of numbers: the sum of the squared distances between what is released and the row's own number, as a share of that from the mean
    /// of the column; 0 where nothing changed, and more than 1 for much noise.
    pub variance_lost: Option<f64>,
}

/// For each quasi-identifier whose released values are made what that lost. Figures for the holder.
pub(crate) fn columns(release: &Release<'_>) -> BTreeMap<String, GeneratedColumn> {
    let (table, partition) = (release.table(), release.partition());
    let columns =
        table.quasi_identifiers().iter().enumerate().filter(|(at, _)| release.generated()[*at]);
    let of = |(at, column): (usize, &indistinct_core::model::CountedColumn)| {
        let tuples = partition.class_of.iter().zip(&column.codes).zip(table.counts());
        let n_changed = tuples
            .filter(|((class, code), _)| {
                let label = |class: u32| {
                    let class = partition.classes.get(class);
                    partition.labels[at][class.labels[at] as usize].as_str()
                };
                **class != DROPPED && label(**class) != column.dictionary.value(**code)
            })
            .map(|(_, count)| count)
            .sum();
        let variance_lost = squared_error(release, at).map(|error| error.share());
        (column.name.clone(), GeneratedColumn { n_changed, variance_lost })
    };
    columns.map(of).collect()
}
