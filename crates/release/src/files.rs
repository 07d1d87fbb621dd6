//! The file names of a release and functions that read its files.

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
/// The released policy. The private directory contains the data holder's copy under the same name.
pub const POLICY: &str = "policy.toml";
/// The plan of a planned release. If the plan is large, this file contains the names of the
/// accompanying tables.
pub use indistinct_policy::PLAN;
/// The HTML report.
pub const REPORT: &str = "report.html";
/// The file in the private directory that records the identity of the input and the answer of the
/// command.
pub const INPUT: &str = "input.json";
/// The file in the private directory with the recoding of each combination of original values, if
/// released values differ between classes.
pub const TUPLES: &str = "tuples.csv";
/// The file in the mapping folder that contains the class of each input row.
pub const ROWS: &str = "rows.csv";
/// The file in the mapping folder that contains the counterfeit rows of the release.
pub const COUNTERFEITS: &str = "counterfeits.csv";
/// The mapping folder in the private directory.
pub const MAPPING: &str = "mapping";
/// The file in the private directory that contains the population and its released labels.
pub const POPULATION: &str = "population.csv";

/// Returns the file name for the rows.
pub fn data(extension: &str) -> String {
    format!("data.{extension}")
}

/// Returns the file names for the rows, if quasi-identifiers and sensitive values are in separate
/// tables.
pub fn tables(extension: &str) -> [String; 2] {
    [QUASI_IDENTIFIERS, SENSITIVE].map(|table| format!("{table}.{extension}"))
}

/// Returns the file name for the hierarchy of an attribute. Attribute names are escaped because
/// file systems do not allow all characters.
pub fn hierarchy(attribute: &str) -> String {
    format!("hierarchies/{}.csv", file_stem(attribute))
}

/// The folder for signatures, which are excluded from the digests.
pub const SIGNATURES: &str = "signatures";
/// The extensions of signature files.
const SIGNATURE_EXTENSIONS: [&str; 7] = ["sig", "asc", "pem", "p7s", "minisig", "sigstore", "json"];

/// Returns whether the path within the directory refers to a signature, which is a regular file
/// directly in the folder of signatures with the extension of a signature.
pub fn is_signature(directory: &Path, name: &str) -> bool {
    let file = name.strip_prefix(SIGNATURES).and_then(|rest| rest.strip_prefix('/'));
    let extension = file.filter(|file| !file.contains('/')).and_then(|it| it.rsplit_once('.'));
    extension.is_some_and(|(stem, it)| !stem.is_empty() && SIGNATURE_EXTENSIONS.contains(&it))
        && open_regular(directory, name, NO_LIMIT).is_ok()
}

/// The folder with the data of the report's charts, next to the HTML page.
pub const REPORT_FOLDER: &str = "report";
/// The file in the report folder that contains the number of classes of each size.
pub const CLASS_SIZES: &str = "class-sizes.csv";
/// The file in the report folder that contains the fraction of rows at each risk.
pub const RISK_DISTRIBUTION: &str = "risk-distribution.csv";

/// Returns the name of the file in the report folder that contains the released values of
/// an attribute.
pub fn values(attribute: &str) -> String {
    format!("values-{}.csv", file_stem(attribute))
}

/// Returns the name of the file in the report folder with a sensitive attribute in the classes that
/// differ most from the whole release.
pub fn sensitive_values(attribute: &str) -> String {
    format!("sensitive-{}.csv", file_stem(attribute))
}

/// Whether the sensitive values of a class can be compared with the sensitive values of the
/// whole table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SensitiveValuesOf {
    /// The sensitive values of a class are the true values of its rows.
    Classes,
    /// The sensitive values are perturbed row by row, so the values of a class include noise.
    Perturbed,
}

/// Returns the chart data files of a release report, given the quasi-identifiers and sensitive
/// attributes.
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

/// The maximum length of a file stem. With the rest of the file name, this length is valid on all
/// file systems.
const LONGEST_STEM: usize = 120;

/// Returns the attribute name with every character other than ASCII letters, digits, `-`, and `_`
/// escaped as `%XX`. Different attributes have different file names, except on case-insensitive
/// file systems. A name that exceeds the length limit is truncated, and part of its SHA-256 is
/// appended.
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

