//! Tests of CSV: quotes, line endings, byte order marks, delimiters, compression, null values, and
//! invalid files.

mod common;

use indistinct_diagnostics::Coded;
use std::io::Write;

use arrow_array::cast::AsArray;
use common::{count_all, counted, expected, failure, folder_with, spec, tuples};
use indistinct_engine::{EngineError, Format, Input, InputSpec};

#[test]
fn equal_rows_are_counted_together() {
    let found = counted("t.csv", b"age,sex\n30,f\n31,m\n30,f\n");
    assert_eq!(found, expected(&[(&["30", "f"], 2), (&["31", "m"], 1)]));
}

#[test]
fn line_ends_and_byte_order_mark_are_ignored() {
    let plain = counted("t.csv", b"a,b\n1,x\n2,y\n");
    assert_eq!(counted("t.csv", b"a,b\r\n1,x\r\n2,y\r\n"), plain);
    assert_eq!(counted("t.csv", b"\xef\xbb\xbfa,b\n1,x\n2,y"), plain);
    assert_eq!(counted("t.csv", b"\xef\xbb\xbf\"a\",\"b\"\r\n\"1\",x\r\n2,\"y\""), plain);
    assert_eq!(counted("t.csv", b"\xef\xbb\xbf\"a\nline\",b\n1,x\n2,y\n"), plain);
    assert_eq!(counted("t.csv", b"a,b\n1,x\n2,y\n\n"), plain);
    assert_eq!(counted("t.csv", b"\na,b\n\n1,x\r\n\r\n2,y\n"), plain);
}

#[test]
fn quoted_fields_contain_delimiters_and_line_ends() {
    let found = counted("t.csv", b"a,b\n\"x,y\",\"line 1\nline 2\"\n\"say \"\"no\"\"\",\"\"\n");
    assert_eq!(found, expected(&[(&["x,y", "line 1\nline 2"], 1), (&["say \"no\"", ""], 1)]));
}

#[test]
fn quote_after_field_start_is_literal() {
    let found = counted("t.csv", b"a,b\n5\" pipe,1\n6\",2\n\"x\"y\"z,3\n");
    let rows: [(&[&str], u64); 3] =
        [(&["5\" pipe", "1"], 1), (&["6\"", "2"], 1), (&["xy\"z", "3"], 1)];
    assert_eq!(found, expected(&rows));
}

#[test]
fn blank_lines_of_single_column_are_missing_values() {
    let found = counted("t.csv", b"a\n1\n\n\n1\n\n");
    assert_eq!(found, expected(&[(&["1"], 2), (&[""], 2)]));
}

#[test]
fn delimiter_is_given_or_follows_extension() {
    let tabs = counted("t.tsv", b"a\tb\n1,5\tx\n");
    assert_eq!(tabs, expected(&[(&["1,5", "x"], 1)]));
    let (_folder, path) = folder_with("t.csv", b"a;b\n1,5;x\n");
    let semicolons = InputSpec { delimiter: Some(b';'), ..spec(&path) };
    assert_eq!(tuples(&count_all(&semicolons, 1).expect("counted").table), tabs);
}

#[test]
fn compressed_files_match_plain_files() {
    let plain = b"a,b\n1,x\n1,x\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&plain[..6]).expect("compressed");
    let mut gzip = gzip.finish().expect("compressed");
    // The file has two gzip members, like the output of `cat a.gz b.gz`.
    let mut rest = flate2::write::GzEncoder::new(&mut gzip, flate2::Compression::fast());
    rest.write_all(&plain[6..]).expect("compressed");
    rest.finish().expect("compressed");
    let zstd = zstd::encode_all(&plain[..], 1).expect("compressed");
    let rows = expected(&[(&["1", "x"], 2)]);
    assert_eq!(counted("t.csv.gz", &gzip), rows);
    assert_eq!(counted("t.csv.zst", &zstd), rows);

    let cut = failure("t.csv.gz", &gzip[..gzip.len() - 4]);
    assert!(matches!(cut, EngineError::Corrupt { .. }), "{cut}");
    let not_gzip = failure("t.csv.gz", plain);
    assert!(not_gzip.to_string().contains("not compressed with gzip"), "{not_gzip}");
}

