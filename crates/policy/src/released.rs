//! The effective policy in a release directory. This policy is public.
//!
//! Invariant: the effective policy depends only on the policy and on parameters that principles
//! computed from the table to enable verification. The effective policy contains no file outside
//! the release directory, no seed, and no information about the storage of the input. Inline trees
//! of quasi-identifiers are omitted, because their values may have been generalized.

use std::collections::BTreeMap;

use indistinct_core::Role;
use indistinct_core::principle::{
    OTHERS, ParameterKind, ParameterSpec, ParameterValue, Parameters, Subject,
};
use toml_edit::Value;

use super::document::PolicyDocument;
use super::keys::{exact, list, table};
use super::value::KeyValue;
use super::walk::KeyTable;
use super::{AttributeSpec, Method, OutputFormat, PolicyFile, PrincipleSpec, SpellingVariants};

/// Writes the effective policy with its defaults, in the form that [`PolicyFile::parse_released`]
/// reads.
///
/// `hierarchy_files` contains the file of each hierarchy within the release directory, by
/// attribute. If a sensitive attribute has a taxonomy in the policy but no such file, the taxonomy
/// is written in full; a hierarchy of a quasi-identifier without a file is omitted. `effective`
/// contains the parameters of each principle
/// ([`effective_parameters`](indistinct_core::Principle::effective_parameters)); files are omitted.
///
/// # Panics
/// Panics if `effective` does not contain one entry for each principle.
pub fn released_policy(
    policy: &PolicyFile,
    hierarchy_files: &BTreeMap<String, String>,
    effective: &[Parameters],
) -> String {
    assert_eq!(policy.principles.len(), effective.len(), "one entry for each principle");
    let mut out = PolicyDocument::new();
    out.comment(
        "The effective policy of this release, with all defaults. Levels of hierarchies count \
         from\nthe original values; the files in hierarchies/ start at the released level.",
    );
    out.set(&["version"], i64::from(policy.version));
    if let Some(title) = &policy.title {
        out.set(&["title"], title);
    }
    for (name, given) in policy.release.entries() {
        out.set(&["release", name], given);
    }
    out.set(&["input", "unlisted"], policy.input.unlisted.name());
    for attribute in &policy.attributes {
        let file = hierarchy_files.get(&attribute.name);
        let entries = of_attribute(policy.recoding.method, attribute, file);
        out.set_all(&["attributes", &attribute.name], entries);
    }
    if let Some(people) = &policy.people {
        out.set_all(&["people"], people.entries());
    }
    for (spec, parameters) in policy.principles.iter().zip(effective) {
        out.add_principle(spec.kind.name, of_principle(spec, parameters));
    }
    out.set_all(&["recoding"], of_recoding(policy));
    out.set_all(&["search"], policy.search.entries());
    if let Some(minimum) = policy.linkage.minimum.write() {
        out.set(&["linkage", "minimum"], minimum);
    }
    out.set_all(&["output"], of_output(policy));
    out.to_string()
}

type Entries = Vec<(&'static str, Value)>;

fn of_principle<'a>(spec: &'a PrincipleSpec, parameters: &'a Parameters) -> Entries {
    let attribute = spec.attribute.as_ref().map(|name| ("attribute", name.into()));
    let others = (spec.kind.subject == Subject::SensitiveAttribute)
        .then(|| (OTHERS.name, spec.others.name().into()));
    attribute.into_iter().chain(stated(spec.kind.parameters, &parameters.0)).chain(others).collect()
}

/// Returns the parameters in the order of their specifications, except for files.
fn stated<'a>(
    specs: &'static [ParameterSpec],
    given: &'a BTreeMap<String, ParameterValue>,
) -> impl Iterator<Item = (&'static str, Value)> + 'a {
    let released = specs.iter().filter(|spec| spec.kind != ParameterKind::File);
    released.filter_map(|spec| {
        let value = match (spec.kind, given.get(spec.name)?) {
            (ParameterKind::Table { fields }, ParameterValue::Table(below)) => {
                table(stated(fields, below))
            }
            (_, value) => parameter(value),
        };
        Some((spec.name, value))
    })
}

fn parameter(value: &ParameterValue) -> Value {
    match value {
        ParameterValue::Number(value) => exact(value),
        ParameterValue::Text(value) => value.into(),
        ParameterValue::Values(values) => list(values),
        ParameterValue::Table(entries) => {
            table(entries.iter().map(|(name, value)| (name.as_str(), parameter(value))))
        }
    }
}

fn of_attribute(method: Method, attribute: &AttributeSpec, file: Option<&String>) -> Entries {
    let hierarchy = match (file, attribute.role) {
        (Some(file), _) => Some(table([("csv", file.into())])),
        (None, Role::Sensitive) => declared_hierarchy(attribute),
        _ => None,
    };
    let mut entries = attribute.entries();
    let is_quasi_identifier = attribute.role == Role::QuasiIdentifier;
    entries.retain(|(key, _)| match *key {
        "weight" => is_quasi_identifier && method.weighs_quasi_identifiers(),
        "min_level" | "max_level" => is_quasi_identifier && !method.keeps_quasi_identifiers(),
        "spelling_variants" => attribute.spelling_variants == SpellingVariants::Merged,
        "notation" | "null_values" => false,
        // The keys `looks_like_identifier` and `looks_like_identifier_reason` require each other.
        "looks_like_identifier" => attribute.looks_like_identifier_reason.is_some(),
        _ => true,
    });
    if let Some(hierarchy) = hierarchy {
        entries.insert(1, ("hierarchy", hierarchy));
    }
    entries
}

fn declared_hierarchy(attribute: &AttributeSpec) -> Option<Value> {
    let declared = attribute.declared.as_ref()?;
    // Hierarchies from a file or a list are written to a file in the release directory.
    if declared.csv.is_some() || declared.rows.is_some() {
        return None;
    }
    let has_anchor = declared.intervals.is_some() || declared.round.is_some();
    let entries = declared.entries().into_iter();
    Some(table(entries.filter(|(key, _)| *key != "anchor" || has_anchor)))
}

fn of_recoding(policy: &PolicyFile) -> Entries {
    let recoding = &policy.recoding;
    let without_effect: Vec<&str> = recoding.method.keys_without_effect().collect();
    let mut entries = recoding.entries();
    entries.retain(|(key, _)| *key != "seed" && !without_effect.contains(key));
    for (key, value) in &mut entries {
        if *key == "plan" {
            // In the release directory, the plan always has this file name.
            *value = crate::PLAN.into();
        }
    }
    entries
}

fn of_output(policy: &PolicyFile) -> Entries {
    let output = &policy.output;
    let mut entries = output.entries();
    entries.retain(|(key, _)| match *key {
        "delimiter" => false,
        "spreadsheet_safe" => output.spreadsheet_safe,
        _ => true,
    });
    if output.format == OutputFormat::Csv {
        let delimiter = output.delimiter.unwrap_or(b',').write();
        entries.extend(delimiter.map(|delimiter| ("delimiter", delimiter)));
    }
    entries
}
