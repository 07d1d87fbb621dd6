//! Release directories that appear at once or not at all.
//!
//! A release `DIR` and what only its holder may know, `DIR.private`, are built in a hidden folder beside them and put in
//! place together: the private part first, then the release. A journal makes the pair recoverable: once it is written,
//! [`recover`] completes what a crash interrupted; before that, it removes the leftovers. Either way what stands there
//! afterwards is the complete old pair or the complete new one.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use super::journal::{Exchange, Journal, Step};
use super::ours::{self, Known};
use super::{OutputError, write_private_file};

/// The file by which a release directory is known.
pub(super) const CERTIFICATE: &str = "certificate.json";

/// The file by which a private directory is known; a [`Staging`] writes it when it is put in place.
pub const PRIVATE_NOTE_FILE: &str = "PRIVATE.txt";

/// The file by which a private directory is known, and what it says before the names of the files.
pub(super) const PRIVATE_NOTE: (&str, &str) = (
    PRIVATE_NOTE_FILE,
    "This folder belongs to the release beside it and says how the release was made from the original table.\n\
     It is for the holder of that table alone: never publish it.\n\n\
     Its files, which --force may replace; a file that is not listed here keeps the whole folder from being replaced:\n",
);

/// Random letters at the end of the name of a staging folder.
const N_RANDOM: usize = 8;

/// What to do if the release directory exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replace {
    /// It is an error.
    Forbid,
    /// A release is replaced; anything else is an error.
    Force,
}

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

/// What [`recover`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// There was nothing to do.
    Nothing,
    /// Leftovers of a release that was never complete were removed.
    Removed,
    /// A complete release was put in place.
    Completed,
}

impl Recovery {
    /// What was done, in words for whoever started the next run; nothing if there was nothing to do.
    pub fn text(self, dir: &Path) -> Option<String> {
        let dir = dir.display();
        match self {
            Self::Nothing => None,
            Self::Removed => Some(format!(
                "an earlier run was stopped before it put a release at '{dir}' in place; what it left was removed"
            )),
            Self::Completed => Some(format!(
                "an earlier run was stopped while it put the release '{dir}' in place; that release is now complete"
            )),
        }
    }
}

/// Where a release goes.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// The folder that holds the release.
    pub(super) parent: PathBuf,
    /// The release directory.
    pub(super) release: PathBuf,
    /// The private directory.
    pub(super) private: PathBuf,
    name: OsString,
}

impl Target {
    fn of(dir: &Path) -> Result<Self, OutputError> {
        let invalid = || OutputError::InvalidPath { path: dir.to_owned() };
        // Answers and ledgers write the path down as a text.
        dir.to_str().ok_or_else(invalid)?;
        let name = dir.file_name().ok_or_else(invalid)?.to_owned();
        let parent = match dir.parent().ok_or_else(invalid)? {
            empty if empty.as_os_str().is_empty() => PathBuf::from("."),
            parent => parent.to_owned(),
        };
        if !parent.is_dir() {
            return Err(OutputError::NoParent { path: parent });
        }
        let mut private = name.clone();
        private.push(".private");
        let (release, private) = (dir.with_file_name(&name), dir.with_file_name(private));
        Ok(Self { release, private, parent, name })
    }

    fn staging_prefix(&self) -> OsString {
        let mut prefix = OsString::from(".");
        prefix.push(&self.name);
        prefix.push(".indistinct-");
        prefix
    }

    /// The staging folders of this release, sorted.
    fn staging_folders(&self) -> Result<Vec<PathBuf>, OutputError> {
        let fail = |source| OutputError::write(&self.parent, source);
        let prefix = self.staging_prefix();
        let mut folders = Vec::new();
        for entry in fs::read_dir(&self.parent).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name();
            let random = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
            let ours = random.is_some_and(|random| {
                random.len() == N_RANDOM && random.iter().all(u8::is_ascii_alphanumeric)
            });
            if ours && entry.file_type().map_err(fail)?.is_dir() {
                folders.push(entry.path());
            }
        }
        folders.sort();
        Ok(folders)
    }

    /// Checks that what is there may be replaced.
    fn check(&self, replace: Replace, recovered: Recovery) -> Result<(), OutputError> {
        for (path, known_by) in
            [(&self.release, Known::BY_CERTIFICATE), (&self.private, Known::BY_NOTE)]
        {
            match fs::symlink_metadata(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(OutputError::write(path, source)),
                Ok(_) if replace == Replace::Forbid => {
                    return Err(OutputError::Exists { path: path.clone(), recovered });
                }
                Ok(there) if !there.is_dir() => {
                    let reason = "it is no folder".to_owned();
                    return Err(OutputError::NotARelease { path: path.clone(), reason });
                }
                Ok(_) => ours::check(path, known_by)?,
            }
        }
        Ok(())
    }
}

