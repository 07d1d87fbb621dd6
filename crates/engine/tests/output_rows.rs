//! Tests of writing a CSV input as a release and reading the release back.

use indistinct_diagnostics::Coded;
use std::path::Path;

use arrow_schema::DataType;
use indistinct_core::{
    Generalization, Hierarchy, Policy, Rational, Recoding, Silent, SuppressionRule, certify,
};
use indistinct_engine::output::{
    ColumnSource, CountedInput, OutputColumn, OutputFormat, RowOrder, WriteRequest, write_rows,
};
use indistinct_engine::{CountRequest, CountedRows, EmbeddedEngine, Engine, Input, InputSpec};

const TABLE: &str = "name,age,zip,disease,visits\n\
    Ann,34,13053,flu,3\n\
    Bob,35,13068,\"ulcer, severe\",?\n\
    Cid,34,13053,flu,12\n\
    Dan,,13053,,5\n\
    Eve,35,13068,flu,1\n";

fn open(folder: &Path) -> Input {
    let path = folder.join("table.csv");
    std::fs::write(&path, TABLE).unwrap();
    let null_values = vec!["?".to_owned()];
    Input::open(&InputSpec { path, null_values, ..InputSpec::default() }).unwrap()
}

fn count(input: &Input) -> CountedRows {
    let request = CountRequest {
        quasi_identifiers: vec!["age".to_owned(), "zip".to_owned()],
        sensitive: vec!["disease".to_owned()],
        ..CountRequest::default()
    };
    EmbeddedEngine::new(2).count(input, &request, &Silent).unwrap()
}

fn write(
    folder: &Path,
    counted: &CountedRows,
    source: &CountedInput<'_>,
    order: RowOrder,
) -> Result<String, indistinct_engine::EngineError> {
    let table = &counted.table;
    let flat = |column: &indistinct_core::model::CountedColumn| Hierarchy::flat(&column.dictionary);
    let policy = Policy {
        hierarchies: table.quasi_identifiers().iter().map(flat).collect(),
        requirements: Vec::new(),
        suppression_limit: Rational::from_integer(0),
        suppressed: SuppressionRule::Dropped,
        published: indistinct_core::ClassColumn::Absent,
    };
    let recoding = Recoding {
        generalization: Generalization::of_levels(vec![0, 1]),
        suppressed: vec![false; table.n_tuples()],
        sensitive: None,
    };
    let release = certify(table, &policy, &recoding).unwrap();
    let column = |name: &str, source| OutputColumn {
        name: name.to_owned(),
        source,
        data_type: DataType::Utf8,
    };
    let request = WriteRequest {
        release: &release,
        columns: vec![
            column("age", ColumnSource::QuasiIdentifier(0)),
            column("zip", ColumnSource::QuasiIdentifier(1)),
            column("visits", ColumnSource::Insensitive("visits".to_owned())),
            column("disease", ColumnSource::Sensitive(0)),
        ],
        format: OutputFormat::Csv { delimiter: b',' },
        order,
        threads: 2,
        scratch: folder,
        mapping: None,
    };
    let path = folder.join("data.csv");
    let written = write_rows(&path, &request, Some(source), &Silent)?;
    assert_eq!(written.n_rows, 5);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    Ok(text)
}

#[test]
fn csv_release_contains_insensitive_column() {
    let folder = tempfile::tempdir().unwrap();
    let input = open(folder.path());
    let counted = count(&input);
    let source = CountedInput { input: &input, fingerprint: &counted.fingerprint };
    let sorted = write(folder.path(), &counted, &source, RowOrder::Sorted).unwrap();
    let expected = "age,zip,visits,disease\n\
        ,*,5,\n\
        34,*,12,flu\n\
        34,*,3,flu\n\
        35,*,,\"ulcer, severe\"\n\
        35,*,1,flu\n";
    assert_eq!(sorted, expected);

    let order = RowOrder::Shuffled { key: [4; 32] };
    let shuffled = write(folder.path(), &counted, &source, order).unwrap();
    let mut lines: Vec<&str> = shuffled.lines().collect();
    lines[1..].sort_unstable();
    let mut expected: Vec<&str> = expected.lines().collect();
    expected[1..].sort_unstable();
    assert_eq!(lines, expected);
}

#[test]
fn changed_uncounted_cell_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let input = open(folder.path());
    let counted = count(&input);
    std::fs::write(folder.path().join("table.csv"), TABLE.replace("12", "13")).unwrap();
    let source = CountedInput { input: &input, fingerprint: &counted.fingerprint };
    let error = write(folder.path(), &counted, &source, RowOrder::Sorted).unwrap_err();
    assert_eq!(error.code(), "E-OUTPUT-008");
    assert!(!folder.path().join("data.csv").exists());
}
