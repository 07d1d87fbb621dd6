//! The effective policy of a release directory: what may be known by everybody.
//!
//! Invariant: it follows from the policy, and from what its principles took from the table for others to check them; it
//! names no file outside the release directory, no seed, and nothing about how the input is stored. No inline tree of a
//! quasi-identifier is copied: its values may have been generalized away.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use indistinct_core::Role;
use indistinct_core::hierarchy::TreeNode;
use indistinct_core::principle::{
    OTHERS, ParameterKind, ParameterSpec, ParameterValue, Parameters, Subject,
};
use indistinct_core::recoding::masking::ColumnMask;

use super::sections::{DeclaredHierarchy, DeclaredNumbers, Unit};
use super::words::name_of;
use super::write::{key, number, text, texts};
use super::{
    Alike, AttributeSpec, LooksLikeIdentifier, Method, OutputFormat, PolicyFile, PrincipleSpec,
};

/// Writes the effective policy, with its defaults written out, so that [`PolicyFile::parse_released`] reads it again.
///
/// `hierarchy_files` gives for an attribute the file of its hierarchy within the release directory. A taxonomy that the
/// policy declares for a sensitive attribute without such a file is written whole; a hierarchy of a quasi-identifier
/// without one is left out. `effective` gives the parameters of each principle
/// ([`effective_parameters`](indistinct_core::Principle::effective_parameters)); files that they name are left out.
///
/// # Panics
/// If there are not as many `effective` parameters as principles.
pub fn released_policy(
    policy: &PolicyFile,
    hierarchy_files: &BTreeMap<String, String>,
    effective: &[Parameters],
) -> String {
    assert_eq!(policy.principles.len(), effective.len(), "one for each principle");
    let mut out = String::from(
        "# The effective policy of this release, with all defaults. Levels of hierarchies count from the original values;\n\
         # the files in hierarchies/ begin at the released level.\n",
    );
    line(&mut out, "version", &policy.version.to_string());
    if let Some(title) = &policy.title {
        line(&mut out, "title", &text(title));
    }
    if policy.release.entries().next().is_some() {
        out.push_str("\n[release]\n");
    }
    for (name, given) in policy.release.entries() {
        line(&mut out, name, &text(given));
    }
    out.push_str("\n[input]\n");
    line(&mut out, "unlisted", &text(policy.input.unlisted.name()));
    for attribute in &policy.attributes {
        let file = hierarchy_files.get(&attribute.name);
        write_attribute(&mut out, policy.recoding.method, attribute, file);
    }
    if let Some(people) = &policy.people {
        out.push_str("\n[people]\n");
        let unit = match people.unit {
            Unit::Person => "id",
            Unit::Household => "household",
        };
        line(&mut out, unit, &text(&people.column));
        line(&mut out, "rows", &text(name_of(people.rows)));
    }
    for (spec, parameters) in policy.principles.iter().zip(effective) {
        write_principle(&mut out, spec, parameters);
    }
    write_rest(&mut out, policy);
    out
}

fn line(out: &mut String, name: &str, value: &str) {
    writeln!(out, "{name} = {value}").expect("writing to a string does not fail");
}

fn write_principle(out: &mut String, spec: &PrincipleSpec, parameters: &Parameters) {
    out.push_str("\n[[principles]]\n");
    line(out, "kind", &text(spec.kind.name));
    if let Some(attribute) = &spec.attribute {
        line(out, "attribute", &text(attribute));
    }
    for (name, value) in stated(spec.kind.parameters, &parameters.0) {
        line(out, name, &value);
    }
    if spec.kind.subject == Subject::SensitiveAttribute {
        line(out, OTHERS.name, &text(spec.others.word()));
    }
}

