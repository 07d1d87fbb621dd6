//! Determines the location of a release and checks that the location is usable.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fs, io};

use indistinct_diagnostics::platform;
use serde::{Deserialize, Serialize};

use super::output_error::{OutputError, Recovery};
use super::ownership::{self, KnownFile, PRIVATE_NOTE_FILE};
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

/// The location of the private directory, which contains the files for the data holder only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrivateLocation {
    /// `DIR.private` next to the release directory `DIR`.
    #[default]
    NextToRelease,
    /// Another directory, which may be on another disk.
    At(PathBuf),
    /// Nowhere: no private files are written.
    Omitted,
}

impl From<PathBuf> for PrivateLocation {
    /// Parses a user-supplied location: the word `none`, or a path.
    fn from(given: PathBuf) -> Self {
        if given.as_os_str() == "none" { Self::Omitted } else { Self::At(given) }
    }
}

/// A private directory that is not next to its release.
#[derive(Debug, Clone)]
struct Separate {
    parent: PathBuf,
    name: OsString,
}

/// Paths of a release.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// Folder that contains the release.
    pub(super) parent: PathBuf,
    /// Release directory.
    pub(super) release: PathBuf,
    /// Private directory, unless it is omitted.
    pub(super) private: Option<PathBuf>,
    /// Path of the private directory next to the release.
    pub(super) next_to_release: PathBuf,
    /// The private directory, if it is not next to the release.
    separate: Option<Separate>,
    name: OsString,
}

impl Target {
    /// Returns the paths for a release at `dir` with its private directory next to it.
    pub(super) fn for_directory(dir: &Path) -> Result<Self, EngineError> {
        let (parent, name) = parts(dir)?;
        let mut private = name.clone();
        private.push(".private");
        let (release, private) = (dir.with_file_name(&name), dir.with_file_name(private));
        let next_to_release = private.clone();
        Ok(Self { release, private: Some(private), next_to_release, separate: None, parent, name })
    }

    /// Returns these paths with another location of the private directory.
    pub(super) fn with_private(self, location: &PrivateLocation) -> Result<Self, EngineError> {
        let path = match location {
            PrivateLocation::NextToRelease => return Ok(self),
            PrivateLocation::Omitted => return Ok(Self { private: None, ..self }),
            PrivateLocation::At(path) => path,
        };
        // The address could contain a password, so the error does not repeat it.
        if path.to_string_lossy().contains("://") {
            return Err(OutputError::PrivateIsAddress.into());
        }
        let (parent, name) = parts(path)?;
        let resolved = |folder: &Path, name: &OsStr| {
            let folder = folder.canonicalize();
            folder.map(|it| it.join(name)).map_err(|source| EngineError::write(path, source))
        };
        let place = resolved(&parent, &name)?;
        if place == resolved(&self.parent, &self.name)? {
            return Err(OutputError::PrivateIsRelease { path: path.clone() }.into());
        }
        if place == resolved(&self.parent, self.next_to_release.file_name().unwrap_or_default())? {
            return Ok(self);
        }
        let private = Some(path.with_file_name(&name));
        Ok(Self { private, separate: Some(Separate { parent, name }), ..self })
    }

    /// Returns the location of the private directory as an absolute path, unless it is next to the
    /// release.
    pub(super) fn recorded_location(&self) -> io::Result<Option<PrivateLocation>> {
        match (&self.private, &self.separate) {
            (None, _) => Ok(Some(PrivateLocation::Omitted)),
            (Some(_), None) => Ok(None),
            (Some(path), Some(_)) => Ok(Some(PrivateLocation::At(std::path::absolute(path)?))),
        }
    }

    /// Returns the inode of the parent folder of a separate private directory.
    pub(super) fn inode_of_separate_parent(&self) -> io::Result<Option<u128>> {
        let inode = |it: &Separate| platform::identity_of(&fs::canonicalize(&it.parent)?);
        self.separate.as_ref().map(inode).transpose()
    }

    /// Returns the folder in which the private directory is created: the staging folder, or a
    /// folder next to the private directory with the same random letters in its name. The name of
    /// the latter does not match the staging folders of any release, because another process could
    /// otherwise remove the folder as unfinished. If the private directory is omitted, the result
    /// is `None`.
    pub(super) fn private_staging(&self, folder: &Path) -> Option<PathBuf> {
        self.private.as_ref()?;
        let Some(Separate { parent, name }) = &self.separate else {
            return Some(folder.to_owned());
        };
        let own = folder.file_name().unwrap_or_default().as_encoded_bytes();
        let random = String::from_utf8_lossy(&own[own.len().saturating_sub(N_RANDOM)..]);
        let mut staging = OsString::from(".");
        staging.push(name);
        staging.push(".private-indistinct-");
        staging.push(random.as_ref());
        Some(parent.join(staging))
    }

    /// Returns whether the private directory is created outside the staging folder.
    pub(super) fn is_private_separate(&self) -> bool {
        self.separate.is_some()
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
        check_surroundings(&self.parent, &self.release)?;
        if let (Some(Separate { parent, .. }), Some(private)) = (&self.separate, &self.private) {
            check_surroundings(parent, private)?;
        }
        let is_elsewhere = self.private.is_none() || self.separate.is_some();
        if is_elsewhere && fs::symlink_metadata(&self.next_to_release).is_ok() {
            return Err(OutputError::OtherPrivate { path: self.next_to_release.clone() }.into());
        }
        let release = Some((&self.release, KnownFile::BY_CERTIFICATE));
        let private = self.private.as_ref().map(|path| (path, KnownFile::BY_NOTE));
        for (path, known_by) in release.into_iter().chain(private) {
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
        match &self.private {
            Some(private)
                if private.is_dir()
                    && !ownership::is_pair(private, &self.release, &self.next_to_release) =>
            {
                let reason = format!("{PRIVATE_NOTE_FILE} names another release");
                Err(OutputError::NotARelease { path: private.clone(), reason }.into())
            }
            _ => Ok(()),
        }
    }
}

/// Returns the existing parent folder and the name of a directory.
fn parts(dir: &Path) -> Result<(PathBuf, OsString), EngineError> {
    let invalid = || OutputError::InvalidPath { path: dir.to_owned() };
    // The path must be valid UTF-8, because answers and ledgers store it as text.
    dir.to_str().ok_or_else(invalid)?;
    let name = dir.file_name().ok_or_else(invalid)?.to_owned();
    let parent = match dir.parent().ok_or_else(invalid)? {
        empty if empty.as_os_str().is_empty() => PathBuf::from("."),
        parent => parent.to_owned(),
    };
    match parent.is_dir() {
        true => Ok((parent, name)),
        false => Err(OutputError::NoParent { path: parent }.into()),
    }
}

/// Checks that a directory would not be inside a release or a private directory.
fn check_surroundings(parent: &Path, directory: &Path) -> Result<(), EngineError> {
    let resolved = parent.canonicalize();
    let resolved = resolved.map_err(|source| EngineError::write(parent, source))?;
    match resolved.ancestors().find(|folder| ownership::is_part(folder)) {
        Some(around) => {
            let around = around.to_owned();
            Err(OutputError::Within { path: directory.to_owned(), around }.into())
        }
        None => Ok(()),
    }
}
