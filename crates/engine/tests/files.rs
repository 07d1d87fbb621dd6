//! Tests of files, folders, patterns, fingerprints, cancellation, and requests.

mod common;

use indistinct_diagnostics::Coded;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use common::{count_all, expected, folder_with, spec, tuples};
use indistinct_core::{Observer, Phase, Silent};
use indistinct_engine::{
    CountRequest, EmbeddedEngine, Engine, EngineError, Format, Input, InputSpec, MissingRule,
};

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

#[test]
fn folder_is_read_in_file_name_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut rows = Vec::new();
    for name in ["b", "g", "c", "a", "f", "d", "e"] {
        write(folder.path(), &format!("{name}.csv"), &format!("a,b\n1,{name}\n"));
        rows.push((vec!["1".to_owned(), name.to_owned()], 1));
    }
    for ignored in [".hidden.csv", "_metadata.csv", "README.txt"] {
        write(folder.path(), ignored, "no data");
    }
    let input = Input::open(&spec(folder.path())).expect("opened");
    let found: Vec<_> = input.files().iter().filter_map(|path| path.file_stem()).collect();
    assert_eq!(found, ["a", "b", "c", "d", "e", "f", "g"]);
    let counted = count_all(&spec(folder.path()), 2).expect("counted");
    assert_eq!(tuples(&counted.table), rows.into_iter().collect());
    let pattern = spec(&folder.path().join("[a-g].csv"));
    assert_eq!(count_all(&pattern, 1).expect("counted").table, counted.table);
}

#[test]
fn paths_without_data_have_distinct_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |name: &str| Input::open(&spec(&folder.path().join(name))).expect_err("refused");
    assert!(matches!(open("none.csv"), EngineError::Missing { .. }));
    assert!(matches!(open("*.csv"), EngineError::NoMatch { .. }));
    assert!(matches!(open("***.csv"), EngineError::InvalidPattern { .. }));
    assert!(matches!(open(""), EngineError::EmptyFolder { .. }));
    #[cfg(not(feature = "excel"))]
    {
        write(folder.path(), "data.xlsx", "PK");
        assert!(matches!(open("data.xlsx"), EngineError::NoSpreadsheets { .. }));
    }
    #[cfg(not(feature = "stata"))]
    {
        write(folder.path(), "data.dta", "<stata_dta>");
        let of_statistics = open("data.dta");
        assert!(matches!(of_statistics, EngineError::OfStatistics { .. }));
        assert!(of_statistics.help().is_some_and(|help| help.contains("--features stata")));
    }
    write(folder.path(), "data.docx", "PK");
    let unknown = open("data.docx");
    assert!(matches!(unknown, EngineError::UnknownExtension { .. }));
    assert!(unknown.help().is_some_and(|help| help.contains(".parquet")));
    write(folder.path(), "zero.parquet", "");
    assert!(matches!(open("zero.parquet"), EngineError::EmptyFile { .. }));
    write(folder.path(), "text.parquet", "a,b\n1,2\n");
    assert!(matches!(open("text.parquet"), EngineError::Corrupt { .. }));
    write(folder.path(), "text.arrow", "a,b\n1,2\n");
    assert!(matches!(open("text.arrow"), EngineError::Corrupt { .. }));
}

#[test]
fn mixed_formats_in_folder_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.csv", "a\n1\n");
    write(folder.path(), "b.jsonl", "{\"a\":2}\n");
    let mixed = Input::open(&spec(folder.path()));
    assert!(matches!(mixed, Err(EngineError::MixedFormats { .. })), "{mixed:?}");
    let json = InputSpec { format: Some(Format::Json), ..spec(folder.path()) };
    let counted = count_all(&json, 1).expect("counted");
    assert_eq!(tuples(&counted.table), expected(&[(&["2"], 1)]));
}

#[test]
fn files_with_different_columns_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.csv", "a,b\n1,2\n");
    for (header, difference) in [
        ("a,c\n1,2\n", "missing: 'b'; additional: 'c'"),
        ("a\n1\n", "missing: 'b'"),
        ("a,b,c\n1,2,3\n", "additional: 'c'"),
        ("b,a\n1,2\n", "the order of the columns differs"),
    ] {
        write(folder.path(), "b.csv", header);
        let error = Input::open(&spec(folder.path())).expect_err("refused");
        assert!(matches!(error, EngineError::OtherColumns { .. }), "{error:?}");
        assert!(error.to_string().ends_with(difference), "{error}");
    }
}

#[test]
fn error_is_reported_by_file_and_line() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.csv", "a,b\n1,2\n3,4\n");
    write(folder.path(), "b.csv", "a,b\n5,6\n7\n");
    let count = count_all(&spec(folder.path()), 2).map(|_| ());
    let input = Input::open(&spec(folder.path())).expect("opened");
    let stream = input.batches(&["a".into()]).expect("streams").try_for_each(|b| b.map(|_| ()));
    for result in [count, stream] {
        let error = result.expect_err("ragged");
        let place = (|| match &error {
            EngineError::Ragged { path, line, row, .. } => Some((path.file_name()?, *line, *row)),
            _ => None,
        })();
        assert_eq!(place, Some(("b.csv".as_ref(), 3, 2)), "{error:?}");
    }
}

#[test]
fn single_file_fingerprint_is_its_sha256() {
    let (_folder, path) = folder_with("t.csv", b"a,b\n1,2\n");
    let counted = count_all(&spec(&path), 2).expect("counted");
    // printf 'a,b\n1,2\n' | sha256sum
    let sha256 = "492d5ea496056f1a6a6592241032fab764c321596317930b4fa0e1e8bc3b7470";
    assert_eq!(counted.fingerprint.sha256, sha256);
    assert_eq!((counted.fingerprint.n_bytes, counted.fingerprint.n_rows), (8, 1));
}

