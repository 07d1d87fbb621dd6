//! Resolves a path, folder, or pattern to a sorted list of files of one format.

use std::collections::HashMap;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::opened::{Sources, is_standard_input};
use super::{Format, InputSpec, zip};
use crate::EngineError;
use crate::cache::stamps;
use crate::objects::{Depth, Object, address_of, is_bucket};

/// Extensions of statistics packages, each with the name of the package and the `pyreadstat`
/// function that reads the file with value labels.
const OF_STATISTICS: [(&str, &str, &str); 6] = [
    ("dta", "Stata", "read_dta"),
    ("sav", "SPSS", "read_sav"),
    ("zsav", "SPSS", "read_sav"),
    ("por", "SPSS", "read_por"),
    ("sas7bdat", "SAS", "read_sas7bdat"),
    ("xpt", "SAS", "read_xport"),
];

/// The files of an input.
pub(super) struct InputFiles {
    /// The files, sorted by name.
    pub(super) files: Vec<PathBuf>,
    /// Format of all files.
    pub(super) format: Format,
    /// Total size of all files in bytes.
    pub(super) n_bytes: u64,
}

/// Finds the files of an input and checks that no file is empty.
pub(super) fn resolve(sources: &Sources, spec: &InputSpec) -> Result<InputFiles, EngineError> {
    let path = &spec.path;
    if let Some(address) = address_of(path) {
        return objects(sources, address, spec.format);
    }
    if is_standard_input(path) {
        let format = spec.format.map_or_else(|| format_of_bytes(sources, path), Ok)?;
        return sized(vec![path.clone()], format, |file| sources.n_bytes(file));
    }
    let (files, format) = match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => in_folder(sources, path, spec.format)?,
        Ok(_) => (vec![path.clone()], format_of(sources, path, spec.format)?),
        Err(error) if error.kind() == ErrorKind::NotFound && is_pattern(path) => {
            matching(sources, path, spec.format)?
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(EngineError::Missing { path: path.clone() });
        }
        Err(source) => return Err(EngineError::Read { path: path.clone(), source }),
    };
    sized(files, format, |file| sources.n_bytes(file))
}

impl InputSpec {
    /// Returns a string that changes when the bytes of the input files may have changed. The string
    /// depends on the list of files, their sizes, and their modification times. Returns `None` if
    /// the table is not in files or the files cannot be accessed.
    pub fn stamp(&self) -> Option<String> {
        let is_in_files = self.memory.is_none() && !self.is_address() && !self.is_object();
        let files = is_in_files.then(|| files_of(self)).flatten()?;
        Some(format!("{:?}", stamps(&files)?))
    }
}

/// Returns the files to which a path, folder, or pattern refers, without reading them.
fn files_of(spec: &InputSpec) -> Option<Vec<PathBuf>> {
    let (path, sources) = (&spec.path, Sources::default());
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            in_folder(&sources, path, spec.format).ok().map(|found| found.0)
        }
        Ok(_) => Some(vec![path.clone()]),
        Err(_) => matching(&sources, path, spec.format).ok().map(|found| found.0),
    }
}

/// Determines file sizes and rejects empty files.
fn sized(
    files: Vec<PathBuf>,
    format: Format,
    n_bytes: impl Fn(&Path) -> Result<u64, EngineError>,
) -> Result<InputFiles, EngineError> {
    let mut whole = 0;
    for file in &files {
        if file.to_str().is_none() {
            return Err(EngineError::NotText { path: file.clone() });
        }
        let n = n_bytes(file)?;
        if n == 0 {
            return Err(EngineError::EmptyFile { path: file.clone() });
        }
        whole += n;
    }
    Ok(InputFiles { files, format, n_bytes: whole })
}

/// Returns the object at an address, or the objects that match a pattern or are in a folder.
fn objects(
    sources: &Sources,
    address: &str,
    given: Option<Format>,
) -> Result<InputFiles, EngineError> {
    let path = Path::new(address);
    let stores = sources.stores_for(address)?;
    let named = match address.ends_with('/') {
        true => None,
        false => stores.find(address)?,
    };
    let missing = || EngineError::Missing { path: path.to_owned() };
    let found = match named {
        Some(object) => vec![object],
        None if !is_bucket(address) => return Err(missing()),
        None => match address.find(['*', '?', '[']) {
            Some(at) => {
                let folder = &address[..=address[..at].rfind('/').unwrap_or(0)];
                let pattern = glob::Pattern::new(address).map_err(|error| {
                    EngineError::InvalidPattern { path: path.to_owned(), reason: error.msg }
                })?;
                let as_in_folders =
                    glob::MatchOptions { require_literal_separator: true, ..Default::default() };
                let matches = |it: &Object| pattern.matches_with(&it.address, as_in_folders);
                stores.list(folder, Depth::Below)?.into_iter().filter(matches).collect()
            }
            None => {
                let folder = format!("{}/", address.strip_suffix('/').unwrap_or(address));
                let is_table = |it: &Object| {
                    let format = Format::of_path(Path::new(&it.address));
                    format.is_some() && given.is_none_or(|given| format == Some(given))
                };
                let all = stores.list(&folder, Depth::Directly)?;
                if all.is_empty() {
                    return Err(missing());
                }
                all.into_iter().filter(is_table).collect()
            }
        },
    };
    let sizes: HashMap<PathBuf, u64> =
        found.into_iter().map(|object| (object.address.into(), object.n_bytes)).collect();
    let is_named = |file: &&PathBuf| file.as_path() == path || !is_ignored(file);
    let files = sizes.keys().filter(is_named).cloned().collect();
    let (files, format) = one_format(sources, path, files, given)?.ok_or_else(|| {
        let path = path.to_owned();
        match is_pattern(&path) {
            true => EngineError::NoMatch { path },
            false => EngineError::EmptyFolder { path },
        }
    })?;
    sized(files, format, |file| Ok(sizes[file]))
}

