//! Sentences from `messages.toml` for facts that require no logic.
//!
//! The fields of a fact fill the slots of its message: `{column}` is a name or a number, and
//! `{columns}` a list of names. A form after a colon changes this: `{n_rows:row|rows}` is a count
//! with its noun (for a list, only the word), `{fraction:%}` a percentage, `{value:exact}` a number
//! with all its digits, `{fact:code}` code, and `{error:text}` text that is not a name. Messages
//! may contain `code` and **strong** parts.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::document::{Text, code, name, strong};
use crate::words::{self, Piece, pieces};

/// The messages by group and key.
static MESSAGES: LazyLock<BTreeMap<String, BTreeMap<String, String>>> =
    LazyLock::new(|| toml::from_str(include_str!("messages.toml")).expect("the messages are TOML"));

/// Returns the message of a fact. The tag of the fact is the name of the group; the message of a
/// fact without fields is found by its name.
pub(crate) fn message(group: &str, fact: &impl Serialize) -> Text {
    let fields = fields(fact);
    let tag = fields.get(&group.replace('-', "_")).or(fields.get(UNIT));
    let key = tag.and_then(Value::as_str).unwrap_or_default().to_owned();
    filled(group, &key, &fields)
}

/// The key of the field that contains the name of a fact without fields.
const UNIT: &str = "";

/// Returns the fields of a fact.
pub(crate) fn fields(fact: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(fact).expect("every fact can be serialized") {
        Value::Object(fields) => fields,
        other => Map::from_iter([(UNIT.to_owned(), other)]),
    }
}

/// Returns the message with the given key, with its slots filled from the fields.
///
/// # Panics
/// Panics if no message has this key, or if no field matches a slot.
pub(crate) fn filled(group: &str, key: &str, fields: &Map<String, Value>) -> Text {
    let messages = MESSAGES.get(group).and_then(|messages| messages.get(key));
    let message = messages.unwrap_or_else(|| panic!("no message for {group}.{key}"));
    let mut text = Text::default();
    for piece in pieces(message) {
        text.push(match piece {
            Piece::Text(plain) => marked(plain),
            Piece::Slot { path, form } => slot(find(fields, path), form),
        });
    }
    text
}

/// Text with `code` and **strong** parts.
fn marked(text: &str) -> Text {
    let mut found = Text::default();
    for (at, part) in text.split("**").enumerate().filter(|(_, part)| !part.is_empty()) {
        match at % 2 {
            0 => found.push(Text::with_code(part)),
            _ => found.push(strong(part)),
        }
    }
    found
}

/// Returns the message with the given key, which has no slots.
pub(crate) fn plain(group: &str, key: &str) -> Text {
    filled(group, key, &Map::new())
}

/// Finds a field by its path, in which dots separate the names of nested facts.
fn find<'a>(fields: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    match path.split_once('.') {
        None => fields.get(path),
        Some((name, path)) => find(fields.get(name)?.as_object()?, path),
    }
}

/// The messages about a fact, in order.
pub(crate) struct Messages {
    group: &'static str,
    fields: Map<String, Value>,
    found: Vec<Text>,
}

impl Messages {
    pub(crate) fn about(group: &'static str, fact: &impl Serialize) -> Self {
        Self { group, fields: fields(fact), found: Vec::new() }
    }

    /// Adds a field that is derived from other fields.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    /// Adds the message with a key.
    pub(crate) fn say(mut self, key: &str) -> Self {
        self.found.push(filled(self.group, key, &self.fields));
        self
    }

    /// Adds the message with the given key if a condition is satisfied.
    pub(crate) fn say_if(self, condition: bool, key: &str) -> Self {
        if condition { self.say(key) } else { self }
    }

    /// Adds texts that describe parts of the fact.
    pub(crate) fn extend(mut self, texts: impl IntoIterator<Item = Text>) -> Self {
        self.found.extend(texts);
        self
    }

    pub(crate) fn texts(self) -> Vec<Text> {
        self.found
    }

    /// Returns the messages as one paragraph.
    pub(crate) fn paragraph(self) -> Text {
        let mut paragraph = Text::default();
        for (at, text) in self.found.into_iter().enumerate() {
            paragraph.push(if at == 0 { "" } else { " " });
            paragraph.push(text);
        }
        paragraph
    }
}

fn slot(value: Option<&Value>, form: &str) -> Text {
    let one_and_many = form.split_once('|');
    match value {
        Some(Value::String(text)) => match form {
            "code" => code(text.as_str()).into(),
            "text" => text.into(),
            _ => name(text).into(),
        },
        Some(Value::Array(items)) => match one_and_many {
            Some((one, many)) => words::either(items.len() as u64, one, many).into(),
            None => Text::list(items.iter().filter_map(Value::as_str).map(name)),
        },
        Some(Value::Number(number)) => match (number.as_u64(), number.as_f64(), one_and_many) {
            (Some(count), _, Some((one, many))) => words::counted(count, one, many).into(),
            (Some(count), ..) => words::thousands(count).into(),
            (None, Some(fraction), _) if form == "%" => words::percent(fraction).into(),
            (None, Some(value), _) if form == "exact" => words::exact(value).into(),
            (None, value, _) => words::number(value.unwrap_or(f64::NAN)).into(),
        },
        _ => "none".into(),
    }
}

