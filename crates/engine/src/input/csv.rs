//! Records and fields of CSV.
//!
//! A field that starts with a quote extends to the next quote that is not doubled. A doubled quote
//! represents one quote. Text between the closing quote and the delimiter is literal, as are quotes
//! elsewhere. Lines end with a line feed, with or without a preceding carriage return. Blank lines
//! are skipped. In a table with one column, however, every blank line except the last is a missing
//! value.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::records::{RECORD_LIMIT_BYTES, blank_lines, closing, first_end, skip};
use super::spec::TextLayout;
use super::stream::TextStream;
use super::{Format, InputColumn, Sources};
use crate::EngineError;

/// Delimiters that are suggested if the header has only one column.
const PLAUSIBLE: [u8; 4] = [b';', b',', b'\t', b'|'];

/// The position of each file column among the requested columns, if the column was requested.
pub(crate) type Slots = Vec<Option<usize>>;

/// An error at an offset in a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The record has an unexpected number of fields.
    Ragged {
        /// Number of fields in the record.
        got: usize,
        /// Number of fields in the header.
        expected: usize,
    },
    /// The block contains invalid UTF-8.
    Utf8,
    /// A quoted field is not closed.
    OpenQuote,
    /// A line is not a JSON object, or its types differ from those of other lines.
    Json {
        /// Message of the parser.
        detail: String,
    },
}

/// An error, with its position relative to the start of the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FlawAt {
    pub(crate) flaw: Flaw,
    /// Number of complete lines before the error.
    pub(crate) lines_before: u64,
    /// Number of complete rows before the error.
    pub(crate) rows_before: u64,
}

impl FlawAt {
    pub(crate) fn new(flaw: Flaw, bytes: &[u8], offset: usize, rows_before: u64) -> Self {
        Self { flaw, lines_before: count_lines(&bytes[..offset]), rows_before }
    }

    /// Converts the error for reporting, given the number of lines and rows before the block in its
    /// file.
    pub(crate) fn locate(self, path: &Path, lines: u64, rows: u64) -> EngineError {
        let path = path.to_owned();
        let line = lines + self.lines_before + 1;
        match self.flaw {
            Flaw::Ragged { got, expected } => {
                EngineError::Ragged { path, line, row: rows + self.rows_before + 1, got, expected }
            }
            Flaw::Utf8 => EngineError::InvalidUtf8 { path, line },
            Flaw::OpenQuote => {
                EngineError::OpenQuote { path, line, limit_bytes: RECORD_LIMIT_BYTES }
            }
            Flaw::Json { detail } => EngineError::InvalidJson { path, line, detail },
        }
    }
}

pub(crate) fn count_lines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Checks that a block is valid UTF-8.
pub(crate) fn check_utf8(bytes: &[u8], body: usize) -> Result<(), FlawAt> {
    if simdutf8::basic::from_utf8(bytes).is_ok() {
        return Ok(());
    }
    let offset =
        simdutf8::compat::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let rows = count_lines(&bytes[body.min(offset)..offset]);
    Err(FlawAt::new(Flaw::Utf8, bytes, offset, rows))
}

/// Receives the fields of the requested columns row by row.
pub(crate) trait Fields {
    /// Receives the field `bytes[start..end]` of a row for the given slot.
    fn field(&mut self, slot: usize, bytes: &[u8], start: usize, end: usize);
}

/// Splits complete records into fields and returns the number of rows. The bytes before `body` are
/// the header.
pub(crate) fn parse(
    bytes: &[u8],
    body: usize,
    delimiter: u8,
    quoted: bool,
    slots: &Slots,
    fields: &mut impl Fields,
) -> Result<u64, FlawAt> {
    let parsed = if quoted {
        parse_quoted(bytes, body, delimiter, slots, fields)
    } else {
        parse_plain(bytes, body, delimiter, slots, fields)
    };
    parsed.map_err(|ragged| {
        let flaw = Flaw::Ragged { got: ragged.got, expected: slots.len() };
        FlawAt::new(flaw, bytes, ragged.start, ragged.row)
    })
}

struct RaggedRecord {
    start: usize,
    row: u64,
    got: usize,
}

fn parse_plain(
    bytes: &[u8],
    body: usize,
    delimiter: u8,
    slots: &Slots,
    fields: &mut impl Fields,
) -> Result<u64, RaggedRecord> {
    let n_columns = slots.len();
    let (mut row, mut column, mut start, mut record) = (0, 0, body, body);
    for at in memchr::memchr2_iter(delimiter, b'\n', &bytes[body..]) {
        let at = body + at;
        if bytes[at] == delimiter {
            if let Some(&Some(slot)) = slots.get(column) {
                fields.field(slot, bytes, start, at);
            }
            column += 1;
            start = at + 1;
            continue;
        }
        let end = without_return(bytes, start, at);
        let blank = column == 0 && start == end && n_columns > 1;
        if !blank {
            if column + 1 != n_columns {
                return Err(RaggedRecord { start: record, row, got: column + 1 });
            }
            if let Some(slot) = slots[column] {
                fields.field(slot, bytes, start, end);
            }
            row += 1;
        }
        column = 0;
        start = at + 1;
        record = start;
    }
    Ok(row)
}

