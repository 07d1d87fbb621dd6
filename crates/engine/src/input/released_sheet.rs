//! Validates spreadsheets that contain the rows of a release.
//!
//! Every program must see the same cells, and the file must not contain anything else. Spreadsheets
//! can hide content in many ways: hidden rows and sheets, notes, and formats that display a
//! different value. Therefore, a file is accepted only if it is as plain as the files that
//! [`crate::output`] writes. It must contain only known parts and elements, each cell once, and a
//! single spelling for each value.

use std::borrow::Cow;
use std::io::{BufReader, Read};
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::opened::Sources;
use crate::EngineError;
use crate::cell_text;

/// Path of the sheet in the archive.
const SHEET: &str = "xl/worksheets/sheet1.xml";

/// The other parts of the archive, with the elements that may contain text.
const PARTS: [(&str, &[&str]); 8] = [
    ("[Content_Types].xml", &[]),
    ("_rels/.rels", &[]),
    ("docProps/core.xml", &["dcterms:created", "dcterms:modified"]),
    (
        "docProps/app.xml",
        &[
            "Application",
            "DocSecurity",
            "ScaleCrop",
            "vt:lpstr",
            "vt:i4",
            "LinksUpToDate",
            "SharedDoc",
            "HyperlinksChanged",
            "AppVersion",
        ],
    ),
    ("xl/workbook.xml", &[]),
    ("xl/_rels/workbook.xml.rels", &[]),
    ("xl/styles.xml", &[]),
    ("xl/theme/theme1.xml", &[]),
];

/// Elements that a workbook may contain, with their attributes.
const BOOK: [(&str, &[&str]); 8] = [
    ("workbook", &["xmlns", "xmlns:r"]),
    ("fileVersion", &["appName", "lastEdited", "lowestEdited", "rupBuild"]),
    ("workbookPr", &["defaultThemeVersion"]),
    ("bookViews", &[]),
    ("workbookView", &["xWindow", "yWindow", "windowWidth", "windowHeight"]),
    ("sheets", &[]),
    ("sheet", &["name", "sheetId", "r:id"]),
    ("calcPr", &["calcId", "fullCalcOnLoad"]),
];

/// Elements that a sheet may contain, with their attributes.
const OF_SHEET: [(&str, &[&str]); 12] = [
    ("worksheet", &["xmlns", "xmlns:r"]),
    ("dimension", &["ref"]),
    ("sheetViews", &[]),
    ("sheetView", &["tabSelected", "workbookViewId"]),
    ("sheetFormatPr", &["defaultRowHeight"]),
    ("sheetData", &[]),
    ("row", &["r", "spans"]),
    ("c", &["r", "t"]),
    ("v", &[]),
    ("is", &[]),
    ("t", &["xml:space"]),
    ("pageMargins", &["left", "right", "top", "bottom", "header", "footer"]),
];

/// Parses text as a number if a spreadsheet stores and displays the number unchanged: a plain
/// decimal number of at most 15 digits.
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
    let broken = |_| not_plain("the file is not a valid zip archive".to_owned());
    let mut archive = ZipArchive::new(BufReader::new(sources.random(path)?)).map_err(broken)?;
    let names = archive.file_names().map(|name| name.map(Cow::into_owned));
    let names = names.collect::<Result<Vec<String>, _>>().map_err(broken)?;
    let is_known = |name: &String| name == SHEET || PARTS.iter().any(|(known, _)| known == name);
    if let Some(other) = names.iter().find(|name| !is_known(name)) {
        return Err(not_plain(format!(
            "the archive contains the unexpected part '{}'",
            other.escape_debug()
        )));
    }
    for name in names {
        let part = archive.by_name(&name).map_err(broken)?;
        let part = Part { name: &name, reader: Reader::from_reader(BufReader::new(part)) };
        let checked = match PARTS.iter().find(|(known, _)| *known == name) {
            Some((_, texts)) => part.check_words(texts),
            None => part.check_cells(),
        };
        checked.map_err(not_plain)?;
    }
    Ok(())
}

/// A part of the archive.
struct Part<'a, R> {
    name: &'a str,
    reader: Reader<BufReader<R>>,
}

/// Result of a check; the error describes the problem without cells.
type Checked = Result<(), String>;

