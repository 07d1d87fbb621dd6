//! The names of the files of a release, and reading them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use indistinct_engine::EngineError;
use indistinct_engine::files::{NO_LIMIT, TABLE_LIMIT_BYTES, open_regular, read_given_text};
use indistinct_engine::output::{QUASI_IDENTIFIERS, SENSITIVE};
use indistinct_labels::formulas::{guarded, unguarded};
use indistinct_policy::PolicyFile;
use sha2::{Digest as _, Sha256};

use crate::ReleaseError;
use crate::check::Difference;
use crate::error::ReadProblem;
use crate::plan::hexadecimal;

/// The certificate.
pub const CERTIFICATE: &str = "certificate.json";
/// The released policy; in the private part the holder's copy.
pub const POLICY: &str = "policy.toml";
/// The plan of a planned release, with the names of the tables that a large one has beside it.
pub use indistinct_policy::PLAN;
/// The report: the page.
pub const REPORT: &str = "report.html";
/// In the private part: what identifies the input, and the answer that was given.
pub const INPUT: &str = "input.json";
/// In the private part: what became of each combination of raw values, where classes have values of their own.
pub const TUPLES: &str = "tuples.csv";
/// In the same folder, for each row of the input its class.
pub const ROWS: &str = "rows.csv";
/// In the same folder: the rows of the release that are nobody's.
pub const COUNTERFEITS: &str = "counterfeits.csv";
/// The folder of the mapping, in the private part.
pub const MAPPING: &str = "mapping";
/// In the private part: the population with released labels.
pub const POPULATION: &str = "population.csv";

/// The file of the rows.
pub fn data(extension: &str) -> String {
    format!("data.{extension}")
}

/// The files of the rows, where quasi-identifiers and sensitive values are in tables of their own.
pub fn tables(extension: &str) -> [String; 2] {
    [QUASI_IDENTIFIERS, SENSITIVE].map(|table| format!("{table}.{extension}"))
}

/// The file of the hierarchy of an attribute. Attributes can have any name; files cannot.
pub fn hierarchy(attribute: &str) -> String {
    format!("hierarchies/{}.csv", file_stem(attribute))
}

/// The folder of the numbers behind the report's pictures, beside the page.
pub const REPORT_FOLDER: &str = "report";
/// In that folder: how many classes of which size.
pub const CLASS_SIZES: &str = "class-sizes.csv";
/// In that folder: the share of rows at each risk.
pub const RISK_DISTRIBUTION: &str = "risk-distribution.csv";

/// In that folder: the released values of an attribute.
pub fn values(attribute: &str) -> String {
    format!("values-{}.csv", file_stem(attribute))
}

/// In that folder: a sensitive attribute in the classes that differ most from the whole release.
pub fn sensitive_values(attribute: &str) -> String {
    format!("sensitive-{}.csv", file_stem(attribute))
}

/// Whether the sensitive values of a class can be laid beside those of the whole table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SensitiveValuesOf {
    /// They are those of its rows.
    Classes,
    /// They are perturbed, row by row: what a class has is noise.
    Perturbed,
}

/// The files beside the page of a release, for its quasi-identifiers and sensitive attributes.
pub fn report_files(
    quasi_identifiers: &[String],
    sensitive: &[String],
    of: SensitiveValuesOf,
) -> Vec<String> {
    let mut names = vec![CLASS_SIZES.to_owned(), RISK_DISTRIBUTION.to_owned()];
    names.extend(quasi_identifiers.iter().chain(sensitive).map(|name| values(name)));
    if of == SensitiveValuesOf::Classes {
        names.extend(sensitive.iter().map(|name| sensitive_values(name)));
    }
    names.iter().map(|name| format!("{REPORT_FOLDER}/{name}")).collect()
}

/// The longest stem of a file; with what else is in a name no file system refuses it.
const LONGEST_STEM: usize = 120;

/// The attribute's name with everything but ASCII letters, digits, `-` and `_` written as `%XX`, so that different
/// attributes have different files, save where a file system takes capitals for small letters. Of one that is longer than any file may be,
/// the beginning and a part of its SHA-256.
pub fn file_stem(attribute: &str) -> String {
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    let parts: Vec<String> = attribute.bytes().map(escaped).collect();
    let whole = parts.concat();
    if whole.len() <= LONGEST_STEM {
        return whole;
    }
    let digest = hexadecimal(&Sha256::digest(attribute.as_bytes())[..8]);
    let mut stem = String::new();
    for part in parts {
        if stem.len() + part.len() + 1 + digest.len() > LONGEST_STEM {
            break;
        }
        stem += &part;
    }
    format!("{stem}%{digest}")
}

/// Reads a regular file as text, of at most [`TABLE_LIMIT_BYTES`].
///
/// # Errors
/// [`ReleaseError::File`] if it cannot be read, is a pipe or a device, too large, or not UTF-8.
pub fn read_text(path: &Path) -> Result<String, ReleaseError> {
    read_given_text(path, TABLE_LIMIT_BYTES).map_err(|error| ReleaseError::of_file(path, &error))
}

