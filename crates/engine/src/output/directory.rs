//! Release directories that are created atomically.
//!
//! A release `DIR` and the private files of the data holder, `DIR.private`, are built in a hidden
//! folder next to them and then moved into place: first the private directory, then the release. A
//! journal makes the pair recoverable. After the journal has been written, [`recover`] completes a
//! commit that a crash interrupted; before that, [`recover`] removes the incomplete files. In both
//! cases, the result is either the complete old pair or the complete new pair.

use std::fs::{self, File, Permissions};
use std::io;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use super::journal::{Exchange, Journal, Step};
use super::output_error::{OutputError, Recovery};
use super::ownership::{self, CERTIFICATE, PRIVATE_NOTE};
use super::target::{N_RANDOM, Replace, Target};
use super::write_private_file;
use crate::EngineError;

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
    Target::for_directory(dir).map(|target| target.private)
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
    /// `dir`.
    ///
    /// # Errors
    /// Returns [`EngineError`] if `dir` or `DIR.private` exists and must not be replaced, or if
    /// `dir` cannot name a directory. Also returns an error if the parent of `dir` does not exist
    /// or cannot be written, or if another process is writing the same release.
    pub fn create(dir: &Path, replace: Replace) -> Result<Self, EngineError> {
        let target = Target::for_directory(dir)?;
        let recovered = recover(dir)?;
        if !target.staging_folders()?.is_empty() {
            return Err(OutputError::Busy { path: target.release }.into());
        }
        target.check(replace, recovered)?;
        let fail = |source| EngineError::write(&target.release, source);
        let folder = tempfile::Builder::new()
            .prefix(&target.staging_prefix())
            .rand_bytes(N_RANDOM)
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(&target.parent)
            .map_err(fail)?
            .keep();
        let lock = lock_of(&folder)
            .map_err(fail)?
            .ok_or_else(|| OutputError::Busy { path: target.release.clone() })?;
        let state = State::Building;
        let staging = Self { target, replace, recovered, folder, _lock: lock, state };
        for part in [staging.public(), staging.private(), staging.scratch()] {
            fs::create_dir(&part).map_err(|source| EngineError::write(&part, source))?;
        }
        Ok(staging)
    }

    /// Returns the result of recovering from an earlier run.
    pub fn recovered(&self) -> Recovery {
        self.recovered
    }

    /// Writes the note of the private folder, which lists the names of the private files.
    fn list_private(&self) -> Result<(), EngineError> {
        let (name, text) = PRIVATE_NOTE;
        let folder = self.private();
        let mut note = text.to_owned();
        for file in ownership::files(&folder)? {
            note += &format!("{file}\n");
        }
        write_private_file(&folder.join(name), note.as_bytes()).map(|_| ())
    }

    /// Returns the folder that becomes the release.
    pub fn public(&self) -> PathBuf {
        self.folder.join("public")
    }

    /// Returns the folder that becomes `DIR.private`.
    pub fn private(&self) -> PathBuf {
        self.folder.join("private")
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
        for part in [self.public(), self.private()] {
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
            Ok(ControlFlow::Continue(())) if !journal.is_done(&self.target) => {
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
        let _ = fs::remove_dir_all(&self.folder);
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
        let Some(_lock) = lock_of(&folder).map_err(fail)? else {
            continue;
        };
        let journal = Journal::read(&folder)?;
        let completed = match &journal {
            Some(journal) if journal.is_pending(&folder) => {
                let go_on = &mut |_| ControlFlow::Continue(());
                let _ = journal.roll_forward(&folder, &target, Exchange::WherePossible, go_on)?;
                true
            }
            _ => false,
        };
        fs::remove_dir_all(&folder).map_err(fail)?;
        recovered = match (recovered, completed) {
            (_, true) | (Recovery::Completed, _) => Recovery::Completed,
            _ => Recovery::Removed,
        };
    }
    Ok(recovered)
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
        let Some(_lock) = lock_of(&folder).map_err(|source| EngineError::write(&folder, source))?
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

/// Acquires the lock of a staging folder, unless another process holds it. The lock is released
/// when the process ends.
fn lock_of(folder: &Path) -> io::Result<Option<File>> {
    let file = File::open(folder)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Restricts access to a folder and its content to the owner, and syncs the folder to disk.
fn settle(path: &Path) -> Result<(), EngineError> {
    let fail = |source| EngineError::write(path, source);
    let there = fs::symlink_metadata(path).map_err(fail)?;
    if there.is_dir() {
        fs::set_permissions(path, Permissions::from_mode(0o700)).map_err(fail)?;
        for entry in fs::read_dir(path).map_err(fail)? {
            settle(&entry.map_err(fail)?.path())?;
        }
    } else if there.is_file() {
        fs::set_permissions(path, Permissions::from_mode(0o600)).map_err(fail)?;
    } else {
        let reason = io::Error::other("the entry is neither a file nor a folder");
        return Err(fail(reason));
    }
    File::open(path).and_then(|file| file.sync_all()).map_err(fail)
}
