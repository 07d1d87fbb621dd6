//! Tests of Parquet, Arrow IPC, and JSON lines: types, nulls, dictionaries, and nested columns.

mod common;

use std::path::Path;
use std::sync::Arc;

use arrow_array::types::{Float16Type, Int32Type, UInt8Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, Date32Array, Date64Array,
    Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int8Array, Int32Array,
    Int64Array, LargeStringArray, ListArray, NullArray, PrimitiveArray, RecordBatch, StringArray,
    StringViewArray, StructArray, Time32SecondArray, Time64MicrosecondArray,
    TimestampMicrosecondArray, TimestampSecondArray, UInt64Array, cast::AsArray,
};
use arrow_schema::{DataType, Field};
use common::{count_all, counted, expected, failure, folder_with, names, spec, tuples};
use indistinct_core::Silent;
use indistinct_engine::{
    CountRequest, EmbeddedEngine, Engine, EngineError, Input, InputSpec, MemoryTable, Notation,
    cell_text,
};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use sha2::{Digest, Sha256};

fn to_parquet(path: &Path, batches: &[RecordBatch], row_group: usize) {
    let file = std::fs::File::create(path).expect("created");
    let properties =
        WriterProperties::builder().set_max_row_group_row_count(Some(row_group)).build();
    let mut writer =
        ArrowWriter::try_new(file, batches[0].schema(), Some(properties)).expect("a writer");
    for batch in batches {
        writer.write(batch).expect("written");
    }
    writer.close().expect("closed");
}

fn to_ipc_file(path: &Path, batches: &[RecordBatch]) {
    let file = std::fs::File::create(path).expect("created");
    let mut writer =
        arrow_ipc::writer::FileWriter::try_new(file, &batches[0].schema()).expect("a writer");
    for batch in batches {
        writer.write(batch).expect("written");
    }
    writer.finish().expect("closed");
}

fn to_ipc_stream(path: &Path, batches: &[RecordBatch]) {
    let file = std::fs::File::create(path).expect("created");
    let mut writer =
        arrow_ipc::writer::StreamWriter::try_new(file, &batches[0].schema()).expect("a writer");
    for batch in batches {
        writer.write(batch).expect("written");
    }
    writer.finish().expect("closed");
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .expect("the columns have the same length")
}