#[test]
fn csv_null_values_are_missing_in_both_passes() {
    let (_folder, path) = folder_with("t.csv", b"a,b\n?,x\n,NA\n??,y\n");
    let spec = InputSpec { null_values: vec!["?".into(), "NA".into()], ..spec(&path) };
    let counted = count_all(&spec, 2).expect("counted");
    let rows: [(&[&str], u64); 3] = [(&["", "x"], 1), (&["", ""], 1), (&["??", "y"], 1)];
    assert_eq!(tuples(&counted.table), expected(&rows));

    let input = Input::open(&spec).expect("opened");
    let batch = input.batches(&["b".into(), "a".into()]).expect("streams").next();
    let batch = batch.expect("a batch").expect("read");
    let column =
        |at: usize| batch.column(at).as_string::<i32>().iter().flatten().collect::<Vec<_>>();
    assert_eq!(column(0), ["x", "", "y"]);
    assert_eq!(column(1), ["", "", "??"]);
}

#[test]
fn ragged_row_is_reported_by_row_and_line() {
    let error = failure("t.csv", b"a,b\n1,\"x\ny\"\n2\n");
    assert!(
        matches!(error, EngineError::Ragged { line: 4, row: 2, got: 1, expected: 2, .. }),
        "{error:?}"
    );
    let error = failure("t.csv", b"a,b\n1,x\n2,y,z,\n");
    assert!(
        matches!(error, EngineError::Ragged { line: 3, row: 2, got: 4, expected: 2, .. }),
        "{error:?}"
    );
    assert!(
        error.to_string().ends_with("line 3 (row 2): 4 fields, but the header has 2"),
        "{error}"
    );
    assert_eq!(error.code(), "E-INPUT-013");
}

#[test]
fn spreadsheet_specific_content_is_diagnosed() {
    for line in ["sep=;\n", "SEP=;\r\n", "\"sep=;\"\n", "\u{feff}sep=;\n"] {
        let error = failure("t.csv", format!("{line}a;b\n1;2\n").as_bytes());
        assert!(matches!(error, EngineError::DelimiterLine { delimiter: b';', .. }), "{error:?}");
        let help = error.help().unwrap_or_default();
        assert!(help.contains("delimiter = \";\""), "{help}");
    }
    let units: Vec<u16> = "age,sex\n30,f\n31,é\n".encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for bytes in [little, big] {
        let error = failure("t.csv", &bytes);
        assert!(matches!(error, EngineError::Utf16WithoutMark { .. }), "{error:?}");
    }
    assert_eq!(counted("t.csv", b"sep=,b\n1,2\n"), expected(&[(&["1", "2"], 1)]));
}

/// The error names the first invalid line for any number of threads and any distance from the
/// start.
#[test]
fn error_in_later_block_is_reported_by_line() {
    let mut text = b"a,b\n".to_vec();
    for n in 0..300_000 {
        match n {
            200_000 | 250_000 => text.extend_from_slice(b"1\n"),
            220_000 => text.extend_from_slice(b"1,\xff\n"),
            _ => text.extend_from_slice(b"12345,67890\n"),
        }
    }
    let (_folder, path) = folder_with("t.csv", &text);
    for threads in [1, 2, 5] {
        let error = count_all(&spec(&path), threads).expect_err("ragged");
        assert!(
            matches!(error, EngineError::Ragged { line: 200_002, row: 200_001, .. }),
            "{error:?}"
        );
    }
    let input = Input::open(&spec(&path)).expect("opened");
    let error = input.batches(&["a".into()]).expect("streams").find_map(Result::err);
    let error = error.expect("ragged");
    assert!(matches!(error, EngineError::Ragged { line: 200_002, row: 200_001, .. }), "{error:?}");
}

#[test]
fn invalid_utf8_is_reported_by_line() {
    let error = failure("t.csv", b"a,b\n1,x\n2,M\xfcller\n");
    assert!(matches!(error, EngineError::InvalidUtf8 { line: 3, .. }), "{error:?}");
    assert!(error.help().is_some_and(|help| help.contains("iconv")));
    let error = failure("t.csv", b"a,stra\xdfe\n1,x\n");
    assert!(matches!(error, EngineError::InvalidUtf8 { line: 1, .. }), "{error:?}");
}

#[test]
fn utf16_with_byte_order_mark_is_read() {
    let text = "a,b\n1,Müller 🦀\n\"2\n\",y\n".to_owned() + &"3,ein längerer Text\n".repeat(50_000);
    let plain = counted("t.csv", text.as_bytes());
    for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> =
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(to_bytes).collect();
        assert_eq!(counted("t.csv", &bytes), plain);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(&bytes).expect("compressed");
        assert_eq!(counted("t.csv.gz", &gzip.finish().expect("compressed")), plain);
        // The file is truncated within a character.
        let cut = failure("t.csv", &bytes[..bytes.len() - 1]);
        assert!(matches!(cut, EngineError::Utf16 { .. }), "{cut:?}");
        let input = failure("t.csv", &bytes[..3]);
        assert!(matches!(input, EngineError::Utf16 { .. }), "{input:?}");
    }
}

