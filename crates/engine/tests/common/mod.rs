//! Shared functions of the engine tests.

#![allow(dead_code, reason = "each test file uses only some of the functions")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indistinct_core::{FrequencyTable, Silent};
use indistinct_engine::{
    CountRequest, CountedRows, EmbeddedEngine, Engine, EngineError, Input, InputSpec,
};
use tempfile::TempDir;

/// Creates a folder with one file.
pub fn folder_with(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("written");
    (folder, path)
}

pub fn spec(path: &Path) -> InputSpec {
    InputSpec { path: path.to_owned(), ..InputSpec::default() }
}

pub fn names(input: &Input) -> Vec<String> {
    input.columns().iter().map(|column| column.name.clone()).collect()
}

/// Counts all columns.
pub fn count_all(spec: &InputSpec, threads: usize) -> Result<CountedRows, EngineError> {
    let input = Input::open(spec)?;
    let request = CountRequest { quasi_identifiers: names(&input), ..CountRequest::default() };
    EmbeddedEngine::new(threads).count(&input, &request, &Silent)
}

/// Returns the distinct tuples as strings with their counts.
pub fn tuples(table: &FrequencyTable) -> BTreeMap<Vec<String>, u64> {
    let tuple = |at: usize| {
        table.columns().map(|column| column.dictionary.value(column.codes[at]).to_owned()).collect()
    };
    let all: BTreeMap<_, _> =
        (0..table.n_tuples()).map(|at| (tuple(at), table.counts()[at])).collect();
    assert_eq!(all.len(), table.n_tuples(), "the tuples are distinct");
    all
}

/// Converts literal tuples with counts to the result type of `tuples`.
pub fn expected(rows: &[(&[&str], u64)]) -> BTreeMap<Vec<String>, u64> {
    let owned = |tuple: &[&str]| tuple.iter().map(|text| (*text).to_owned()).collect();
    rows.iter().map(|(tuple, count)| (owned(tuple), *count)).collect()
}

/// Counts the columns of a file with the given name and content.
pub fn counted(name: &str, bytes: &[u8]) -> BTreeMap<Vec<String>, u64> {
    let (_folder, path) = folder_with(name, bytes);
    tuples(&count_all(&spec(&path), 2).expect("counted").table)
}

/// Opens and counts a file with the given name and content and checks that this fails with a
/// message without cells.
pub fn failure(name: &str, bytes: &[u8]) -> EngineError {
    let (_folder, path) = folder_with(name, bytes);
    count_all(&spec(&path), 2).expect_err("must fail")
}
