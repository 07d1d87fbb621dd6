//! Warnings about a counted table, for the data holder.

use indistinct_core::Role;
use indistinct_core::principle::BuildWarning;
use indistinct_diagnostics::{Values, words};
use indistinct_engine::{CountedRows, Spellings, UnifiedValue};
use indistinct_labels::formulas::is_formula;

use crate::bound::BoundPolicy;

/// Warns about sensitive attributes that no principle covers.
pub fn not_limited(bound: &BoundPolicy) -> Vec<String> {
    let principles = &bound.file.principles;
    bound
        .names(Role::Sensitive)
        .into_iter()
        .filter(|name| !principles.iter().any(|it| it.attribute.as_deref() == Some(name.as_str())))
        .map(|name| {
            format!(
                "no principle is about the sensitive attribute '{name}': nothing limits what a class reveals of it"
            )
        })
        .collect()
}

/// Formats a warning of a principle, with values only if they may be shown.
pub fn in_words(warning: &BuildWarning, values: Values) -> String {
    match (warning, values) {
        (BuildWarning::DoesNotOccur { values: unknown, .. }, Values::Shown) => {
            let each = unknown.iter().map(|(value, near)| match near {
                Some(near) => format!("'{value}' (did you mean '{near}'?)"),
                None => format!("'{value}'"),
            });
            format!("{warning}: {}", each.collect::<Vec<_>>().join(", "))
        }
        _ => format!("{warning} (--show-values names them)"),
    }
}

/// Warns about values with several spellings. Numbers are always unified; texts are unified if the
/// policy requests it.
pub fn spellings(counted: &CountedRows, is_safe: bool) -> Vec<String> {
    let mut warnings: Vec<String> = counted
        .unified
        .iter()
        .map(|UnifiedValue { column, spellings, n_values }| {
            let how = match spellings {
                Spellings::OfNumbers => "numbers in several ways (such as 5 and 5.0)",
                Spellings::OfTexts => "texts that look the same (such as flu and Flu)",
            };
            format!(
                "'{column}' writes {how}; each is taken, and released, as one value: that is {} less",
                words::count(*n_values as u64, "distinct value")
            )
        })
        .collect();
    for column in counted.table.columns() {
        if is_safe {
            break;
        }
        let n_formulas =
            column.dictionary.values().iter().filter(|value| is_formula(value)).count();
        if n_formulas > 0 {
            warnings.push(format!(
                "'{}' has {} with =, +, - or @ at the beginning: a spreadsheet that opens the release may run them as formulas. \
                 spreadsheet_safe = true in [output] puts an apostrophe before them",
                column.name,
                words::count(n_formulas as u64, "distinct value")
            ));
        }
    }
    for column in counted.table.sensitive() {
        let n_alike = column.dictionary.n_alike();
        if n_alike > 0 {
            let differ = words::either(
                n_alike as u64,
                "it counts as a different sensitive value",
                "they count as different sensitive values",
            );
            warnings.push(format!(
                "'{}' has {} that a reader may take for another one (nothing tells the two apart but case, blanks, invisible characters, \
                 look-alike letters or how Unicode writes them): {differ}. spelling_variants = \"merged\" of the attribute makes them one",
                column.name,
                words::count(n_alike as u64, "distinct value")
            ));
        }
    }
    warnings
}
