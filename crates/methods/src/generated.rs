//! The information loss of columns with generated values: noise or the centers of classes.

use std::collections::BTreeMap;

use indistinct_core::recoding::squared_error;
use indistinct_core::{DROPPED, Release};
use serde::Serialize;

/// A column with generated values.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GeneratedColumn {
    /// The number of released rows whose value differs from the original value.
    pub n_changed: u64,
    /// For numbers, the sum of squared distances between released and original values, divided by
    /// the sum of squared distances from the column mean. The result is 0 if nothing changed and
    /// exceeds 1 for large noise.
    pub variance_lost: Option<f64>,
}

/// Returns the information loss of each quasi-identifier with generated values, for the data
/// holder.
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
