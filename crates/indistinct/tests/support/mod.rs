//! Utilities shared by the tests of this crate: a working folder, and functions that read and write
//! releases without the engine.

#![allow(dead_code, reason = "no test file uses all functions")]

pub mod lies;
pub mod random;

use indistinct::verify::Subject;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use indistinct::anonymize::{Infeasible, Outcome, Replace, WrittenRelease, anonymize};
use indistinct::plan;
use indistinct::verify::{Verification, verify};
use indistinct::{Error, Job, Session};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// The cells in a table, row by row.
pub type Rows = Vec<Vec<String>>;

/// The private directory of a release.
pub fn private_of(released: &WrittenRelease) -> &Path {
    released.private.as_deref().expect("the private directory was not omitted")
}

/// A folder with a policy, a table, and the releases of a test.
pub struct Scene {
    folder: TempDir,
}

impl Scene {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("the path is inside the folder"))
            .expect("a folder");
        std::fs::write(&path, text).expect("written");
        path
    }

    /// Writes the policy and opens it.
    pub fn job(&self, policy: &str) -> Job {
        let path = self.write("policy.toml", policy);
        opened(Session::default().open(&path, None))
    }

    /// Writes the policy and returns the outcome of anonymizing it into the folder `name`.
    pub fn outcome(&self, policy: &str, name: &str) -> Outcome {
        opened(anonymize(&self.job(policy), &self.path(name), Replace::Forbid))
    }

    /// Writes the policy and creates a release in the folder `name`.
    pub fn release(&self, policy: &str, name: &str) -> (PathBuf, WrittenRelease) {
        (self.path(name), released(self.outcome(policy, name)))
    }

    /// Returns the names of all entries of the folder, including hidden entries.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder()).expect("a folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }
}

/// Returns the answer, or panics with all error messages.
pub fn opened<T>(answer: Result<T, Error>) -> T {
    answer.unwrap_or_else(|error| panic!("{:#?}", error.messages(indistinct::Values::Shown)))
}

pub fn released(outcome: Outcome) -> WrittenRelease {
    match outcome {
        Outcome::Released(released) => *released,
        Outcome::Infeasible(infeasible) => panic!("expected a release, got {infeasible:#?}"),
    }
}

pub fn infeasible(outcome: Outcome) -> Infeasible {
    match outcome {
        Outcome::Infeasible(infeasible) => *infeasible,
        Outcome::Released(released) => panic!("expected an infeasible policy, got {released:#?}"),
    }
}

pub fn anonymized(job: &Job, directory: &Path) -> Result<Outcome, Error> {
    anonymize(job, directory, Replace::Forbid)
}

/// Verifies a release, and panics with the differences if a check fails.
pub fn assert_holds(directory: &Path) -> Verification {
    let verified = opened(verify(&Session::default(), directory, None));
    let failing: Vec<_> = verified.checks.iter().filter(|check| !check.holds).collect();
    assert!(verified.holds && failing.is_empty(), "{failing:#?}");
    verified
}

/// Panics unless an HTML page states every fact.
pub fn assert_states(page: &str, facts: &[indistinct::Fact]) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = String::new();
    for part in page.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, after)| after));
    }
    for (entity, char) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
        text = text.replace(entity, char);
    }
    let text = words(&text);
    for fact in facts {
        let sentence = words(&indistinct::text::facts::sentence(fact).to_string());
        assert!(text.contains(&sentence), "{sentence}");
    }
}

/// Whether `verify` detects a problem: a false claim, or a directory that is not a release.
pub fn finds(directory: &Path) -> bool {
    verify(&Session::default(), directory, None).map_or(true, |verified| !verified.holds)
}

/// Whether `verify` detects a problem other than an outdated report.
pub fn finds_beyond_the_report(directory: &Path) -> bool {
    verify(&Session::default(), directory, None).map_or(true, |verified| {
        verified.checks.iter().any(|check| !check.holds && check.about != Subject::Report)
    })
}

