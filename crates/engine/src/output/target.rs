//! Determines the location of a release and checks that the location is usable.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::output_error::{OutputError, Recovery};
use super::ownership::{self, KnownFile};
use crate::EngineError;

/// Number of random letters at the end of the name of a staging folder.
pub(super) const N_RANDOM: usize = 8;

/// The action to take if the release directory already exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replace {
    /// An existing directory is an error.
    Forbid,
    /// An existing release is replaced; any other content is an error.
    Force,
}

/// Paths of a release.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// Folder that contains the release.
    pub(super) parent: PathBuf,
    /// Release directory.
    pub(super) release: PathBuf,
    /// Private directory.
    pub(super) private: PathBuf,
    name: OsString,
}

impl Target {
    /// Returns the paths for a release at `dir`.
    pub(super) fn for_directory(dir: &Path) -> Result<Self, EngineError> {
        let invalid = || OutputError::InvalidPath { path: dir.to_owned() };
        // The path must be valid UTF-8, because answers and ledgers store it as text.
        dir.to_str().ok_or_else(invalid)?;
        let name = dir.file_name().ok_or_else(invalid)?.to_owned();
        let parent = match dir.parent().ok_or_else(invalid)? {
            empty if empty.as_os_str().is_empty() => PathBuf::from("."),
            parent => parent.to_owned(),
        };
        if !parent.is_dir() {
            return Err(OutputError::NoParent { path: parent }.into());
        }
        let mut private = name.clone();
        private.push(".private");
        let (release, private) = (dir.with_file_name(&name), dir.with_file_name(private));
        Ok(Self { release, private, parent, name })
    }

    /// Returns the prefix of the names of staging folders.
    pub(super) fn staging_prefix(&self) -> OsString {
        let mut prefix = OsString::from(".");
        prefix.push(&self.name);
        prefix.push(".indistinct-");
        prefix
    }

    /// Returns the sorted staging folders of this release.
    pub(super) fn staging_folders(&self) -> Result<Vec<PathBuf>, EngineError> {
        let fail = |source| EngineError::write(&self.parent, source);
        let prefix = self.staging_prefix();
        let mut folders = Vec::new();
        for entry in fs::read_dir(&self.parent).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name();
            let random = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
            let is_owned = random.is_some_and(|random| {
                random.len() == N_RANDOM && random.iter().all(u8::is_ascii_alphanumeric)
            });
            if is_owned && entry.file_type().map_err(fail)?.is_dir() {
                folders.push(entry.path());
            }
        }
        folders.sort();
        Ok(folders)
    }

    /// Checks that an existing release may be replaced, and that the location is not inside another
    /// release, whose content is shared with the recipient.
    pub(super) fn check(&self, replace: Replace, recovered: Recovery) -> Result<(), EngineError> {
        let parent = self.parent.canonicalize();
        let parent = parent.map_err(|source| EngineError::write(&self.parent, source))?;
        if let Some(around) = parent.ancestors().find(|folder| ownership::is_part(folder)) {
            let around = around.to_owned();
            return Err(OutputError::Within { path: self.release.clone(), around }.into());
        }
        for (path, known_by) in
            [(&self.release, KnownFile::BY_CERTIFICATE), (&self.private, KnownFile::BY_NOTE)]
        {
            match fs::symlink_metadata(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(EngineError::write(path, source)),
                Ok(_) if replace == Replace::Forbid => {
                    return Err(OutputError::Exists { path: path.clone(), recovered }.into());
                }
                Ok(there) if !there.is_dir() => {
                    let reason = "the path is not a folder".to_owned();
                    return Err(OutputError::NotARelease { path: path.clone(), reason }.into());
                }
                Ok(_) => ownership::check(path, known_by)?,
            }
        }
        Ok(())
    }
}
