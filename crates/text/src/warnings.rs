//! Warnings for the data holder as sentences.

use indistinct_answers::Warning;

use crate::words;

/// Expresses a warning in one sentence.
pub fn warning(warning: &Warning) -> String {
    let values = |n: &usize| words::count(*n as u64, "distinct value");
    match warning {
        Warning::NotLimited { attribute } => format!(
            "no principle covers the sensitive attribute '{attribute}': its values in a class may be \
             disclosed"
        ),
        Warning::DoesNotOccur { parameter, attribute, n_values, values } => {
            let counted = words::count(*n_values as u64, "value");
            let named = match values {
                Some(values) => {
                    let each = values.iter().map(|(value, near)| match near {
                        Some(near) => format!("'{value}' (did you mean '{near}'?)"),
                        None => format!("'{value}'"),
                    });
                    format!(": {}", each.collect::<Vec<_>>().join(", "))
                }
                None => " (--show-values lists the values)".to_owned(),
            };
            format!("'{parameter}' has {counted} that '{attribute}' does not contain{named}")
        }
        Warning::Unified { column, are_numbers, n_values } => {
            let how = match are_numbers {
                true => "several spellings of equal numbers (such as 5 and 5.0)",
                false => "several spellings of equal texts (such as flu and Flu)",
            };
            let removed = values(n_values);
            format!("'{column}' contains {how}; the release unifies them, which removes {removed}")
        }
        Warning::Formulas { column, n_values } => format!(
            "'{column}' has {} with a leading =, +, -, or @: a spreadsheet may execute such cells as \
             formulas. To add a leading apostrophe, set spreadsheet_safe = true in [output]",
            values(n_values)
        ),
        Warning::Alike { column, n_values } => {
            let differ = words::either(
                *n_values as u64,
                "it counts as a separate sensitive value",
                "they count as separate sensitive values",
            );
            format!(
                "'{column}' has {} that a reader may confuse with another value (only case, blanks, \
                 invisible characters, look-alike letters, or the Unicode representation differ): \
                 {differ}. To unify such values, set spelling_variants = \"merged\" in the attribute",
                values(n_values)
            )
        }
        Warning::PlanFromItself => {
            "the plan was created from the same table, so its guarantee does not apply to this \
             table; the plan also publishes the frequencies of the table's designated values"
                .to_owned()
        }
        Warning::PlanIsPublic { covers_all } => format!(
            "create plans only from data that may be published, because a plan is public and \
             contains every counted {} and the frequencies of its designated values",
            match covers_all {
                true => "value of the quasi-identifiers",
                false => "combination of quasi-identifiers",
            }
        ),
        Warning::PlanOfCountedCombinations => {
            "only counted combinations of quasi-identifiers have a class; to include all \
             combinations, use --all-combinations"
                .to_owned()
        }
        Warning::PlanFromCounts => {
            "the distribution was estimated from counts; --eta computes l and delta for a small \
             error in the distribution"
                .to_owned()
        }
        Warning::PlanAssumesIndependence => {
            "the plan guarantees nothing if sensitive values depend on quasi-identifiers".to_owned()
        }
        Warning::OnlyNoise => {
            "the largest retention probability is 0 after rounding down: all released sensitive \
             values are noise"
                .to_owned()
        }
        Warning::RiskGivenValue { risk, limit } => format!(
            "for an adversary who uses the released value itself, the risk is up to {} instead of \
             {} (reading C-15), because some values are far more frequent than similar ones",
            words::number(*risk),
            words::number(*limit)
        ),
        Warning::NoPrinciple => {
            "no principle is claimed for this release; to measure its protection, use `indistinct \
             attack --original`"
                .to_owned()
        }
        Warning::Counterfeits { n_rows, n_released } => format!(
            "{} of {} released rows are counterfeit rows, which belong to no person; all figures \
             about the release include these rows",
            words::thousands(*n_rows),
            words::thousands(*n_released)
        ),
    }
}
