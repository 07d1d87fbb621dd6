//! Tests of `indistinct explain`: every documented term has an explanation.

use std::collections::BTreeSet;
use std::path::Path;

use indistinct::{attack, loss, policy, principle};
use insta::assert_snapshot;
use serde_json::Value;

use crate::folder::Folder;

fn document(path: &str) -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    std::fs::read_to_string(docs.join(path)).expect("a page of the documentation")
}

fn explained(term: &str) -> Value {
    let json = Folder::empty().run(&["explain", term, "--format", "json"]).done().json();
    assert_eq!(json["requested"], term);
    json["terms"].clone()
}

/// Asserts that a term has an explanation of this kind.
fn assert_kind(term: &str, kind: &str) {
    let terms = explained(term);
    let mut terms = terms.as_array().expect("a list").iter();
    let found = terms.find(|it| it["kind"] == kind);
    let found = found.unwrap_or_else(|| panic!("{term} is not explained as {kind}"));
    assert!(found["definition"].as_str().is_some_and(|text| text.len() > 5), "{found}");
}

#[test]
fn every_code_is_explained() {
    let page = document("errors.md");
    let codes: Vec<&str> = page
        .split("\n| ")
        .filter_map(|row| row.split(' ').next())
        .filter(|cell| cell.starts_with("E-") || cell.starts_with("W-"))
        .collect();
    assert!(codes.len() > 300, "only {} codes", codes.len());
    codes.iter().for_each(|code| assert_kind(code, "code"));
}

#[test]
fn every_entry_of_a_registry_is_explained() {
    principle::REGISTRY.iter().for_each(|it| assert_kind(it.name, "principle"));
    policy::method::REGISTRY.iter().for_each(|it| assert_kind(it.name, "method"));
    loss::REGISTRY.iter().for_each(|it| assert_kind(it.name, "loss"));
    attack::REGISTRY.iter().for_each(|it| assert_kind(it.name, "attack"));
}

#[test]
fn every_term_of_the_glossary_is_explained() {
    let page = document("glossary.md");
    let terms: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert!(terms.len() > 50, "only {} terms", terms.len());
    terms.iter().for_each(|term| assert_kind(term, "glossary"));
}

/// Returns the names of all properties in a schema.
fn properties<'a>(schema: &'a Value, found: &mut BTreeSet<&'a str>) {
    match schema {
        Value::Object(fields) => {
            let names = fields.get("properties").and_then(Value::as_object);
            found.extend(names.into_iter().flat_map(|names| names.keys()).map(String::as_str));
            fields.values().for_each(|value| properties(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| properties(value, found)),
        _ => {}
    }
}

#[test]
fn every_policy_key_is_explained() {
    let schema = policy::json_schema();
    let mut keys = BTreeSet::new();
    properties(&schema, &mut keys);
    assert!(keys.len() > 100, "only {} keys", keys.len());
    for key in keys {
        assert!(explained(key).as_array().is_some_and(|terms| !terms.is_empty()), "{key}");
    }
    assert_kind("recoding.suppression_limit", "policy-key");
    assert_kind("attributes.NAME.role", "policy-key");
}

#[test]
fn examples_of_principles_are_valid() {
    for kind in principle::REGISTRY {
        let terms = explained(kind.name);
        let mut terms = terms.as_array().expect("a list").iter();
        let term = terms.find(|it| it["kind"] == "principle").expect("a principle");
        let example = term["example"].as_str().expect("an example");
        let policy = format!(
            "version = 1\n[input]\npath = \"a.csv\"\n[attributes.a]\nrole = \"quasi-identifier\"\n\
             [attributes.b]\nrole = \"sensitive\"\n{example}\n"
        );
        let Err(errors) = policy::PolicyFile::parse(&policy, "example") else { continue };
        let texts: Vec<&String> = errors.problems.iter().map(|it| &it.message).collect();
        let is_parameter = |it: &policy::Problem| {
            it.code.as_str() >= "E-POLICY-010" && it.code.as_str() <= "E-POLICY-012"
        };
        assert!(!errors.problems.iter().any(is_parameter), "{}: {texts:?}", kind.name);
    }
}

#[test]
fn explanations_as_text() {
    let folder = Folder::empty();
    for (name, term) in [
        ("code", "e-input-040"),
        ("principle", "entropy-l-diversity"),
        ("method", "full-domain"),
        ("loss", "average_class_size"),
        ("attack", "homogeneity"),
        ("figure", "prosecutor_max"),
        ("policy_key", "recoding.suppression_limit"),
        ("parameter", "l"),
        ("glossary", "equivalence class"),
    ] {
        assert_snapshot!(name, folder.run(&["explain", term]).done().stdout);
    }
    assert_snapshot!("overview", folder.run(&["explain"]).done().stdout);
    folder.run(&["explain", "--format", "json"]).done().json();
}

#[test]
fn unknown_terms_are_errors_with_suggestions() {
    let folder = Folder::empty();
    assert_snapshot!("misspelled", folder.refused(&["explain", "t-closenes"]));
    assert_snapshot!("unknown", folder.refused(&["explain", "photosynthesis"]));
    folder.run(&["explain", "supression_limit"]).refused("recoding.suppression_limit");
}