/// Detects the format of input without a file name by examining the first bytes.
fn format_of_bytes(sources: &Sources, path: &Path) -> Result<Format, EngineError> {
    let mut first = Vec::new();
    sources
        .stream(path)?
        .take(64)
        .read_to_end(&mut first)
        .map_err(|error| EngineError::reading(path, error))?;
    Ok(match first.as_slice() {
        [b'P', b'A', b'R', b'1', ..] => Format::Parquet,
        // An Arrow file, or the first message of an Arrow stream, starts with these bytes.
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] | [0xff, 0xff, 0xff, 0xff, ..] => Format::Arrow,
        text if text.trim_ascii_start().starts_with(b"{") => Format::Json,
        _ => Format::Csv,
    })
}

fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

fn format_of(sources: &Sources, path: &Path, given: Option<Format>) -> Result<Format, EngineError> {
    if let Some(format) = given.or_else(|| Format::of_path(path)) {
        return Ok(format);
    }
    let ending = path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    let unknown = || {
        let path = path.to_owned();
        match OF_STATISTICS.iter().find(|(known, ..)| ending.as_deref() == Some(known)) {
            Some(&(_, program, reader)) => EngineError::OfStatistics { path, program, reader },
            None => EngineError::UnknownExtension { path },
        }
    };
    // The name of an archive does not always indicate the format of the contained file.
    if ending.as_deref() != Some("zip") {
        return Err(unknown());
    }
    let format =
        Format::of_path(Path::new(&zip::only_member(sources, path)?.name)).ok_or_else(unknown)?;
    match format.is_compressible() {
        true => Ok(format),
        false => Err(unknown()),
    }
}

/// Returns whether a file is ignored. As in Hive and Spark, names that start with a dot or an
/// underscore denote metadata.
fn is_ignored(path: &Path) -> bool {
    path.file_name().is_none_or(|name| name.to_string_lossy().starts_with(['.', '_']))
}

fn in_folder(
    sources: &Sources,
    folder: &Path,
    given: Option<Format>,
) -> Result<(Vec<PathBuf>, Format), EngineError> {
    let unreadable = |source| EngineError::Read { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        // File names must be valid UTF-8, because skipping such a file could silently omit rows.
        if path.file_name().is_some_and(|name| name.to_str().is_none()) && !is_ignored(&path) {
            return Err(EngineError::NotText { path });
        }
        let format = Format::of_path(&path);
        let wanted = format.is_some() && given.is_none_or(|given| format == Some(given));
        if wanted && !is_ignored(&path) && path.is_file() {
            files.push(path);
        }
    }
    one_format(sources, folder, files, given)?
        .ok_or_else(|| EngineError::EmptyFolder { path: folder.to_owned() })
}

fn matching(
    sources: &Sources,
    pattern: &Path,
    given: Option<Format>,
) -> Result<(Vec<PathBuf>, Format), EngineError> {
    let paths = glob::glob(&pattern.to_string_lossy()).map_err(|error| {
        EngineError::InvalidPattern { path: pattern.to_owned(), reason: error.msg }
    })?;
    let mut files = Vec::new();
    for path in paths {
        let path = path.map_err(|error| EngineError::Read {
            path: error.path().to_owned(),
            source: error.into(),
        })?;
        if !is_ignored(&path) && path.is_file() {
            files.push(path);
        }
    }
    one_format(sources, pattern, files, given)?
        .ok_or_else(|| EngineError::NoMatch { path: pattern.to_owned() })
}

/// Sorts the files and checks that all have the same format; returns `None` for an empty list.
fn one_format(
    sources: &Sources,
    whole: &Path,
    mut files: Vec<PathBuf>,
    given: Option<Format>,
) -> Result<Option<(Vec<PathBuf>, Format)>, EngineError> {
    files.sort();
    let Some(first) = files.first() else { return Ok(None) };
    let format = format_of(sources, first, given)?;
    for file in &files {
        let other = format_of(sources, file, given)?;
        if other != format {
            return Err(EngineError::MixedFormats {
                path: whole.to_owned(),
                first: format,
                second: other,
            });
        }
    }
    Ok(Some((files, format)))
}
