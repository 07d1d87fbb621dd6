//! Tests of the form of files: released CSV files have exactly one form, and no release contains
//! JSON Lines or Arrow files.

use std::sync::Arc;

use arrow_array::{Int64Array, RecordBatch};
use arrow_ipc::writer::FileWriter;
use indistinct_core::{Silent, SuppressionRule};
use indistinct_diagnostics::Coded;

use super::support::{Case, check_form};
use crate::output::layout::Limits;
use crate::output::{ColumnSource, OutputFormat, RowOrder};
use crate::{Input, InputSpec};

const CSV: OutputFormat = OutputFormat::Csv { delimiter: b',' };

/// Writes 60 rows.
pub(super) fn written(format: OutputFormat) -> Vec<u8> {
    written_rows(format, 60)
}

pub(super) fn written_rows(format: OutputFormat, n_rows: usize) -> Vec<u8> {
    let row = |at: i64| {
        let age = (20 + at % 3).to_string();
        (age, "a city".to_owned(), format!("disease {}", at % 7), Some(at))
    };
    let case = Case {
        rows: (0..n_rows as i64).map(row).collect(),
        levels: vec![0, 0],
        suppress: vec![false; n_rows],
        suppressed: SuppressionRule::Dropped,
        columns: vec![
            ColumnSource::QuasiIdentifier(0),
            ColumnSource::QuasiIdentifier(1),
            ColumnSource::Sensitive(0),
            ColumnSource::Insensitive("note".to_owned()),
        ],
        format,
        order: RowOrder::Sorted,
    };
    case.write(1, Limits::default()).expect("written").bytes
}

pub(super) fn code(format: OutputFormat, bytes: &[u8]) -> &'static str {
    check_form(format, bytes).map_or_else(|error| error.code(), |()| "accepted")
}

#[test]
fn csv_in_another_form_is_rejected() {
    let bytes = written(CSV);
    let text = String::from_utf8(bytes.clone()).expect("a text");
    assert_eq!(code(CSV, &bytes), "accepted");
    for (what, text) in [
        ("line endings", text.replace('\n', "\r\n")),
        ("a line ending", text.replacen('\n', "\r\n", 1)),
        ("needless quotes", text.replacen("a city", "\"a city\"", 1)),
        ("a byte order mark", format!("\u{feff}{text}")),
        ("an incomplete last line", text.trim_end().to_owned()),
        ("a blank line at the end", format!("{text}\n")),
        ("a blank line at the start", format!("\n{text}")),
        ("a blank line", text.replacen('\n', "\n\n", 1)),
    ] {
        assert_eq!(code(CSV, text.as_bytes()), "E-INPUT-044", "{what}");
    }
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gz, text.as_bytes()).expect("compressed");
    assert_eq!(code(CSV, &gz.finish().expect("compressed")), "E-INPUT-044");
}

#[test]
fn files_in_formats_of_no_release_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let ages = RecordBatch::try_from_iter([("age", Arc::new(Int64Array::from(vec![30])) as _)]);
    let ages = ages.expect("a batch");
    let mut arrow = FileWriter::try_new(Vec::new(), &ages.schema()).expect("a writer");
    arrow.write(&ages).expect("written");
    let arrow = arrow.into_inner().expect("written");
    for (name, bytes) in [("data.arrow", &arrow[..]), ("data.jsonl", b"{\"age\": 30}\n")] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        let spec = InputSpec { path, ..InputSpec::default() };
        let input = Input::open_released(&spec).expect("the file can be read");
        let checked = input.check_plain(&["age".to_owned()], &Silent);
        assert_eq!(checked.map_err(|error| error.code()), Err("E-INPUT-044"), "{name}");
    }
}
