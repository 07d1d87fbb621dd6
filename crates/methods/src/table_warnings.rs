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
                "no principle covers the sensitive attribute '{name}': its values in a class may \
                 be disclosed"
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
        _ => format!("{warning} (--show-values lists the values)"),
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
                Spellings::OfNumbers => "several spellings of equal numbers (such as 5 and 5.0)",
                Spellings::OfTexts => "several spellings of equal texts (such as flu and Flu)",
            };
            format!(
                "'{column}' contains {how}; the release unifies them, which removes {}",
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
                "'{}' has {} with a leading =, +, -, or @: a spreadsheet may execute such cells as \
                 formulas. To add a leading apostrophe, set spreadsheet_safe = true in [output]",
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
                "it counts as a separate sensitive value",
                "they count as separate sensitive values",
            );
            warnings.push(format!(
                "'{}' has {} that a reader may confuse with another value (only case, blanks, \
                 invisible characters, look-alike letters, or the Unicode representation differ): \
                 {differ}. To unify such values, set spelling_variants = \"merged\" in the \
                 attribute",
                column.name,
                words::count(n_alike as u64, "distinct value")
            ));
        }
    }
    warnings
}
