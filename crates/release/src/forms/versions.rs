//! A version of a growing table: some of its rows may be nobody's, and the certificate says how many of each class.

use std::collections::BTreeMap;

use indistinct_diagnostics::words;
use serde::Deserialize;

use super::{Form, ReadBack};
use crate::certificate::Certificate;
use crate::certificate::about::COUNTERFEITS;
use crate::check::Check;
use crate::rows::{ByClass, Rows};

/// The form of versions.
pub(super) struct VersionOfTable;

impl Form for VersionOfTable {
    fn name(&self) -> &'static str {
        "version of a growing table"
    }

    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        Some(Check::new("counterfeits", differences(read.certificate, read.rows)))
    }
}

/// The figures of the statement.
#[derive(Debug, Deserialize)]
struct StatedFigures {
    n_counterfeits: u64,
    of_class: BTreeMap<String, u64>,
}

/// What the statement says that cannot be: there is one, classes that it names are there, none has nothing but counterfeits, and the sum fits.
fn differences(certificate: &Certificate, rows: &Rows) -> Vec<String> {
    let stated: Vec<_> = certificate.about(COUNTERFEITS).collect();
    let [stated] = stated[..] else {
        return vec!["there is not one statement on counterfeits".to_owned()];
    };
    let Ok(stated) =
        serde_json::from_value::<StatedFigures>(stated.value.clone().unwrap_or_default())
    else {
        return vec!["the statement on counterfeits lacks figures".to_owned()];
    };
    let mut differences = Vec::new();
    let sum: u64 = stated.of_class.values().fold(0, |sum, &n| sum.saturating_add(n));
    if sum != stated.n_counterfeits {
        let n = stated.n_counterfeits;
        differences.push(format!("{n} counterfeits are stated, and {sum} of all classes together"));
    }
    let sizes = sizes(rows);
    let unknown = stated.of_class.keys().filter(|class| !sizes.contains_key(class.as_str()));
    let n_unknown = unknown.count();
    if n_unknown > 0 {
        differences.push(format!(
            "counterfeits are stated of {} without rows",
            words::classes(n_unknown as u64)
        ));
    }
    let is_too_many =
        |(class, n): &(&String, &u64)| sizes.get(class.as_str()).is_some_and(|size| *n >= size);
    let n_too_many = stated.of_class.iter().filter(is_too_many).count();
    if n_too_many > 0 {
        let of = format!(
            "of {} no row would be about somebody",
            words::count(n_too_many as u64, "class")
        );
        differences.push(of);
    }
    if stated.of_class.values().any(|&n| n == 0) {
        differences.push("a class is named that has no counterfeits".to_owned());
    }
    differences
}

/// The rows of each class, by its released number; none where no class column is published.
fn sizes(rows: &Rows) -> BTreeMap<&str, u64> {
    let mut sizes = BTreeMap::new();
    if let ByClass::Column(table) = &rows.classes
        && let Some(class) = table.quasi_identifiers().last()
    {
        for (&code, &n) in class.codes.iter().zip(table.counts()) {
            *sizes.entry(class.dictionary.value(code)).or_default() += n;
        }
    }
    sizes
}
