//! A version of a growing table: some of its rows may be nobody's, and the certificate says how many of each class.

use std::collections::BTreeMap;

use super::{Form, ReadBack};
use crate::certificate::Certificate;
use crate::check::Check;
use crate::facts::Fact;
use crate::rows::{ByClass, Rows};
use indistinct_diagnostics::words;

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

/// What contradicts the fact on counterfeits: its classes exist, none has only counterfeits, and the sum fits.
fn differences(certificate: &Certificate, rows: &Rows) -> Vec<String> {
    let stated = certificate.facts.iter().find_map(|fact| match fact {
        Fact::Counterfeits { n_rows, n_rows_by_class } => Some((*n_rows, n_rows_by_class)),
        _ => None,
    });
    let Some((n_rows, of_class)) = stated else {
        return vec!["the fact 'counterfeits' is missing".to_owned()];
    };
    let mut differences = Vec::new();
    let sum: u64 = of_class.values().fold(0, |sum, &n| sum.saturating_add(n));
    if sum != n_rows {
        differences
            .push(format!("{n_rows} counterfeits are stated, and {sum} of all classes together"));
    }
    let sizes = sizes(rows);
    let unknown = of_class.keys().filter(|class| !sizes.contains_key(class.as_str()));
    let n_unknown = unknown.count();
    if n_unknown > 0 {
        differences.push(format!(
            "counterfeits are stated of {} without rows",
            words::classes(n_unknown as u64)
        ));
    }
    let is_too_many =
        |(class, n): &(&String, &u64)| sizes.get(class.as_str()).is_some_and(|size| *n >= size);
    let n_too_many = of_class.iter().filter(is_too_many).count();
    if n_too_many > 0 {
        let of = format!(
            "of {} no row would be about somebody",
            words::count(n_too_many as u64, "class")
        );
        differences.push(of);
    }
    if of_class.values().any(|&n| n == 0) {
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
