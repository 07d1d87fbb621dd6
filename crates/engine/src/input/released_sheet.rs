//! Validates spreadsheets that contain the rows of a release.
//!
//! Every program must see the same cells, and the file must not contain anything else. Spreadsheets
//! can hide content in many ways, such as hidden rows and sheets, notes, formats that display a
//! different value, and bytes around the parts of the archive. Therefore, a file is accepted only
//! if it has exactly the form of the files that [`crate::output`] writes. All parts except the
//! sheet have fixed content, the archive contains nothing else, and the sheet contains each cell
//! once and a single spelling for each value.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::CrcReader;
use flate2::bufread::DeflateDecoder;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use sha2::{Digest, Sha256};

use super::hashed::hexadecimal;
use super::opened::{FileCursor, Sources};
use crate::EngineError;
use crate::cell_text;

/// Path of the sheet in the archive.
const SHEET: &str = "xl/worksheets/sheet1.xml";

/// The parts of the archive in order, with the SHA-256 of the content of all parts except the
/// sheet. If a new version of the writer changes a part, the old digest remains valid.
const PARTS: [(&str, &[&str]); 9] = [
    ("[Content_Types].xml", &["c9e07af4a58801f88cc56b609f1a3e4f93f575d8a2eddf54759f8bb134638699"]),
    ("_rels/.rels", &["1285b20099c64699001f9d90ea040ca1c177fa99bc3ae8a841128874820f01a4"]),
    (
        "xl/_rels/workbook.xml.rels",
        &["075a012b1fb44946d69250bb48a45a73635f2217f3817d017b347b0e65f1af66"],
    ),
    ("xl/theme/theme1.xml", &["2ae67d22f62446056cd1529a3c2dbacd366f0983bb6b2ee3960b6ceb5070c5ee"]),
    ("xl/styles.xml", &["b955eec7bf81e3497213a0e029a3d7837f6dd31fc9c30c829ac7358fe294b23c"]),
    ("xl/workbook.xml", &["e6720cae413d58dafa3e0e1f4a4e9dd500bd5a0d666eec2c7ad9a8b368cb4be0"]),
    (SHEET, &[]),
    ("docProps/core.xml", &["71295deeb8d04e6d974eff2004b5f04d4be55728194747e6f561c2e027d0a285"]),
    ("docProps/app.xml", &["a070502911b13814909f90105cfc0435336308149803b94c41cb946088390dc2"]),
];

/// Content of the XML declaration.
const DECLARATION: &str = "xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"";

/// Name and value of an XML attribute. The value `None` means that other code checks the value.
type Attribute = (&'static str, Option<&'static str>);

/// Elements that a sheet may contain, with their attributes.
const OF_SHEET: [(&str, &[Attribute]); 12] = [
    (
        "worksheet",
        &[
            ("xmlns", Some("http://schemas.openxmlformats.org/spreadsheetml/2006/main")),
            (
                "xmlns:r",
                Some("http://schemas.openxmlformats.org/officeDocument/2006/relationships"),
            ),
        ],
    ),
    ("dimension", &[("ref", None)]),
    ("sheetViews", &[]),
    ("sheetView", &[("tabSelected", Some("1")), ("workbookViewId", Some("0"))]),
    ("sheetFormatPr", &[("defaultRowHeight", Some("15"))]),
    ("sheetData", &[]),
    ("row", &[("r", None)]),
    ("c", &[("r", None), ("t", None)]),
    ("v", &[]),
    ("is", &[]),
    ("t", &[("xml:space", Some("preserve"))]),
    (
        "pageMargins",
        &[
            ("left", Some("0.7")),
            ("right", Some("0.7")),
            ("top", Some("0.75")),
            ("bottom", Some("0.75")),
            ("header", Some("0.3")),
            ("footer", Some("0.3")),
        ],
    ),
];