impl<R: Read> Part<'_, R> {
    /// Checks a part without rows. Text may occur only in known elements, and settings that affect
    /// the sheet must have their expected values.
    fn check_words(mut self, texts: &[&str]) -> Checked {
        let (mut buffer, mut open) = (Vec::new(), Vec::<String>::new());
        let mut n_sheets = 0;
        loop {
            buffer.clear();
            let event = self.reader.read_event_into(&mut buffer);
            match event.map_err(|_| format!("'{}' is not valid XML", self.name))? {
                Event::Start(element) => {
                    n_sheets += u32::from(element.name().as_ref() == "sheet");
                    self.check_element(&element)?;
                    open.push(name_of(&element));
                }
                Event::Empty(element) => {
                    n_sheets += u32::from(element.name().as_ref() == "sheet");
                    self.check_element(&element)?;
                }
                Event::End(_) => {
                    open.pop();
                }
                Event::Text(text) => {
                    let is_blank = text.trim().is_empty();
                    let is_known = open.last().is_some_and(|it| texts.contains(&it.as_str()));
                    if !is_blank && !is_known {
                        return Err(format!("'{}' contains unexpected text", self.name));
                    }
                }
                Event::Decl(_) => {}
                Event::Eof if self.name == "xl/workbook.xml" && n_sheets != 1 => {
                    return Err("the number of sheets is not one".to_owned());
                }
                Event::Eof => return Ok(()),
                _ => {
                    return Err(format!(
                        "'{}' contains a comment or another unexpected item",
                        self.name
                    ));
                }
            }
        }
    }

    /// Checks an element of a part without rows.
    fn check_element(&self, element: &BytesStart<'_>) -> Checked {
        let value = |name: &str| attribute(element, name);
        match self.name {
            "xl/workbook.xml" => check_known(element, &BOOK, self.name),
            // The relationships determine which part is the sheet.
            "xl/_rels/workbook.xml.rels" if element.name().as_ref() == "Relationship" => {
                let is_sheet = value("Type").is_some_and(|it| it.ends_with("/worksheet"));
                let names_sheet = value("Target").is_some_and(|it| it == "worksheets/sheet1.xml");
                match is_sheet == names_sheet && value("TargetMode").is_none() {
                    true => Ok(()),
                    false => Err("a relationship refers to an unexpected sheet".to_owned()),
                }
            }
            // Number formats determine how values are displayed.
            "xl/styles.xml" => {
                let shows_otherwise = element.name().as_ref() == "numFmt"
                    || value("numFmtId").is_some_and(|it| it != "0");
                match shows_otherwise {
                    true => Err("a number format changes how values are displayed".to_owned()),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Checks the sheet.
    fn check_cells(mut self) -> Checked {
        let mut cells = Cells::default();
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            let event = self.reader.read_event_into(&mut buffer);
            match event.map_err(|_| format!("'{}' is not valid XML", self.name))? {
                Event::Start(element) => {
                    check_known(&element, &OF_SHEET, self.name)?;
                    cells.start(&element)?;
                }
                Event::Empty(element) => {
                    check_known(&element, &OF_SHEET, self.name)?;
                    match element.name().as_ref() {
                        "c" | "v" | "t" | "is" => {
                            return Err("a cell has no value".to_owned());
                        }
                        "row" => return Err("a row has no cells".to_owned()),
                        _ => {}
                    }
                }
                Event::End(element) => cells.end(element.name().as_ref())?,
                Event::Text(text) => {
                    cells.text(&text)?;
                }
                // Numbers never contain these entities.
                Event::GeneralRef(entity) => match &*entity {
                    "amp" | "lt" | "gt" | "quot" | "apos" => cells.text("&")?,
                    _ => return Err("a character is escaped unnecessarily".to_owned()),
                },
                Event::Decl(_) => {}
                Event::Eof => return Ok(()),
                _ => {
                    return Err(
                        "the sheet contains a comment or another unexpected item".to_owned()
                    );
                }
            }
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
    columns: Vec<Spellings>,
    row: u32,
    column: usize,
    kind: Option<String>,
    /// Whether a cell has started and its value has not been read yet.
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
            None if text.trim().is_empty() => {}
            None => return Err("the sheet contains text outside of cells".to_owned()),
        }
        Ok(())
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

/// Returns whether the text starts like an escape without its underscore: `x0041_`.
fn is_escape_after_underscore(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = bytes.get(1..5).is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit));
    bytes.first() == Some(&b'x') && digits && bytes.get(5) == Some(&b'_')
}

/// Returns the column number, starting at 1, of a cell reference such as `AB7` in a row.
fn column_of(place: &str, row: u32) -> Option<usize> {
    let letters = place.strip_suffix(&row.to_string())?;
    let is_name =
        (1..=3).contains(&letters.len()) && letters.bytes().all(|it| it.is_ascii_uppercase());
    is_name.then(|| letters.bytes().fold(0, |n, letter| n * 26 + usize::from(letter - b'A') + 1))
}

/// Rejects elements and attributes that are not listed in `known`.
fn check_known(element: &BytesStart<'_>, known: &[(&str, &[&str])], part: &str) -> Checked {
    let name = name_of(element);
    let Some((_, attributes)) = known.iter().find(|(known, _)| *known == name) else {
        return Err(format!("'{part}' contains the unexpected element '{}'", name.escape_debug()));
    };
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|_| format!("'{part}' is not valid XML"))?;
        let named = attribute.key.as_ref();
        if !attributes.contains(&named) {
            return Err(format!(
                "the element '{name}' in '{part}' has the unexpected attribute '{}'",
                named.escape_debug()
            ));
        }
    }
    Ok(())
}

fn name_of(element: &BytesStart<'_>) -> String {
    element.name().as_ref().to_owned()
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    Some(element.try_get_attribute(name).ok()??.value.into_owned())
}
