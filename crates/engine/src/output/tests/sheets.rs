//! Tests of spreadsheets: expected cells, and rejected content.

use std::io::{Cursor, Read, Write};

use indistinct_core::SuppressionRule;
use indistinct_diagnostics::Coded;
use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::rows::counted_columns;
use super::support::Case;
use crate::output::layout::Limits;
use crate::output::xlsx::ends_as_escape;
use crate::output::{OutputFormat, RowOrder};
use crate::{Input, InputSpec};

const SHEET: &str = "xl/worksheets/sheet1.xml";

fn case(cities: &[&str], ages: &[&str]) -> Case {
    let row = |(city, age): (&&str, &&str)| {
        ((*age).to_owned(), (*city).to_owned(), "flu".to_owned(), None)
    };
    Case {
        rows: cities.iter().zip(ages).map(row).collect(),
        levels: vec![0, 0],
        suppress: vec![false; cities.len()],
        suppressed: SuppressionRule::Dropped,
        columns: counted_columns(),
        format: OutputFormat::Xlsx,
        order: RowOrder::Sorted,
    }
}

fn part(bytes: &[u8], name: &str) -> String {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    let mut text = String::new();
    archive.by_name(name).expect("there").read_to_string(&mut text).expect("a text");
    text
}

/// Replaces a part of the archive, or adds a part. In all other respects, the archive has the form
/// that the writer uses.
fn with(bytes: &[u8], name: &str, text: &str) -> Vec<u8> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    let mut out = ZipWriter::new_stream(Vec::new());
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .unix_permissions(0o600)
        .last_modified_time(zip::DateTime::default());
    let mut parts = Vec::new();
    for at in 0..archive.len() {
        let mut part = archive.by_index(at).expect("there");
        let mut content = Vec::new();
        part.read_to_end(&mut content).expect("read");
        parts.push((part.name().expect("a name").into_owned(), content));
    }
    match parts.iter_mut().find(|(known, _)| known == name) {
        Some((_, content)) => *content = text.as_bytes().to_vec(),
        None => parts.push((name.to_owned(), text.as_bytes().to_vec())),
    }
    for (name, content) in parts {
        out.start_file(name, options).expect("begun");
        out.write_all(&content).expect("written");
    }
    out.finish().expect("whole").into_inner()
}

/// Reads a file as a release and returns the number of rows or the error.
fn message(bytes: &[u8]) -> Result<usize, (&'static str, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.xlsx");
    std::fs::write(&path, bytes).expect("written");
    let opened = Input::open_released(&InputSpec { path, ..InputSpec::default() });
    opened.map(|it| it.columns().len()).map_err(|error| (error.code(), error.to_string()))
}

#[test]
fn sheet_writes_only_safe_numbers_as_numbers() {
    let cities = ["=1+1", "01234", "5", "x<y>&\"z\"", " a "];
    let out = case(&cities, &["7", "30", "-2", "", "1.5"]).write(1, Limits::default()).unwrap();
    let sheet = part(&out.bytes, SHEET);
    assert!(!sheet.contains("<f>"), "{sheet}");
    for number in ["<v>7</v>", "<v>30</v>", "<v>-2</v>", "<v>1.5</v>"] {
        assert!(sheet.contains(number), "{sheet}");
    }
    // A column with other values is text, including its numbers.
    assert!(sheet.contains("01234</t>") && sheet.contains(">5</t>"), "{sheet}");
    // Numbers that a spreadsheet would round are written as text.
    let out = case(&["a"], &["1234567890123456"]).write(1, Limits::default()).unwrap();
    assert!(part(&out.bytes, SHEET).contains("1234567890123456</t>"));
}

#[test]
fn sheet_contains_no_author_or_time() {
    let out = case(&["a"], &["7"]).write(1, Limits::default()).unwrap();
    let core = part(&out.bytes, "docProps/core.xml");
    assert!(core.contains("2000-01-01T00:00:00Z") && !core.contains("202"), "{core}");
    assert!(core.contains("<dc:creator></dc:creator>") || core.contains("<dc:creator/>"), "{core}");
}

#[test]
fn sheet_row_limit_is_enforced() {
    let check = |n_rows| OutputFormat::Xlsx.check(n_rows).map_err(|error| error.code());
    assert_eq!(check(1_048_575), Ok(()));
    assert_eq!(check(1_048_576), Err("E-OUTPUT-011"));
}

#[test]
fn empty_row_and_oversized_text_are_rejected() {
    let mut empty = case(&["", "a"], &["", "7"]);
    empty.columns.truncate(2);
    let error = empty.write_to(1, None, Limits::default(), Vec::new()).expect_err("refused");
    assert_eq!(error.code(), "E-OUTPUT-007");
    let long = "x".repeat(32_768);
    let error = case(&[&long], &["7"]).write_to(1, None, Limits::default(), Vec::new());
    let error = error.expect_err("refused");
    assert!(error.to_string().contains("column 'city'"), "{error}");
    assert!(!error.to_string().contains("xx"), "{error}");
}

