//! Sentences about warnings, without an initial capital letter or a final period.

use indistinct_diagnostics::warning::{Repair, RepairedRelease, RevealingLabels, Warning};

use crate::linkage::coarser_recoding;
use crate::messages::{fields, filled, message, plain};
use crate::words;

/// Describes a warning. Column names and values in the table are part of the sentence.
pub fn describe_warning(warning: &Warning) -> String {
    let mut fields = fields(warning);
    let key = match warning {
        Warning::UnknownValues { values, .. } => {
            let values = values.as_deref().map_or_else(
                || " (--show-values lists the values)".to_owned(),
                |values| format!(": {}", unknown_values(values)),
            );
            return format!("{}{values}", message("warning", warning));
        }
        Warning::UniqueCombinations { n_unique, n_rows, .. } => {
            fields.insert("share".to_owned(), words::share(*n_unique, *n_rows).into());
            "unique-combinations"
        }
        Warning::RepeatedIdentifier(repeated) => {
            fields.insert("id".to_owned(), indistinct_policy::toml_text(&repeated.column).into());
            match repeated.fewest_in_class {
                None => "repeated-identifier",
                Some(_) => "repeated-identifier-in-class",
            }
        }
        Warning::RevealingLabels(labels) => return revealing_labels(labels),
        Warning::PlanPublishesCounts { all_combinations: true } => "plan-publishes-values",
        Warning::PlanPublishesCounts { .. } => "plan-publishes-combinations",
        Warning::CoarsenedForLinkage { objective, without_linkage, with_linkage, n_tried } => {
            return coarser_recoding(objective, without_linkage.zip(*with_linkage), *n_tried);
        }
        Warning::Repaired(repaired) => return describe_repair(repaired).unwrap_or_default(),
        _ => return message("warning", warning).to_string(),
    };
    filled("warning", key, &fields).to_string()
}

fn revealing_labels(labels: &RevealingLabels) -> String {
    let setting = match (labels.permits_pairs, labels.releases_bounds) {
        (true, true) => "revealing-pairs-and-bounds",
        (false, true) => "revealing-bounds",
        (_, false) => "revealing-pairs",
    };
    let setting = plain("warning", setting).to_string();
    let Some(certain) = &labels.certain else { return setting };
    let mut fields = fields(certain);
    let describe = words::either(certain.n_predicates, "describes", "describe");
    fields.insert("describe".to_owned(), describe.into());
    format!("{setting}. {}", filled("warning", "revealing-certain", &fields))
}

fn unknown_values(values: &[(String, Option<String>)]) -> String {
    let each = values.iter().map(|(value, near)| match near {
        Some(near) => format!("'{value}' (did you mean '{near}'?)"),
        None => format!("'{value}'"),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// Describes the repair of a release. Returns `None` if another process is working on the release.
pub fn describe_repair(repaired: &RepairedRelease) -> Option<String> {
    let is_repaired = repaired.healing != Repair::InUse;
    is_repaired.then(|| message("healing", repaired).to_string())
}
