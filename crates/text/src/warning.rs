//! Sentences about warnings, without a capital letter and a period.

use indistinct_answers::warning::{Repair, RepairedRelease, RepeatedIdentifier, Warning};

use crate::linkage::coarser_recoding;
use crate::words::{self, count, number, people, rows, share, thousands};

/// Describes a warning. Column names and values of the table are part of the sentence.
pub fn describe_warning(warning: &Warning) -> String {
    table_warning(warning)
        .or_else(|| release_warning(warning))
        .or_else(|| storage_warning(warning))
        .unwrap_or_default()
}

fn table_warning(warning: &Warning) -> Option<String> {
    Some(match warning {
        Warning::UnknownValues { parameter, attribute, n_values, values } => {
            let listed = match values {
                None => " (--show-values lists the values)".to_owned(),
                Some(values) => {
                    let each = values.iter().map(|(value, near)| match near {
                        Some(near) => format!("'{value}' (did you mean '{near}'?)"),
                        None => format!("'{value}'"),
                    });
                    format!(": {}", each.collect::<Vec<_>>().join(", "))
                }
            };
            let n_values = count(*n_values, "value");
            format!("'{parameter}' has {n_values} that '{attribute}' does not contain{listed}")
        }
        Warning::UncoveredAttribute { attribute } => format!(
            "no principle covers the sensitive attribute '{attribute}': its values in a class may \
             be disclosed"
        ),
        Warning::UnifiedNumbers { column, n_values } => format!(
            "'{column}' contains several spellings of equal numbers (such as 5 and 5.0); the \
             release unifies them, which removes {}",
            count(*n_values, "distinct value")
        ),
        Warning::UnifiedTexts { column, n_values } => format!(
            "'{column}' contains several spellings of equal texts (such as flu and Flu); the \
             release unifies them, which removes {}",
            count(*n_values, "distinct value")
        ),
        Warning::Formulas { column, n_values } => format!(
            "'{column}' has {} with a leading =, +, -, or @: a spreadsheet may execute such cells \
             as formulas. To add a leading apostrophe, set spreadsheet_safe = true in [output]",
            count(*n_values, "distinct value")
        ),
        Warning::SimilarValues { attribute, n_values } => {
            let differ = words::either(
                *n_values,
                "it counts as a separate sensitive value",
                "they count as separate sensitive values",
            );
            format!(
                "'{attribute}' has {} that a reader may confuse with another value (only case, \
                 blanks, invisible characters, look-alike letters, or the Unicode representation \
                 differ): {differ}. To unify such values, set spelling_variants = \"merged\" in \
                 the attribute",
                count(*n_values, "distinct value")
            )
        }
        Warning::UniqueValues { column, n_rows } => format!(
            "the insensitive column '{column}' is released unchanged, and its values alone single \
             out {}; should it be a quasi-identifier?",
            rows(*n_rows)
        ),
        Warning::UniqueCombinations { columns, n_unique, n_rows } => format!(
            "the insensitive columns {} are released unchanged, and together they single out {} \
             ({}). An adversary who knows these values of a person can find the row. Should some \
             of the columns be quasi-identifiers?",
            words::list_some(columns, 10),
            rows(*n_unique),
            share(*n_unique, *n_rows)
        ),
        Warning::RepeatedIdentifier(repeated) => repeated_identifier(repeated),
        _ => return None,
    })
}

fn repeated_identifier(repeated: &RepeatedIdentifier) -> String {
    let RepeatedIdentifier { column, most_rows, fewest_in_class } = repeated;
    let k = match fewest_in_class {
        Some(fewest) => {
            format!("some class has rows of only {}, so k for people is {fewest}", people(*fewest))
        }
        None => format!(
            "a class of {} may belong to one person, so k for people may be as low as k divided \
             by {most_rows}, rounded up",
            rows(*most_rows)
        ),
    };
    format!(
        "the identifier '{column}' is repeated: up to {} have the same value. If this column \
         identifies people, principles count rows instead of people, and {k}. To count people, \
         add [people] with id = {}",
        rows(*most_rows),
        indistinct_policy::toml_text(column)
    )
}