#[test]
fn workbook_with_additional_content_is_rejected() {
    let out = case(&["a", "b"], &["7", "8"]).write(1, Limits::default()).unwrap();
    let bytes = out.bytes;
    assert_eq!(message(&bytes), Ok(4));
    let sheet = part(&bytes, SHEET);
    assert_eq!(message(&with(&bytes, SHEET, &sheet)), Ok(4), "the helper keeps the form");
    let changed = |from: &str, to: &str| {
        assert!(sheet.contains(from), "{from}: {sheet}");
        with(&bytes, SHEET, &sheet.replacen(from, to, 1))
    };
    let book = part(&bytes, "xl/workbook.xml");
    let core = part(&bytes, "docProps/core.xml");
    let cases = [
        ("a formula", changed("<v>7</v>", "<f>3+4</f><v>7</v>")),
        ("a hidden row", changed("<row r=\"2\"", "<row hidden=\"1\" r=\"2\"")),
        ("another format", changed("<c r=\"A2\"", "<c s=\"1\" r=\"A2\"")),
        ("a repeated cell", changed("<v>8</v></c>", "<v>8</v></c><c r=\"A3\"><v>9</v></c>")),
        ("a missing row", changed("<row r=\"3\"", "<row r=\"4\"")),
        ("another spelling", changed("<v>7</v>", "<v>7.0</v>")),
        (
            "a number stored as text",
            changed("<c r=\"A2\"><v>7</v>", "<c r=\"A2\" t=\"inlineStr\"><is><t>8</t></is>"),
        ),
        ("a character reference", changed(">a</t>", ">&#97;</t>")),
        ("an escape", changed(">a</t>", ">_x0061_</t>")),
        ("a note", changed("<sheetData>", "<!-- Anna --><sheetData>")),
        ("merged cells", changed("</sheetData>", "</sheetData><mergeCells/>")),
        ("a part", with(&bytes, "xl/comments1.xml", "<comments/>")),
        (
            "a hidden sheet",
            with(
                &bytes,
                "xl/workbook.xml",
                &book.replacen("<sheet ", "<sheet state=\"hidden\" ", 1),
            ),
        ),
        (
            "a name",
            with(
                &bytes,
                "xl/workbook.xml",
                &book.replacen("</sheets>", "</sheets><definedNames/>", 1),
            ),
        ),
        (
            "an author",
            with(
                &bytes,
                "docProps/core.xml",
                &core.replacen("<dcterms:created", "<dc:title>Anna</dc:title><dcterms:created", 1),
            ),
        ),
    ];
    let splice = |at: usize, inserted: &[u8]| [&bytes[..at], inserted, &bytes[at..]].concat();
    let mut commented = splice(bytes.len(), b"Anna");
    commented[bytes.len() - 2] = 4;
    let containers = [
        ("text before the archive", splice(0, b"Anna")),
        ("text between the parts and the directory", splice(start_of_directory(&bytes), b"Anna")),
        ("text after the archive", splice(bytes.len(), b"Anna")),
        ("a comment of the archive", commented),
        ("another part in front", [&bytes[..], &bytes[..]].concat()),
        ("another sheet name", with(&bytes, "xl/workbook.xml", &book.replace("data", "Anna"))),
        ("a declared range", changed("ref=\"A1:", "ref=\"A1:XFD")),
        ("a value of an attribute", changed("left=\"0.7\"", "left=\"Anna\"")),
        ("text between elements", changed("<sheetData>", "\n<sheetData>")),
    ];
    for (what, bytes) in cases.into_iter().chain(containers) {
        let (code, text) = message(&bytes).expect_err(what);
        assert_eq!(code, "E-INPUT-044", "{what}: {text}");
        assert!(!text.contains("Anna"), "{text}");
    }
}

/// Returns the offset of the directory of an archive.
fn start_of_directory(bytes: &[u8]) -> usize {
    let field = &bytes[bytes.len() - 6..][..4];
    u32::from_le_bytes(field.try_into().expect("four bytes")) as usize
}

/// Generates strings from fragments with a special meaning in XML or spreadsheets.
fn text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "=", "+", "-", "@", "'", "\"", "<", ">", "&", "&amp;", "_x0041_", "_x005F_", "_x", "\r",
        "\n", "\t", " ", "\u{1}", "\u{b}", "\u{1f}", "\u{7f}", "\u{85}", "\u{2028}", "\u{fffe}",
        "\u{ffff}", "\u{feff}", "]]>", "<!--", "0", "1e5", "true", "é", "e\u{301}", "日本", "🦀",
        "NaN",
    ];
    proptest::collection::vec(proptest::sample::select(pieces), 1..5)
        .prop_map(|it| it.concat())
        .prop_filter("representable", |text| !ends_as_escape(text))
}

#[test]
fn text_that_would_become_an_escape_is_rejected() {
    for text in ["_x1e50\u{1}", "a_x0041\u{ffff}b"] {
        let error = case(&[text, "b"], &["7", "7"]).write(1, Limits::default()).unwrap_err();
        assert!(!error.to_string().contains(text), "{error}");
    }
    for text in ["_x1e5\u{1}", "_x1e50_", "_x1e50a", "x1e50\u{1}"] {
        case(&[text, "b"], &["7", "7"]).write(1, Limits::default()).unwrap();
    }
}

proptest! {
    #[test]
    fn sheet_text_round_trips(cities in proptest::collection::vec(text(), 1..8)) {
        let texts: Vec<&str> = cities.iter().map(String::as_str).collect();
        let ages = vec!["7"; texts.len()];
        let out = case(&texts, &ages).write(1, Limits::default()).unwrap();
        let mut got: Vec<&str> = out.rows.iter().map(|row| row[1].as_str()).collect();
        let mut expected = texts;
        got.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(got, expected);
    }
}