fn parse_quoted(
    bytes: &[u8],
    body: usize,
    delimiter: u8,
    slots: &Slots,
    fields: &mut impl Fields,
) -> Result<u64, RaggedRecord> {
    let n_columns = slots.len();
    let (mut row, mut column, mut start, mut record) = (0, 0, body, body);
    let mut scratch = Vec::new();
    while start < bytes.len() {
        let field = Field::scan(bytes, start, delimiter);
        let blank = field.last && column == 0 && field.end == start && n_columns > 1;
        if let Some(&Some(slot)) = slots.get(column)
            && !blank
        {
            match field.plain(bytes) {
                Some(range) => fields.field(slot, bytes, range.start, range.end),
                None => {
                    field.unquote(bytes, &mut scratch);
                    fields.field(slot, &scratch, 0, scratch.len());
                }
            }
        }
        column += 1;
        start = field.at + 1;
        if field.last {
            if !blank {
                if column != n_columns {
                    return Err(RaggedRecord { start: record, row, got: column });
                }
                row += 1;
            }
            column = 0;
            record = start;
        }
    }
    Ok(row)
}

/// The position of a field, which may be quoted.
struct Field {
    start: usize,
    /// Position after the closing quote, or the start of an unquoted field.
    closed: usize,
    /// Position after the last byte.
    end: usize,
    /// Position of the delimiter or line feed after the field.
    at: usize,
    /// Whether the field is the last one of its record.
    last: bool,
}

impl Field {
    /// Finds the end of the field at `start` in a buffer of complete records.
    fn scan(bytes: &[u8], start: usize, delimiter: u8) -> Self {
        let closed = match bytes[start] {
            b'"' => closing(bytes, start + 1).expect("a record contains complete fields"),
            _ => start,
        };
        let at = closed
            + memchr::memchr2(delimiter, b'\n', &bytes[closed..])
                .expect("a record ends with a line ending");
        let last = bytes[at] == b'\n';
        let end = if last { without_return(bytes, closed, at) } else { at };
        Self { start, closed, end, at, last }
    }

    /// Returns the range of the text if the text needs no unescaping.
    fn plain(&self, bytes: &[u8]) -> Option<Range<usize>> {
        if self.closed == self.start {
            return Some(self.start..self.end);
        }
        let inner = self.start + 1..self.closed - 1;
        let as_it_is = self.closed == self.end && !bytes[inner.clone()].contains(&b'"');
        as_it_is.then_some(inner)
    }

    /// Replaces the content of `out` with the unescaped text.
    fn unquote(&self, bytes: &[u8], out: &mut Vec<u8>) {
        out.clear();
        let mut rest = &bytes[self.start + 1..self.closed - 1];
        while let Some(at) = memchr::memchr(b'"', rest) {
            out.extend_from_slice(&rest[..=at]);
            rest = &rest[at + 2..];
        }
        out.extend_from_slice(rest);
        out.extend_from_slice(&bytes[self.closed..self.end]);
    }
}

fn without_return(bytes: &[u8], start: usize, at: usize) -> usize {
    if at > start && bytes[at - 1] == b'\r' { at - 1 } else { at }
}

/// Reads the header of a file.
pub(super) fn read_columns(
    sources: &Sources,
    path: &Path,
    layout: &TextLayout,
) -> Result<Vec<InputColumn>, EngineError> {
    let &TextLayout { delimiter, encoding, skipped, .. } = layout;
    let mut stream = TextStream::open(sources, path, Format::Csv)?.with_encoding(encoding)?;
    let mut bytes = Vec::new();
    let mut missing = 4096;
    let header = loop {
        let ended = stream.fill(&mut bytes, missing)? < missing;
        if is_utf16(&bytes) {
            return Err(EngineError::Utf16WithoutMark { path: path.to_owned() });
        }
        if bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        if ended && !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        let mut n_before = skipped.before_header;
        let above = skip(&bytes, delimiter, &mut n_before);
        let start = above + blank_lines(&bytes[above..]);
        if let Some(length) = first_end(&bytes[start..], delimiter) {
            break start..start + length;
        }
        if ended && start == bytes.len() {
            let path = path.to_owned();
            return Err(match skipped.before_header {
                0 => EngineError::EmptyFile { path },
                n_skipped => EngineError::AllSkipped { path, n_skipped },
            });
        }
        if ended || bytes.len() >= RECORD_LIMIT_BYTES {
            let line = count_lines(&bytes[..start]) + 1;
            return Err(EngineError::OpenQuote {
                path: path.to_owned(),
                line,
                limit_bytes: RECORD_LIMIT_BYTES,
            });
        }
        missing = bytes.len().max(4096);
    };
    let n_lines_before = count_lines(&bytes[..header.start]);
    let header = &bytes[header];
    check_utf8(header, header.len()).map_err(|flaw| flaw.locate(path, n_lines_before, 0))?;
    let lone_return =
        memchr::memchr_iter(b'\r', header).any(|at| header.get(at + 1) != Some(&b'\n'));
    if lone_return && !header.contains(&b'"') {
        return Err(EngineError::LineEnds { path: path.to_owned() });
    }
    if let Some(delimiter) = declared_to_spreadsheets(header) {
        return Err(EngineError::DelimiterLine { path: path.to_owned(), delimiter });
    }
    let names: Vec<String> = fields_of(header, delimiter).into_iter().map(|cell| cell.0).collect();
    if let [_] = names.as_slice()
        && let Some(suggestion) = other_delimiter(header, delimiter)
    {
        return Err(EngineError::OneColumn { path: path.to_owned(), delimiter, suggestion });
    }
    let text = |name| InputColumn { name, data_type: arrow_schema::DataType::Utf8 };
    Ok(names.into_iter().map(text).collect())
}

