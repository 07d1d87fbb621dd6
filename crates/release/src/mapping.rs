//! Writes the applied mapping as text. The mapping stays with the data holder and is read by
//! `links.rs`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

use indistinct_core::model::{CountedColumn, Population};
use indistinct_core::{CertifiedRelease, DROPPED, Dictionary, Hierarchy, Observer, Release};

use crate::files::csv_text;

/// Writes the raw values of a quasi-identifier and their released labels, with a header.
pub fn of_level(hierarchy: &Hierarchy, dictionary: &Dictionary, level: usize) -> String {
    let header = ["raw", "released"].map(str::to_owned).to_vec();
    let codes = 0..dictionary.len() as u32;
    let lines = codes.map(|code| {
        vec![dictionary.value(code).to_owned(), hierarchy.label(level, code).to_owned()]
    });
    csv_text(std::iter::once(header).chain(lines))
}

/// Writes the released values and the number of rows for each combination of raw values.
/// Quasi-identifiers come first, followed by sensitive values. Rows with the same combination may
/// be in several classes. Suppressed rows have empty released values and no class.
///
/// `class_numbers` contains the class numbers of the released tables if the release has two tables.
/// If the observer cancels the operation, the output is incomplete.
///
/// # Errors
/// Errors from the writer.
pub fn write_tuples(
    certified: &CertifiedRelease<'_>,
    class_numbers: &[u32],
    out: &mut dyn Write,
    observer: &dyn Observer,
) -> io::Result<()> {
    let table = certified.table();
    let names = |prefix: &str| -> Vec<String> {
        table.columns().map(|column| format!("{prefix}{}", column.name)).collect()
    };
    let ends = ["class".to_owned(), "rows".to_owned()];
    out.write_all(csv_text([[names(""), names("released "), ends.to_vec()].concat()]).as_bytes())?;

    let class_of =
        || certified.class_of().iter().enumerate().take_while(move |_| !observer.is_cancelled());
    let own = Cells::new(table.columns());
    let n_columns = own.columns.len();
    let mut line = Vec::new();
    match certified {
        CertifiedRelease::Rows(release, _) => {
            let raw = Cells::new(release.counted().columns());
            let partition = release.partition();
            let labels: Vec<Vec<Vec<u8>>> =
                partition.labels.iter().map(|labels| rendered(labels)).collect();
            for (part, &class) in class_of() {
                line.clear();
                let tuple = release.parts().map_or(part, |parts| parts[part].tuple as usize);
                raw.push(&mut line, 0..n_columns, tuple);
                if class == DROPPED {
                    line.extend(std::iter::repeat_n(b',', n_columns + 1));
                } else {
                    let of_class = partition.classes.get(class).labels.iter();
                    for (&label, labels) in of_class.zip(&labels) {
                        line.extend_from_slice(&labels[label as usize]);
                    }
                    own.push(&mut line, labels.len()..n_columns, part);
                    write!(line, "{},", class + 1)?;
                }
                writeln!(line, "{}", table.counts()[part])?;
                out.write_all(&line)?;
            }
        }
        CertifiedRelease::Tables(_) => {
            for (part, &class) in class_of() {
                line.clear();
                own.push(&mut line, 0..n_columns, part);
                if class == DROPPED {
                    line.extend(std::iter::repeat_n(b',', n_columns + 1));
                } else {
                    own.push(&mut line, 0..n_columns, part);
                    write!(line, "{},", class_numbers[class as usize])?;
                }
                writeln!(line, "{}", table.counts()[part])?;
                out.write_all(&line)?;
            }
        }
    }
    Ok(())
}

/// The values of several columns, rendered as CSV cells.
struct Cells<'a> {
    /// The codes of the tuples and the cells of each column.
    columns: Vec<(&'a [u32], Vec<Vec<u8>>)>,
}

impl<'a> Cells<'a> {
    fn new(columns: impl Iterator<Item = &'a CountedColumn>) -> Self {
        let column =
            |it: &'a CountedColumn| (it.codes.as_slice(), rendered(it.dictionary.values()));
        Self { columns: columns.map(column).collect() }
    }

    /// Appends the cells of a tuple for a range of columns.
    fn push(&self, line: &mut Vec<u8>, columns: Range<usize>, tuple: usize) {
        for (codes, cells) in &self.columns[columns] {
            line.extend_from_slice(&cells[codes[tuple] as usize]);
        }
    }
}

/// Renders each string as a CSV cell with a trailing comma.
fn rendered(texts: &[String]) -> Vec<Vec<u8>> {
    let cell = |value: &String| {
        let mut cell = csv_text([vec![value.clone(), String::new()]]).into_bytes();
        cell.pop();
        cell
    };
    texts.iter().map(cell).collect()
}

/// Writes the population with one row per person, which contains the labels that the person would
/// have in the release. The result is input for `verify --population`.
///
/// `released` contains the label of each population value, by quasi-identifier.
pub fn of_population(
    population: &Population,
    certified: &Release<'_>,
    released: &[Vec<u32>],
) -> String {
    let partition = certified.partition();
    let mut people: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
    for (codes, n) in population.combinations() {
        let labels = codes.iter().zip(released).zip(&partition.labels);
        let labels = labels
            .map(|((&code, released), labels)| labels[released[code as usize] as usize].as_str());
        *people.entry(labels.collect()).or_insert(0) += n;
    }
    let columns = certified.table().quasi_identifiers().iter();
    let header: Vec<String> = columns.map(|column| column.name.clone()).collect();
    let each = people.into_iter().flat_map(|(labels, n)| {
        let line: Vec<String> = labels.into_iter().map(str::to_owned).collect();
        std::iter::repeat_n(line, n as usize)
    });
    csv_text(std::iter::once(header).chain(each))
}
