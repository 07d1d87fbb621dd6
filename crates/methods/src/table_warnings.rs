//! Warnings about a counted table, for the data holder.

use indistinct_core::Role;
use indistinct_core::principle::BuildWarning;
use indistinct_diagnostics::Values;
use indistinct_diagnostics::warning::{RevealingLabels, Warning};
use indistinct_engine::{CountedRows, Input, SecondHeader, Spellings};
use indistinct_labels::formulas::is_formula;

use crate::bound::BoundPolicy;
use crate::policy::{GeneralizeTo, PolicyFile};

/// Warns about rows below the column names that look like a part of the header.
pub fn second_header(input: &Input) -> Option<Warning> {
    let SecondHeader { n_rows, n_columns } = input.second_header()?;
    Some(Warning::SecondHeader { n_rows, n_columns })
}

/// Warns about sensitive attributes that no principle covers.
pub fn not_limited(bound: &BoundPolicy) -> impl Iterator<Item = Warning> {
    let principles = &bound.file.principles;
    let is_covered =
        |name: &String| principles.iter().any(|it| it.attribute.as_ref() == Some(name));
    let uncovered = bound.names(Role::Sensitive).into_iter().filter(move |it| !is_covered(it));
    uncovered.map(|attribute| Warning::UncoveredAttribute { attribute })
}

/// The size of classes in which a label with only two children determines how many rows are below
/// each child.
const PAIR: u64 = 2;

/// Warns about settings with which the choice of labels reveals finer values. `smallest_sizes`
/// contains the smallest class size that each principle permits.
pub fn revealing_labels(
    policy: &PolicyFile,
    smallest_sizes: impl Iterator<Item = u64>,
) -> Option<Warning> {
    let permits_pairs = smallest_sizes.max().unwrap_or(1) <= PAIR;
    let releases_bounds = policy.recoding.generalize_to == GeneralizeTo::Bounds;
    let is_revealing = policy.has_narrowest_labels() && (permits_pairs || releases_bounds);
    let warning = RevealingLabels { permits_pairs, releases_bounds, certain: None };
    is_revealing.then_some(Warning::RevealingLabels(warning))
}

/// Converts a warning about a principle. Values are included only if they may be shown.
pub fn of_principle(warning: BuildWarning, shown: Values) -> Warning {
    let BuildWarning::DoesNotOccur { parameter, attribute, n_values, values } = warning;
    let values = (shown == Values::Shown).then_some(values);
    Warning::UnknownValues { parameter, attribute, n_values: n_values as u64, values }
}

/// Warns about values with several spellings. Numbers are always unified; strings are unified if
/// the policy requests it.
pub fn spellings(counted: &CountedRows, is_safe: bool) -> Vec<Warning> {
    let unified = counted.unified.iter().map(|it| {
        let (column, n_values) = (it.column.clone(), it.n_values as u64);
        match it.spellings {
            Spellings::OfNumbers => Warning::UnifiedNumbers { column, n_values },
            Spellings::OfTexts => Warning::UnifiedTexts { column, n_values },
        }
    });
    let columns = counted.table.columns().filter(|_| !is_safe);
    let formulas = columns.filter_map(|column| {
        let n_values = column.dictionary.values().iter().filter(|value| is_formula(value)).count();
        let (column, n_values) = (column.name.clone(), n_values as u64);
        (n_values > 0).then_some(Warning::Formulas { column, n_values })
    });
    let similar = counted.table.sensitive().iter().filter_map(|column| {
        let (attribute, n_values) = (column.name.clone(), column.dictionary.n_alike() as u64);
        (n_values > 0).then_some(Warning::SimilarValues { attribute, n_values })
    });
    unified.chain(formulas).chain(similar).collect()
}
