//! Release directories that are created atomically.
//!
//! A release `DIR` and the private files of the data holder, `DIR.private`, are built in a hidden
//! folder next to them and then moved into place: first the private directory, then the release. If
//! the private files have another location, they are built in a hidden folder next to that
//! location, which may be on another disk; the hidden folder of the release records this location.
//! A journal makes the pair recoverable. After the journal has been written, [`recover`] completes
//! a commit that a crash interrupted; before that, [`recover`] removes the incomplete files. In both
//! cases, the result is either the complete old pair or the complete new pair.

use std::fs::{self, File};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use indistinct_diagnostics::platform::{self, lock_folder};
use serde::{Deserialize, Serialize};

use super::journal::{Exchange, Journal, Step, staged_private};
use super::output_error::{OutputError, Recovery};
use super::ownership::{self, CERTIFICATE, PRIVATE_NOTE_FILE, PrivateNote};
use super::target::{N_RANDOM, PrivateLocation, Replace, Target};
use super::{sha256_of_file, write_private_file};
use crate::EngineError;
use crate::files::{TEXT_LIMIT_BYTES, read_text};

/// File in a staging folder with the location of the private directory, unless it is next to the
/// release.
const PRIVATE_LOCATION: &str = "private-location.json";

/// Location of the private directory of an unfinished release.
#[derive(Debug, Default, Serialize, Deserialize)]
struct RecordedLocation {
    location: PrivateLocation,
    /// Inode of its parent folder, which differs while the disk is not mounted.
    parent: Option<u128>,
}

/// A step in moving a release into place. Each variant names the last completed step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placing {
    /// All files are synced to disk.
    Settled,
    /// The journal has been written, so recovery from a crash after this step results in the
    /// new release.
    Journaled,
    /// A part of the release is in place.
    PartInPlace,
    /// The release is in place.
    InPlace,
}

/// Returns the private directory of a release directory: `DIR.private` next to `DIR`.
///
/// # Errors
/// Returns [`OutputError::InvalidPath`] or [`OutputError::NoParent`] if the path cannot have a
/// private directory.
pub fn private_dir(dir: &Path) -> Result<PathBuf, EngineError> {
    Target::for_directory(dir).map(|target| target.next_to_release)
}

/// Returns whether a private directory belongs to the release at `dir`.
pub fn is_private_of(private: &Path, dir: &Path) -> bool {
    private_dir(dir).is_ok_and(|next| ownership::is_pair(private, dir, &next))
}

/// A release under construction. Dropping the value without [`Staging::commit`] removes all its
/// files.
#[derive(Debug)]
pub struct Staging {
    target: Target,
    replace: Replace,
    recovered: Recovery,
    folder: PathBuf,
    /// Lock that is held while the folder is in use.
    _lock: File,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Building,
    Left,
}

impl Staging {
    /// Recovers from an interrupted run, if any (see [`recover`]), and then starts a release at
    /// `dir` with its private directory next to it.
    ///
    /// # Errors
    /// The same errors as [`Staging::create_with`].
    pub fn create(dir: &Path, replace: Replace) -> Result<Self, EngineError> {
        Self::create_with(dir, &PrivateLocation::NextToRelease, replace)
    }

    /// Starts a release like [`Staging::create`], with a chosen location of the private directory.
    ///
    /// # Errors
    /// Returns [`EngineError`] if a directory exists and must not be replaced, or if a path cannot
    /// name a directory. Also returns an error if the parent of a directory does not exist or
    /// cannot be written, if another process is writing the same release, or if `DIR.private`
    /// exists although the private directory has another location.
    pub fn create_with(
        dir: &Path,
        private: &PrivateLocation,
        replace: Replace,
    ) -> Result<Self, EngineError> {
        let target = Target::for_directory(dir)?.with_private(private)?;
        let recovered = recover(dir)?;
        if !target.staging_folders()?.is_empty() {
            return Err(OutputError::Busy { path: target.release }.into());
        }
        target.check(replace, recovered)?;
        let fail = |source| EngineError::write(&target.release, source);
        let (lock, folder) = tempfile::Builder::new()
            .prefix(&target.staging_prefix())
            .rand_bytes(N_RANDOM)
            .make_in(&target.parent, platform::create_locked_folder)
            .map_err(fail)?
            .into_parts();
        let folder = folder.keep().map_err(|error| fail(error.error))?;
        let lock = lock.ok_or_else(|| OutputError::Busy { path: target.release.clone() })?;
        let state = State::Building;
        let staging = Self { target, replace, recovered, folder, _lock: lock, state };
        staging.record_private_location()?;
        let separate = separate_staging(&staging.target, &staging.folder);
        let parts = [Some(staging.public()), separate, staging.private(), Some(staging.scratch())];
        for part in parts.into_iter().flatten() {
            let created = platform::create_private_folder(&part);
            created.map_err(|source| EngineError::write(&part, source))?;
        }
        Ok(staging)
    }