/// Reads a regular file of at most [`TABLE_LIMIT_BYTES`] as text.
///
/// # Errors
/// Returns [`ReleaseError::File`] if the file cannot be read, is a pipe or a device, is too large,
/// or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, ReleaseError> {
    read_given_text(path, TABLE_LIMIT_BYTES).map_err(|error| ReleaseError::of_file(path, &error))
}

/// Reads the published hierarchy of an attribute and removes the spreadsheet escapes from its
/// cells.
///
/// # Errors
/// Returns [`ReleaseError::File`] if the hierarchy cannot be read, or [`ReleaseError::Unreadable`]
/// if it contains formula cells although the policy forbids such cells.
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

/// Escapes the cells of a hierarchy for spreadsheets if the policy requires escaped cells.
pub fn hierarchy_to_publish(text: String, policy: &PolicyFile) -> String {
    match policy.output.spreadsheet_safe {
        true => with_cells(&text, guarded),
        false => text,
    }
}

/// Applies `cell` to every field of a `;`-separated text. Invalid text is returned unchanged.
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

/// Writes records of equal length as CSV.
pub fn csv_text(records: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.write_record(record).expect("records of equal length can be written to memory");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("the output is valid UTF-8")
}

/// Reads the lines of a published hierarchy, excluding the header.
pub(crate) fn hierarchy_lines(text: &str) -> csv::StringRecordsIntoIter<&[u8]> {
    csv::ReaderBuilder::new().delimiter(b';').from_reader(text.as_bytes()).into_records()
}

/// Creates a folder that only the owner can access, unless the folder exists.
///
/// # Errors
/// Returns [`ReleaseError::File`] if the folder cannot be created.
pub fn create_folder(path: &Path) -> Result<(), ReleaseError> {
    indistinct_diagnostics::platform::create_private_folders(path)
        .map_err(|error| ReleaseError::io(path, &error))
}

/// Returns the first column of a `;`-separated text without its header, or `None` if the text is
/// not valid CSV.
pub fn first_column(text: &str) -> Option<Vec<String>> {
    hierarchy_lines(text).map(|record| record.ok()?.get(0).map(str::to_owned)).collect()
}

/// Maps each released label of a hierarchy to the labels above it, which are every second field
/// from the third field on, except for empty fields at the end of a row. An empty released label is
/// a missing value. A missing value has labels above it but is not above any label.
pub fn labels_above(text: &str) -> Option<BTreeMap<String, BTreeSet<String>>> {
    let above = hierarchy_lines(text).map(|record| {
        let record = record.ok()?;
        let above = record.iter().skip(2).step_by(2).filter(|label| !label.is_empty());
        Some((record.get(0)?.to_owned(), above.map(str::to_owned).collect()))
    });
    above.collect()
}

/// Maps the first field to the second field for each line of a `;`-separated text except the
/// header.
pub fn first_two_columns(text: &str) -> HashMap<String, String> {
    let records = hierarchy_lines(text).filter_map(Result::ok);
    records
        .filter_map(|record| Some((record.get(0)?.to_owned(), record.get(1)?.to_owned())))
        .collect()
}

/// Returns the names that do not refer to regular files within the directory, such as links,
/// folders, pipes, and paths outside the directory. Missing files are not included.
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

/// Returns the sorted paths of all files below a directory, relative to the directory and with `/`
/// as the separator. Empty folders are included with a trailing `/`, because their names can
/// disclose information.
///
/// # Errors
/// Returns [`ReleaseError::File`] if a folder cannot be read.
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
    fn distinct_attributes_have_distinct_files() {
        assert_eq!(file_stem("marital-status"), "marital-status");
        assert_eq!(file_stem("a/b"), "a%2Fb");
        assert_ne!(file_stem("a/b"), file_stem("a b"));
        assert_eq!(file_stem(".."), "%2E%2E");
        // Each of the 46 letters is encoded as six bytes in the stem.
        let long = "Удовлетворенность качеством медицинской помощи";
        let stem = file_stem(long);
        assert!(stem.len() <= LONGEST_STEM && stem.starts_with("%D0%A3%D0%B4"), "{stem}");
        assert_ne!(stem, file_stem(&format!("{long}?")));
        assert_eq!(file_stem(&"x".repeat(LONGEST_STEM)), "x".repeat(LONGEST_STEM));
        assert_ne!(file_stem(&"x".repeat(300)), file_stem(&"x".repeat(301)));
    }
}