/// Parses text as a number if a spreadsheet stores and displays the number unchanged. Such a number
/// is a plain decimal number of at most 15 digits.
pub(crate) fn number_of(text: &str) -> Option<f64> {
    let n_digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
    if !is_plain || n_digits > 15 {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    let again = arrow_array::Float64Array::from(vec![number]);
    cell_text(&again, 0, "").is_ok_and(|again| again == text).then_some(number)
}

/// Parses text as a truth value.
pub(crate) fn truth_of(text: &str) -> Option<bool> {
    match text {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Rejects a spreadsheet that contains anything but rows, or cells that other programs may display
/// differently.
pub(super) fn check(sources: &Sources, path: &Path) -> Result<(), EngineError> {
    let not_plain = |what: String| EngineError::NotPlain { path: path.to_owned(), what };
    let file = BufReader::new(sources.random(path)?);
    let mut archive = Archive { file, at: 0, directory: Vec::new() };
    for (name, digests) in PARTS {
        archive.part(name, digests).map_err(not_plain)?;
    }
    archive.end().map_err(not_plain)
}

/// Result of a check; the error describes the problem without cells.
type Checked = Result<(), String>;

/// A zip archive that is read from start to end. All bytes except the content of the parts are
/// compared with the expected bytes.
struct Archive {
    file: BufReader<FileCursor>,
    at: u64,
    /// The expected content of the directory at the end of the archive.
    directory: Vec<u8>,
}

impl Archive {
    /// Checks that the archive continues with the given bytes.
    fn expect(&mut self, bytes: &[u8]) -> Checked {
        let mut found = vec![0; bytes.len()];
        self.at += bytes.len() as u64;
        match self.file.read_exact(&mut found) {
            Ok(()) if found == bytes => Ok(()),
            _ => Err("the archive contains an unexpected part or unexpected bytes".to_owned()),
        }
    }

    /// Checks the next part.
    fn part(&mut self, name: &str, digests: &[&str]) -> Checked {
        let start = self.at;
        // These fields specify version 2.0, sizes after the content, deflate compression, and the
        // date January 1, 1980.
        let format: [u16; 5] = [20, 8, 8, 0, 33];
        let format = format.map(u16::to_le_bytes).concat();
        let lengths = [(name.len() as u16).to_le_bytes(), [0; 2]].concat();
        let header = [&b"PK\x03\x04"[..], &format, &[0; 12], &lengths, name.as_bytes()];
        self.expect(&header.concat())?;
        let mut content = CrcReader::new(DeflateDecoder::new(&mut self.file));
        match name {
            SHEET => check_cells(&mut BufReader::new(&mut content))?,
            _ => {
                let mut digest = Sha256::new();
                io::copy(&mut content, &mut digest).map_err(|_| format!("'{name}' is damaged"))?;
                if !digests.contains(&hexadecimal(&digest.finalize()).as_str()) {
                    return Err(format!("the part '{name}' has unexpected content"));
                }
            }
        }
        let crc = content.crc().sum();
        let decoder = content.into_inner();
        let sizes = [decoder.total_in(), decoder.total_out()];
        self.at += sizes[0];
        let small = |number: u64| {
            let number = u32::try_from(number);
            number.map(u32::to_le_bytes).map_err(|_| "the archive is too large".to_owned())
        };
        let sizes = [crc.to_le_bytes(), small(sizes[0])?, small(sizes[1])?].concat();
        self.expect(&[&b"PK\x07\x08"[..], &sizes].concat())?;
        // The entry describes a regular file with the mode 0600 that was written on Unix.
        let entry = [&b"PK\x01\x02"[..], &[20, 3], &format, &sizes, &lengths];
        self.directory.extend(entry.concat());
        self.directory.extend([0; 6]);
        self.directory.extend((0o100_600_u32 << 16).to_le_bytes());
        self.directory.extend(small(start)?);
        self.directory.extend_from_slice(name.as_bytes());
        Ok(())
    }

    /// Checks the directory and the end of the archive.
    fn end(mut self) -> Checked {
        let number = |number: u64| (number as u32).to_le_bytes();
        let (size, start) = (self.directory.len() as u64, self.at);
        let n_parts = (PARTS.len() as u16).to_le_bytes();
        let mut end = std::mem::take(&mut self.directory);
        let counts = [&[0; 4][..], &n_parts, &n_parts].concat();
        end.extend([&b"PK\x05\x06"[..], &counts, &number(size), &number(start), &[0; 2]].concat());
        self.expect(&end)?;
        match self.file.fill_buf() {
            Ok([]) => Ok(()),
            _ => Err("the archive is followed by unexpected bytes".to_owned()),
        }
    }
}

/// Checks the sheet.
fn check_cells(content: &mut dyn BufRead) -> Checked {
    let mut reader = Reader::from_reader(content);
    let mut cells = Cells::default();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        match event.map_err(|_| "the sheet is not valid XML".to_owned())? {
            Event::Start(element) => {
                check_known(&element)?;
                cells.start(&element)?;
            }
            Event::Empty(element) => {
                check_known(&element)?;
                match element.name().as_ref() {
                    "c" | "v" | "t" | "is" => return Err("a cell has no value".to_owned()),
                    "row" => return Err("a row has no cells".to_owned()),
                    "dimension" => cells.declared = attribute(&element, "ref").unwrap_or_default(),
                    _ => {}
                }
            }
            Event::End(element) => cells.end(element.name().as_ref())?,
            Event::Text(text) => cells.text(&text)?,
            // Numbers never contain these entities.
            Event::GeneralRef(entity) => match &*entity {
                "amp" | "lt" | "gt" | "quot" | "apos" => cells.text("&")?,
                _ => return Err("a character is escaped unnecessarily".to_owned()),
            },
            Event::Decl(declared) if &*declared == DECLARATION => {}
            Event::Eof => return cells.check_dimension(),
            _ => return Err("the sheet contains a comment or another unexpected item".to_owned()),
        }
    }
}

/// Kinds of cells that occur in a column.
#[derive(Debug, Clone, Copy, Default)]
struct Spellings {
    number: bool,
    number_as_text: bool,
    truth: bool,
    truth_as_text: bool,
}

/// State while reading the cells of a sheet.
#[derive(Debug, Default)]
struct Cells {
    /// Declared range of the cells.
    declared: String,
    columns: Vec<Spellings>,
    row: u32,
    column: usize,
    kind: Option<String>,
    /// Whether a cell has started but its value has not been read yet.
    is_open: bool,
    content: Option<String>,
}

impl Cells {
    fn start(&mut self, element: &BytesStart<'_>) -> Checked {
        match element.name().as_ref() {
            "row" => {
                let row = attribute(element, "r").and_then(|it| it.parse().ok());
                if row != Some(self.row + 1) {
                    return Err("the rows are not numbered consecutively".to_owned());
                }
                (self.row, self.column) = (self.row + 1, 0);
            }
            "c" => {
                let place = attribute(element, "r").unwrap_or_default();
                let column = column_of(&place, self.row).filter(|column| *column > self.column);
                self.column = column.ok_or("the cells of a row are not in order")?;
                self.kind = attribute(element, "t");
                self.is_open = true;
            }
            "v" | "t" => self.content = Some(String::new()),
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Checked {
        match &mut self.content {
            Some(content) => content.push_str(text),
            // The only text allowed outside of cells is the line feed after the XML declaration.
            None if text == "\n" && self.declared.is_empty() => {}
            None => return Err("the sheet contains text outside of cells".to_owned()),
        }
        Ok(())
    }

    /// Checks that the declared range is exactly the range of the cells.
    fn check_dimension(&self) -> Checked {
        let (column, mut letters) = (self.columns.len(), String::new());
        let mut rest = column;
        while rest > 0 {
            letters.insert(0, char::from(b'A' + ((rest - 1) % 26) as u8));
            rest = (rest - 1) / 26;
        }
        let expected = match (column, self.row) {
            (1, 1) => "A1".to_owned(),
            (_, row) => format!("A1:{letters}{row}"),
        };
        match self.declared == expected {
            true => Ok(()),
            false => Err("the sheet declares another range than that of its cells".to_owned()),
        }
    }

    fn end(&mut self, name: &str) -> Checked {
        if !matches!(name, "v" | "t") {
            return Ok(());
        }
        let content = self.content.take().unwrap_or_default();
        if !std::mem::take(&mut self.is_open) {
            return Err("a cell has two values, or a value is outside of cells".to_owned());
        }
        if self.columns.len() < self.column {
            self.columns.resize(self.column, Spellings::default());
        }
        let observed = &mut self.columns[self.column - 1];
        match (self.kind.as_deref(), name) {
            (None, "v") if number_of(&content).is_some() => observed.number = true,
            (None, "v") => return Err("a number is not in its standard notation".to_owned()),
            (Some("b"), "v") if matches!(content.as_str(), "0" | "1") => observed.truth = true,
            (Some("inlineStr"), "t") => {
                if content.is_empty() {
                    return Err("a cell contains an empty text, which is read as a missing value"
                        .to_owned());
                }
                if has_needless_escape(&content) {
                    return Err("a character is escaped unnecessarily".to_owned());
                }
                // Column names are not values.
                if self.row > 1 {
                    observed.number_as_text |= number_of(&content).is_some();
                    observed.truth_as_text |= truth_of(&content).is_some();
                }
            }
            _ => return Err("a cell is neither a number, a truth value, nor a text".to_owned()),
        }
        match (observed.number && observed.number_as_text)
            || (observed.truth && observed.truth_as_text)
        {
            true => {
                Err("a column contains equal values as text and as numbers or truth values"
                    .to_owned())
            }
            false => Ok(()),
        }
    }
}

/// Returns whether the text contains an escape such as `_x0035_` for a character that does not
/// require one.
fn has_needless_escape(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let digits = rest.get(at + 2..at + 6);
        let digits = digits.filter(|it| it.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let is_escape = rest.as_bytes().get(at + 6) == Some(&b'_');
        match digits.filter(|_| is_escape).and_then(|it| u32::from_str_radix(it, 16).ok()) {
            // An underscore is escaped only if the text would otherwise be read as an escape.
            Some(0x5f) if !is_escape_after_underscore(&rest[at + 7..]) => return true,
            Some(code) if code >= 0x20 && !matches!(code, 0x5f | 0xfffe | 0xffff) => return true,
            // The trailing underscore of an escape does not start another escape.
            Some(_) => rest = &rest[at + 7..],
            None => rest = &rest[at + 2..],
        }
    }
    false
}

/// Returns whether the text starts with an escape whose initial underscore is missing: `x0041_`.
fn is_escape_after_underscore(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = bytes.get(1..5).is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit));
    bytes.first() == Some(&b'x') && digits && bytes.get(5) == Some(&b'_')
}

/// Returns the column number, starting at 1, of a reference such as `AB7` to a cell in this row.
fn column_of(place: &str, row: u32) -> Option<usize> {
    let letters = place.strip_suffix(&row.to_string())?;
    let is_name =
        (1..=3).contains(&letters.len()) && letters.bytes().all(|it| it.is_ascii_uppercase());
    is_name.then(|| letters.bytes().fold(0, |n, letter| n * 26 + usize::from(letter - b'A') + 1))
}

/// Rejects unknown elements, attributes, and attribute values.
fn check_known(element: &BytesStart<'_>) -> Checked {
    let name = element.name().as_ref().to_owned();
    let unknown = || format!("the sheet contains the unexpected element '{}'", name.escape_debug());
    let (_, known) = OF_SHEET.iter().find(|(known, _)| *known == name).ok_or_else(unknown)?;
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|_| "the sheet is not valid XML".to_owned())?;
        let named = attribute.key.as_ref();
        let is_known = known.iter().any(|(key, value)| {
            *key == named && value.is_none_or(|value| attribute.value == value)
        });
        if !is_known {
            return Err(format!(
                "the element '{name}' has the unexpected attribute '{}' or value",
                named.escape_debug()
            ));
        }
    }
    Ok(())
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    Some(element.try_get_attribute(name).ok()??.value.into_owned())
}