/// Asserts that every fact of a release is mandatory: `verify` detects a missing fact even if the
/// report omits it as well.
pub fn assert_all_has_to_be_stated(directory: &Path) {
    let certificate = read_certificate(directory);
    for left_out in certificate["facts"].as_array().expect("facts") {
        let mut lying = certificate.clone();
        let retained = lying["facts"].as_array_mut().expect("facts");
        retained.retain(|stated| stated != left_out);
        write_certificate(directory, &lying);
        assert!(finds_beyond_the_report(directory), "without {}", left_out["fact"]);
    }
    write_certificate(directory, &certificate);
}

/// Returns the facts of a certificate with this name.
pub fn facts_named<'a>(
    certificate: &'a serde_json::Value,
    name: &'a str,
) -> impl Iterator<Item = &'a serde_json::Value> {
    certificate["facts"].as_array().expect("facts").iter().filter(move |it| it["fact"] == name)
}

/// Returns the only fact of a certificate with this name, if there is one.
pub fn fact<'a>(
    certificate: &'a serde_json::Value,
    name: &'a str,
) -> Option<&'a serde_json::Value> {
    let mut found = facts_named(certificate, name);
    let first = found.next();
    assert!(found.next().is_none(), "the certificate contains the fact {name} twice");
    first
}

/// Returns a mutable reference to the fact with this name, which must exist.
pub fn fact_mut<'a>(
    certificate: &'a mut serde_json::Value,
    name: &str,
) -> &'a mut serde_json::Value {
    let facts = certificate["facts"].as_array_mut().expect("facts");
    facts
        .iter_mut()
        .find(|it| it["fact"] == name)
        .unwrap_or_else(|| panic!("the certificate contains no fact {name}"))
}

/// Returns the bytes of all files below a folder, by relative path.
pub fn files_of(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![(directory.to_owned(), String::new())];
    while let Some((folder, prefix)) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                open.push((entry.path(), format!("{name}/")));
            } else {
                files.insert(name, std::fs::read(entry.path()).expect("a file"));
            }
        }
    }
    files
}

/// Copies all files below a folder to a new folder.
pub fn copy(from: &Path, to: &Path) {
    for (name, bytes) in files_of(from) {
        let path = to.join(name);
        std::fs::create_dir_all(path.parent().expect("the path is inside a folder"))
            .expect("a folder");
        std::fs::write(path, bytes).expect("written");
    }
}

/// Returns the path of the data file of a release.
pub fn data_file(directory: &Path) -> PathBuf {
    let names = ["data.csv", "data.parquet"];
    let mut files = names.iter().map(|name| directory.join(name)).filter(|path| path.is_file());
    files.next().expect("a release has a data file")
}

/// Reads the header and the rows of a CSV or Parquet file; a missing value is the empty string.
pub fn read_table(path: &Path) -> (Vec<String>, Rows) {
    if path.extension().is_some_and(|extension| extension == "parquet") {
        return read_parquet(path);
    }
    let mut reader = csv::Reader::from_path(path).expect("a CSV file");
    let header = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    let row = |row: csv::Result<csv::StringRecord>| {
        row.expect("a row").iter().map(str::to_owned).collect()
    };
    (header, reader.records().map(row).collect())
}

