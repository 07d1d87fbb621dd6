//! Checks that a folder belongs to a release and may therefore be replaced.
//!
//! A folder that another program created may also contain a `certificate.json`. Because replaced
//! files are lost, the certificate of the release or the note of the private folder must list every
//! file in the folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::file::sha256_of_file;
use super::output_error::OutputError;
use crate::EngineError;
use crate::files::{TEXT_LIMIT_BYTES, read_text};

/// File that identifies a release directory.
pub(super) const CERTIFICATE: &str = "certificate.json";

/// File that identifies a private directory; it is written when a release is moved into place.
pub const PRIVATE_NOTE_FILE: &str = "PRIVATE.txt";

/// The content of the note that programs read. The note explains it in words before.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PrivateNote {
    /// The digest of the certificate of the release, or `None` if the release is next to the
    /// folder.
    pub(super) certificate_sha256: Option<String>,
    /// The files in the folder, without the note.
    pub(super) private_files: BTreeSet<String>,
}

impl PrivateNote {
    /// Returns the text of the note: an explanation, followed by the content as JSON.
    pub(super) fn text(&self) -> String {
        let content = serde_json::to_string_pretty(self).expect("a note consists of strings");
        format!("{EXPLANATION}\n{content}\n")
    }

    /// Parses a note. The explanation before the JSON object can have any content.
    fn parse(text: &str) -> Option<Self> {
        let start = text.find("\n{")?;
        serde_json::from_str(&text[start..]).ok()
    }
}

const EXPLANATION: &str = "\
This folder records how a release was created from the original table.
It is intended for the data holder only. Never publish it.

The option --force may replace the files listed below. Any other file prevents the replacement of
the folder. If the release is not next to this folder, its certificate has the digest below.
";

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
    Some(PrivateNote::parse(note)?.private_files)
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
    if let Some(digest) = PrivateNote::parse(&note).and_then(|note| note.certificate_sha256) {
        return sha256_of_file(&release.join(CERTIFICATE)).is_ok_and(|own| own == digest);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Other versions explain the content in other words.
    #[test]
    fn note_is_read_without_its_explanation() {
        let private_files = BTreeSet::from(["policy.toml".to_owned(), "a {b.csv".to_owned()]);
        let note = PrivateNote { certificate_sha256: Some("f00d".to_owned()), private_files };
        let text = note.text();
        let (_, content) = text.split_once("\n{").expect("an explanation");
        for text in [text.clone(), format!("Written {{by}} another version.\n\n{{{content}")] {
            let read = PrivateNote::parse(&text).expect("a note");
            assert_eq!(read.certificate_sha256, note.certificate_sha256);
            assert_eq!(read.private_files, note.private_files);
        }
        assert!(PrivateNote::parse(&text.replace("private_files", "files")).is_none());
        assert!(PrivateNote::parse("policy.toml\n").is_none());
    }
}
