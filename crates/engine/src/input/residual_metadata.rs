//! Finds the residual metadata of a CSV file, such as cells with an unusual notation.

use std::io::{BufRead, BufReader};
use std::path::Path;

use indistinct_core::Observer;

use super::Input;
use crate::{EngineError, files};

/// Content that a file has in addition to its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResidualMetadata {
    /// Stable name of the inspected property.
    pub about: &'static str,
    /// Number of findings: entries, values, lines, or cells.
    pub n_found: u64,
    /// Whether the findings disclose information that is not in the rows.
    pub leaks: bool,
}

impl ResidualMetadata {
    fn new(about: &'static str, leaks: bool, n_found: u64) -> Self {
        Self { about, n_found, leaks }
    }
}

/// Returns the residual metadata of CSV files.
pub(super) fn of_csv_files(
    input: &Input,
    observer: &dyn Observer,
) -> Result<Vec<ResidualMetadata>, EngineError> {
    let of_file = |path| of_csv(path, input.delimiter().unwrap_or(b','), observer);
    let found: Vec<_> = input.files().iter().map(|path| of_file(path)).collect::<Result<_, _>>()?;
    Ok(found.concat())
}

fn of_csv(
    path: &Path,
    delimiter: u8,
    observer: &dyn Observer,
) -> Result<Vec<ResidualMetadata>, EngineError> {
    let read = |source| EngineError::Read { path: path.to_owned(), source };
    let mut file = BufReader::with_capacity(1 << 20, files::open_given(path, files::NO_LIMIT)?);
    let (mut line, mut n_lines) = (Vec::new(), 0u64);
    let (mut n_crlf, mut n_blank, mut n_needless) = (0u64, 0u64, 0u64);
    let mut is_open = false;
    let mut has_mark = false;
    loop {
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        line.clear();
        if file.read_until(b'\n', &mut line).map_err(read)? == 0 {
            break;
        }
        if n_lines == 0 {
            has_mark = line.starts_with(b"\xef\xbb\xbf");
        }
        n_lines += 1;
        let mut content = line.strip_suffix(b"\n").unwrap_or(&line);
        if let Some(without) = content.strip_suffix(b"\r") {
            (content, n_crlf) = (without, n_crlf + 1);
        }
        let was_open = is_open;
        if content.contains(&b'"') {
            is_open ^= content.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
        }
        if was_open || is_open {
            continue;
        }
        n_blank += u64::from(
            content.last().is_some_and(|byte| matches!(byte, b' ' | b'\t') && *byte != delimiter),
        );
        n_needless += u64::from(content.contains(&b'"') && has_needless_quotes(content, delimiter));
    }
    let mixed = n_crlf > 0 && n_crlf < n_lines;
    Ok(vec![
        ResidualMetadata::new("csv-byte-order-mark", false, u64::from(has_mark)),
        ResidualMetadata::new("csv-line-ends", mixed, if mixed { n_crlf } else { 0 }),
        ResidualMetadata::new("csv-blanks", n_blank > 0 && n_blank < n_lines, n_blank),
        ResidualMetadata::new("csv-quotes", n_needless > 0 && n_needless + 1 < n_lines, n_needless),
    ])
}

/// Returns whether a line without quoted line breaks contains a quoted cell that does not require
/// quotes.
fn has_needless_quotes(line: &[u8], delimiter: u8) -> bool {
    let mut rest = line;
    loop {
        if let Some(quoted) = rest.strip_prefix(b"\"") {
            let mut at = 0;
            let mut is_plain = true;
            while at < quoted.len() {
                match quoted[at] {
                    b'"' if quoted.get(at + 1) == Some(&b'"') => (is_plain, at) = (false, at + 2),
                    b'"' => break,
                    byte => {
                        is_plain &= byte != delimiter;
                        at += 1;
                    }
                }
            }
            // Quotes may distinguish an empty cell from a blank line, or preserve a leading or
            // trailing space.
            let edge = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b' ' | b'\t'));
            let cell = &quoted[..at.min(quoted.len())];
            if is_plain && !cell.is_empty() && !edge(cell.first()) && !edge(cell.last()) {
                return true;
            }
            rest = quoted.get(at + 1..).unwrap_or_default();
        }
        match rest.iter().position(|byte| *byte == delimiter) {
            Some(at) => rest = &rest[at + 1..],
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use indistinct_core::Silent;

    use super::*;

    fn csv(text: &str) -> Vec<&'static str> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.csv");
        std::fs::write(&path, text).expect("written");
        let found = of_csv(&path, b',', &Silent).expect("the table can be read");
        found.iter().filter(|found| found.leaks).map(|found| found.about).collect()
    }

    #[test]
    fn inconsistently_formatted_csv_rows_are_detected() {
        assert!(csv("a,b\n1,\"x, y\"\n2,z\n\"he said \"\"no\"\"\",z\n").is_empty());
        assert_eq!(csv("a,b\n1,x\n2,y \n3,z\n"), ["csv-blanks"]);
        assert_eq!(csv("a,b\n1,x\r\n2,y\n"), ["csv-line-ends"]);
        assert_eq!(csv("a,b\n1,\"x\"\n2,y\n3,z\n"), ["csv-quotes"]);
        assert!(csv("a,b\r\n1,x\r\n2,y\r\n").is_empty());
        assert!(csv("a,b\n1,\"two\nlines \"\n2,y\n").is_empty());
    }
}