/// Detects UTF-16 without a byte order mark. In such a file, many of the first bytes are zero, and
/// all of them are either at even or at odd positions.
fn is_utf16(bytes: &[u8]) -> bool {
    let bytes = &bytes[..bytes.len().min(64) & !1];
    let zeros = |odd: usize| bytes.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    bytes.len() >= 8 && even.min(odd) == 0 && even.max(odd) * 4 > bytes.len()
}

/// Returns the delimiter that a first line such as `sep=;` declares. Such a line is not a header.
fn declared_to_spreadsheets(header: &[u8]) -> Option<u8> {
    let line = header.strip_suffix(b"\n").unwrap_or(header);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = line.strip_prefix(b"\"").and_then(|it| it.strip_suffix(b"\"")).unwrap_or(line);
    match line {
        [s, e, p, b'=', delimiter] if [*s, *e, *p].eq_ignore_ascii_case(b"sep") => Some(*delimiter),
        _ => None,
    }
}

/// The text of a cell, and whether the cell is quoted.
pub(super) type Cell = (String, bool);

/// Splits a complete record into fields and determines which fields are quoted.
pub(super) fn fields_of(bytes: &[u8], delimiter: u8) -> Vec<Cell> {
    let mut fields = Vec::new();
    let mut start = 0;
    loop {
        let field = Field::scan(bytes, start, delimiter);
        let mut text = Vec::new();
        match field.plain(bytes) {
            Some(range) => text.extend_from_slice(&bytes[range]),
            None => field.unquote(bytes, &mut text),
        }
        let is_quoted = field.closed > field.start;
        fields.push((String::from_utf8_lossy(&text).into_owned(), is_quoted));
        start = field.at + 1;
        if field.last {
            return fields;
        }
    }
}

/// Appends a cell and quotes it if RFC 4180 requires quotes.
pub(crate) fn push_cell(line: &mut Vec<u8>, text: &str, delimiter: u8) {
    let special = |byte: &u8| matches!(byte, b'"' | b'\n' | b'\r') || *byte == delimiter;
    if !text.as_bytes().iter().any(special) {
        line.extend_from_slice(text.as_bytes());
        return;
    }
    push_quoted(line, text);
}

/// Returns whether the name of the only column could be interpreted as several names with another
/// delimiter. Such a name is written with quotes.
pub(crate) fn is_ambiguous_alone(name: &str) -> bool {
    name.contains(PLAUSIBLE.map(char::from))
}

/// Appends a cell with quotes.
pub(crate) fn push_quoted(line: &mut Vec<u8>, text: &str) {
    line.push(b'"');
    for &byte in text.as_bytes() {
        if byte == b'"' {
            line.push(b'"');
        }
        line.push(byte);
    }
    line.push(b'"');
}

/// Returns another plausible delimiter that occurs outside quotes in a header with one column.
fn other_delimiter(header: &[u8], delimiter: u8) -> Option<u8> {
    let quoted_until = header.starts_with(b"\"").then(|| closing(header, 1)).flatten();
    let header = &header[quoted_until.unwrap_or(0)..];
    let count = |other: u8| memchr::memchr_iter(other, header).count();
    let others = PLAUSIBLE.into_iter().filter(|&other| other != delimiter && count(other) > 0);
    others.max_by_key(|&other| count(other))
}

/// Returns the delimiter that applies if the policy does not specify one.
pub(super) fn default_delimiter(files: &[PathBuf]) -> u8 {
    let tabs = files.first().is_some_and(|path| {
        let name = path.to_string_lossy().to_ascii_lowercase();
        [".tsv", ".tsv.gz", ".tsv.zst"].iter().any(|end| name.ends_with(end))
    });
    if tabs { b'\t' } else { b',' }
}

/// Checks that a byte is valid as a delimiter.
pub(super) fn check_delimiter(delimiter: u8) -> Result<u8, EngineError> {
    match delimiter {
        b'"' | b'\n' | b'\r' | 0 | 128.. => Err(EngineError::InvalidDelimiter { delimiter }),
        fine => Ok(fine),
    }
}