/// Returns a column of each type with two values and a null, and the strings of the values.
fn all_types() -> Vec<(&'static str, ArrayRef, [&'static str; 2])> {
    let half = <Float16Type as ArrowPrimitiveType>::Native::from_f32;
    let array = |array: ArrayRef| array;
    vec![
        ("i8", array(Arc::new(Int8Array::from(vec![Some(-128), Some(7), None]))), ["-128", "7"]),
        (
            "i32",
            Arc::new(Int32Array::from(vec![Some(-1), Some(1 << 30), None])),
            ["-1", "1073741824"],
        ),
        (
            "i64",
            Arc::new(Int64Array::from(vec![Some(i64::MIN), Some(0), None])),
            ["-9223372036854775808", "0"],
        ),
        (
            "u64",
            Arc::new(UInt64Array::from(vec![Some(u64::MAX), Some(0), None])),
            ["18446744073709551615", "0"],
        ),
        (
            "f16",
            Arc::new(PrimitiveArray::<Float16Type>::from(vec![
                Some(half(0.5)),
                Some(half(-2.0)),
                None,
            ])),
            ["0.5", "-2"],
        ),
        ("f32", Arc::new(Float32Array::from(vec![Some(0.1), Some(1e30), None])), ["0.1", "1e30"]),
        (
            "f64",
            Arc::new(Float64Array::from(vec![Some(0.1), Some(-1234.5), None])),
            ["0.1", "-1234.5"],
        ),
        (
            "bool",
            Arc::new(BooleanArray::from(vec![Some(true), Some(false), None])),
            ["true", "false"],
        ),
        (
            "utf8",
            Arc::new(StringArray::from(vec![
                Some("a text of more than fifteen bytes"),
                Some("é"),
                None,
            ])),
            ["a text of more than fifteen bytes", "é"],
        ),
        ("large", Arc::new(LargeStringArray::from(vec![Some("x"), Some("y"), None])), ["x", "y"]),
        (
            "view",
            Arc::new(StringViewArray::from(vec![
                Some("x"),
                Some("a view of more than twelve"),
                None,
            ])),
            ["x", "a view of more than twelve"],
        ),
        (
            "date",
            Arc::new(Date32Array::from(vec![Some(0), Some(-1), None])),
            ["1970-01-01", "1969-12-31"],
        ),
        (
            "date64",
            Arc::new(Date64Array::from(vec![Some(0), Some(86_400_000), None])),
            ["1970-01-01", "1970-01-02"],
        ),
        (
            "time",
            Arc::new(Time32SecondArray::from(vec![Some(3661), Some(0), None])),
            ["01:01:01", "00:00:00"],
        ),
        (
            "time64",
            Arc::new(Time64MicrosecondArray::from(vec![Some(1_500_000), Some(0), None])),
            ["00:00:01.500", "00:00:00"],
        ),
        (
            "stamp",
            Arc::new(TimestampSecondArray::from(vec![Some(0), Some(86_399), None])),
            ["1970-01-01T00:00:00", "1970-01-01T23:59:59"],
        ),
        (
            "zone",
            Arc::new(
                TimestampMicrosecondArray::from(vec![Some(0), Some(1), None])
                    .with_timezone("Europe/Berlin"),
            ),
            ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000001Z"],
        ),
        (
            "decimal",
            Arc::new(
                Decimal128Array::from(vec![Some(110), Some(-5), None])
                    .with_precision_and_scale(10, 2)
                    .expect("fits"),
            ),
            ["1.10", "-0.05"],
        ),
        (
            "binary",
            Arc::new(BinaryArray::from(vec![Some(&[0xde_u8, 0xad][..]), Some(&[]), None])),
            ["dead", ""],
        ),
        (
            "codes",
            Arc::new(
                vec![Some("x"), Some("y"), None]
                    .into_iter()
                    .collect::<DictionaryArray<Int32Type>>(),
            ),
            ["x", "y"],
        ),
    ]
}

#[test]
fn columnar_types_are_counted_as_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for (name, array, texts) in all_types() {
        let one = batch(vec![("value", Arc::clone(&array)), ("none", Arc::new(NullArray::new(3)))]);
        to_parquet(&path("t.parquet"), std::slice::from_ref(&one), 2);
        to_ipc_file(&path("t.arrow"), std::slice::from_ref(&one));
        to_ipc_stream(&path("t.arrows"), std::slice::from_ref(&one));
        let mut rows = std::collections::BTreeMap::new();
        for text in [texts[0], texts[1], ""] {
            *rows.entry(vec![text.to_owned(), String::new()]).or_default() += 1;
        }
        for file in ["t.parquet", "t.arrow", "t.arrows"] {
            let counted = count_all(&spec(&path(file)), 2).expect("counted");
            assert_eq!(tuples(&counted.table), rows, "{name} in {file}");
            let input = Input::open(&spec(&path(file))).expect("opened");
            let batches: Vec<RecordBatch> = input
                .batches(&names(&input))
                .expect("streams")
                .collect::<Result<_, _>>()
                .expect("read");
            let found: Vec<String> = batches
                .iter()
                .flat_map(|batch| {
                    let column = batch.column(0);
                    (0..column.len()).map(|row| {
                        cell_text(column.as_ref(), row, name).expect("a text").into_owned()
                    })
                })
                .collect();
            assert_eq!(found, [texts[0], texts[1], ""], "{name} in {file}");
            input.verify_unchanged(&counted.fingerprint).expect("unchanged");
        }
    }
}