#[test]
fn change_between_passes_is_detected() {
    let (_folder, path) = folder_with("t.csv", b"a,b\n1,2\n");
    let input = Input::open(&spec(&path)).expect("opened");
    let counted = count_all(&spec(&path), 2).expect("counted");
    input
        .verify_unchanged(&counted.fingerprint)
        .expect("the content is unchanged when hashed again");
    let read_all = || assert!(input.batches(&["a".into()]).expect("streams").all(|b| b.is_ok()));
    read_all();
    input.verify_unchanged(&counted.fingerprint).expect("the content is unchanged as read");

    std::fs::write(&path, b"a,b\n1,3\n").expect("written");
    read_all();
    std::fs::write(&path, b"a,b\n1,2\n").expect("written");
    let changed = input.verify_unchanged(&counted.fingerprint);
    assert!(
        matches!(changed, Err(EngineError::Changed { .. })),
        "the content that was read determines the result"
    );

    let mut started = input.batches(&["a".into()]).expect("streams");
    input
        .verify_unchanged(&counted.fingerprint)
        .expect("an unfinished pass does not replace the fingerprint");
    assert!(started.next().is_some());
    std::fs::write(&path, b"a,b\n1,2\n1,2\n").expect("written");
    let changed = input.verify_unchanged(&counted.fingerprint);
    assert!(
        matches!(changed, Err(EngineError::Changed { counted_bytes: 8, n_bytes: 12 })),
        "{changed:?}"
    );
}

/// An observer that counts progress calls and cancels after some blocks.
struct Impatient {
    patience: u64,
    heard: AtomicU64,
    done: AtomicU64,
}

impl Observer for Impatient {
    fn progress(&self, phase: Phase, done: u64, total: u64) {
        assert_eq!(phase, Phase::Count);
        assert!(done <= total, "{done} of {total}");
        self.heard.fetch_add(1, Ordering::Relaxed);
        self.done.fetch_max(done, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.heard.load(Ordering::Relaxed) >= self.patience
    }
}

#[test]
fn counting_reports_progress_and_can_be_cancelled() {
    let text = format!("a,b\n{}", "12345,67890\n".repeat(300_000));
    let (_folder, path) = folder_with("t.csv", text.as_bytes());
    let input = Input::open(&spec(&path)).expect("opened");
    let request = CountRequest { quasi_identifiers: vec!["a".into()], ..CountRequest::default() };
    let count = |patience| {
        let observer = Impatient { patience, heard: AtomicU64::new(0), done: AtomicU64::new(0) };
        let counted = EmbeddedEngine::new(2).count(&input, &request, &observer);
        (counted, observer.done.into_inner())
    };
    let (counted, done) = count(u64::MAX);
    assert_eq!(counted.expect("counted").table.n_rows(), 300_000);
    assert_eq!(done, text.len() as u64);
    let (cancelled, done) = count(2);
    assert!(matches!(cancelled, Err(EngineError::Cancelled)), "{cancelled:?}");
    assert!(done < text.len() as u64);
}

#[test]
fn invalid_column_requests_are_rejected() {
    let (_folder, path) = folder_with("t.csv", b"age,sex,zip\n1,2,3\n");
    let input = Input::open(&spec(&path)).expect("opened");
    let count = |quasi_identifiers: &[&str], sensitive: &[&str]| {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let request = CountRequest {
            quasi_identifiers: owned(quasi_identifiers),
            sensitive: owned(sensitive),
            ..CountRequest::default()
        };
        EmbeddedEngine::new(1).count(&input, &request, &Silent)
    };
    let unknown = count(&["Agee"], &[]).expect_err("unknown");
    assert_eq!(unknown.help().as_deref(), Some("did you mean 'age'?"));
    assert!(matches!(count(&["age"], &["age"]), Err(EngineError::RequestedTwice { .. })));
    let counted = count(&["zip"], &["age"]).expect("counted");
    assert_eq!(counted.table.quasi_identifiers()[0].name, "zip");
    assert_eq!(counted.table.sensitive()[0].name, "age");
    assert_eq!(tuples(&counted.table), expected(&[(&["3", "1"], 1)]));
    let none = count(&[], &[]).expect("counted");
    assert_eq!((none.table.n_tuples(), none.table.n_rows()), (1, 1));
}

#[test]
fn missing_values_are_rejected_by_rule() {
    let (_folder, path) = folder_with("t.csv", b"a,b\n,1\n2,\n,3\n");
    let input = Input::open(&spec(&path)).expect("opened");
    let count = |missing: Vec<(String, MissingRule)>| {
        let request = CountRequest {
            quasi_identifiers: vec!["a".into()],
            sensitive: vec!["b".into()],
            missing,
            ..CountRequest::default()
        };
        EmbeddedEngine::new(1).count(&input, &request, &Silent)
    };
    assert_eq!(
        count(vec![("a".into(), MissingRule::OwnValue)]).expect("counted").table.n_tuples(),
        3
    );
    let refused = count(vec![("a".into(), MissingRule::Error)]).expect_err("refused");
    assert!(
        matches!(&refused, EngineError::MissingValues { column, n_rows: 2 } if column == "a"),
        "{refused:?}"
    );
    let unknown = count(vec![("c".into(), MissingRule::Error)]);
    assert!(matches!(unknown, Err(EngineError::UnknownColumn { .. })));
}
