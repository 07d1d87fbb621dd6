//! Warnings about a counted table, for the data holder.

use indistinct_answers::Warning;
use indistinct_core::Role;
use indistinct_core::principle::BuildWarning;
use indistinct_diagnostics::Values;
use indistinct_engine::{CountedRows, Spellings};
use indistinct_labels::formulas::is_formula;

use crate::bound::BoundPolicy;

/// Warns about sensitive attributes that no principle covers.
pub fn not_limited(bound: &BoundPolicy) -> Vec<Warning> {
    let is_covered = |name: &String| {
        let mut principles = bound.file.principles.iter();
        principles.any(|it| it.attribute.as_ref() == Some(name))
    };
    let names = bound.names(Role::Sensitive).into_iter().filter(|name| !is_covered(name));
    names.map(|attribute| Warning::NotLimited { attribute }).collect()
}

/// Converts a warning of a principle, with values only if they may be shown.
pub fn of_principle(warning: BuildWarning, shown: Values) -> Warning {
    let BuildWarning::DoesNotOccur { parameter, attribute, n_values, values } = warning;
    let values = (shown == Values::Shown).then_some(values);
    Warning::DoesNotOccur { parameter, attribute, n_values, values }
}

/// Warns about values with several spellings, and about formulas unless `is_safe`. Numbers are
/// always unified; texts are unified if the policy requests it.
pub fn spellings(counted: &CountedRows, is_safe: bool) -> Vec<Warning> {
    let unified = counted.unified.iter().map(|it| Warning::Unified {
        column: it.column.clone(),
        are_numbers: matches!(it.spellings, Spellings::OfNumbers),
        n_values: it.n_values,
    });
    let columns = counted.table.columns().filter(|_| !is_safe);
    let formulas = columns.filter_map(|column| {
        let values = column.dictionary.values().iter();
        let n_values = values.filter(|value| is_formula(value)).count();
        (n_values > 0).then(|| Warning::Formulas { column: column.name.clone(), n_values })
    });
    let alike = counted.table.sensitive().iter().filter_map(|column| {
        let n_values = column.dictionary.n_alike();
        (n_values > 0).then(|| Warning::Alike { column: column.name.clone(), n_values })
    });
    unified.chain(formulas).chain(alike).collect()
}
