//! Checks that the schema and the reference in `docs/` are up to date. `UPDATE_SCHEMA=1` writes
//! them.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros)] // the tests read files

use std::path::Path;

use serde_json::Value;

use super::super::*;
use super::reference::reference;
use super::{FULL, parse};

fn compare(name: &str, generated: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, generated).expect("docs/ is writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == generated,
        "docs/{name} is not up to date: UPDATE_SCHEMA=1 cargo test -p indistinct-policy"
    );
}

#[test]
fn schema_is_up_to_date() {
    let text =
        serde_json::to_string_pretty(&json_schema()).expect("a schema is serializable as JSON");
    compare("policy.schema.json", &(text + "\n"));
}

#[test]
fn reference_is_up_to_date() {
    compare("policy.md", &reference());
}

/// Validates a value against a schema. Supports only the parts of JSON Schema that the generated
/// schema uses.
fn complaint(schema: &Value, value: &Value) -> Option<String> {
    let fails = |what: &str| Some(format!("{what}: {value} against {schema}"));
    if let Some(one) = schema["oneOf"].as_array()
        && one.iter().filter(|option| complaint(option, value).is_none()).count() != 1
    {
        return fails("oneOf");
    }
    if let Some(any) = schema["anyOf"].as_array()
        && any.iter().all(|option| complaint(option, value).is_some())
    {
        return fails("anyOf");
    }
    if schema["not"].is_object() && complaint(&schema["not"], value).is_none() {
        return fails("not");
    }
    if !schema["const"].is_null() && schema["const"] != *value {
        return fails("const");
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        return fails("enum");
    }
    let fits = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64(),
        Some("number") => value.is_number(),
        _ => true,
    };
    if !fits {
        return fails("type");
    }
    if let (Some(number), Some(low)) = (value.as_f64(), schema["minimum"].as_f64())
        && number < low
    {
        return fails("minimum");
    }
    if let (Some(number), Some(high)) = (value.as_f64(), schema["maximum"].as_f64())
        && number > high
    {
        return fails("maximum");
    }
    if let (Some(number), Some(low)) = (value.as_f64(), schema["exclusiveMinimum"].as_f64())
        && number <= low
    {
        return fails("exclusiveMinimum");
    }
    if let (Some(text), Some(length)) = (value.as_str(), schema["minLength"].as_u64())
        && (text.chars().count() as u64) < length
    {
        return fails("minLength");
    }
    if let Some(required) = schema["required"].as_array()
        && required.iter().any(|key| value.get(key.as_str().unwrap_or_default()).is_none())
    {
        return fails("required");
    }
    for (key, part) in value.as_object().into_iter().flatten() {
        let known = &schema["properties"][key];
        let schema = if known.is_null() { &schema["additionalProperties"] } else { known };
        if *schema == Value::Bool(false) {
            return fails(key);
        }
        if let Some(found) = complaint(schema, part) {
            return Some(found);
        }
    }
    value.as_array().into_iter().flatten().find_map(|item| complaint(&schema["items"], item))
}

fn as_json(text: &str) -> Value {
    let table: toml::Table = text.parse().expect("valid TOML");
    serde_json::to_value(table).expect("TOML without dates is serializable as JSON")
}

#[test]
fn schema_accepts_valid_policies() {
    let schema = json_schema();
    let ends = super::small("[attributes.age]", "[attributes.age]\nhierarchy = { top = 90 }");
    for text in [FULL, super::SMALL, &ends] {
        assert_eq!(complaint(&schema, &as_json(text)), None);
    }
}

#[test]
fn schema_rejects_invalid_policies() {
    let schema = json_schema();
    for (old, new) in [
        ("k = 2", "k = 0"),
        ("k = 2", "kk = 2"),
        ("\"k-anonymity\"", "\"t-closeness\""),
        ("k = 2", "k = 2\nother_sensitive = \"ignored\""),
        ("\"sensitive\"", "\"hidden\""),
        ("path = \"t.csv\"", "paht = \"t.csv\""),
        ("version = 1", ""),
        ("version = 1", "version = 1\nrecoding = { suppression_limit = 1.5 }"),
        ("version = 1", "version = 1\nlinkage = { minimum = {} }"),
        ("[attributes.age]", "[attributes.age]\nhierarchy = { mask = \"left\", csv = \"x\" }"),
        ("[attributes.age]", "[attributes.age]\nhierarchy = { anchor = 3 }"),
    ] {
        let text = super::small(old, new);
        assert!(complaint(&schema, &as_json(&text)).is_some(), "{text}");
        assert!(PolicyFile::parse(&text, "policy.toml").is_err(), "{text}");
    }
}

