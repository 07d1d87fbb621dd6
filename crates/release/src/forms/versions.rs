//! A version of a growing table, which may contain counterfeit rows. The certificate states the
//! number of counterfeits in each class.

use std::collections::BTreeMap;

use super::{Form, ReadBack};
use crate::certificate::Certificate;
use crate::check::{Check, Difference, Subject};
use crate::facts::Fact;
use crate::rows::{ByClass, Rows};

/// The form of table versions.
pub(super) struct VersionOfTable;

impl Form for VersionOfTable {
    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        Some(Check::new(Subject::Counterfeits, differences(read.certificate, read.rows)))
    }
}

/// Returns the differences from the fact about counterfeits, such as missing classes, classes with
/// only counterfeits, and a wrong sum.
fn differences(certificate: &Certificate, rows: &Rows) -> Vec<Difference> {
    let stated = certificate.facts.iter().find_map(|fact| match fact {
        Fact::Counterfeits { n_rows, n_rows_by_class } => Some((*n_rows, n_rows_by_class)),
        _ => None,
    });
    let Some((n_rows, of_class)) = stated else {
        return vec![Difference::FactMissing { fact: "counterfeits".to_owned() }];
    };
    let mut differences = Vec::new();
    let sum: u64 = of_class.values().fold(0, |sum, &n| sum.saturating_add(n));
    if sum != n_rows {
        differences.push(Difference::CounterfeitSum { claimed: n_rows, found: sum });
    }
    let sizes = sizes(rows);
    let unknown = of_class.keys().filter(|class| !sizes.contains_key(class.as_str()));
    let n_unknown = unknown.count();
    if n_unknown > 0 {
        differences.push(Difference::CounterfeitsWithoutClass { n_classes: n_unknown as u64 });
    }
    let is_too_many =
        |(class, n): &(&String, &u64)| sizes.get(class.as_str()).is_some_and(|size| *n >= size);
    let n_too_many = of_class.iter().filter(is_too_many).count();
    if n_too_many > 0 {
        differences.push(Difference::OnlyCounterfeits { n_classes: n_too_many as u64 });
    }
    if of_class.values().any(|&n| n == 0) {
        differences.push(Difference::NoCounterfeits);
    }
    differences
}

/// Returns the number of rows in each class, by released class number. The map is empty if there is
/// no class column.
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