fn read_parquet(path: &Path) -> (Vec<String>, Rows) {
    let file = File::open(path).expect("a file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("a Parquet file");
    let header = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    let options = FormatOptions::default();
    let mut rows = Vec::new();
    for batch in reader.build().expect("a Parquet file") {
        let batch = batch.expect("a batch");
        let columns: Vec<ArrayFormatter<'_>> = batch
            .columns()
            .iter()
            .map(|column| {
                ArrayFormatter::try_new(column, &options).expect("the column has a simple type")
            })
            .collect();
        for row in 0..batch.num_rows() {
            rows.push(columns.iter().map(|column| column.value(row).to_string()).collect());
        }
    }
    (header, rows)
}

/// Writes strings to a CSV or Parquet file; in Parquet, an empty string is null.
pub fn write_table(path: &Path, header: &[String], rows: &[Vec<String>]) {
    if path.extension().is_some_and(|extension| extension == "parquet") {
        let columns = header.iter().enumerate().map(|(at, name)| {
            let cells =
                rows.iter().map(|row| Some(row[at].as_str()).filter(|cell| !cell.is_empty()));
            (name.clone(), Arc::new(cells.collect::<StringArray>()) as ArrayRef, true)
        });
        let batch = RecordBatch::try_from_iter_with_nullable(columns)
            .expect("all columns have the same length");
        // A release contains Parquet files only in this form.
        let properties = WriterProperties::builder()
            .set_created_by(concat!("indistinct ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()));
        let options = ArrowWriterOptions::new().with_properties(properties.build());
        write_batch_with(path, &batch, options.with_skip_arrow_metadata(true));
        return;
    }
    let mut writer = csv::Writer::from_path(path).expect("a file");
    writer.write_record(header).expect("written");
    for row in rows {
        writer.write_record(row).expect("written");
    }
    writer.flush().expect("written");
}

/// Writes a plan for the sensitive attribute `disease` of a table with counts `n`.
pub fn write_plan(counts: &Path, path: &Path, l: u64, classes: u64) -> plan::PlanFile {
    let source = plan::Source::Weighted(plan::WeightedTable {
        input: indistinct::InputSpec {
            path: counts.to_owned(),
            ..indistinct::InputSpec::default()
        },
        sensitive: "disease".to_owned(),
        quasi_identifiers: Vec::new(),
        weight: plan::Weight::Count("n".to_owned()),
    });
    let request = plan::Request {
        title: None,
        l,
        linked: plan::Linked::default(),
        failure: plan::Failure::OfEach(plan::Rational::new(1, 100)),
        order: plan::Order::SpaceFilling,
        choice: plan::Choice::Classes(classes),
        basis: plan::Basis::ActualMasses,
        confidence: None,
        eta: None,
        dependence: plan::Dependence::Dependent,
        cover: plan::Cover::Occurring,
        also: plan::FurtherRequest::default(),
    };
    let plan::Outcome::Planned(planned) =
        opened(plan::plan(&Session::default(), &source, &request))
    else {
        panic!("the request specifies the number of classes");
    };
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    for (name, text) in planned.plan.texts(&name).files {
        std::fs::write(path.with_file_name(name), text).expect("written");
    }
    planned.plan
}

/// Writes a Parquet file.
pub fn write_batch(path: &Path, batch: &RecordBatch) {
    write_batch_with(path, batch, ArrowWriterOptions::new());
}

fn write_batch_with(path: &Path, batch: &RecordBatch, options: ArrowWriterOptions) {
    let file = File::create(path).expect("a file");
    let writer = ArrowWriter::try_new_with_options(file, batch.schema(), options);
    let mut writer = writer.expect("a Parquet file");
    writer.write(batch).expect("written");
    writer.close().expect("written");
}

/// Converts strings to owned cells.
pub fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

pub fn read_certificate(directory: &Path) -> Value {
    let text = std::fs::read_to_string(directory.join("certificate.json")).expect("a certificate");
    serde_json::from_str(&text).expect("JSON")
}

pub fn write_certificate(directory: &Path, certificate: &Value) {
    let text = serde_json::to_string_pretty(certificate).expect("JSON");
    std::fs::write(directory.join("certificate.json"), text).expect("written");
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Updates the digest of a file in the certificate, because `verify` would otherwise detect any
/// change by the digest alone.
pub fn certify_digest(directory: &Path, name: &str) {
    let mut certificate = read_certificate(directory);
    let bytes = std::fs::read(directory.join(name)).expect("a file");
    certificate["claims"]["sha256"][name] = Value::String(sha256(&bytes));
    write_certificate(directory, &certificate);
}

/// Replaces the rows of a release and updates the digest in its certificate.
pub fn replace_rows(directory: &Path, header: &[String], rows: &[Vec<String>]) {
    let path = data_file(directory);
    write_table(&path, header, rows);
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    certify_digest(directory, &name);
}

/// A deterministic random generator.
pub struct Dice(ChaCha12Rng);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha12Rng::seed_from_u64(seed))
    }

    /// Returns a number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }

    /// Returns a random text that does not occur elsewhere by chance.
    pub fn token(&mut self, length: usize) -> String {
        (0..length).map(|_| char::from(b'a' + self.below(26) as u8)).collect()
    }
}