#[test]
fn schema_covers_parameters_of_every_kind() {
    let schema = json_schema();
    for (kind, parameters) in super::examples::EXAMPLES {
        let lines = parameters.iter().map(|(name, value)| format!("{name} = {value}\n"));
        let text = format!("[[principles]]\nkind = \"{kind}\"\n{}", lines.collect::<String>());
        assert_eq!(complaint(&schema, &as_json(&super::more(&text))), None);
    }
    let mistakes = super::examples::mistakes();
    // JSON cannot represent non-finite numbers.
    for (text, _, _) in mistakes.iter().filter(|(_, code, _)| *code != Code::NotExact) {
        assert!(complaint(&schema, &as_json(text)).is_some(), "{text}");
    }
}

#[test]
fn effective_policy_round_trips_without_input_details() {
    let policy = parse(FULL);
    let files = ["age", "education", "zip", "born", "nationality", "sex"]
        .map(|name| (name.to_owned(), format!("hierarchies/{name}.csv")));
    let stated: Vec<_> = policy.principles.iter().map(|spec| spec.parameters.clone()).collect();
    let released = released_policy(&policy, &files.into(), &stated);
    insta::assert_snapshot!(released);
    let again = PolicyFile::parse_released(&released, "policy.toml")
        .unwrap_or_else(|errors| panic!("{errors}\n{released}"));
    assert!(again.warnings().is_empty(), "{}", again.warnings());
    let files = again
        .attributes
        .iter()
        .filter_map(|it| match &it.hierarchy {
            Some(HierarchySpec::Csv(path)) => Some((it.name.clone(), path.clone())),
            _ => None,
        })
        .collect();
    assert_eq!(released_policy(&again, &files, &stated), released);
    assert_eq!(again.principles[..4], policy.principles[..4]);
    for sensitive in [
        "adult",
        "people",
        "seed",
        "null_values",
        "Poland",
        "India",
        "\"?\"",
        "region",
        "hospital-a",
        "person",
        "population",
        "register",
        "0.0625",
    ] {
        assert!(!released.contains(sensitive), "{sensitive} is released");
    }
    assert!(
        PolicyFile::parse(&released, "policy.toml").is_err(),
        "the released policy has no input"
    );
}

#[test]
fn declared_taxonomy_is_released_but_file_is_not() {
    let role = "[attributes.disease]\nrole = \"sensitive\"";
    for (declared, released_as) in [
        ("{ csv = \"hidden.csv\" }", None),
        ("{ mask = \"left\" }", Some("{ mask = \"left\" }")),
        (
            "{ dates = true }",
            Some("{ dates = [\"day\", \"month\", \"quarter\", \"year\", \"decade\"] }"),
        ),
        (
            "{ intervals = [0.5, 1], min = 3 }",
            Some("{ intervals = [0.5, 1], anchor = 0, min = 3 }"),
        ),
        ("{ round = [5, 15], top = 90 }", Some("{ round = [5, 15], anchor = 0, top = 90 }")),
        ("{ intervals = [5], bottom = 0 }", Some("{ intervals = [5], anchor = 0, bottom = 0 }")),
        (
            "{ boundaries = [1.5, 20, 35], join = 2 }",
            Some("{ boundaries = [1.5, 20, 35], join = 2 }"),
        ),
        ("{ top = 9, bottom = 1.5 }", Some("{ bottom = 1.5, top = 9 }")),
        (
            "{ tree = { a = [\"x\", { \"b c\" = [\"\\\"y\\\"\"] }], d = { e = [\"z\"] } } }",
            Some("{ tree = { a = [\"x\", { \"b c\" = ['\"y\"'] }], d = [{ e = [\"z\"] }] } }"),
        ),
    ] {
        let policy = parse(&super::small(role, &format!("{role}\nhierarchy = {declared}")));
        let released = super::released(&policy);
        let line = released.lines().find_map(|line| line.strip_prefix("hierarchy = "));
        assert_eq!(line, released_as);
        let again =
            PolicyFile::parse_released(&released, "p").expect("the released policy is valid");
        let same = again.attribute("disease").map(|it| &it.hierarchy)
            == policy.attribute("disease").map(|it| &it.hierarchy);
        assert_eq!(same, released_as.is_some());
    }
}