#[test]
fn row_groups_and_files_form_one_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut naive = std::collections::BTreeMap::new();
    for file in 0..3 {
        let numbers: Vec<i64> = (0..5000).map(|row| row * (file + 3) % 1009).collect();
        let texts: Vec<String> = (0..5000).map(|row| format!("t{}", row * row % 97)).collect();
        for (number, text) in numbers.iter().zip(&texts) {
            *naive.entry(vec![text.clone(), number.to_string()]).or_default() += 1;
        }
        let texts: ArrayRef = Arc::new(StringArray::from(texts));
        let one = batch(vec![
            ("ignored", Arc::new(NullArray::new(5000))),
            ("number", Arc::new(Int64Array::from(numbers))),
            ("text", texts),
        ]);
        to_parquet(&folder.path().join(format!("{file}.parquet")), &[one], 700);
    }
    let input = Input::open(&spec(folder.path())).expect("opened");
    let request = CountRequest {
        quasi_identifiers: vec!["text".into()],
        sensitive: vec!["number".into()],
        ..CountRequest::default()
    };
    let one = EmbeddedEngine::new(1).count(&input, &request, &Silent).expect("counted");
    assert_eq!(tuples(&one.table), naive);
    assert_eq!(one.types, [DataType::Utf8, DataType::Int64]);
    for threads in [2, 7] {
        let more = EmbeddedEngine::new(threads).count(&input, &request, &Silent).expect("counted");
        assert_eq!(more.table, one.table);
        assert_eq!(more.fingerprint, one.fingerprint);
    }
    // cd FOLDER; sha256sum *.parquet | sha256sum
    let hash = |bytes: &[u8]| -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let lines: String = (0..3)
        .map(|file| format!("{file}.parquet"))
        .map(|name| {
            let bytes = std::fs::read(folder.path().join(&name)).expect("read");
            format!("{}  {name}\n", hash(&bytes))
        })
        .collect();
    assert_eq!(one.fingerprint.sha256, hash(lines.as_bytes()));
}

#[test]
fn text_columns_are_dictionaries_on_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.parquet");
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("x"), None, Some("y"), Some("x")]));
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3, 4]));
    to_parquet(&path, &[batch(vec![("text", texts), ("number", numbers)])], 4);
    let input = Input::open(&spec(&path)).expect("opened");
    let order = ["number".to_owned(), "text".to_owned()];
    let one = |dictionaries: &[String]| {
        let batches = input.batches_with_dictionaries(&order, dictionaries);
        batches.expect("streams").next().expect("a batch").expect("read")
    };
    assert_eq!(one(&[]).column(1).data_type(), &DataType::Utf8);
    let with = one(&order);
    assert_eq!(with.column(0).as_primitive::<Int32Type>().values(), &[1, 2, 3, 4]);
    let column = with.column(1).as_dictionary::<Int32Type>();
    let column = column.downcast_dict::<StringArray>().expect("texts");
    assert_eq!(column.into_iter().collect::<Vec<_>>(), [Some("x"), None, Some("y"), Some("x")]);
}

#[test]
fn unused_dictionary_values_are_not_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.arrow");
    let values: ArrayRef = Arc::new(StringArray::from(vec!["ghost", "b", "a", "spirit"]));
    let keys = PrimitiveArray::<UInt8Type>::from(vec![Some(2), Some(1), None, Some(1)]);
    let column: ArrayRef = Arc::new(DictionaryArray::new(keys, values));
    to_ipc_file(&path, &[batch(vec![("a", column)])]);
    let counted = count_all(&spec(&path), 1).expect("counted");
    let column = &counted.table.quasi_identifiers()[0];
    assert_eq!(column.dictionary.values(), ["", "a", "b"]);
    assert_eq!(counted.table.counts(), [1, 1, 2]);
}

