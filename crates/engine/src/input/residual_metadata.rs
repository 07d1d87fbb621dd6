//! Finds the residual metadata of a file, such as metadata entries, unused dictionary entries, and
//! cells with an unusual notation.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_schema::DataType;
use indistinct_core::Observer;
use parquet::file::statistics::Statistics;

use super::parquet::ParquetFile;
use super::{Input, Sources};
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

/// Returns the residual metadata of Parquet files.
pub(super) fn of_parquet_files(
    input: &Input,
    observer: &dyn Observer,
) -> Result<Vec<ResidualMetadata>, EngineError> {
    let mut found = Vec::new();
    for path in input.files() {
        found.extend(of_parquet(input.sources(), path)?);
    }
    found.extend(of_dictionaries(input, observer)?);
    Ok(found)
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

fn of_parquet(sources: &Sources, path: &Path) -> Result<Vec<ResidualMetadata>, EngineError> {
    let opened = ParquetFile::open(sources, path)?;
    let metadata = opened.metadata();
    let file = metadata.metadata().file_metadata();
    let creator = file.created_by().unwrap_or_default();
    let is_plain = !creator.contains(['/', '\\', '@']);
    let entries: Vec<&str> = file
        .key_value_metadata()
        .into_iter()
        .flatten()
        .map(|entry| entry.key.as_str())
        // The entry `ARROW:schema` describes only the types of the columns.
        .filter(|key| *key != "ARROW:schema")
        .collect();
    let schema = metadata.schema();
    let n_notes = schema.metadata().keys().filter(|key| *key != "ARROW:schema").count()
        + schema.fields().iter().filter(|field| !field.metadata().is_empty()).count();
    let n_entries = entries.len().max(n_notes) as u64;
    Ok(vec![
        ResidualMetadata::new("parquet-creator", !is_plain, u64::from(!is_plain)),
        ResidualMetadata::new("parquet-metadata", n_entries > 0, n_entries),
    ])
}

/// Finds values in dictionaries and in statistics (minima and maxima) that occur in no row.
fn of_dictionaries(
    input: &Input,
    observer: &dyn Observer,
) -> Result<Vec<ResidualMetadata>, EngineError> {
    let texts: Vec<String> = input
        .columns()
        .iter()
        .filter(|column| {
            matches!(column.data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
        })
        .map(|column| column.name.clone())
        .collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let mut used: Vec<BTreeSet<String>> = vec![BTreeSet::new(); texts.len()];
    let mut stored: Vec<BTreeSet<String>> = vec![BTreeSet::new(); texts.len()];
    for batch in input.batches_with_dictionaries(&texts, &texts)? {
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let batch = batch?;
        for (at, column) in batch.columns().iter().enumerate() {
            let Some(dictionary) = column.as_any_dictionary_opt() else { continue };
            let Some(values) = dictionary.values().as_string_opt::<i32>() else { continue };
            // A text column with only missing values has an empty dictionary, in which no key can
            // be looked up.
            if values.is_empty() {
                continue;
            }
            let mut occurs = vec![false; values.len()];
            let keys = dictionary.normalized_keys();
            for (row, &key) in keys.iter().enumerate() {
                if column.is_valid(row) {
                    occurs[key] = true;
                }
            }
            for (value, occurs) in values.iter().zip(occurs) {
                let value = value.unwrap_or_default();
                if !stored[at].contains(value) {
                    stored[at].insert(value.to_owned());
                }
                if occurs && !used[at].contains(value) {
                    used[at].insert(value.to_owned());
                }
            }
        }
    }
    let (mut beyond, mut unlike) = (0, 0);
    for (at, name) in texts.iter().enumerate() {
        beyond += stored[at].difference(&used[at]).count();
        if stored[at].is_empty() {
            continue;
        }
        for path in input.files() {
            unlike += limits(input.sources(), path, name)?
                .iter()
                .filter(|limit| !used[at].contains(*limit))
                .count();
        }
    }
    Ok(vec![
        ResidualMetadata::new("parquet-dictionaries", beyond > 0, beyond as u64),
        ResidualMetadata::new("parquet-statistics", unlike > 0, unlike as u64),
    ])
}

/// Returns the exact minimum and maximum strings in the statistics of a column.
fn limits(sources: &Sources, path: &Path, column: &str) -> Result<Vec<String>, EngineError> {
    let file = ParquetFile::open(sources, path)?;
    let mut limits = Vec::new();
    for group in file.metadata().metadata().row_groups() {
        let of_column = |chunk: &&parquet::file::metadata::ColumnChunkMetaData| {
            chunk.column_path().parts().first().is_some_and(|name| name == column)
        };
        let Some(Statistics::ByteArray(values)) =
            group.columns().iter().find(of_column).and_then(|chunk| chunk.statistics())
        else {
            continue;
        };
        let exact = [
            values.min_opt().filter(|_| values.min_is_exact()),
            values.max_opt().filter(|_| values.max_is_exact()),
        ];
        let texts = exact.into_iter().flatten().filter_map(|bytes| bytes.as_utf8().ok());
        limits.extend(texts.map(str::to_owned));
    }
    Ok(limits)
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