fn release_warning(warning: &Warning) -> Option<String> {
    Some(match warning {
        Warning::NoPrincipleClaimed => "no principle is claimed for this release; to measure its \
                                        protection, use `indistinct attack --original`"
            .to_owned(),
        Warning::OnlyNoise => "the largest retention probability is 0 after rounding down: all \
                               released sensitive values are noise"
            .to_owned(),
        Warning::RiskGivenValue { risk, limit } => format!(
            "for an adversary who uses the released value itself, the risk is up to {} instead of \
             {} (reading C-15), because some values are far more frequent than similar ones",
            number(*risk),
            number(*limit)
        ),
        Warning::Counterfeits { n_counterfeits, n_released } => format!(
            "{} of {} released rows are counterfeit rows, which belong to no person; all figures \
             about the release include these rows",
            thousands(*n_counterfeits),
            thousands(*n_released)
        ),
        Warning::EmptyRelease => "the release is empty: all principles hold vacuously, and the \
                                  release discloses no values of the table"
            .to_owned(),
        Warning::PlanOfThisTable => {
            "the plan was created from the same table, so its guarantee does not apply to this \
             table; the plan also publishes the frequencies of the table's designated values"
                .to_owned()
        }
        Warning::PlanPublishesCounts { all_combinations } => format!(
            "create plans only from data that may be published, because a plan is public and \
             contains every counted {} and the frequencies of its designated values",
            match all_combinations {
                true => "value of the quasi-identifiers",
                false => "combination of quasi-identifiers",
            }
        ),
        Warning::OnlyCountedCombinations => {
            "only counted combinations of quasi-identifiers have a class; to include all \
             combinations, use --all-combinations"
                .to_owned()
        }
        Warning::EstimatedDistribution => {
            "the distribution was estimated from counts; --eta computes l and delta for a small \
             error in the distribution"
                .to_owned()
        }
        Warning::IndependenceAssumed => {
            "the plan guarantees nothing if sensitive values depend on quasi-identifiers".to_owned()
        }
        Warning::CoarsenedForLinkage { objective, without_linkage, with_linkage, n_tried } => {
            coarser_recoding(objective, without_linkage.zip(*with_linkage), *n_tried)
        }
        _ => return None,
    })
}

fn storage_warning(warning: &Warning) -> Option<String> {
    Some(match warning {
        Warning::Repaired(repaired) => return describe_repair(repaired),
        Warning::RemovedIncomplete { directory } => format!(
            "an earlier run was interrupted before its release at '{}' was complete; its files \
             were removed",
            directory.display()
        ),
        Warning::CompletedMove { directory } => format!(
            "an earlier run was interrupted while moving the release '{}' into place; the release \
             is now complete",
            directory.display()
        ),
        Warning::LedgerRestricted { ledger } => format!(
            "other users could read or write the ledger '{}'; access is now restricted to you \
             (mode 0600)",
            ledger.display()
        ),
        Warning::LedgerAccessible { ledger } => format!(
            "other users can read or write the ledger '{}': run chmod 600",
            ledger.display()
        ),
        Warning::NotMarkedPublished { error } => format!(
            "the release is written and recorded, but cannot be marked as published: {error}. The \
             next run repeats this step"
        ),
        Warning::RowsNotPublished { script, table } => format!(
            "the rows are correct but not yet published; run '{script}' to publish them, and \
             prevent writes to {table} until then"
        ),
        _ => return None,
    })
}

/// Describes the repair of a release; `None` if another process is working on the release.
pub fn describe_repair(repaired: &RepairedRelease) -> Option<String> {
    let name = &repaired.name;
    Some(match repaired.healing {
        Repair::Published => format!(
            "an earlier run stopped after it published the release '{name}'; the ledger now \
             records the release as published"
        ),
        Repair::Forgotten => format!(
            "an earlier run stopped before it published the release '{name}'; the ledger no \
             longer contains the release"
        ),
        Repair::Unknown => format!(
            "an earlier run stopped, and the directory of the release '{name}' is missing; the \
             ledger treats the release as published. If no one received the release, remove it \
             with 'ledger remove'"
        ),
        Repair::InUse => return None,
    })
}
