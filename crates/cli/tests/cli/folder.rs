//! A temporary folder with a small table and its policy, and the results of running the binary in
//! it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// The path of the binary.
pub const BINARY: &str = env!("CARGO_BIN_EXE_indistinct");

/// A table of four people.
pub const TABLE: &str = "\
name,age,city,disease
Ada,31,Rome,flu
Ben,35,Rome,ulcer
Cem,52,Oslo,flu
Dan,58,Oslo,asthma
";

/// A policy that the table can satisfy, without warnings.
pub const POLICY: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.name]
role = "identifier"
[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [10] }
[attributes.city]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
[[principles]]
kind = "k-anonymity"
k = 2
[[principles]]
kind = "distinct-l-diversity"
l = 2
[recoding]
suppression_limit = 0.1
seed = 7
[output]
row_order = "sorted"
"#;

/// A temporary folder in which the binary runs.
pub struct Folder {
    folder: TempDir,
}

/// The result of running the binary.
#[derive(Debug)]
pub struct Answer {
    /// The name of the schema of the JSON answer.
    schema: String,
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    /// Creates an empty folder.
    pub fn empty() -> Self {
        Self { folder: tempfile::tempdir().expect("the temporary folder is writable") }
    }

    /// Creates a folder with [`TABLE`] and [`POLICY`].
    pub fn new() -> Self {
        Self::empty().with("table.csv", TABLE).with("policy.toml", POLICY)
    }

    /// Adds a file, or replaces its content.
    pub fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("the path has a parent folder"))
            .expect("made");
        std::fs::write(path, content).expect("written");
        self
    }

    /// Replaces a part of a file.
    pub fn replaced(self, name: &str, old: &str, new: &str) -> Self {
        let text = self.text(name);
        assert!(text.contains(old), "the file does not contain: {old}");
        self.with(name, text.replace(old, new))
    }

    /// Removes a file.
    pub fn without(self, name: &str) -> Self {
        std::fs::remove_file(self.path(name)).expect("removed");
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file contains text")
    }

    /// A fact of the certificate of `release`.
    pub fn fact(&self, name: &str) -> Value {
        let certificate: Value =
            serde_json::from_str(&self.text("release/certificate.json")).expect("JSON");
        let facts = certificate["facts"].as_array().expect("facts");
        let found = facts.iter().find(|fact| fact["fact"] == name);
        found.unwrap_or_else(|| panic!("no fact '{name}': {facts:?}")).clone()
    }

    /// Returns all files with their content, and all folders, by path. Hidden files are included.
    pub fn listing(&self) -> BTreeMap<String, Vec<u8>> {
        let mut listing = BTreeMap::new();
        list(self.folder.path(), "", &mut listing);
        listing
    }

    /// Returns a command that runs the binary in this folder and has not been started.
    pub fn process(&self, arguments: &[&str]) -> Process {
        let mut process = Process::new(BINARY);
        process.current_dir(self.folder.path()).env_remove("NO_COLOR").args(arguments);
        process
    }

    /// Runs the binary in this folder.
    pub fn run(&self, arguments: &[&str]) -> Answer {
        let output = Command::from_std(self.process(arguments)).output().expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("the output is valid UTF-8");
        Answer {
            schema: schema_of(arguments),
            status: output.status.code().expect("the process has an exit status"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Runs the binary, asserts that it rejects the request without changing any file, and returns
    /// the call and the message.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let before = self.listing();
        let answer = self.run(arguments);
        assert_eq!(answer.status, 2, "{arguments:?} {answer:?}");
        assert_eq!(answer.stdout, "", "the command prints no answer");
        assert_eq!(self.listing(), before, "{arguments:?} wrote something");
        format!("$ indistinct {}\n{}", arguments.join(" "), answer.stderr.trim_end())
    }

    /// Asserts that no release is created, and returns the message.
    pub fn no_release(&self) -> String {
        self.refused(&["anonymize", "policy.toml", "-o", "release"])
    }
}

/// Returns the name of the schema for the answer of a command.
fn schema_of(arguments: &[&str]) -> String {
    let is_group = |name: &&&str| matches!(**name, "hierarchy" | "ledger");
    let n = 1 + arguments.first().filter(is_group).map_or(0, |_| 1);
    arguments.iter().take(n).copied().collect::<Vec<_>>().join("-")
}

/// Validates a document against a schema in `docs/schema`.
pub fn assert_schema(name: &str, json: &Value) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let text = std::fs::read_to_string(folder.join(format!("{name}.json")));
    let schema =
        serde_json::from_str(&text.expect("the schema exists")).expect("the schema is valid JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is valid");
    let errors: Vec<String> = validator
        .iter_errors(json)
        .map(|error| format!("at '{}': {error}", error.instance_path()))
        .collect();
    assert!(
        errors.is_empty(),
        "the answer violates docs/schema/{name}.json: {errors:#?}\n{json:#}"
    );
}

fn list(folder: &Path, prefix: &str, listing: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().expect("a type").is_dir() {
            list(&entry.path(), &format!("{name}/"), listing);
            listing.insert(format!("{name}/"), Vec::new());
        } else {
            listing.insert(name, std::fs::read(entry.path()).expect("a file"));
        }
    }
}

impl Answer {
    /// Asserts that the call succeeded, and returns the answer.
    pub fn done(self) -> Self {
        assert_eq!(self.status, 0, "{self:?}");
        self
    }

    /// Asserts that the call found an unsatisfied requirement, and returns the answer.
    pub fn not_met(self) -> Self {
        assert_eq!(self.status, 1, "{self:?}");
        self
    }

    /// Asserts that the call was rejected with this code, and returns the answer.
    pub fn refused(self, code: &str) -> Self {
        assert_eq!(self.status, 2, "{self:?}");
        assert!(self.stderr.contains(code), "{code}: {self:?}");
        self
    }

    /// Returns standard output, which must be a single JSON document that matches its schema.
    pub fn json(&self) -> Value {
        let json: Value =
            serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        assert_schema(&self.schema, &json);
        json
    }
}
