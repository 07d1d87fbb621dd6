//! What a reader of two tables can no longer tell, and what that is as a loss.

use std::collections::BTreeMap;

use indistinct_core::{AnatomyRelease, DROPPED};
use serde::Serialize;

/// The loss that this method makes small.
pub(crate) const OBJECTIVE: &str = indistinct_report::RECONSTRUCTION_ERROR;

/// What a reader of two tables can no longer tell.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Separation {
    /// The sum over all released rows of the squared distance between a row's sensitive value and the distribution of
    /// sensitive values in its class.
    pub reconstruction_error: f64,
    /// The same for a row, on average: 0 tells every sensitive value. `None` for a release without rows.
    pub reconstruction_error_per_row: Option<f64>,
}

/// What the two tables no longer tell.
pub(super) fn separation(release: &AnatomyRelease<'_>) -> Separation {
    let (error, n_rows) = (release.reconstruction_error(), release.claims().n_released);
    Separation {
        reconstruction_error: error,
        reconstruction_error_per_row: (n_rows > 0).then(|| error / n_rows as f64),
    }
}

/// The losses that are defined where no quasi-identifier is generalized: the share of suppressed rows, and what is lost
/// about where the sensitive values are.
pub fn losses(release: &AnatomyRelease<'_>) -> BTreeMap<&'static str, f64> {
    BTreeMap::from([
        ("loss", share_suppressed(release)),
        (OBJECTIVE, release.reconstruction_error()),
    ])
}

/// The `loss` of each quasi-identifier: what is released is as it was.
pub fn attribute_losses(release: &AnatomyRelease<'_>) -> BTreeMap<String, f64> {
    let columns = release.table().quasi_identifiers().iter();
    columns.map(|column| (column.name.clone(), share_suppressed(release))).collect()
}

fn share_suppressed(release: &AnatomyRelease<'_>) -> f64 {
    match release.counted().n_rows() {
        0 => 0.0,
        n_rows => release.n_suppressed() as f64 / n_rows as f64,
    }
}

/// For each combination of raw values, sensitive value included, in which class how many of its rows are. Suppressed rows
/// have empty released values and no class.
///
/// `class_numbers` are the released ones, for each class.
pub fn mapped_tuples(release: &AnatomyRelease<'_>, class_numbers: &[u32]) -> String {
    let counted = release.counted();
    let names = |prefix: &str| -> Vec<String> {
        counted.columns().map(|column| format!("{prefix}{}", column.name)).collect()
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: &[String]| {
        writer.write_record(record).expect("a record can be written to memory");
    };
    let ends = ["class".to_owned(), "rows".to_owned()];
    write(&[names(""), names("released "), ends.to_vec()].concat());
    for (part, &class) in release.class_of().iter().enumerate() {
        let columns = release.table().columns();
        let raw: Vec<String> =
            columns.map(|column| column.dictionary.value(column.codes[part]).to_owned()).collect();
        let released = match class {
            DROPPED => vec![String::new(); raw.len() + 1],
            class => {
                let number = class_numbers[class as usize].to_string();
                raw.iter().cloned().chain([number]).collect()
            }
        };
        write(&[raw, released, vec![release.table().counts()[part].to_string()]].concat());
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts were written")
}