/// The private directory of a release directory: `DIR.private` beside `DIR`.
///
/// # Errors
/// [`OutputError::InvalidPath`] or [`OutputError::NoParent`] if there can be no such directory.
pub fn private_dir(dir: &Path) -> Result<PathBuf, OutputError> {
    Target::of(dir).map(|target| target.private)
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
    /// [`OutputError`] if `dir` or `DIR.private` exists and must not be replaced, `dir` cannot name a directory, its
    /// parent does not exist or cannot be written, or another process is writing the same release.
    pub fn create(dir: &Path, replace: Replace) -> Result<Self, OutputError> {
        let target = Target::of(dir)?;
        let recovered = recover(dir)?;
        if !target.staging_folders()?.is_empty() {
            return Err(OutputError::Busy { path: target.release });
        }
        target.check(replace, recovered)?;
        let fail = |source| OutputError::write(&target.release, source);
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
            fs::create_dir(&part).map_err(|source| OutputError::write(&part, source))?;
        }
        Ok(staging)
    }

    /// What an earlier run had left here, and what became of it.
    pub fn recovered(&self) -> Recovery {
        self.recovered
    }

    /// Writes the note of the private part, with the names of its files.
    fn list_private(&self) -> Result<(), OutputError> {
        let (name, text) = PRIVATE_NOTE;
        let folder = self.private();
        let mut note = text.to_owned();
        for file in ours::files(&folder)? {
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
    /// [`OutputError`] if the certificate is missing, or the operating system refuses; then all is as it was.
    pub fn commit(mut self) -> Result<(), OutputError> {
        let committed = self.steps(Exchange::WherePossible, &mut |_| ControlFlow::Continue(()));
        committed.map(|_| ())
    }

    /// As [`Staging::commit`]; `at` hears of each step that is done.
    ///
    /// # Errors
    /// As [`Staging::commit`].
    pub fn commit_hearing(mut self, at: &mut dyn FnMut(Placing)) -> Result<(), OutputError> {
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
    ) -> Result<ControlFlow<()>, OutputError> {
        if !self.public().join(CERTIFICATE).is_file() {
            let reason = format!("it has no {CERTIFICATE}");
            return Err(OutputError::NotARelease { path: self.public(), reason });
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
                Err(OutputError::write(&self.target.release, reason))
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
/// [`OutputError`] if `dir` cannot name a release directory or the operating system refuses.
pub fn recover(dir: &Path) -> Result<Recovery, OutputError> {
    let target = Target::of(dir)?;
    let mut recovered = Recovery::Nothing;
    for folder in target.staging_folders()? {
        let fail = |source| OutputError::write(&folder, source);
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
pub enum Leftover {
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
/// [`OutputError`] if `dir` cannot name a release directory or the operating system refuses.
pub fn leftover(dir: &Path) -> Result<Leftover, OutputError> {
    let target = Target::of(dir)?;
    let mut found = Leftover::Nothing;
    for folder in target.staging_folders()? {
        let Some(_lock) = lock_of(&folder).map_err(|source| OutputError::write(&folder, source))?
        else {
            return Ok(Leftover::InUse);
        };
        found = match (found, Journal::read(&folder)?) {
            (Leftover::Placed, _) | (_, Some(_)) => Leftover::Placed,
            (_, None) => Leftover::NeverPlaced,
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
fn settle(path: &Path) -> Result<(), OutputError> {
    let fail = |source| OutputError::write(path, source);
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