/// The published hierarchy of an attribute, as its cells were before a spreadsheet was thought of.
///
/// # Errors
/// [`ReleaseError::File`] if it cannot be read; [`ReleaseError::Unreadable`] if a spreadsheet would run a cell against the policy.
pub fn published_hierarchy(
    directory: &Path,
    attribute: &str,
    policy: &PolicyFile,
) -> Result<String, ReleaseError> {
    let text = read_text(&directory.join(hierarchy(attribute)))?;
    if !policy.output.spreadsheet_safe {
        return Ok(text);
    }
    let plain = with_cells(&text, |cell| unguarded(cell).into());
    if with_cells(&plain, guarded) != text {
        let reason = ReadProblem::UnsafeHierarchy { column: attribute.to_owned() };
        return Err(ReleaseError::Unreadable { path: directory.to_owned(), reason });
    }
    Ok(plain)
}

/// A hierarchy as the policy has its cells written.
pub fn hierarchy_to_publish(text: String, policy: &PolicyFile) -> String {
    match policy.output.spreadsheet_safe {
        true => with_cells(&text, guarded),
        false => text,
    }
}

/// A `;`-separated text with other cells; as it is where it is none.
fn with_cells(text: &str, cell: impl Fn(&str) -> Cow<'_, str>) -> String {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b';')
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut writer =
        csv::WriterBuilder::new().delimiter(b';').flexible(true).from_writer(Vec::new());
    let written = reader
        .records()
        .try_for_each(|record| writer.write_record(record?.iter().map(|it| cell(it).into_owned())));
    let bytes = written.ok().and_then(|()| writer.into_inner().ok());
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| text.to_owned())
}

/// Creates a folder that only its owner may enter, unless it is there.
///
/// # Errors
/// [`ReleaseError::File`] if it cannot be created.
pub fn create_folder(path: &Path) -> Result<(), ReleaseError> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| ReleaseError::io(path, &error))
}

/// The first column of a `;`-separated text, without its header; `None` if it is none.
pub fn first_column(text: &str) -> Option<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_reader(text.as_bytes());
    reader.records().map(|record| record.ok()?.get(0).map(str::to_owned)).collect()
}

/// For each released label of a hierarchy the labels above it: every second field from the third on, but for the empty ones that fill a
/// row up. An empty label, a missing value, has labels above it and is above none.
pub fn labels_above(text: &str) -> Option<BTreeMap<String, BTreeSet<String>>> {
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_reader(text.as_bytes());
    let above = reader.records().map(|record| {
        let record = record.ok()?;
        let above = record.iter().skip(2).step_by(2).filter(|label| !label.is_empty());
        Some((record.get(0)?.to_owned(), above.map(str::to_owned).collect()))
    });
    above.collect()
}

/// For each first field of a `;`-separated text its second one, without the header.
pub fn first_two_columns(text: &str) -> HashMap<String, String> {
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_reader(text.as_bytes());
    let records = reader.records().filter_map(Result::ok);
    records
        .filter_map(|record| Some((record.get(0)?.to_owned(), record.get(1)?.to_owned())))
        .collect()
}

/// What is in place of a file and is none of the release's own: a link, a folder, a pipe that might never end, or a
/// name that leads out of the directory. What is not there at all is none of these.
pub fn odd<'a>(directory: &Path, names: impl Iterator<Item = &'a str>) -> Vec<Difference> {
    let names: BTreeSet<&str> = names.collect();
    let odd = |name: &str| match open_regular(directory, name, NO_LIMIT) {
        Err(EngineError::NotAFile { what, .. }) => {
            let (file, found) = (name.to_owned(), what.to_owned());
            Some(Difference::NotRegularFile { file, found })
        }
        _ => None,
    };
    names.into_iter().filter_map(odd).collect()
}

/// All files below a directory, as sorted paths within it with `/` between the parts; folders without anything in them, whose
/// names can tell something as well, end with `/`.
///
/// # Errors
/// [`ReleaseError::File`] if a folder cannot be read.
pub fn list(directory: &Path) -> Result<Vec<String>, ReleaseError> {
    let mut found = Vec::new();
    let mut open = vec![(directory.to_owned(), String::new())];
    while let Some((folder, prefix)) = open.pop() {
        let entries =
            std::fs::read_dir(&folder).map_err(|error| ReleaseError::io(&folder, &error))?;
        let mut is_empty = true;
        for entry in entries {
            let entry = entry.map_err(|error| ReleaseError::io(&folder, &error))?;
            is_empty = false;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind =
                entry.file_type().map_err(|error| ReleaseError::io(&entry.path(), &error))?;
            if kind.is_dir() {
                open.push((entry.path(), format!("{name}/")));
            } else {
                found.push(name);
            }
        }
        if is_empty && !prefix.is_empty() {
            found.push(prefix);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_attributes_have_different_files() {
        assert_eq!(file_stem("marital-status"), "marital-status");
        assert_eq!(file_stem("a/b"), "a%2Fb");
        assert_ne!(file_stem("a/b"), file_stem("a b"));
        assert_eq!(file_stem(".."), "%2E%2E");
        // 46 letters of six bytes each.
        let long = "Удовлетворенность качеством медицинской помощи";
        let stem = file_stem(long);
        assert!(stem.len() <= LONGEST_STEM && stem.starts_with("%D0%A3%D0%B4"), "{stem}");
        assert_ne!(stem, file_stem(&format!("{long}?")));
        assert_eq!(file_stem(&"x".repeat(LONGEST_STEM)), "x".repeat(LONGEST_STEM));
        assert_ne!(file_stem(&"x".repeat(300)), file_stem(&"x".repeat(301)));
    }
}
