//! The catalog of mutations, which `.ci/mutations` applies.

use std::collections::BTreeMap;
use std::path::Path;

use super::ROOT;
use super::items::{State, items};

/// A change that makes an item wrong.
pub struct Mutation {
    /// The letter of the paper and the name of the item.
    pub item: String,
    /// The change in a few words.
    pub change: String,
    /// The path of the changed file, relative to `crates`.
    file: String,
    /// The text that is replaced, which occurs once in the file.
    find: String,
    replace: String,
    /// The test that fails, in the form `file: test`.
    test: String,
    /// Whether the mutation was executed and the test failed.
    pub is_executed: bool,
}

/// Reads the catalog.
pub fn mutations() -> Vec<Mutation> {
    type Catalog = BTreeMap<String, Vec<BTreeMap<String, toml::Value>>>;
    let catalog: Catalog =
        toml::from_str(include_str!("mutations.toml")).expect("the catalog is valid TOML");
    let read = |entry: &BTreeMap<String, toml::Value>| {
        let text = |key: &str| match entry.get(key) {
            Some(toml::Value::String(text)) => text.clone(),
            other => panic!("{key} is {other:?} in {entry:?}"),
        };
        Mutation {
            is_executed: !entry.contains_key("not_executed"),
            item: text("item"),
            change: text("change"),
            file: text("file"),
            find: text("find"),
            replace: text("replace"),
            test: text("test"),
        }
    };
    catalog["mutation"].iter().map(read).collect()
}

/// Every implemented item has one mutation, in the order of the items. The changed text occurs once
/// in its file, and the test is a test of the item.
#[test]
fn every_implemented_item_has_an_applicable_mutation() {
    let tests_of = |state: &State| match state {
        State::Held(_, tests) => Some(*tests),
        State::Not(_) => None,
    };
    let held: Vec<(String, &[&str])> =
        items().filter_map(|item| Some((item.key(), tests_of(&item.state)?))).collect();
    let mutations = mutations();
    let named: Vec<&String> = mutations.iter().map(|it| &it.item).collect();
    assert_eq!(named, held.iter().map(|it| &it.0).collect::<Vec<_>>());
    let mut wrong = Vec::new();
    for (Mutation { item, change, file, find, replace, test, .. }, (_, tests)) in
        mutations.iter().zip(held)
    {
        if change.is_empty() || find == replace {
            wrong.push(format!("{item}: nothing changes"));
        }
        if !tests.contains(&test.as_str()) {
            wrong.push(format!("{item}: {test} is not one of its tests"));
        }
        let text = std::fs::read_to_string(Path::new(ROOT).join("crates").join(file));
        match text.map(|text| text.matches(find).count()) {
            Ok(1) => {}
            found => wrong.push(format!("{item}: {find:?} occurs {found:?} times in {file}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