/// Parsing a number twice would turn 12,500 into 12500.
#[test]
fn number_formats_are_parsed_once_in_columnar_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let column = |texts: [&str; 2]| -> ArrayRef { Arc::new(StringArray::from(texts.to_vec())) };
    let columns = [("amount", ["12,500", "31,5"]), ("day", ["05.03.2024", "06.03.2024"])];
    let one = batch(columns.iter().map(|(name, texts)| (*name, column(*texts))).collect());
    to_parquet(&path("t.parquet"), std::slice::from_ref(&one), 2);
    to_ipc_file(&path("t.arrow"), std::slice::from_ref(&one));
    to_ipc_stream(&path("t.arrows"), std::slice::from_ref(&one));
    let written = vec![
        ("amount".to_owned(), Notation::PointComma),
        ("day".to_owned(), Notation::DayMonthYearPoints),
    ];
    let memory = MemoryTable::new("a frame", one.schema(), [Ok(one.clone())]).expect("a table");
    let mut specs = vec![InputSpec { memory: Some(memory), ..InputSpec::default() }];
    specs.extend(["t.parquet", "t.arrow", "t.arrows"].map(|file| spec(&path(file))));
    let rows = [["12.500", "2024-03-05"], ["31.5", "2024-03-06"]];
    let rows = rows.map(|row| (row.map(str::to_owned).to_vec(), 1)).into_iter().collect();
    for of_table in specs {
        let of_table = InputSpec { written: written.clone(), ..of_table };
        let counted = count_all(&of_table, 2).expect("counted");
        assert_eq!(tuples(&counted.table), rows, "{of_table:?}");
    }
}

#[test]
fn nested_columns_fail_only_if_requested() {
    let folder = tempfile::tempdir().expect("a folder");
    let list: ArrayRef =
        Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1)]), None]));
    let number: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
    let inner = Arc::new(Field::new("x", DataType::Int32, true));
    let nested: ArrayRef = Arc::new(StructArray::from(vec![(inner, Arc::clone(&number))]));
    let one = batch(vec![("list", list), ("struct", nested), ("number", number)]);
    to_parquet(&folder.path().join("t.parquet"), std::slice::from_ref(&one), 2);
    to_ipc_file(&folder.path().join("t.arrow"), &[one]);
    let json = "{\"list\":[1],\"struct\":{\"x\":1},\"number\":1}\n{\"number\":2}\n";
    std::fs::write(folder.path().join("t.json"), json).expect("written");
    for file in ["t.parquet", "t.arrow", "t.json"] {
        let input = Input::open(&spec(&folder.path().join(file))).expect("opened");
        let count = |column: &str| {
            let request =
                CountRequest { quasi_identifiers: vec![column.into()], ..CountRequest::default() };
            EmbeddedEngine::new(2).count(&input, &request, &Silent)
        };
        for column in ["list", "struct"] {
            let error = count(column).expect_err("nested");
            assert!(
                matches!(&error, EngineError::UnsupportedType { columns } if columns[0].0 == column),
                "{file}: {error:?}"
            );
        }
        let counted = count("number").expect("counted");
        assert_eq!(tuples(&counted.table), expected(&[(&["1"], 1), (&["2"], 1)]), "{file}");
    }
}

#[test]
fn non_finite_numbers_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let values = vec![f64::NAN, 1.0, f64::INFINITY, -f64::NAN, 0.0, -0.0];
    let column: ArrayRef = Arc::new(Float64Array::from(values));
    let path = folder.path().join("t.parquet");
    to_parquet(&path, &[batch(vec![("cost", column)])], 2);
    let error = count_all(&spec(&path), 2).expect_err("refused");
    assert!(
        matches!(&error, EngineError::NotFinite { column, n_rows: 3 } if column == "cost"),
        "{error:?}"
    );
    // In CSV, these values are ordinary text.
    assert_eq!(counted("t.csv", b"a,b\nNaN,1\n"), expected(&[(&["NaN", "1"], 1)]));

    let zeros: ArrayRef = Arc::new(Float64Array::from(vec![0.0, -0.0]));
    to_parquet(&path, &[batch(vec![("cost", zeros)])], 2);
    let counted = count_all(&spec(&path), 1).expect("counted");
    assert_eq!(tuples(&counted.table), expected(&[(&["0"], 2)]));
}

