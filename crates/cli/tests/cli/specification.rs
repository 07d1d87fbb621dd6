//! Tests that `docs/certificate.md` specifies every fact, field, and value of a certificate, and
//! nothing else.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

/// A fact as the schema or the page describes it.
#[derive(Debug, PartialEq)]
pub struct SpecifiedFact {
    pub name: String,
    basis: String,
    fields: BTreeSet<String>,
}

fn schema() -> Value {
    let text = std::fs::read_to_string(format!("{DOCS}/schema/certificate.json"));
    serde_json::from_str(&text.expect("the schema")).expect("JSON")
}

fn page() -> String {
    std::fs::read_to_string(format!("{DOCS}/certificate.md")).expect("the page")
}

fn keys(object: &Value) -> BTreeSet<String> {
    object.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect()
}

/// The facts of the schema, in order of their declaration.
pub fn facts() -> Vec<SpecifiedFact> {
    let schema = schema();
    let variants = schema["$defs"]["Fact"]["oneOf"].as_array().expect("variants").iter();
    let fact = |variant: &Value| {
        let text = |key: &str| variant["properties"][key]["const"].as_str().expect("a text");
        let mut fields = keys(&variant["properties"]);
        fields.retain(|key| key != "fact" && key != "basis");
        SpecifiedFact { name: text("fact").to_owned(), basis: text("basis").to_owned(), fields }
    };
    variants.map(fact).collect()
}

/// The first text between backticks.
fn code(text: &str) -> Option<&str> {
    text.split('`').nth(1)
}

/// The text of a chapter.
fn chapter<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, text) = page.split_once(heading).expect("the chapter");
    text.split("\n## ").next().expect("a text")
}

/// The sections of a chapter, by heading.
fn sections(chapter: &str) -> Vec<(&str, &str)> {
    let parts = chapter.split("\n### ").skip(1);
    parts.map(|part| part.split_once('\n').expect("a heading has its line")).collect()
}

/// The text between backticks in the first cell of each row of the tables.
fn first_cells(text: &str) -> BTreeSet<String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| "));
    rows.filter_map(|row| code(row.split(" | ").next()?)).map(str::to_owned).collect()
}

#[test]
fn the_page_specifies_the_facts_of_the_schema() {
    let page = page();
    let sections = sections(chapter(&page, "\n## Facts\n"));
    let specified: Vec<SpecifiedFact> = sections
        .iter()
        .map(|(heading, text)| {
            let basis = text.lines().find_map(|line| line.strip_prefix("Basis: "));
            SpecifiedFact {
                name: code(heading).expect("a name").to_owned(),
                basis: basis.and_then(code).expect("a basis").to_owned(),
                fields: first_cells(text),
            }
        })
        .collect();
    assert_eq!(specified, facts());
    for (heading, text) in sections {
        assert!(text.contains("\nCheck: "), "{heading}: how is it checked?");
    }
}

#[test]
fn the_page_specifies_the_types_of_the_schema() {
    let (page, schema) = (page(), schema());
    let specified: BTreeMap<&str, BTreeSet<String>> = sections(chapter(&page, "\n## Types\n"))
        .into_iter()
        .map(|(heading, text)| (code(heading).expect("a name"), first_cells(text)))
        .collect();
    let mut expected = BTreeMap::new();
    for (name, definition) in schema["$defs"].as_object().expect("definitions") {
        let variants = definition["oneOf"].as_array().into_iter().flatten();
        let words = variants.filter_map(|variant| {
            let status = &variant["properties"]["status"]["const"];
            variant["const"].as_str().or(status.as_str()).map(str::to_owned)
        });
        // Optimality is published without figures.
        let parts = keys(&definition["properties"]).into_iter().chain(words).collect();
        expected.insert(name.as_str(), parts);
    }
    expected.remove("Fact");
    expected.insert("Certificate", keys(&schema["properties"]));
    assert_eq!(specified, expected);
}

/// Whether a JSON document has this value at any depth.
fn contains(document: &Value, value: &Value) -> bool {
    document == value
        || match document {
            Value::Array(items) => items.iter().any(|it| contains(it, value)),
            Value::Object(entries) => entries.values().any(|it| contains(it, value)),
            _ => false,
        }
}

#[test]
fn the_examples_of_the_page_are_from_the_compatibility_corpora() {
    let page = page();
    let certificates = crate::compat::certificates();
    let examples: Vec<Value> = page
        .split("\n```json\n")
        .skip(1)
        .map(|text| serde_json::from_str(text.split("\n```").next().expect("a text")))
        .collect::<Result<_, _>>()
        .expect("JSON");
    assert!(examples.len() > facts().len(), "one for each fact, and one claim");
    for example in examples {
        let is_found = certificates.iter().any(|certificate| contains(certificate, &example));
        assert!(is_found, "no certificate has this part: {example:#}");
    }
}
