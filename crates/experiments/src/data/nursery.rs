//! The Nursery table. The papers do not specify its taxonomies; the taxonomies in this module group
//! adjacent values on each ordinal scale.

use super::{DataSet, tree};

/// Applications to nursery schools: all combinations of eight attributes, with the rank that an
/// expert system assigned.
pub static NURSERY: DataSet = DataSet {
    name: "Nursery",
    source: "the UCI Machine Learning Repository, https://archive.ics.uci.edu/dataset/76/nursery",
    how: "unpack nursery.data into a folder, and set --data to this folder",
    files: &[&["nursery.data"], &["nursery.csv"]],
    hint: "nursery",
    order: &[
        "parents",
        "has_nurs",
        "form",
        "children",
        "housing",
        "finance",
        "social",
        "health",
        "assessment",
    ],
    columns: &[
        ("parents", &[]),
        ("has_nurs", &[]),
        ("form", &[]),
        ("children", &[]),
        ("housing", &[]),
        ("finance", &[]),
        ("social", &[]),
        ("health", &[]),
        ("assessment", &["class"]),
    ],
    hierarchy,
};

fn hierarchy(column: &str) -> String {
    match column {
        "has_nurs" => tree(&[
            ("proper or less", &["proper", "less_proper"]),
            ("improper or worse", &["improper", "critical", "very_crit"]),
        ]),
        "form" => {
            tree(&[("whole", &["complete", "completed"]), ("not whole", &["incomplete", "foster"])])
        }
        "children" => tree(&[("up to 2", &["1", "2"]), ("3 or more", &["3", "more"])]),
        "assessment" => tree(&[
            ("no recommendation", &["not_recom"]),
            ("any recommendation", &["recommend", "very_recom"]),
            ("any priority", &["priority", "spec_prior"]),
        ]),
        _ => String::new(),
    }
}
