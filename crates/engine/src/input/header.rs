//! Detects whether the first line of a CSV file is a header.
//!
//! Without a header, the cells of the first row would become column names, and data about a person
//! would appear wherever columns are listed. Messages explain the detection without quoting cells.

use std::collections::HashSet;
use std::path::Path;

use super::csv::{Cell, fields_of};
use super::records::{blank_lines, first_end};
use super::stream::TextStream;
use super::{Encoding, Format, Sources};
use crate::EngineError;

/// Maximum size of the inspected sample, in bytes and in rows.
const SAMPLE_BYTES: usize = 256 * 1024;
const SAMPLE_ROWS: usize = 500;
/// Minimum length of a sequence of consecutive numbers, such as years, that are accepted as column
/// names.
const RUN: usize = 3;

/// Rejects a first line that looks like a row.
pub(super) fn check(
    sources: &Sources,
    path: &Path,
    delimiter: u8,
    encoding: Encoding,
) -> Result<(), EngineError> {
    let mut stream = TextStream::open(sources, path, Format::Csv)?.with_encoding(encoding)?;
    let mut bytes = Vec::new();
    let ended = stream.fill(&mut bytes, SAMPLE_BYTES)? < SAMPLE_BYTES;
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    if ended && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    let mut rows = Vec::new();
    let mut rest = bytes.as_slice();
    while let Some(end) = first_end(rest, delimiter).filter(|_| rows.len() <= SAMPLE_ROWS) {
        rows.push(fields_of(&rest[blank_lines(rest)..end], delimiter));
        rest = &rest[end..];
    }
    let Some((header, rows)) = rows.split_first() else { return Ok(()) };
    match why_a_row(header, rows) {
        Some(reason) => Err(EngineError::NoHeader { path: path.to_owned(), reason }),
        None => Ok(()),
    }
}

/// Rejects column names that look like a row, given the names and rows.
#[cfg(feature = "excel")]
pub(super) fn check_cells(
    path: &Path,
    names: &[String],
    rows: &[Vec<String>],
) -> Result<(), EngineError> {
    let cells = |row: &[String]| row.iter().map(|cell| (cell.clone(), false)).collect::<Vec<_>>();
    let rows: Vec<Vec<Cell>> = rows.iter().take(SAMPLE_ROWS).map(|row| cells(row)).collect();
    match why_a_row(&cells(names), &rows) {
        Some(reason) => Err(EngineError::NoHeader { path: path.to_owned(), reason }),
        None => Ok(()),
    }
}

/// Returns the reason that the first line looks like a row, if any.
fn why_a_row(header: &[Cell], rows: &[Vec<Cell>]) -> Option<String> {
    let mut at = 0;
    while at < header.len() {
        let run = run_length(&header[at..]);
        if run < RUN {
            let (cell, is_quoted) = &header[at];
            let stands_out = *is_quoted && !rows.iter().any(|row| is_in_quotes(row, at));
            if is_number(cell) && !stands_out {
                let is_date =
                    cell.chars().filter(|c| matches!(c, '-' | '.' | '/' | ':')).count() > 1;
                let what = if is_date { "date or grouped number" } else { "number" };
                return Some(format!("column {} contains a {what}", at + 1));
            }
        }
        at += run.max(1);
    }
    let (mut n_again, mut first) = (0, None);
    for (at, (name, _)) in header.iter().enumerate() {
        let below = rows.iter().filter_map(|row| row.get(at)).map(|(cell, _)| cell);
        let n_same = below.clone().filter(|cell| *cell == name).count();
        // A column is a checkbox if each of its cells is empty or contains the name of the column.
        let is_box = below.clone().all(|cell| cell == name || cell.trim().is_empty());
        if n_same > 0 && !name.trim().is_empty() && !is_box {
            n_again += 1;
            first.get_or_insert(at + 1);
        }
    }
    let first = first?;
    // Names above numbers are evidence for a header. A row contains a word above numbers only where
    // its value is missing.
    let is_named = |at: usize| {
        let below = rows.iter().filter_map(|row| row.get(at)).map(|(cell, _)| cell.trim());
        let (n_cells, n_numbers) = below
            .filter(|cell| !cell.is_empty())
            .fold((0, 0), |(all, numbers), cell| (all + 1, numbers + u32::from(is_number(cell))));
        let name = header[at].0.trim();
        n_numbers > 0 && n_numbers * 10 >= n_cells * 9 && name.chars().any(char::is_alphabetic)
    };
    let names: HashSet<&str> =
        (0..header.len()).filter(|at| is_named(*at)).map(|at| header[at].0.trim()).collect();
    if names.len() >= 2 && names.len() > n_again {
        return None;
    }
    Some(match n_again {
        1 => format!("the value in column {first} occurs again in later rows"),
        _ => format!(
            "the values in {n_again} columns, starting with column {first}, occur again in later \
             rows"
        ),
    })
}