    /// Records the location of the private directory. After a crash, the location is required to
    /// remove the private files.
    fn record_private_location(&self) -> Result<(), EngineError> {
        let path = self.folder.join(PRIVATE_LOCATION);
        let fail = |source| EngineError::write(&path, source);
        let Some(location) = self.target.recorded_location().map_err(fail)? else { return Ok(()) };
        let parent = self.target.inode_of_separate_parent().map_err(fail)?;
        let text = serde_json::to_vec(&RecordedLocation { location, parent });
        write_private_file(&path, &text.map_err(|error| fail(error.into()))?)?;
        settle(&self.folder)
    }

    /// Returns the result of recovering from an earlier run.
    pub fn recovered(&self) -> Recovery {
        self.recovered
    }

    /// Writes the note of the private folder, which lists the names of the private files.
    fn list_private(&self) -> Result<(), EngineError> {
        let Some(folder) = self.private() else { return Ok(()) };
        let certificate = self.public().join(CERTIFICATE);
        let certificate_sha256 = match self.target.is_private_separate() {
            true => Some(
                sha256_of_file(&certificate)
                    .map_err(|source| EngineError::write(&certificate, source))?,
            ),
            false => None,
        };
        let private_files = ownership::files(&folder)?.into_iter().collect();
        let note = PrivateNote { certificate_sha256, private_files }.text();
        write_private_file(&folder.join(PRIVATE_NOTE_FILE), note.as_bytes()).map(|_| ())
    }

    /// Returns the folder that becomes the release.
    pub fn public(&self) -> PathBuf {
        self.folder.join("public")
    }

    /// Returns the folder that becomes the private directory, unless it is omitted.
    pub fn private(&self) -> Option<PathBuf> {
        staged_private(&self.folder, &self.target)
    }

    /// Returns the location of the private directory after the commit, unless it is omitted.
    pub fn private_target(&self) -> Option<&Path> {
        self.target.private.as_deref()
    }

    /// Returns a folder for temporary files, which is removed at the end.
    pub fn scratch(&self) -> PathBuf {
        self.folder.join("scratch")
    }

    /// Moves the release into place after syncing all its files to disk. Folders have the mode 0700
    /// and files the mode 0600.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the certificate is missing or the operating system reports an
    /// error. In that case, the previous state is restored.
    pub fn commit(self) -> Result<(), EngineError> {
        self.commit_hearing(&mut |_| {})
    }

    /// Commits like [`Staging::commit`] and calls `at` after each completed step.
    ///
    /// # Errors
    /// Returns the same errors as [`Staging::commit`].
    pub fn commit_hearing(mut self, at: &mut dyn FnMut(Placing)) -> Result<(), EngineError> {
        let committed = self.steps(Exchange::WherePossible, &mut |step| {
            at(match step {
                Step::Settled => Placing::Settled,
                Step::Journaled => Placing::Journaled,
                Step::PrivateAside | Step::PrivateInPlace | Step::ReleaseAside => {
                    Placing::PartInPlace
                }
                Step::ReleaseInPlace => Placing::InPlace,
            });
            ControlFlow::Continue(())
        });
        committed.map(|_| ())
    }