#[cfg(test)]
mod tests {
    use indistinct_attack::WhyUntried;
    use indistinct_core::Optimality;
    use indistinct_diagnostics::warning::Warning;
    use indistinct_measure::Note;
    use indistinct_release::facts::Fact;
    use indistinct_release::verify::{Difference, Subject};
    use schemars::{JsonSchema, schema_for};

    use super::*;

    /// Returns the variants of an enum with their fields, based on its schema.
    fn variants<T: JsonSchema>(tag: &str) -> Vec<(String, Vec<String>)> {
        let schema = serde_json::to_value(schema_for!(T)).expect("a schema");
        let mut found = Vec::new();
        collect(&schema, tag, &mut found);
        found
    }

    fn collect(schema: &Value, tag: &str, found: &mut Vec<(String, Vec<String>)>) {
        let properties = schema["properties"].as_object();
        let fields = properties.into_iter().flatten().map(|(name, _)| name.clone()).collect();
        let names = [&schema["properties"][tag]["const"], &schema["const"]];
        let listed = schema["enum"].as_array().into_iter().flatten();
        match names.into_iter().find_map(Value::as_str) {
            Some(name) => found.push((name.to_owned(), fields)),
            None => found.extend(listed.filter_map(|it| Some((it.as_str()?.to_owned(), vec![])))),
        }
        for part in schema["oneOf"].as_array().into_iter().flatten() {
            collect(part, tag, found);
        }
    }

    /// Compares the messages of a group with the variants of a type; `own` lists variants that are
    /// described in code, and additional keys.
    fn check<T: JsonSchema>(group: &str, own: &[&str], added: &[&str]) {
        let variants = variants::<T>(&group.replace('-', "_"));
        assert!(variants.len() > 4, "{group}: {variants:?}");
        let messages = &MESSAGES[group];
        for (variant, fields) in &variants {
            let Some(message) = messages.get(variant) else {
                assert!(own.contains(&variant.as_str()), "{group}.{variant} has no message");
                continue;
            };
            // Skip nested structs, because their fields are in another part of the schema.
            for piece in pieces(message).into_iter().filter(|_| !own.contains(&variant.as_str())) {
                if let Piece::Slot { path, .. } = piece {
                    let is_known = fields.iter().any(|it| it == path) || added.contains(&path);
                    assert!(is_known, "{group}.{variant} has no field {path}");
                }
            }
        }
        for key in messages.keys() {
            let is_variant = variants.iter().any(|(variant, _)| variant == key);
            assert!(is_variant || own.contains(&key.as_str()), "{group}.{key} is unused");
        }
    }

    #[test]
    fn every_variant_has_message_with_its_fields() {
        check::<Difference>("difference", &["plan-columns"], &["version"]);
        check::<Subject>("about", &[], &[]);
        check::<WhyUntried>("why-untried", &[], &[]);
        let own = ["known-counterfeits"];
        check::<Note>("note", &own, &["most"]);
        let own = [
            "repeated-identifier",
            "repeated-identifier-in-class",
            "plan-publishes-counts",
            "plan-publishes-values",
            "plan-publishes-combinations",
            "coarsened-for-linkage",
            "repaired",
            "revealing-labels",
            "revealing-pairs",
            "revealing-bounds",
            "revealing-pairs-and-bounds",
            "revealing-certain",
        ];
        check::<Warning>("warning", &own, &["share"]);
    }

    #[test]
    fn every_fact_has_title_and_basis() {
        for (fact, _) in variants::<Fact>("fact") {
            for group in ["title", "rests-on"] {
                assert!(!filled(group, &fact, &Map::new()).is_empty(), "{group}.{fact}");
            }
        }
        for found in Optimality::ALL {
            let key = fields(&found)["status"].clone();
            let fields = fields(&serde_json::json!({ "objective": "loss" }));
            let key = key.as_str().expect("a name");
            assert!(!filled("optimality", key, &fields).is_empty());
        }
    }

    #[test]
    fn slots_are_filled_by_form() {
        let fields = fields(&serde_json::json!({
            "n_rows": 1, "n": 5000, "share": 0.25, "column": "", "columns": ["a", "b"], "none": null,
        }));
        let filled = |form: &str| {
            slot(fields.get(form.split(':').next().unwrap()), {
                form.split_once(':').map_or("", |(_, form)| form)
            })
        };
        for (form, expected) in [
            ("n_rows:row|rows", "1 row"),
            ("n:row|rows", "5,000 rows"),
            ("n", "5,000"),
            ("share:%", "25%"),
            ("share", "0.25"),
            ("column", "(missing)"),
            ("columns", "a and b"),
            ("columns:differs|differ", "differ"),
            ("none", "none"),
        ] {
            assert_eq!(filled(form).to_string(), expected, "{form}");
        }
    }
}
