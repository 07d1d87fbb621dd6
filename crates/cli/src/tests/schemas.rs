//! Generates `docs/schema` from the serialized types: a JSON Schema for each answer and for the
//! certificate.
//!
//! The tests in `tests/cli` check the answers of the program against these schemas.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::answers::explain::Explanation;
use crate::answers::written::{
    BuiltHierarchy, Drivers, GeneratedFiles, NewLedger, PlannedFiles, RemovedRelease,
    ShownHierarchy,
};

/// A type that is serialized as JSON.
struct WrittenType {
    /// The file name of the schema, without `.json`.
    name: &'static str,
    /// The description of the type, for the list of schemas.
    what: &'static str,
    schema: fn() -> Value,
}

const fn answer<T: JsonSchema>(name: &'static str, what: &'static str) -> WrittenType {
    WrittenType { name, what, schema: schema_of::<T> }
}

const WRITTEN: &[WrittenType] = &[
    answer::<indistinct::advise::Advice>("advise", "`indistinct advise`"),
    answer::<indistinct::anonymize::Outcome>(
        "anonymize",
        "`indistinct anonymize`, with or without a ledger",
    ),
    answer::<indistinct::attack::AttackAnswer>("attack", "`indistinct attack`"),
    answer::<indistinct::check::CheckAnswer>("check", "`indistinct check`"),
    answer::<indistinct::compare::Comparison>("compare", "`indistinct compare`"),
    answer::<Drivers>("drivers", "`indistinct drivers`"),
    answer::<Explanation>("explain", "`indistinct explain`"),
    answer::<GeneratedFiles<'_>>("generate", "`indistinct generate`"),
    answer::<BuiltHierarchy<'_>>("hierarchy-build", "`indistinct hierarchy build`"),
    answer::<Vec<indistinct::hierarchies::CheckedHierarchy>>(
        "hierarchy-check",
        "`indistinct hierarchy check`",
    ),
    answer::<ShownHierarchy<'_>>("hierarchy-show", "`indistinct hierarchy show`"),
    answer::<indistinct::import::ImportedPolicy>("import", "`indistinct import`"),
    answer::<indistinct::init::Proposal>("init", "`indistinct init`"),
    answer::<indistinct::ledger::Record>("ledger-add", "`indistinct ledger add`"),
    answer::<indistinct::ledger::CheckedLinkage>("ledger-check", "`indistinct ledger check`"),
    answer::<NewLedger<'_>>("ledger-init", "`indistinct ledger init`"),
    answer::<indistinct::ledger::Listing>("ledger-list", "`indistinct ledger list`"),
    answer::<RemovedRelease<'_>>("ledger-remove", "`indistinct ledger remove`"),
    answer::<indistinct::ledger::VerifiedLedger>("ledger-verify", "`indistinct ledger verify`"),
    answer::<indistinct::linked::LinkAnswer>("link", "`indistinct link`"),
    answer::<indistinct::measure::Measurement>("measure", "`indistinct measure`"),
    answer::<PlannedFiles<'_>>("plan", "`indistinct plan`"),
    answer::<indistinct::profile::ProfileAnswer>("profile", "`indistinct profile`"),
    answer::<indistinct::verify::Verification>("verify", "`indistinct verify`"),
    answer::<indistinct::Certificate>("certificate", "`certificate.json` of a release"),
];

const UPDATE: &str = "UPDATE_SCHEMA=1 cargo test -p indistinct-cli schemas";

fn schema_of<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    without_links(&mut schema);
    schema
}

/// Replaces links in descriptions. Descriptions are documentation comments, in which names are
/// rustdoc links.
fn without_links(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if name == "description" => *text = plain(text),
                    value => without_links(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(without_links),
        _ => {}
    }
}

/// Removes the brackets and targets of links from a string, and joins the lines of each paragraph.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, link) = rest.split_at(at);
        out += before;
        let end =
            link.find(']').filter(|end| link.starts_with("[`") || link[end + 1..].starts_with('('));
        let Some(end) = end else {
            out.push('[');
            rest = &link[1..];
            continue;
        };
        out += &link[1..end];
        rest = &link[end + 1..];
        if rest.starts_with('(') {
            rest = rest.split_once(')').map_or("", |(_, after)| after);
        }
    }
    out += rest;
    let paragraphs = out.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema")
}

/// Returns the schemas and the page that lists them, by file name.
fn files() -> Vec<(String, String)> {
    let mut page = format!(
        "# JSON Schemas\n\n<!-- Generated from the serialized types: {UPDATE} -->\n\nWith \
         `--format json`, every command prints one JSON document to standard output. This folder \
         contains a JSON Schema (draft 2020-12) of each answer and of the certificate of a \
         release. Within a version, fields may be added, but existing fields keep their names and \
         meaning. The policy file has [a separate schema](../policy.schema.json).\n\n| document | \
         schema |\n|---|---|\n"
    );
    let mut files = Vec::new();
    for written in WRITTEN {
        let file = format!("{}.json", written.name);
        page += &format!("| {} | [{file}]({file}) |\n", written.what);
        let schema = serde_json::to_string_pretty(&(written.schema)())
            .expect("a schema is serializable as JSON");
        files.push((file, schema + "\n"));
    }
    files.push(("README.md".to_owned(), page));
    files
}

#[test]
fn schemas_are_up_to_date() {
    let (folder, files) = (folder(), files());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("docs/schema is writable");
        for (name, text) in &files {
            std::fs::write(folder.join(name), text).expect("docs/schema is writable");
        }
    }
    for (name, text) in &files {
        let there = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(there == *text, "docs/schema/{name} is not up to date: {UPDATE}");
    }
    let there = std::fs::read_dir(&folder).expect("docs/schema exists").count();
    assert_eq!(there, files.len(), "docs/schema contains obsolete files: {UPDATE}");
}

#[test]
fn descriptions_contain_no_links() {
    assert_eq!(
        plain("Of [`Risk`], in [0, 1]\nfor [all](super::All)."),
        "Of `Risk`, in [0, 1] for all."
    );
}