    /// Performs the steps of a commit. The function `at` is called after each step and can stop the
    /// commit to simulate a crash.
    pub(super) fn steps(
        &mut self,
        exchange: Exchange,
        at: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, EngineError> {
        if !self.public().join(CERTIFICATE).is_file() {
            let reason = format!("{CERTIFICATE} is missing");
            return Err(OutputError::NotARelease { path: self.public(), reason }.into());
        }
        self.target.check(self.replace, Recovery::Nothing)?;
        self.list_private()?;
        for part in [Some(self.public()), self.private()].into_iter().flatten() {
            settle(&part)?;
        }
        if at(Step::Settled).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let journal = Journal::write(&self.folder, &self.target, self.replace)?;
        if at(Step::Journaled).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let moved = match journal.roll_forward(&self.folder, &self.target, exchange, at) {
            Ok(ControlFlow::Continue(())) if !journal.is_done(&self.folder, &self.target) => {
                let reason =
                    io::Error::other("the new release disappeared while it was moved into place");
                Err(EngineError::write(&self.target.release, reason))
            }
            other => other,
        };
        match moved {
            Ok(ControlFlow::Continue(())) => {}
            Ok(stopped) => return Ok(stopped),
            Err(error) => {
                if !journal.roll_back(&self.folder, &self.target) {
                    self.state = State::Left;
                }
                return Err(error);
            }
        }
        // Removing the folder also removes the replaced release. If the removal fails, the next run
        // repeats it.
        self.remove();
        Ok(ControlFlow::Continue(()))
    }

    /// Simulates a crash: all files remain, but the lock is released.
    #[cfg(test)]
    pub(super) fn crash(mut self) {
        self.state = State::Left;
    }

    fn remove(&mut self) {
        self.state = State::Left;
        let _ = remove_staging(&self.folder, &self.target);
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if self.state == State::Building {
            self.remove();
        }
    }
}

/// Recovers from a crash. Releases whose journal was written are completed; other releases
/// are removed.
///
/// Folders that are in use by another process remain unchanged.
///
/// # Errors
/// Returns [`EngineError`] if `dir` cannot name a release directory or the operating system reports
/// an error.
pub fn recover(dir: &Path) -> Result<Recovery, EngineError> {
    let target = Target::for_directory(dir)?;
    let mut recovered = Recovery::Nothing;
    for folder in target.staging_folders()? {
        let fail = |source| EngineError::write(&folder, source);
        let Some(_lock) = lock_folder(&folder).map_err(fail)? else {
            continue;
        };
        let target = recorded(&folder, &target)?;
        let journal = Journal::read(&folder)?;
        let completed = match &journal {
            Some(journal) if journal.is_pending(&folder, &target) => {
                let go_on = &mut |_| ControlFlow::Continue(());
                let _ = journal.roll_forward(&folder, &target, Exchange::WherePossible, go_on)?;
                true
            }
            _ => false,
        };
        remove_staging(&folder, &target)?;
        recovered = match (recovered, completed) {
            (_, true) | (Recovery::Completed, _) => Recovery::Completed,
            _ => Recovery::Removed,
        };
    }
    Ok(recovered)
}

/// Returns the paths of an unfinished release with the recorded location of its private directory.
fn recorded(folder: &Path, target: &Target) -> Result<Target, EngineError> {
    let path = folder.join(PRIVATE_LOCATION);
    if fs::symlink_metadata(&path).is_err() {
        return Ok(target.clone());
    }
    let text = read_text(folder, PRIVATE_LOCATION, TEXT_LIMIT_BYTES)?;
    // If the process stopped while it wrote the location, no private file exists yet.
    let recorded: RecordedLocation = serde_json::from_str(&text).unwrap_or_default();
    let unavailable =
        || EngineError::from(OutputError::PrivateUnavailable { folder: folder.to_owned() });
    let target = target.clone().with_private(&recorded.location).map_err(|_| unavailable())?;
    match target.inode_of_separate_parent() {
        Ok(parent) if parent == recorded.parent => Ok(target),
        _ => Err(unavailable()),
    }
}

/// Returns the staging folder of the private directory if it is not next to the release.
fn separate_staging(target: &Target, folder: &Path) -> Option<PathBuf> {
    target.private_staging(folder).filter(|_| target.is_private_separate())
}

/// Removes the staging folders of a release. The folder of the release, which records the location
/// of the other folder, is removed last.
fn remove_staging(folder: &Path, target: &Target) -> Result<(), EngineError> {
    for folder in separate_staging(target, folder).iter().map(PathBuf::as_path).chain([folder]) {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            removed => removed.map_err(|source| EngineError::write(folder, source))?,
        }
    }
    Ok(())
}

/// State of an unfinished release before [recovery](recover).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Residue {
    /// No unfinished release exists.
    Nothing,
    /// Another process is working on the release.
    InUse,
    /// The commit did not start, so recovery removes the files.
    NeverPlaced,
    /// The commit started, so recovery completes it.
    Placed,
}

/// Looks for an unfinished release next to its directory.
///
/// # Errors
/// Returns [`EngineError`] if `dir` cannot name a release directory or the operating system reports
/// an error.
pub fn residue(dir: &Path) -> Result<Residue, EngineError> {
    let target = Target::for_directory(dir)?;
    let mut found = Residue::Nothing;
    for folder in target.staging_folders()? {
        let Some(_lock) =
            lock_folder(&folder).map_err(|source| EngineError::write(&folder, source))?
        else {
            return Ok(Residue::InUse);
        };
        found = match (found, Journal::read(&folder)?) {
            (Residue::Placed, _) | (_, Some(_)) => Residue::Placed,
            (_, None) => Residue::NeverPlaced,
        };
    }
    Ok(found)
}

/// Restricts access to a folder and its content to the owner, and syncs the folder to disk.
fn settle(path: &Path) -> Result<(), EngineError> {
    let fail = |source| EngineError::write(path, source);
    let there = fs::symlink_metadata(path).map_err(fail)?;
    if !there.is_dir() && !there.is_file() {
        let reason = io::Error::other("the entry is neither a file nor a folder");
        return Err(fail(reason));
    }
    platform::restrict_within(path).map_err(fail)?;
    if there.is_dir() {
        for entry in fs::read_dir(path).map_err(fail)? {
            settle(&entry.map_err(fail)?.path())?;
        }
    }
    platform::sync(path).map_err(fail)
}
