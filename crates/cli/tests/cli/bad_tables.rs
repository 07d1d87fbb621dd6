//! Tests of tables that cannot be read. The message states the problem and its location, the status
//! is 2, and nothing is written.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use insta::assert_snapshot;
use parquet::arrow::ArrowWriter;

use crate::folder::{Folder, TABLE};

fn table(content: impl AsRef<[u8]>) -> Folder {
    Folder::new().with("table.csv", content)
}

#[test]
fn missing_table_file() {
    assert_snapshot!(Folder::new().without("table.csv").no_release());
}

#[test]
fn other_commands_report_missing_table_file() {
    let folder = Folder::new().without("table.csv");
    for arguments in [
        &["profile", "table.csv"][..],
        &["profile", "policy.toml"],
        &["init", "table.csv", "-o", "new.toml"],
        &["check", "table.csv", "--policy", "policy.toml"],
        &["hierarchy", "show", "policy.toml", "--attribute", "age"],
        &["hierarchy", "build", "policy.toml", "--attribute", "age", "-o", "age.csv"],
        &["hierarchy", "check", "policy.toml"],
    ] {
        let message = folder.refused(arguments);
        assert!(message.contains("E-INPUT-001") && message.contains("does not exist"), "{message}");
    }
}

#[test]
fn folder_without_files() {
    let folder = Folder::new().replaced("policy.toml", "table.csv", "tables");
    std::fs::create_dir(folder.path("tables")).expect("made");
    assert_snapshot!(folder.no_release());
}

#[test]
fn pattern_without_matches() {
    assert_snapshot!(Folder::new().replaced("policy.toml", "table.csv", "t*.parquet").no_release());
}

#[test]
fn empty_file_is_rejected() {
    assert_snapshot!(table("").no_release());
}

#[test]
fn header_without_rows() {
    assert_snapshot!(table("name,age,city,disease\n").no_release());
}

#[test]
fn different_delimiter_is_reported() {
    assert_snapshot!(table(TABLE.replace(',', ";")).no_release());
}

#[test]
fn row_with_too_few_fields() {
    assert_snapshot!(table(format!("{TABLE}Eve,20,Oslo\n")).no_release());
}

#[test]
fn row_with_too_many_fields() {
    assert_snapshot!(table(format!("{TABLE}Eve,20,Oslo,flu,4\n")).no_release());
}

#[test]
fn invalid_utf8_bytes() {
    assert_snapshot!(table([TABLE.as_bytes(), b"Eve,20,Z\xfcrich,flu\n"].concat()).no_release());
}

#[test]
fn unclosed_quote_is_rejected() {
    assert_snapshot!(table(format!("{TABLE}Eve,20,\"Oslo,flu\n")).no_release());
}

#[test]
fn duplicate_column_names() {
    assert_snapshot!(table(TABLE.replace("city", "age")).no_release());
}

#[test]
fn unknown_table_format() {
    let folder = Folder::new().with("table.xlsx", TABLE);
    assert_snapshot!(folder.replaced("policy.toml", "table.csv", "table.dta").no_release());
}

#[test]
fn content_does_not_match_extension() {
    let folder = Folder::new().with("table.parquet", TABLE);
    assert_snapshot!(folder.replaced("policy.toml", "table.csv", "table.parquet").no_release());
}

#[test]
fn nan_and_infinity_as_text() {
    assert_snapshot!(table(format!("{TABLE}Eve,NaN,Oslo,flu\nFay,-inf,Oslo,flu\n")).no_release());
}

#[test]
fn nan_and_infinity_in_parquet() {
    let texts = |values: [&str; 4]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let ages = Float64Array::from(vec![31.0, f64::NAN, f64::INFINITY, 58.0]);
    let batch = RecordBatch::try_from_iter([
        ("name", texts(["Ada", "Ben", "Cem", "Dan"])),
        ("age", Arc::new(ages)),
        ("city", texts(["Rome", "Rome", "Oslo", "Oslo"])),
        ("disease", texts(["flu", "ulcer", "flu", "asthma"])),
    ])
    .expect("a batch");
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
    let folder = Folder::new().with("table.parquet", bytes);
    assert_snapshot!(folder.replaced("policy.toml", "table.csv", "table.parquet").no_release());
}

#[test]
fn forbidden_missing_values() {
    let folder = table(format!("{TABLE}Eve,20,,flu\n"));
    let old = "[attributes.city]\n";
    let new = "[attributes.city]\nmissing = \"error\"\n";
    assert_snapshot!(folder.replaced("policy.toml", old, new).no_release());
}

/// A value that occurs only in the table.
const CELL: &str = "Xanthippe-4711";

#[test]
fn messages_contain_no_cells() {
    let cell = |place: &str| format!("{TABLE}{}\n", place.replace('?', CELL));
    let ragged = cell("?,?,?,?,?");
    let text = cell("Eve,?,Oslo,flu");
    let utf8 = [cell("?,20,?,?").as_bytes(), b"\xff,1,2,3\n"].concat();
    let quote = cell("Eve,20,\"?,flu");
    let star = cell("Eve,20,*,?");
    let header = format!("{CELL}\n");
    for bytes in [ragged.as_bytes(), text.as_bytes(), &utf8, quote.as_bytes(), star.as_bytes()] {
        let message = table(bytes).no_release();
        assert!(!message.contains("4711"), "{message}");
    }
    let json = format!("{{\"name\": \"{CELL}\", \"age\": {CELL}}}\n");
    for (name, content) in [("t.jsonl", json), ("t.parquet", header.clone()), ("t.arrow", header)] {
        let folder = Folder::new().with(name, content);
        let message = folder.replaced("policy.toml", "table.csv", name).no_release();
        assert!(!message.contains("4711"), "{message}");
    }
    // Use a table as the policy.
    let folder = table(cell("?,20,Oslo,flu"));
    for arguments in [
        &["anonymize", "table.csv", "-o", "release"][..],
        &["check", "table.csv", "--policy", "table.csv"],
        &["hierarchy", "build", "table.csv", "--attribute", "age"],
    ] {
        let message = folder.refused(arguments);
        assert!(!message.contains("4711"), "{message}");
    }
}

#[test]
fn messages_show_cells_only_with_show_values() {
    let folder = table(format!("{TABLE}Eve,{CELL},Oslo,flu\n"));
    assert!(!folder.no_release().contains("4711"));
    let arguments = ["--show-values", "anonymize", "policy.toml", "-o", "release"];
    let message = folder.refused(&arguments);
    assert!(message.contains(CELL), "{message}");
}