fn is_in_quotes(row: &[Cell], at: usize) -> bool {
    row.get(at).is_some_and(|(_, is_quoted)| *is_quoted)
}

/// Returns whether a cell contains digits but no letters, like numbers, dates, times, percentages,
/// and phone numbers.
fn is_number(cell: &str) -> bool {
    cell.chars().any(|char| char.is_ascii_digit())
        && !cell.chars().any(|char| char.is_alphabetic() || char == '_')
}

/// Returns the number of leading cells that contain consecutive integers.
fn run_length(cells: &[Cell]) -> usize {
    let numbers = cells.iter().map_while(|(cell, _)| cell.parse::<u32>().ok());
    let numbers: Vec<u32> = numbers.collect();
    let breaks = numbers.windows(2).position(|pair| pair[0].checked_add(1) != Some(pair[1]));
    breaks.map_or(numbers.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks_like_a_row(text: &str) -> bool {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.csv");
        std::fs::write(&path, text).expect("written");
        match check(&Sources::default(), &path, b',', Encoding::Utf8) {
            Ok(()) => false,
            Err(EngineError::NoHeader { reason, .. }) => {
                let cells = text.lines().next().unwrap_or_default().split(',');
                for cell in cells.filter(|cell| cell.len() > 2) {
                    assert!(!reason.contains(cell), "{reason}");
                }
                true
            }
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn data_row_is_not_accepted_as_header() {
        for text in [
            "Anna Fields,34,hiv\nPaul,35,flu\n",
            "Anna Fields,1990-02-01,hiv\nPaul,1991-02-03,flu\n",
            "\"Anna Fields\",\"34\",\"hiv\"\n\"Paul\",\"35\",\"flu\"\n",
            "Anna Fields,measles\nPaul,flu\nLaura,measles\n",
            "\n\nAnna Fields,1984,2020\nPaul,1985,2020\n",
            "34\n35\n",
            "Anna Fields,34,hiv",
            "NA,NA,NA,flu\n35,1,2,flu\n36,2,3,cold\n",
            "NA,unknown,flu\n35,2,flu\n36,unknown,flu\n",
        ] {
            assert!(looks_like_a_row(text), "{text}");
        }
    }

    #[test]
    fn header_rejection_states_reason() {
        let reason = |text: &str| {
            let rows: Vec<Vec<Cell>> =
                text.lines().map(|row| fields_of(format!("{row}\n").as_bytes(), b',')).collect();
            why_a_row(&rows[0], &rows[1..]).unwrap_or_default()
        };
        assert_eq!(reason("a,34\nb,35\n"), "column 2 contains a number");
        let date = "column 2 contains a date or grouped number";
        assert_eq!(reason("a,1949-05-11\nb,1950-05-11\n"), date);
        let one = "the value in column 2 occurs again in later rows";
        assert_eq!(reason("a,flu\nb,flu\nc,cold\n"), one);
        assert_eq!(
            reason("m,flu,x\nm,flu,y\nf,cold,z\n"),
            "the values in 2 columns, starting with column 1, occur again in later rows"
        );
    }

    #[test]
    fn valid_headers_are_accepted() {
        for text in [
            "name,age,disease\nAnna,34,hiv\n",
            "name,\"34\",disease\nAnna,1,hiv\n",
            "country,2019,2020,2021\nA,1,2,3\n",
            "0,1,2,3\na,b,c,d\n",
            "asthma,q1,icd-10,x_1\nasthma,1,2,3\n,1,2,3\n",
            "a,b\n",
            "a,\n1,\n",
            "age,kids,earnings,married\n30,2,0,married\n41,0,9,single\n",
        ] {
            assert!(!looks_like_a_row(text), "{text}");
        }
    }
}
