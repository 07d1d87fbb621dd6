//! Detects whether the first line of a CSV file is a header, and whether rows below it are part of
//! the header.
//!
//! Without a header, the cells of the first row would become column names, and data about a person
//! would appear wherever columns are listed. If the header has several rows, for example with
//! units, the second one would count as a person. Messages explain the detection without quoting
//! cells.

use std::collections::HashSet;
use std::path::Path;

use super::csv::{Cell, fields_of};
use super::records::{blank_lines, first_end, skip};
use super::spec::TextLayout;
use super::stream::TextStream;
use super::{Format, Sources};
use crate::EngineError;

/// Maximum size of the inspected sample, in bytes and in rows.
const SAMPLE_BYTES: usize = 256 * 1024;
pub(super) const SAMPLE_ROWS: usize = 500;
/// Minimum length of a sequence of consecutive numbers, such as years, that are accepted as column
/// names.
const RUN: usize = 3;

/// Rejects a first line that looks like a row.
pub(super) fn check(
    sources: &Sources,
    path: &Path,
    layout: &TextLayout,
) -> Result<(), EngineError> {
    let &TextLayout { delimiter, encoding, skipped, .. } = layout;
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
    let mut n_before = skipped.before_header;
    let mut rest = &bytes[skip(&bytes, delimiter, &mut n_before)..];
    while let Some(end) = first_end(rest, delimiter).filter(|_| rows.len() <= SAMPLE_ROWS) {
        rows.push(fields_of(&rest[blank_lines(rest)..end], delimiter));
        rest = &rest[end..];
    }
    let Some((header, rows)) = rows.split_first() else { return Ok(()) };
    let rows = rows.get(skipped.after_header..).unwrap_or_default();
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

/// Rows below the column names that look like a part of the header, such as units or the texts of
/// questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecondHeader {
    /// Number of such rows.
    pub n_rows: u64,
    /// Number of columns that contain text in these rows, but numbers in the rows below.
    pub n_columns: u64,
}

/// Maximum number of rows of a header below the column names.
const MOST_HEADER_ROWS: usize = 3;
/// Minimum number of rows below the header that are required for the detection.
const LEAST_ROWS: usize = 5;
/// Minimum number of columns with text above numbers. A single text may be a value.
const LEAST_COLUMNS: usize = 2;

/// Returns the first rows that look like a part of the header: in all columns of numbers, they
/// contain text that does not occur again. An empty cell is permitted in half of these columns.
pub(super) fn second_header(rows: &[Vec<String>]) -> Option<SecondHeader> {
    let data = rows.get(MOST_HEADER_ROWS..).filter(|data| data.len() >= LEAST_ROWS)?;
    let is_numeric = |at: &usize| {
        let cells = || data.iter().map(|row| row[*at].trim()).filter(|cell| !cell.is_empty());
        let (n_cells, n_numbers) = (cells().count(), cells().filter(|it| is_number(it)).count());
        n_numbers >= LEAST_ROWS && n_numbers * 10 >= n_cells * 9
    };
    let numeric: Vec<usize> = (0..rows[0].len()).filter(is_numeric).collect();
    let is_header = |row: &Vec<String>| {
        let texts: Vec<(usize, &str)> = numeric
            .iter()
            .map(|at| (*at, row[*at].trim()))
            .filter(|(_, cell)| !cell.is_empty())
            .collect();
        let is_text = |(at, cell): &(usize, &str)| {
            !is_number(cell)
                && cell.chars().any(char::is_alphabetic)
                && data.iter().all(|other| other[*at].trim() != *cell)
        };
        // A marker of missing values, such as NA, may fill a row. Units differ from each other.
        let distinct: HashSet<&str> = texts.iter().map(|(_, cell)| *cell).collect();
        texts.len() >= LEAST_COLUMNS
            && texts.len() * 2 >= numeric.len()
            && distinct.len() > 1
            && texts.iter().all(is_text)
    };
    let n_rows = rows[..MOST_HEADER_ROWS].iter().take_while(|row| is_header(row)).count() as u64;
    (n_rows > 0).then_some(SecondHeader { n_rows, n_columns: numeric.len() as u64 })
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
    use crate::input::{Encoding, SkippedRows};

    fn looks_like_a_row(text: &str) -> bool {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.csv");
        std::fs::write(&path, text).expect("written");
        let layout = TextLayout {
            delimiter: b',',
            encoding: Encoding::Utf8,
            skipped: SkippedRows::default(),
            checks_header: true,
        };
        match check(&Sources::default(), &path, &layout) {
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
    fn text_above_numbers_is_part_of_header() {
        let found = |first: &[&str]| {
            let data = (0..12).map(|n| format!("{},p{n},{}", 30 + n, n * 7));
            let lines = first.iter().map(|line| (*line).to_owned()).chain(data);
            let cells = |line: String| line.split(',').map(str::to_owned).collect();
            second_header(&lines.map(cells).collect::<Vec<Vec<String>>>())
                .map(|it| (it.n_rows, it.n_columns))
        };
        assert_eq!(found(&["years,,mg/dl"]), Some((1, 2)));
        assert_eq!(found(&["How old are you?,Your name,How much?", "Q1,Q2,Q3"]), Some((2, 2)));
        assert_eq!(found(&[]), None);
        assert_eq!(found(&["NA,p,NA"]), None);
        assert_eq!(found(&["unknown,p,4"]), None);
        assert_eq!(found(&[",units,"]), None);
        // The text occurs again, like a marker of missing values.
        assert_eq!(found(&["refused,p,not asked", "3,p,1", "4,p,1", "5,p,1", "refused,p,3"]), None);
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
