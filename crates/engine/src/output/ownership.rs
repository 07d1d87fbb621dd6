//! Checks that a folder belongs to a release and may therefore be replaced.
//!
//! A folder that another program created may also contain a `certificate.json`. Because replaced
//! files are lost, the certificate of the release or the note of the private folder must list every
//! file in the folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::file::sha256_of_file;
use super::output_error::OutputError;
use crate::EngineError;
use crate::files::{TEXT_LIMIT_BYTES, read_text};

/// File that identifies a release directory.
pub(super) const CERTIFICATE: &str = "certificate.json";

/// File that identifies a private directory; it is written when a release is moved into place.
pub const PRIVATE_NOTE_FILE: &str = "PRIVATE.txt";

/// Start of the note in all versions of Indistinct. The list of files follows the first line that
/// ends with a colon.
const NOTE_START: &str = "This folder belongs to the release";

/// Returns the text of the note before the list of files. `certificate` is the digest of the
/// certificate of the release if the release is not next to the folder.
pub(super) fn note(certificate: Option<&str>) -> String {
    let which = match certificate {
        None => " next to it ".to_owned(),
        Some(sha256) => format!(" {},\n", of_certificate(sha256)),
    };
    format!(
        "{NOTE_START}{which}and records how the release was created from the original table.\nIt \
         is intended for the data holder only. Never publish it.\n\nThe option --force may \
         replace the following files. Any other file prevents the replacement of the folder:\n"
    )
}

/// Part of the note that precedes the digest of the certificate.
const OF_CERTIFICATE: &str = "whose certificate has the SHA-256 digest ";

fn of_certificate(sha256: &str) -> String {
    format!("{OF_CERTIFICATE}{sha256}")
}

/// A file that identifies a folder, with a parser for its list of the other files.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownFile {
    by: &'static str,
    list: fn(&str) -> Option<BTreeSet<String>>,
}

impl KnownFile {
    /// The certificate of a release directory, which contains a digest of every other file.
    pub(super) const BY_CERTIFICATE: Self = Self { by: CERTIFICATE, list: digested };
    /// The note of a private directory, which ends with the names of the other files.
    pub(super) const BY_NOTE: Self = Self { by: PRIVATE_NOTE_FILE, list: noted };
}

pub(super) fn digested(certificate: &str) -> Option<BTreeSet<String>> {
    let certificate: serde_json::Value = serde_json::from_str(certificate).ok()?;
    let digests = certificate.get("claims")?.get("sha256")?.as_object()?;
    Some(digests.keys().cloned().collect())
}

fn noted(note: &str) -> Option<BTreeSet<String>> {
    let (_, names) = note.strip_prefix(NOTE_START)?.split_once(":\n")?;
    Some(names.lines().map(str::to_owned).collect())
}

/// Returns whether a folder is a part of a release, ignoring additional files.
pub(super) fn is_part(folder: &Path) -> bool {
    [KnownFile::BY_CERTIFICATE, KnownFile::BY_NOTE].into_iter().any(|known| {
        let text = read_text(folder, known.by, TEXT_LIMIT_BYTES);
        text.is_ok_and(|text| (known.list)(&text).is_some())
    })
}

/// Rejects a folder that contains files not listed in its certificate or private note.
pub(super) fn check(folder: &Path, known: KnownFile) -> Result<(), EngineError> {
    let refuse =
        |reason: String| Err(OutputError::NotARelease { path: folder.to_owned(), reason }.into());
    let Ok(text) = read_text(folder, known.by, TEXT_LIMIT_BYTES) else {
        return refuse(format!("{} is missing", known.by));
    };
    let Some(mut names) = (known.list)(&text) else {
        return refuse(format!("{} does not list the files of a release", known.by));
    };
    names.insert(known.by.to_owned());
    let unknown: Vec<String> =
        files(folder)?.into_iter().filter(|name| !names.contains(name)).collect();
    match unknown.as_slice() {
        [] => Ok(()),
        [name] => refuse(format!("{} does not list '{name}'", known.by)),
        [name, others @ ..] => {
            refuse(format!("{} does not list '{name}' and {} more", known.by, others.len()))
        }
    }
}

/// Returns whether a private folder belongs to a release: its note contains the digest of the
/// certificate of the release, or no digest if the folder is `next_to_release`.
pub(super) fn is_pair(private: &Path, release: &Path, next_to_release: &Path) -> bool {
    let note = read_text(private, PRIVATE_NOTE_FILE, TEXT_LIMIT_BYTES).unwrap_or_default();
    if note.contains(OF_CERTIFICATE) {
        let own = sha256_of_file(&release.join(CERTIFICATE)).ok();
        return own.is_some_and(|sha256| note.contains(&of_certificate(&sha256)));
    }
    private
        .canonicalize()
        .is_ok_and(|it| next_to_release.canonicalize().is_ok_and(|next| it == next))
}

/// Returns the content of a folder as sorted relative paths with `/` as the separator. Links and
/// empty folders, which never belong to a release, are listed with their kind as a suffix.
pub(super) fn files(folder: &Path) -> Result<Vec<String>, EngineError> {
    let mut found = Vec::new();
    let mut open = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = open.pop() {
        let fail = |source| EngineError::write(&folder, source);
        let mut is_empty = true;
        for entry in fs::read_dir(&folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            is_empty = false;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type().map_err(fail)?;
            if kind.is_dir() {
                open.push((entry.path(), format!("{name}/")));
            } else if kind.is_file() {
                found.push(name);
            } else {
                found.push(format!("{name} (not a regular file)"));
            }
        }
        if is_empty && !prefix.is_empty() {
            found.push(format!("{prefix} (empty folder)"));
        }
    }
    found.sort();
    Ok(found)
}
