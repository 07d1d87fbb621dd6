//! The names of the files of a release, and reading them.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use indistinct_engine::output::{QUASI_IDENTIFIERS, SENSITIVE};
pub(crate) use indistinct_report::file_stem;

use crate::error::Error;

pub(crate) const CERTIFICATE: &str = "certificate.json";
pub(crate) const POLICY: &str = "policy.toml";
/// The plan of a planned release, with the names of the tables that a large one has beside it.
pub(crate) use indistinct_policy::PLAN;
pub(crate) const REPORT: &str = "report.html";
/// In the private part: what identifies the input, and the answer that was given.
pub(crate) const INPUT: &str = "input.json";
/// In the private part: what became of each combination of raw values, where classes have values of their own.
pub(crate) const TUPLES: &str = "tuples.csv";
/// In the same folder, for each row of the input its class.
pub(crate) const ROWS: &str = "rows.csv";
/// In the same folder: the rows of the release that are nobody's.
pub(crate) const COUNTERFEITS: &str = "counterfeits.csv";
/// The folder of the mapping, in the private part.
pub(crate) const MAPPING: &str = "mapping";
/// In the private part: the population with released labels.
pub(crate) const POPULATION: &str = "population.csv";

/// The file of the rows.
pub(crate) fn data(extension: &str) -> String {
    format!("data.{extension}")
}

/// The files of the rows, where quasi-identifiers and secrets are in tables of their own.
pub(crate) fn tables(extension: &str) -> [String; 2] {
    [QUASI_IDENTIFIERS, SENSITIVE].map(|table| format!("{table}.{extension}"))
}

/// The file of the hierarchy of an attribute. Attributes may have any name; files may not.
pub(crate) fn hierarchy(attribute: &str) -> String {
    format!("hierarchies/{}.csv", file_stem(attribute))
}

pub(crate) fn read_text(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|error| Error::io(path, &error))
}

/// Creates a folder that only its owner may enter, unless it is there.
pub(crate) fn create_folder(path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| Error::io(path, &error))
}

/// The first column of a `;`-separated text, without its header; `None` if it is none.
pub(crate) fn first_column(text: &str) -> Option<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_reader(text.as_bytes());
    reader.records().map(|record| record.ok()?.get(0).map(str::to_owned)).collect()
}

/// For each first field of a `;`-separated text its second one, without the header.
pub(crate) fn first_two_columns(text: &str) -> HashMap<String, String> {
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_reader(text.as_bytes());
    let records = reader.records().filter_map(Result::ok);
    records
        .filter_map(|record| Some((record.get(0)?.to_owned(), record.get(1)?.to_owned())))
        .collect()
}

/// What is in the place of a file and cannot be read like one, in words: reading a pipe might never end.
pub(crate) fn odd<'a>(directory: &Path, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let is_odd =
        |name: &&str| std::fs::metadata(directory.join(name)).is_ok_and(|it| !it.is_file());
    let names: BTreeSet<&str> = names.filter(is_odd).collect();
    names.into_iter().map(|name| format!("'{name}' is no ordinary file")).collect()
}

/// All files below a directory, as sorted paths within it with `/` between the parts.
pub(crate) fn list(directory: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let mut open = vec![(directory.to_owned(), String::new())];
    while let Some((folder, prefix)) = open.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| Error::io(&folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Error::io(&folder, &error))?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type().map_err(|error| Error::io(&entry.path(), &error))?;
            if kind.is_dir() {
                open.push((entry.path(), format!("{name}/")));
            } else {
                found.push(name);
            }
        }
    }
    found.sort();
    Ok(found)
}