#[test]
fn empty_columnar_tables_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let none: ArrayRef = Arc::new(StringArray::from(Vec::<&str>::new()));
    let one = batch(vec![("a", none)]);
    to_parquet(&folder.path().join("t.parquet"), std::slice::from_ref(&one), 2);
    to_ipc_stream(&folder.path().join("t.arrow"), &[one]);
    for file in ["t.parquet", "t.arrow"] {
        let error = count_all(&spec(&folder.path().join(file)), 2).expect_err("no rows");
        assert!(matches!(error, EngineError::NoRows { .. }), "{file}: {error:?}");
    }
}

#[test]
fn damaged_file_is_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.parquet");
    let texts: Vec<String> = (0..2000).map(|n| format!("value {n}")).collect();
    let column: ArrayRef = Arc::new(StringArray::from(texts));
    to_parquet(&path, &[batch(vec![("a", column)])], 500);
    let mut bytes = std::fs::read(&path).expect("read");
    bytes[4..400].fill(0xff);
    std::fs::write(&path, bytes).expect("written");
    let error = count_all(&spec(&path), 2).expect_err("damaged");
    assert!(matches!(error, EngineError::Corrupt { .. }), "{error:?}");
}

#[test]
fn json_types_depend_on_all_rows() {
    let text = "{\"a\":1,\"b\":\"x\",\"c\":true,\"d\":1}\n\n{\"b\":2.50,\"a\":1.5,\"d\":null}\r\n\
                {\"c\":false,\"d\":18446744073709551615}\n";
    let (_folder, path) = folder_with("t.jsonl", text.as_bytes());
    let input = Input::open(&spec(&path)).expect("opened");
    let types: Vec<_> = input.columns().iter().map(|column| column.data_type.clone()).collect();
    assert_eq!(names(&input), ["a", "b", "c", "d"]);
    assert_eq!(types, [DataType::Float64, DataType::Utf8, DataType::Boolean, DataType::Utf8]);
    let rows: [(&[&str], u64); 3] = [
        (&["1", "x", "true", "1"], 1),
        (&["1.5", "2.50", "", ""], 1),
        (&["", "", "false", "18446744073709551615"], 1),
    ];
    assert_eq!(counted("t.jsonl", text.as_bytes()), expected(&rows));
    let zstd = zstd::encode_all(text.as_bytes(), 1).expect("compressed");
    assert_eq!(counted("t.json.zst", &zstd), expected(&rows));
}

#[test]
fn json_null_values_are_missing_in_both_passes() {
    let (_folder, path) =
        folder_with("t.jsonl", b"{\"a\":\"?\"}\n{\"a\":\"\"}\n{}\n{\"a\":\"x\"}\n");
    let spec = InputSpec { null_values: vec!["?".into()], ..spec(&path) };
    let counted = count_all(&spec, 2).expect("counted");
    assert_eq!(tuples(&counted.table), expected(&[(&[""], 3), (&["x"], 1)]));
    let input = Input::open(&spec).expect("opened");
    let one =
        input.batches(&["a".into()]).expect("streams").next().expect("a batch").expect("read");
    let found: Vec<_> = one.column(0).as_string::<i32>().iter().collect();
    assert_eq!(found, [None, None, None, Some("x")]);
}