/// Parameters in the order of their specifications, but for the files.
fn stated<'a>(
    specs: &'a [ParameterSpec],
    given: &'a BTreeMap<String, ParameterValue>,
) -> impl Iterator<Item = (&'static str, String)> + 'a {
    let released = specs.iter().filter(|spec| spec.kind != ParameterKind::File);
    released.filter_map(|spec| {
        let value = match (spec.kind, given.get(spec.name)?) {
            (ParameterKind::Table { fields }, ParameterValue::Table(below)) => {
                table(stated(fields, below))
            }
            (_, value) => parameter_text(value),
        };
        Some((spec.name, value))
    })
}

fn table<'a>(entries: impl Iterator<Item = (&'a str, String)>) -> String {
    let parts: Vec<String> =
        entries.map(|(name, value)| format!("{} = {value}", key(name))).collect();
    format!("{{ {} }}", parts.join(", "))
}

fn write_attribute(
    out: &mut String,
    method: Method,
    attribute: &AttributeSpec,
    file: Option<&String>,
) {
    out.push_str(&format!("\n[attributes.{}]\n", key(&attribute.name)));
    line(out, "role", &text(attribute.role.name()));
    let hierarchy = match (file, attribute.role, &attribute.declared) {
        (Some(file), _, _) => Some(format!("{{ csv = {} }}", text(file))),
        (None, Role::Sensitive, Some(declared)) => declared_text(declared),
        _ => None,
    };
    if let Some(hierarchy) = hierarchy {
        line(out, "hierarchy", &hierarchy);
    }
    let is_quasi_identifier = attribute.role == Role::QuasiIdentifier;
    if is_quasi_identifier && method.weighs_quasi_identifiers() {
        line(out, "weight", &number(&attribute.weight));
    }
    if is_quasi_identifier && !method.keeps_quasi_identifiers() {
        if let Some(level) = attribute.min_level {
            line(out, "min_level", &level.to_string());
        }
        if let Some(level) = attribute.max_level {
            line(out, "max_level", &level.to_string());
        }
    }
    if let Some(missing) = attribute.missing {
        line(out, "missing", &text(missing.name()));
    }
    if attribute.alike == Alike::OneValue {
        line(out, "alike", &text(attribute.alike.name()));
    }
    if let Some(reason) = &attribute.accepted {
        line(out, "looks_like_identifier", &text(LooksLikeIdentifier::Accepted.name()));
        line(out, "looks_like_identifier_reason", &text(reason));
    }
}

fn declared_text(declared: &DeclaredHierarchy) -> Option<String> {
    match declared {
        // Whatever is listed has a file.
        DeclaredHierarchy::Csv | DeclaredHierarchy::Rows(_) => None,
        DeclaredHierarchy::Mask(side) => Some(format!("{{ mask = {} }}", text(name_of(*side)))),
        DeclaredHierarchy::Dates(levels) => {
            Some(format!("{{ dates = {} }}", texts(levels.iter().map(|level| level.name()))))
        }
        DeclaredHierarchy::Numbers(numbers) => Some(numbers_text(numbers)),
        DeclaredHierarchy::Tree(nodes) => Some(format!("{{ tree = {} }}", branches(nodes))),
    }
}

fn numbers_text(numbers: &DeclaredNumbers) -> String {
    let DeclaredNumbers { widths, is_rounding, anchor, min, max, ends_first } = numbers;
    let mut parts = Vec::new();
    if !widths.is_empty() {
        let key = if *is_rounding { "round" } else { "intervals" };
        let widths: Vec<String> = widths.iter().map(number).collect();
        parts.push(format!("{key} = [{}]", widths.join(", ")));
        parts.push(format!("anchor = {}", number(anchor)));
    }
    let [low, high] = if *ends_first { ["bottom", "top"] } else { ["min", "max"] };
    parts.extend(min.iter().map(|min| format!("{low} = {}", number(min))));
    parts.extend(max.iter().map(|max| format!("{high} = {}", number(max))));
    format!("{{ {} }}", parts.join(", "))
}

/// Nodes as a table where all of them are labels.
fn branches(nodes: &[TreeNode]) -> String {
    let parts: Vec<String> = nodes
        .iter()
        .filter_map(|node| match node {
            TreeNode::Inner(label, below) => Some(format!("{} = {}", text(label), items(below))),
            TreeNode::Leaf(_) => None,
        })
        .collect();
    format!("{{ {} }}", parts.join(", "))
}