#[test]
fn single_column_header_suggests_delimiter() {
    let error = failure("t.csv", b"a;b;c\n1;2;3\n");
    assert!(
        matches!(error, EngineError::OneColumn { delimiter: b',', suggestion: b';', .. }),
        "{error:?}"
    );
    assert!(error.to_string().ends_with("has one column when split at ','"), "{error}");
    assert!(error.help().is_some_and(|help| help.contains("';'")));
    assert_eq!(counted("t.csv", b"\"a;b\"\n1\n"), expected(&[(&["1"], 1)]));
}

#[test]
fn duplicate_column_names_are_rejected() {
    let error = failure("t.csv", b"a,b,a\n1,2,3\n");
    assert!(matches!(&error, EngineError::DuplicateColumn { column, .. } if column == "a"));
}

#[test]
fn empty_tables_are_rejected() {
    for header in ["a,b\n", "a,b", "\u{feff}a,b\r\n\r\n"] {
        let error = failure("t.csv", header.as_bytes());
        assert!(matches!(error, EngineError::NoRows { .. }), "{error:?}");
    }
    for empty in ["", "\n\r\n", "\u{feff}"] {
        let error = failure("t.csv", empty.as_bytes());
        assert!(matches!(error, EngineError::EmptyFile { .. }), "{error:?}");
    }
}

#[test]
fn unclosed_quote_is_reported_by_record_line() {
    let error = failure("t.csv", b"a,b\n1,x\n2,\"y\n3,z\n");
    assert!(matches!(error, EngineError::OpenQuote { line: 3, .. }), "{error:?}");
    let error = failure("t.csv", b"a,\"b\n1,x\n");
    assert!(matches!(error, EngineError::OpenQuote { line: 1, .. }), "{error:?}");
}

#[test]
fn lone_carriage_returns_are_rejected() {
    let error = failure("t.csv", b"a,b\r1,2\r");
    assert!(matches!(error, EngineError::LineEnds { .. }), "{error:?}");
}

#[test]
fn invalid_delimiters_are_rejected() {
    let (_folder, path) = folder_with("t.csv", b"a,b\n1,2\n");
    for delimiter in [b'"', b'\n', 0xe9] {
        let error = Input::open(&InputSpec { delimiter: Some(delimiter), ..spec(&path) });
        assert!(matches!(error, Err(EngineError::InvalidDelimiter { .. })), "{error:?}");
    }
}

#[test]
fn messages_contain_no_cells() {
    let cell = "Zaphod";
    for text in ["a,b\nZaphod\n", "a,b\n1,\"Zaphod", "a,b\n1,Zaphod\n2\n"] {
        let error = failure("t.csv", text.as_bytes());
        assert!(!error.to_string().contains(cell), "{error}");
    }
    let error = failure("t.jsonl", b"{\"a\":\"x\"}\n{\"a\":Zaphod}\n");
    assert!(!error.to_string().contains(cell), "{error}");
    assert!(matches!(error, EngineError::InvalidJson { line: 2, .. }), "{error:?}");
}

#[test]
fn explicit_format_allows_unknown_extension() {
    let (_folder, path) = folder_with("table.txt", b"a,b\n1,2\n");
    assert!(matches!(Input::open(&spec(&path)), Err(EngineError::UnknownExtension { .. })));
    let given = InputSpec { format: Some(Format::Csv), ..spec(&path) };
    assert_eq!(count_all(&given, 1).expect("counted").table.n_rows(), 1);
}

#[test]
fn count_column_weights_rows() {
    let counts = |text: &str| {
        let (_folder, path) = folder_with("t.csv", text.as_bytes());
        let spec = InputSpec { counts: Some("n".to_owned()), ..spec(&path) };
        let input = Input::open(&spec)?;
        let rows = input
            .batches(&["a".to_owned()])?
            .try_fold(0, |sum, batch| batch.map(|batch| sum + batch.num_rows()))?;
        Ok::<_, EngineError>((tuples(&count_all(&spec, 2)?.table), rows))
    };
    let (found, n_rows) = counts("n,a,b\n2,x,1\n70000,y,2\n1,x,1\n").expect("counted");
    assert_eq!(found, expected(&[(&["x", "1"], 3), (&["y", "2"], 70_000)]));
    assert_eq!(n_rows, 70_003);
    for wrong in ["0", "", "-1", "1.5", "x", "18446744073709551615", "4294967295"] {
        let error = counts(&format!("n,a\n1,x\n{wrong},y\n")).expect_err("no counts");
        assert_eq!(error.code(), "E-INPUT-036", "{wrong}");
    }
    assert_eq!(counts("m,a\n1,x\n").expect_err("no counts").code(), "E-INPUT-020");
}