/// Numeric columns keep their type. The same codes in other columns are values.
#[test]
fn null_values_of_one_column_apply_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (codes, other) = ([Some(-9.0), Some(1.5), Some(99.0), None], [-9, 99, 1, 2]);
    let texts = StringArray::from(vec!["k.A.", "-9.0", "099", "x"]);
    let one = batch(vec![
        ("income", Arc::new(Float64Array::from(codes.to_vec()))),
        ("household", Arc::new(Int32Array::from(other.to_vec()))),
        ("note", Arc::new(texts)),
    ]);
    to_parquet(&path("t.parquet"), std::slice::from_ref(&one), 2);
    to_ipc_file(&path("t.arrow"), std::slice::from_ref(&one));
    let json = "{\"income\":-9.0,\"household\":-9,\"note\":\"k.A.\"}\n\
                {\"income\":1.5,\"household\":99,\"note\":\"-9.0\"}\n\
                {\"income\":99,\"household\":1,\"note\":\"099\"}\n\
                {\"income\":null,\"household\":2,\"note\":\"x\"}\n";
    std::fs::write(path("t.jsonl"), json).expect("written");
    let csv = "income,household,note\n-9.0,-9,k.A.\n1.5,99,-9.0\n99,1,099\n,2,x\n";
    std::fs::write(path("t.csv"), csv).expect("written");
    let memory = MemoryTable::new("a frame", one.schema(), [Ok(one.clone())]).expect("a table");
    let mut specs = vec![InputSpec { memory: Some(memory), ..InputSpec::default() }];
    specs.extend(["t.parquet", "t.arrow", "t.jsonl", "t.csv"].map(|file| spec(&path(file))));
    let declared = |name: &str| (name.to_owned(), ["-9", "99", "k.A."].map(str::to_owned).to_vec());
    let rows: [(&[&str], u64); 4] = [
        (&["", "-9", ""], 1),
        (&["1.5", "99", ""], 1),
        (&["", "1", "099"], 1),
        (&["", "2", "x"], 1),
    ];
    for of_table in specs {
        let is_typed = of_table.path.extension().is_none_or(|it| it != "csv");
        let column_null_values = vec![declared("income"), declared("note"), declared("absent")];
        let of_table = InputSpec { column_null_values, ..of_table };
        let counted = count_all(&of_table, 2).expect("counted");
        assert_eq!(tuples(&counted.table), expected(&rows), "{of_table:?}");
        let input = Input::open(&of_table).expect("opened");
        let all = ["income", "household", "note"].map(str::to_owned);
        let read: Vec<_> =
            input.batches(&all).expect("streams").collect::<Result<_, _>>().expect("read");
        let cells: Vec<String> = read
            .iter()
            .flat_map(|batch| (0..batch.num_rows()).map(move |row| (batch, row)))
            .map(|(batch, row)| {
                let cell = |at: usize| cell_text(batch.column(at), row, "a").expect("plain");
                format!("{},{},{}", cell(0), cell(1), cell(2))
            })
            .collect();
        assert_eq!(cells, [",-9,", "1.5,99,", ",1,099", ",2,x"], "{of_table:?}");
        let income = read[0].column(0).data_type();
        assert_eq!(*income == DataType::Float64, is_typed, "{of_table:?}");
    }
}

#[test]
fn invalid_json_lines_are_reported_by_line() {
    for (text, line) in [
        ("[{\"a\":1}]\n", 1),
        ("{\"a\":1}\n{\n\"a\":1}\n", 2),
        ("{\"a\":1}\n\n{\"a\":1} {\"a\":2}\n", 3),
        ("{\"a\":1,\"a\":2}\n", 1),
        ("{\"a\":1}\n{\"a\":\"\u{1}\"}\n", 2),
    ] {
        let error = failure("t.jsonl", text.as_bytes());
        assert!(
            matches!(error, EngineError::InvalidJson { line: found, .. } if found == line),
            "{error:?}"
        );
    }
    let error = failure("t.jsonl", b"{\"a\":\"\xff\"}\n");
    assert!(
        matches!(
            error,
            EngineError::InvalidJson { line: 1, .. } | EngineError::InvalidUtf8 { line: 1, .. }
        ),
        "{error:?}"
    );
}

#[test]
fn large_json_file_is_counted_in_blocks() {
    let mut text = String::new();
    for n in 0..60_000 {
        text.push_str(&format!("{{\"a\":{},\"b\":\"t{}\"}}\n", n % 7, n % 11));
    }
    let (_folder, path) = folder_with("t.jsonl", text.as_bytes());
    let one = count_all(&spec(&path), 1).expect("counted");
    assert_eq!((one.table.n_tuples(), one.table.n_rows()), (77, 60_000));
    assert_eq!(count_all(&spec(&path), 2).expect("counted").table, one.table);
}
