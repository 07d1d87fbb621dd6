//! Tests of full disks, changed inputs, and invalid requests.

use indistinct_diagnostics::Coded;
use std::io::{self, Write};
use std::path::Path;

use indistinct_core::{
    FrequencyTable, Generalization, Observer, Policy, Rational, Recoding, Silent, SuppressionRule,
    certify,
};

use super::support::{Case, Row, formats};
use crate::EngineError;
use crate::output::layout::Limits;
use crate::output::{ColumnSource, OutputColumn, OutputFormat, RowOrder, WriteRequest, write_rows};

fn case(format: OutputFormat, with_note: bool) -> Case {
    let row = |at: usize| -> Row {
        (at.to_string(), format!("city {}", at % 7), "flu".to_owned(), Some(at as i64))
    };
    let mut columns = vec![ColumnSource::QuasiIdentifier(0), ColumnSource::QuasiIdentifier(1)];
    if with_note {
        columns.push(ColumnSource::Insensitive("note".to_owned()));
    }
    Case {
        rows: (0..3_000).map(row).collect(),
        levels: vec![0, 0],
        suppress: vec![false; 3_000],
        suppressed: SuppressionRule::Dropped,
        columns,
        format,
        order: RowOrder::Shuffled { key: [1; 32] },
    }
}

/// A writer with a limited capacity in bytes.
struct SmallDisk(usize);

impl Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.0 {
            return Err(io::Error::from_raw_os_error(28));
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn full_disk_error_is_reported() {
    for format in formats() {
        for with_note in [false, true] {
            let case = case(format, with_note);
            for room in [0, 3, 100, 5_000] {
                let source = case.source();
                let result = case.write_to(2, Some(&source), Limits::default(), SmallDisk(room));
                let error = result.map(|_| ()).unwrap_err();
                assert_eq!(error.code(), "E-OUTPUT-006", "{error}");
                assert!(
                    error.to_string().starts_with("'data' cannot be written: No space"),
                    "{error}"
                );
                assert!(error.help().unwrap().contains("free some space"));
            }
        }
    }
}

#[test]
fn full_device_error_is_reported() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return; // this system has no device for full disks; the test above does not require one
    };
    for format in formats() {
        let file = full.try_clone().unwrap();
        let error = case(format, false).write_to(1, None, Limits::default(), file).unwrap_err();
        assert_eq!(error.code(), "E-OUTPUT-006", "{error}");
    }
}

#[test]
fn changed_input_is_detected_before_writing_rows() {
    let case = case(OutputFormat::Csv { delimiter: b',' }, true);
    let changes: [fn(&mut super::support::Rows); 5] = [
        |rows| rows.rows[5].0 = "another age".to_owned(),
        |rows| rows.rows[5].0 = rows.rows[6].0.clone(),
        |rows| rows.rows.truncate(2_999),
        |rows| rows.rows.push(rows.rows[0].clone()),
        |rows| rows.changed = true,
    ];
    for change in changes {
        for order in [RowOrder::Sorted, case.order] {
            let case = Case { order, ..case.clone() };
            let mut source = case.source();
            change(&mut source);
            let mut out = Vec::new();
            let result = case.write_to(1, Some(&source), Limits::default(), &mut out);
            let error = result.map(|_| ()).unwrap_err();
            assert_eq!(error.code(), "E-OUTPUT-008", "{error}");
            let lines = out.iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(lines, 1, "no row is written before the input is known to be unchanged");
        }
    }
}

/// Creates a request for a release of one column with three rows.
fn with_request(test: impl FnOnce(&WriteRequest<'_>, &Path)) {
    let case = case(OutputFormat::Csv { delimiter: b',' }, false);
    let table: FrequencyTable = case.table();
    let flat = |column: &indistinct_core::model::CountedColumn| {
        indistinct_core::Hierarchy::flat(&column.dictionary)
    };
    let policy = Policy {
        hierarchies: table.quasi_identifiers().iter().map(flat).collect(),
        requirements: Vec::new(),
        suppression_limit: Rational::from_integer(0),
        suppressed: SuppressionRule::Dropped,
        published: indistinct_core::ClassColumn::Absent,
    };
    let recoding = Recoding {
        generalization: Generalization::of_levels(vec![0, 0]),
        suppressed: vec![false; table.n_tuples()],
        sensitive: None,
    };
    let release = certify(&table, &policy, &recoding).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let request = WriteRequest {
        release: &release,
        columns: case.output_columns(),
        format: case.format,
        order: case.order,
        threads: 2,
        scratch: folder.path(),
        mapping: None,
    };
    test(&request, folder.path());
}

struct Cancels;

impl Observer for Cancels {
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn failed_write_leaves_no_file() {
    with_request(|request, folder| {
        let path = folder.join("data.csv");
        let error = write_rows(&path, request, None, &Cancels).unwrap_err();
        assert!(matches!(error, EngineError::Cancelled));
        assert!(!path.exists());

        let column = |source| OutputColumn { source, ..request.columns[0].clone() };
        let wrong = [
            ColumnSource::QuasiIdentifier(2),
            ColumnSource::Sensitive(1),
            ColumnSource::Insensitive("note".to_owned()),
        ];
        for source in wrong {
            let request = WriteRequest { columns: vec![column(source)], ..*request };
            let error = write_rows(&path, &request, None, &Silent).unwrap_err();
            assert_eq!(error.code(), "E-OUTPUT-009");
            assert!(!path.exists());
        }
    });
}

#[test]
fn existing_file_is_never_overwritten() {
    with_request(|request, folder| {
        let path = folder.join("data.csv");
        std::fs::write(&path, "mine").unwrap();
        let error = write_rows(&path, request, None, &Silent).unwrap_err();
        assert_eq!(error.code(), "E-OUTPUT-006");
        assert_eq!(std::fs::read(&path).unwrap(), b"mine");
    });
}

#[cfg(unix)]
#[test]
fn written_file_is_private_with_correct_digest() {
    use std::os::unix::fs::PermissionsExt;

    use sha2::{Digest, Sha256};
    with_request(|request, folder| {
        let path = folder.join("data.csv");
        let written = write_rows(&path, request, None, &Silent).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let digest = Sha256::digest(std::fs::read(&path).unwrap());
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(written.sha256, hex);
        assert_eq!(written.n_rows, 3_000);
    });
}
