//! From a path, folder or pattern to a sorted list of files of one format.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{Format, InputSpec};
use crate::{EngineError, files as opener};

/// Finds the files of an input, sorted by name, none of them empty.
pub(super) fn resolve(spec: &InputSpec) -> Result<(Vec<PathBuf>, Format), EngineError> {
    let path = &spec.path;
    let (files, format) = match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => in_folder(path, spec.format)?,
        Ok(_) => (vec![path.clone()], format_of(path, spec.format)?),
        Err(error) if error.kind() == ErrorKind::NotFound && is_pattern(path) => {
            matching(path, spec.format)?
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(EngineError::Missing { path: path.clone() });
        }
        Err(source) => return Err(EngineError::Read { path: path.clone(), source }),
    };
    for file in &files {
        if file.to_str().is_none() {
            return Err(EngineError::NotText { path: file.clone() });
        }
        let found = opener::open_given(file, opener::NO_LIMIT)?
            .metadata()
            .map_err(|source| EngineError::Read { path: file.clone(), source })?;
        if found.len() == 0 {
            return Err(EngineError::EmptyFile { path: file.clone() });
        }
    }
    Ok((files, format))
}

fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

fn format_of(path: &Path, given: Option<Format>) -> Result<Format, EngineError> {
    given
        .or_else(|| Format::of_path(path))
        .ok_or_else(|| EngineError::UnknownExtension { path: path.to_owned() })
}

/// Files that start with a dot or an underscore are notes of other programs, as in Hive and Spark.
fn is_ignored(path: &Path) -> bool {
    path.file_name().is_none_or(|name| name.to_string_lossy().starts_with(['.', '_']))
}

fn in_folder(folder: &Path, given: Option<Format>) -> Result<(Vec<PathBuf>, Format), EngineError> {
    let unreadable = |source| EngineError::Read { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        // Its name cannot be told from that of a data file: to leave it out would leave out rows without a word.
        if path.file_name().is_some_and(|name| name.to_str().is_none()) && !is_ignored(&path) {
            return Err(EngineError::NotText { path });
        }
        let format = Format::of_path(&path);
        let wanted = format.is_some() && given.is_none_or(|given| format == Some(given));
        if wanted && !is_ignored(&path) && path.is_file() {
            files.push(path);
        }
    }
    one_format(folder, files, given)?
        .ok_or_else(|| EngineError::EmptyFolder { path: folder.to_owned() })
}

fn matching(pattern: &Path, given: Option<Format>) -> Result<(Vec<PathBuf>, Format), EngineError> {
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
    one_format(pattern, files, given)?
        .ok_or_else(|| EngineError::NoMatch { path: pattern.to_owned() })
}

/// Sorts the files and makes sure that all have one format; `None` if there are no files.
fn one_format(
    whole: &Path,
    mut files: Vec<PathBuf>,
    given: Option<Format>,
) -> Result<Option<(Vec<PathBuf>, Format)>, EngineError> {
    files.sort();
    let Some(first) = files.first() else { return Ok(None) };
    let format = format_of(first, given)?;
    for file in &files {
        let other = format_of(file, given)?;
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