/// Nodes as a list, in which values and labels may be mixed.
fn items(nodes: &[TreeNode]) -> String {
    let parts: Vec<String> = nodes
        .iter()
        .map(|node| match node {
            TreeNode::Leaf(value) => text(value),
            TreeNode::Inner(..) => branches(std::slice::from_ref(node)),
        })
        .collect();
    format!("[{}]", parts.join(", "))
}

fn parameter_text(value: &ParameterValue) -> String {
    match value {
        ParameterValue::Number(value) => number(value),
        ParameterValue::Text(value) => text(value),
        ParameterValue::Values(values) => texts(values.iter().map(String::as_str)),
        ParameterValue::Table(entries) => {
            table(entries.iter().map(|(name, value)| (name.as_str(), parameter_text(value))))
        }
    }
}

fn write_rest(out: &mut String, policy: &PolicyFile) {
    let recoding = &policy.recoding;
    out.push_str("\n[recoding]\n");
    line(out, "method", &text(recoding.method.name));
    let without_effect: Vec<&str> = recoding.method.keys_without_effect().collect();
    for (name, value) in [
        ("suppression_limit", number(&recoding.suppression_limit)),
        ("objective", text(recoding.objective.name)),
        ("suppressed", text(name_of(recoding.suppressed))),
    ] {
        if !without_effect.contains(&name) {
            line(out, name, &value);
        }
    }
    if let Some(domain) = recoding.domain.as_ref().filter(|_| !without_effect.contains(&"domain")) {
        let ends = [("min", domain.min), ("max", domain.max), ("step", domain.step)];
        line(out, "domain", &table(ends.iter().map(|(name, value)| (*name, number(value)))));
    }
    for (name, word) in [
        ("align", recoding.align.name()),
        ("split", recoding.split.name()),
        ("choice", recoding.choice.name()),
        ("level_weights", recoding.level_weights.name()),
    ] {
        if recoding.method.reads(name) {
            line(out, name, &text(word));
        }
    }
    if recoding.method.reads("plan") {
        // Beside it, whatever it was called where it came from.
        line(out, "plan", &text(crate::PLAN));
    }
    if recoding.method.reads("noise") {
        let of = |masked: &ColumnMask| match masked.operation.name() {
            "shuffle" => "{ shuffle = true }".to_owned(),
            name => format!("{{ {name} = {} }}", number(&masked.parameter)),
        };
        let columns = recoding.noise.iter();
        let columns = columns.map(|masked| (masked.column.as_str(), of(masked)));
        line(out, "noise", &table(columns));
    }
    if recoding.method.reads("aggregate") {
        line(out, "aggregate", &texts(recoding.aggregate.iter().map(String::as_str)));
        line(out, "center", &text(name_of(recoding.center)));
    }
    out.push_str("\n[search]\n");
    line(out, "all_minimal", if policy.search.all_minimal { "true" } else { "false" });
    if let Some(seconds) = &policy.search.time_limit_seconds {
        line(out, "time_limit_seconds", &number(seconds));
    }
    if let Some(minimum) = &policy.linkage.minimum {
        out.push_str("\n[linkage]\n");
        let parts = [("l", number(&minimum.l)), ("measure", text(minimum.measure.name()))];
        line(out, "minimum", &table(parts.into_iter()));
    }
    let output = &policy.output;
    out.push_str("\n[output]\n");
    line(out, "format", &text(output.format.name()));
    line(out, "order", &text(output.order.name()));
    if let Some(name) = &output.class_column {
        line(out, "class_column", &text(name));
    }
    if output.format == OutputFormat::Csv {
        let delimiter = char::from(output.delimiter.unwrap_or(b','));
        line(out, "delimiter", &text(&delimiter.to_string()));
        if output.spreadsheet_safe {
            line(out, "spreadsheet_safe", "true");
        }
    }
    if let Some(name) = &output.table {
        line(out, "table", &text(name));
    }
}
