//! The JSON Schema of a policy, which editors can use. It is generated from the key tables and the
//! registries.

use indistinct_core::hierarchy::DateLevel;
use indistinct_core::principle::{
    self, Kind, NumberRange, OTHERS, ParameterKind, ParameterSpec, Presence as Stated, Subject,
};
use serde_json::{Map, Value, json};

use super::keys::{HIERARCHY_ENDS, HIERARCHY_KINDS, KeySpec, Presence, TableSpec, ValueKind};
use super::method::{self, REGISTRY};
use super::model::ROOT;
use super::sections::{HierarchyKeys, PRINCIPLE};
use super::walk::KeyTable;
use super::words::ExplainedWord;

/// Returns the JSON Schema (draft 2020-12) of a policy file for this version of Indistinct.
pub fn json_schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Indistinct policy",
    });
    merge(&mut schema, of_table(&ROOT));
    schema
}

fn merge(into: &mut Value, from: Value) {
    if let (Value::Object(into), Value::Object(from)) = (into, from) {
        into.extend(from);
    }
}

fn of_table(table: &TableSpec) -> Value {
    let properties: Map<String, Value> =
        table.keys.iter().map(|key| (key.name.to_owned(), of_key(key))).collect();
    // A policy for `check` may omit `input.path`, but no other required key.
    let required: Vec<&str> = table
        .keys
        .iter()
        .filter(|key| matches!(key.presence, Presence::Required) && table.path != "input")
        .map(|key| key.name)
        .collect();
    let mut schema = json!({
        "type": "object",
        "description": table.doc,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if table.path == HierarchyKeys::SPEC.path {
        let required = |keys: &[&str]| -> Vec<Value> {
            keys.iter().map(|kind| json!({ "required": [kind] })).collect()
        };
        let mut one = required(HIERARCHY_KINDS);
        one.push(json!({
            "anyOf": required(HIERARCHY_ENDS),
            "not": { "anyOf": required(HIERARCHY_KINDS) },
        }));
        schema["oneOf"] = json!(one);
    }
    schema
}

fn of_key(key: &KeySpec) -> Value {
    let mut schema = json!({ "description": key.doc });
    merge(&mut schema, of_kind(key.kind));
    if let Presence::Default(default) = key.presence {
        let text = default().to_string();
        schema["default"] = serde_json::from_str(&text).expect("every default is valid JSON");
    }
    schema
}

fn of_kind(kind: ValueKind) -> Value {
    match kind {
        ValueKind::Text => json!({ "type": "string", "minLength": 1 }),
        ValueKind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        ValueKind::Delimiter => json!({ "type": "string", "minLength": 1, "maxLength": 1 }),
        ValueKind::Flag => json!({ "type": "boolean" }),
        ValueKind::Whole => json!({ "type": "integer", "minimum": 0 }),
        ValueKind::Number(range) => of_range(range),
        ValueKind::Numbers(range) => {
            json!({ "type": "array", "minItems": 1, "items": of_range(range) })
        }
        ValueKind::Widths => json!({
            "type": "array", "minItems": 1, "items": { "type": "number", "exclusiveMinimum": 0 }
        }),
        ValueKind::Word(_) | ValueKind::Method => of_words(&kind.words(&method::words(REGISTRY))),
        ValueKind::Dates => json!({ "oneOf": [
            { "const": true },
            { "type": "array", "minItems": 1, "items": { "enum": DateLevel::ALL.map(DateLevel::name) } },
        ] }),
        ValueKind::Tree => json!({ "type": "object", "minProperties": 1 }),
        ValueKind::Rows => json!({
            "type": "array", "minItems": 1,
            "items": { "type": "array", "minItems": 1, "items": { "type": "string" } },
        }),
        ValueKind::Table(table) => of_table(table),
        ValueKind::Each(table) => {
            json!({ "type": "object", "minProperties": 1, "additionalProperties": of_table(table) })
        }
        ValueKind::Principles => json!({
            "type": "array",
            "minItems": 1,
            "items": { "oneOf": principle::REGISTRY.iter().map(|kind| of_principle(kind)).collect::<Vec<_>>() },
        }),
    }
}

fn of_range(range: NumberRange) -> Value {
    match range {
        NumberRange::Any => json!({ "type": "number" }),
        NumberRange::AtLeast(low) => json!({ "type": "number", "minimum": low }),
        NumberRange::Above(low) => json!({ "type": "number", "exclusiveMinimum": low }),
        NumberRange::Within(low, high) => {
            json!({ "type": "number", "minimum": low, "maximum": high })
        }
        NumberRange::AboveUpTo(low, high) => {
            json!({ "type": "number", "exclusiveMinimum": low, "maximum": high })
        }
    }
}

fn of_words(words: &[ExplainedWord]) -> Value {
    let one: Vec<Value> = words
        .iter()
        .map(|explained| json!({ "const": explained.word, "description": explained.text() }))
        .collect();
    json!({ "oneOf": one })
}

fn of_principle(kind: &Kind) -> Value {
    let mut properties = Map::new();
    properties
        .insert("kind".to_owned(), json!({ "const": kind.name, "description": kind.definition }));
    if kind.subject == Subject::SensitiveAttribute {
        let key = PRINCIPLE.key("attribute").expect("principles have an attribute key");
        properties.insert("attribute".to_owned(), of_key(key));
    }
    let mut required = vec!["kind"];
    of_parameters(kind.parameters, &mut properties, &mut required);
    if kind.subject == Subject::SensitiveAttribute {
        of_parameters(&[OTHERS], &mut properties, &mut required);
    }
    json!({
        "type": "object",
        "title": kind.name,
        "description": described(kind),
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn described(kind: &Kind) -> String {
    let experimental = kind.status.reason().map(|reason| format!(" Experimental: {reason}"));
    format!(
        "{} This principle does not protect against {}.{}",
        kind.definition,
        kind.does_not_protect_against,
        experimental.unwrap_or_default()
    )
}

fn of_parameters(
    specs: &[ParameterSpec],
    properties: &mut Map<String, Value>,
    required: &mut Vec<&str>,
) {
    for spec in specs {
        properties.insert(spec.name.to_owned(), of_parameter(spec));
        if spec.presence == Stated::Required {
            required.push(spec.name);
        }
    }
}

fn of_parameter(spec: &ParameterSpec) -> Value {
    let mut schema = json!({ "description": spec.doc });
    merge(
        &mut schema,
        match spec.kind {
            ParameterKind::Integer { at_least } => {
                json!({ "type": "integer", "minimum": at_least })
            }
            ParameterKind::Number(range) => of_range(range),
            ParameterKind::Word { one_of } => json!({ "enum": one_of }),
            ParameterKind::Values => of_kind(ValueKind::Texts),
            ParameterKind::File => of_kind(ValueKind::Text),
            ParameterKind::Table { fields } => {
                let (mut properties, mut required) = (Map::new(), Vec::new());
                of_parameters(fields, &mut properties, &mut required);
                json!({
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                })
            }
            ParameterKind::Steps => json!({
                "type": "object",
                "minProperties": 1,
                "additionalProperties": of_range(NumberRange::AtLeast(0)),
            }),
            ParameterKind::Weights { one_of } => json!({ "oneOf": [
                { "enum": one_of },
                { "type": "object", "additionalProperties": of_range(NumberRange::AtLeast(0)) },
            ] }),
        },
    );
    if let Stated::Default(word) = spec.presence {
        schema["default"] = json!(word);
    }
    schema
}
