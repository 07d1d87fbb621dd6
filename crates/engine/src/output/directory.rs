//! Release directories that appear at once or not at all.
//!
//! A release `DIR` and what only its holder may know, `DIR.private`, are built in a hidden folder beside them and put in
//! place together: the private part first, then the release. A journal makes the pair recoverable: once it is written,
//! [`recover`] completes what a crash interrupted; before that, it removes the leftovers. Either way what stands there
//! afterwards is the complete old pair or the complete new one.

use std::fs::{self, File, Permissions};
use std::io;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use super::journal::{Exchange, Journal, Step};
use super::output_error::OutputError;
use super::ownership::{self, CERTIFICATE, PRIVATE_NOTE};
use super::recovery::Recovery;
use super::target::{N_RANDOM, Replace, Target};
use super::write_private_file;
use crate::EngineError;

/// The steps of putting a release in place, each named by what is done after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placing {
    /// All its files are on the disk.
    Settled,
    /// From here on a stop ends with the new release.
    Journaled,
    /// A part of it is in place.
    PartInPlace,
    /// It is in place.
    InPlace,
}

/// The private directory of a release directory: `DIR.private` beside `DIR`.
///
/// # Errors
/// [`OutputError::InvalidPath`] or [`OutputError::NoParent`] if there can be no such directory.
pub fn private_dir(dir: &Path) -> Result<PathBuf, EngineError> {
    Target::for_directory(dir).map(|target| target.private)
}

/// A release that is being built. Dropped without [`Staging::commit`] it leaves nothing behind.
#[derive(Debug)]
pub struct Staging {
    target: Target,
    replace: Replace,
    recovered: Recovery,
    folder: PathBuf,
    /// Held as long as the folder is in use.
    _lock: File,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Building,
    Left,
}

impl Staging {
    /// Starts a release at `dir`, after healing what an interrupted one left there (see [`recover`]).
    ///
    /// # Errors
    /// [`EngineError`] if `dir` or `DIR.private` exists and must not be replaced, `dir` cannot name a directory, its
    /// parent does not exist or cannot be written, or another process is writing the same release.
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

    /// What an earlier run had left here, and what became of it.
    pub fn recovered(&self) -> Recovery {
        self.recovered
    }

    /// Writes the note of the private part, with the names of its files.
    fn list_private(&self) -> Result<(), EngineError> {
        let (name, text) = PRIVATE_NOTE;
        let folder = self.private();
        let mut note = text.to_owned();
        for file in ownership::files(&folder)? {
            note += &format!("{file}\n");
        }
        write_private_file(&folder.join(name), note.as_bytes()).map(|_| ())
    }

    /// The folder that becomes the release.
    pub fn public(&self) -> PathBuf {
        self.folder.join("public")
    }

    /// The folder that becomes `DIR.private`.
    pub fn private(&self) -> PathBuf {
        self.folder.join("private")
    }

    /// A folder for temporary files, which is removed at the end.
    pub fn scratch(&self) -> PathBuf {
        self.folder.join("scratch")
    }

    /// Puts the release in place, with all its files on the disk: folders have mode 0700, files 0600.
    ///
    /// # Errors
    /// [`EngineError`] if the certificate is missing, or the operating system refuses; then all is as it was.
    pub fn commit(mut self) -> Result<(), EngineError> {
        let committed = self.steps(Exchange::WherePossible, &mut |_| ControlFlow::Continue(()));
        committed.map(|_| ())
    }

    /// As [`Staging::commit`]; `at` hears of each step that is done.
    ///
    /// # Errors
    /// As [`Staging::commit`].
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

    /// The steps of a commit; `at` hears of each one that is done and can stop there, as a crash would.
    pub(super) fn steps(
        &mut self,
        exchange: Exchange,
        at: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, EngineError> {
        if !self.public().join(CERTIFICATE).is_file() {
            let reason = format!("it has no {CERTIFICATE}");
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
                let reason = io::Error::other("the new release vanished while it was put in place");
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
        // What was replaced goes with the folder. If that fails, the next start removes it.
        self.remove();
        Ok(ControlFlow::Continue(()))
    }

    /// Ends as a crash would: what there is stays, but for the lock.
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

/// Heals what a crash left beside a release directory: completes a release whose journal was written, removes others.
///
/// A folder that another process is using is left alone.
///
/// # Errors
/// [`EngineError`] if `dir` cannot name a release directory or the operating system refuses.
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

/// What a release that was not finished left beside its directory, before anything is [healed](recover).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Residue {
    /// Nothing: either it was finished, or there never was one.
    Nothing,
    /// Another process is at work on it.
    InUse,
    /// It was never put in place, and will not be.
    NeverPlaced,
    /// It was about to be put in place, or is.
    Placed,
}

/// Looks for what a release that was not finished left beside its directory.
///
/// # Errors
/// [`EngineError`] if `dir` cannot name a release directory or the operating system refuses.
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

/// The lock of a staging folder, unless another process has it. It ends with the process.
fn lock_of(folder: &Path) -> io::Result<Option<File>> {
    let file = File::open(folder)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Gives a folder and all in it private modes, and waits until it is on the disk.
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
        let reason = io::Error::other("neither a file nor a folder");
        return Err(fail(reason));
    }
    File::open(path).and_then(|file| file.sync_all()).map_err(fail)
}
